/**
 * Kilo's `kilo run --format json`: opencode's lines, with measurements of each step and the permission of each call.
 */
import { isKiloLine, isRunLine, runStream } from "../opencode/run.ts"

/** The types of lines in which Kilo and opencode differ. */
const telling: readonly unknown[] = ["step_finish", "tool_use"]

export const kiloRun = runStream({
  id: "kilo-run",
  agentType: "kilo",
  command: "kilo",
  recognises: (line) => isRunLine(line) && (isKiloLine(line) || !telling.includes(line.type)),
})
