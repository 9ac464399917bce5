/**
 * oh-my-pi's session files (`~/.omp/agent/sessions/…/*.jsonl`): pi's format, with a title at the beginning and a list
 * in phases.
 */
import type { Stream, Wants } from "../../streams/stream.ts"
import { isPis } from "../pi/family.ts"
import { isPiEntry, openPiSession, piSessionNeedles } from "../pi/family-session.ts"
import { ohMyPiLists } from "./_todo.ts"

export const ohMyPiSession = {
  id: "oh-my-pi-session",
  agentType: "oh-my-pi",
  title: "oh-my-pi session file",
  recognises: (line) => (line.type === "title" && typeof line.pad === "string") || (isPiEntry(line) && !isPis(line)),
  needles: piSessionNeedles,
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => openPiSession(ohMyPiLists, wants),
} satisfies Stream
