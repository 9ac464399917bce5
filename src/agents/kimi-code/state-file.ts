/** The title of a Kimi Code session, from `state.json` next to the files of its agents. */
import { parseJson } from "../../plan/json.ts"
import type { ReadDocument } from "../../sessions/source.ts"
import { fieldsOf, nameIn } from "../../streams/line.ts"

/** Ignores a title that only repeats the beginning of the first prompt, because our own title is better. */
export const stateFile: ReadDocument = ({ text }) => {
  const { title, titleKind, isCustomTitle } = fieldsOf(parseJson(text))
  const isGiven = isCustomTitle === true || titleKind === "custom" || titleKind === "generated"
  const given = isGiven ? nameIn(title) : undefined
  return given === undefined ? [] : [{ type: "session", title: given }]
}
