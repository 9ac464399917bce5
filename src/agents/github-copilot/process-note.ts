/** What each process of Copilot CLI leaves in the folder of the session it is in, `inuse.<pid>.lock`: only that it is there. */
import type { ReadDocument } from "../../sessions/source.ts"

export const processNote: ReadDocument = ({ name }, at) => {
  const pid = Number(/^inuse\.(\d+)\.lock$/.exec(name)?.[1])
  return Number.isSafeInteger(pid) && pid > 0 && at !== undefined
    ? [{ type: "session", process: { pid, noted: at } }]
    : []
}
