/** What Copilot CLI calls a session, from `workspace.yaml` in the session's folder. */
import { parse } from "yaml"
import type { ReadDocument } from "../../sessions/source.ts"
import { fieldsOf, nameIn } from "../../streams/line.ts"

export const workspaceFile: ReadDocument = ({ text }) => {
  const title = nameIn(fieldsOf(parsed(text)).name)
  return title === undefined ? [] : [{ type: "session", title }]
}

/** A name that is a number is a name too. Undefined where it cannot be read, as while it is written. */
const parsed = (text: string): unknown => {
  try {
    return parse(text, { schema: "failsafe", maxAliasCount: 0 })
  } catch {
    return undefined
  }
}
