/** pi's `--mode json`. */
import type { Stream, Wants } from "../../streams/stream.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { piLists } from "./_todo.ts"
import { isOhMyPis } from "./family.ts"
import { isPiJson, openPiJson } from "./family-json.ts"

export const piJson = {
  id: "pi-json",
  agentType: "pi",
  title: "pi --mode json",
  printedBy: { command: "pi", words: [["--mode json"]] },
  recognises: (line) => isPiJson(line) && !isOhMyPis(line),
  // The tool's name as a value, our own tool's name, and the header's `cwd`.
  needles: [':"todo', ownToolNeedles.underscore, 'wd":"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => openPiJson(piLists, wants),
} satisfies Stream
