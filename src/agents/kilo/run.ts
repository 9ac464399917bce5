/** Kilo's `kilo run --format json`: opencode's lines, in which a step is measured and a call says who has allowed it. */
import { isKiloLine, isRunLine, runStream } from "../opencode/run.ts"

/** Lines that opencode prints alike prove nothing. */
const telling: readonly unknown[] = ["step_finish", "tool_use"]

export const kiloRun = runStream({
  id: "kilo-run",
  agentType: "kilo",
  command: "kilo",
  recognises: (line) => isRunLine(line) && (isKiloLine(line) || !telling.includes(line.type)),
})
