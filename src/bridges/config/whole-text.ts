/** A file that is ours as a whole, such as a program: one value, called `text`. */
import type { ConfigFormat } from "./edit.ts"

export const wholeText: ConfigFormat = {
  parse: (text) => (text === "" ? {} : { text }),
  dropsFile: true,
  edit: (_, edit) => (edit.type === "remove" ? "" : String(edit.value)),
}
