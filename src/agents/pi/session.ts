/** pi's session files, `~/.pi/agent/sessions/--<path>--/<time>_<session>.jsonl`. */
import type { Stream, Wants } from "../../streams/stream.ts"
import { piLists } from "./_todo.ts"
import { isOhMyPis } from "./family.ts"
import { isPiEntry, openPiSession, piSessionNeedles } from "./family-session.ts"

export const piSession = {
  id: "pi-session",
  agentType: "pi",
  title: "pi session file",
  recognises: (line) => isPiEntry(line) && !isOhMyPis(line),
  needles: piSessionNeedles,
  titleNeedles: ['"session_info"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => openPiSession(piLists, wants),
} satisfies Stream
