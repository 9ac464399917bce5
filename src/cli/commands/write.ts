/** `headway write`: apply one tool call from standard input; prints the reply for the model. */
import { dialectIds, findDialect } from "../../dialects/index.ts"
import { HeadwayError, limits, textForModel } from "../../plan/index.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { findPlanToWrite } from "../choose/named-plan.ts"
import { newOption } from "../choose/target.ts"
import { type Context, defineCommand } from "../command.ts"
import { planJson, printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"

export const write = defineCommand({
  usage: "write [--dialect D] [--tool T] [--strict] [--gate] < input",
  about: "Reads one tool call from standard input, applies it, and prints the reply for the model.",
  options: {
    dialect: {
      type: "string",
      short: "d",
      value: "D",
      known: dialectIds,
      about: "the vocabulary of the call (default headway)",
    },
    tool: { type: "string", short: "t", value: "T", about: "the tool called (default the dialect's first)" },
    "call-id": { type: "string", value: "ID", about: "apply the call once, however often it is sent" },
    new: newOption,
    gate: { type: "boolean", about: "keep a todo open while one of its allowed checks fails" },
    strict: { type: "boolean", about: "repair nothing: refuse what the tool's schema does not allow" },
  },
  examples: [
    `echo '{"todos":[{"content":"Test","status":"in_progress"}]}' | headway write`,
    `echo '{"plan":[{"step":"Test","status":"pending"}]}' | headway write -d codex`,
    "headway write --session nightly --new --json < call.json",
  ],
  async run(context) {
    const { io, values } = context
    const dialect = findDialect(values.dialect ?? "headway")
    const tool = values.tool ?? dialect.toolNames[0]
    if (!dialect.toolNames.includes(tool)) {
      throw new HeadwayError(
        "usage",
        `The dialect "${dialect.id}" has no tool "${tool}". Its tools are: ${dialect.toolNames.join(", ")}.`,
      )
    }
    if (values.strict && dialect.tools.length === 0) {
      throw new HeadwayError(
        "usage",
        `The dialect "${dialect.id}" can only be read, so it has no schema for --strict to check.`,
      )
    }
    if (io.isTerminal.in) io.err("headway: reading the call from standard input; end it with Ctrl+D\n")
    // What is longer is refused for its length: no more of it need be kept than says so.
    const input = await io.input(4 * limits.input)
    const callId = values["call-id"] === undefined ? {} : { callId: values["call-id"] }
    const call = { tool, input, ...callId }
    const tracker = await findPlanToWrite(context)
    if (values.strict) {
      const { checkStrictly } = await import("../../dialects/strict.ts")
      const problems = checkStrictly(dialect, call)
      if (problems.length > 0) {
        const text = textForModel(problems.map(({ message }) => message).join("\n"))
        const refused = { ok: false, text, events: [], problems, plan: planJson(tracker.key, tracker.plan) }
        io.out(values.json ? printJson(refused) : `${text}\n`)
        return 1
      }
    }
    const gate = values.gate ? (await import("../check/gate.ts")).gateFor(context) : undefined
    const reachesAgent = await isCallersPlan(context, tracker)
    const written = await tracker.write(call, dialect, { reachesAgent, ...(gate ? { gate } : {}) })
    if (!reachesAgent) await sayUntold(context, tracker)
    io.out(values.json ? printJson({ ...written, plan: planJson(tracker.key, written.plan) }) : `${written.text}\n`)
    return written.ok ? 0 : 1
  },
})

/** Whether the caller, who gets the reply, is the one the plan belongs to. A plan that no agent's session began belongs to its writer. */
const isCallersPlan = async (context: Context, { key, ledger }: Tracker): Promise<boolean> => {
  const { agentType } = ledger.opened ?? {}
  if (agentType === undefined) return true
  const { isCalledFromSession } = await import("../bridge/called-from-session.ts")
  return isCalledFromSession(homeOf(context), agentType, key.session)
}

/** Says that the agent of the plan does not know a person's changes yet, because the reply goes to another caller. */
const sayUntold = async ({ io }: Pick<Context, "io">, { ledger }: Tracker): Promise<void> => {
  const { opened: { agentType } = {}, untold } = ledger
  if (agentType === undefined || untold.size === 0) return
  const { agentTitle } = await import("../output/session-names.ts")
  const agent = agentTitle(agentType)
  say(io, `this call is not from the session of ${agent}, which has not been told of your changes yet`)
}
