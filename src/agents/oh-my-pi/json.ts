/** oh-my-pi's `--mode json`: pi's format, with a list in phases. */
import type { Stream, Wants } from "../../streams/stream.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { isPis } from "../pi/family.ts"
import { isPiJson, openPiJson } from "../pi/family-json.ts"
import { ohMyPiLists } from "./_todo.ts"

export const ohMyPiJson = {
  id: "oh-my-pi-json",
  agentType: "oh-my-pi",
  title: "omp --mode json",
  printedBy: { command: "omp", words: [["--mode json"]] },
  recognises: (line) => isPiJson(line) && !isPis(line),
  // The tool's name as a value, our own tool's name, and the header's `cwd`.
  needles: [':"todo', ownToolNeedles.underscore, 'wd":"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => openPiJson(ohMyPiLists, wants),
} satisfies Stream
