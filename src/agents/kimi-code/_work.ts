/** Reads the outcome of Kimi Code's tools. */
import type { WorkResult } from "../../streams/work.ts"
import { codeIn, commonResult } from "../common-tools.ts"

/** Its printed stream does not mark errors. The output of a failed command ends with the exit code. */
export const kimiResult = (text: string, isError?: boolean): WorkResult => {
  const end = text.slice(-500)
  const code = codeIn(/Command failed with exit code:? (\d{1,3})\.?\s*$/, end)
  const isRunning =
    /^(?:task_id|Task ID): \S+/m.test(text.slice(0, 500)) && /^status: running$/m.test(text.slice(0, 500))
  if (isRunning) return { isRunning, output: text }
  const result = commonResult(text, { code, isError })
  return /Command killed by timeout/.test(end) ? { ...result, isTimedOut: true } : result
}
