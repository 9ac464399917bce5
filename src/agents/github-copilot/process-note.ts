/** The lock file of each Copilot CLI process in its session's folder, `inuse.<pid>.lock`. */
import type { ReadDocument } from "../../sessions/source.ts"

export const processNote: ReadDocument = ({ name }, at) => {
  const pid = Number(/^inuse\.(\d+)\.lock$/.exec(name)?.[1])
  return Number.isSafeInteger(pid) && pid > 0 && at !== undefined
    ? [{ type: "session", process: { pid, noted: at } }]
    : []
}
