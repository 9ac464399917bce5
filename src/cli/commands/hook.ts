/**
 * `headway hook`: called by an agent's hooks with the event on standard input. Never fails and never blocks the agent.
 */
import type { Agent } from "../../agents/agent.ts"
import { agentNamed, hookAgentIds, loadConnectedAgent } from "../../agents/index.ts"
import { projectOf } from "../../board/project.ts"
import type { HookAgent, HookEvent } from "../../bridges/hooks/hook.ts"
import { quietState } from "../../bridges/hooks/quick.ts"
import { readHookEvent, withLastWords } from "../../bridges/hooks/read-event.ts"
import { type HookState, readHookState, saveHookState } from "../../bridges/hooks/state.ts"
import { hasAside } from "../../home/aside.ts"
import { createErrorSink } from "../../home/error-log.ts"
import { planFileName } from "../../home/file-names.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { dataForModel, textForModel } from "../../plan/text/for-model.ts"
import { escapeHidden } from "../../plan/text/sanitise.ts"
import type { HookRun } from "../bridge/act-on-hook.ts"
import { contextOf, keepPlace, positionOfPlan } from "../bridge/hook-place.ts"
import { inTurn } from "../bridge/hook-turn.ts"
import { type Context, defineCommand } from "../command.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import type { Options } from "../words/option.ts"

const names = hookAgentIds.join(", ")

/** Longer than any event: what is piped in is something else. */
const longest = 32 * 1024 * 1024

const profiles = ["off", "quiet", "classic", "gencode"] as const

const options = {
  profile: { type: "choice", of: profiles, about: "how often the model is reminded (default quiet)" },
  "let-stop": { type: "boolean", about: "let the agent stop even when work is left" },
  gate: { type: "boolean", about: "keep a task open while one of its allowed checks fails" },
  plugin: { type: "boolean", about: "called by Headway's plugin: silent if set-up has installed hooks too" },
} as const satisfies Options

export const hook = defineCommand({
  usage: `hook AGENT [--profile ${profiles.join("|")}] [--let-stop] [--gate] [--plugin]`,
  about: `Called by an agent's hooks, with the event on standard input; "headway setup AGENT" arranges that.

Records the agent's own list, restores it after compaction and in a resumed session, passes on a person's changes, reminds (quietly), and sends an agent back to work when it stops with work left. Exits with 0 for every event and with 1 for wrong options; with --gate also with 2 for a task that must stay open, which is how agents expect to be told.

AGENT is one of ${names}.`,
  options,
  maxWords: 1,
  firstWords: hookAgentIds,
  // Agents take 2 for "stop": a call that was written by another version must not hold them up.
  usageExitCode: 1,
  isHook: true,
  examples: ["headway hook claude-code < event.json", "headway hook openai-codex --profile off --let-stop"],
  async run(context) {
    try {
      return await answer(context)
    } catch (cause) {
      // The agent must continue; errors are logged.
      report(context, cause)
    }
    return 0
  },
})

const answer = async (given: Context<typeof options>): Promise<number> => {
  const { io, values, words } = given
  const named = agentNamed(words[0] ?? "")
  const agent = await named?.hooks?.()
  if (!named || !agent) {
    say(io, `hook needs the name of an agent: ${names}.`)
    return 0
  }
  const { profile = "quiet" } = values
  if (io.isTerminal.in)
    say(
      io,
      `this waits for an event of ${named.title} on standard input. "headway setup ${named.id}" connects it; Ctrl+D ends it.`,
    )
  const text = await io.input(longest)
  const told = readHookEvent(agent, text)
  if (!told) {
    unheard(given, text)
    return 0
  }
  const event = await withLastWords(agent, told, text)
  const context = await contextOf(given, { agent, event })
  if (values.plugin && (await isCalledTwice(named, context))) return 0
  const home = homeOf(context)
  const { moment } = event
  if (moment === "done") return values.gate ? refuseTask(context, agent, event) : 0
  const note = async (isStopping: boolean): Promise<void> => {
    try {
      const { noteCaller, noteAgentState } = await import("../bridge/note-caller.ts")
      if (moment === "state") await noteAgentState(named, agent, event, { home, now: io.now() })
      else await noteCaller(named, event, { home, now: io.now(), folder: context.io.cwd, isStopping })
    } catch (cause) {
      // What else there is to do does not depend on it.
      report(context, cause)
    }
  }
  // A tool that has run comes with every step, and tells nothing new.
  if (moment === "start" || moment === "prompt" || moment === "call" || moment === "state") await note(false)
  if (moment === "call" || moment === "state") return 0
  const isEndOfTurn = moment === "stop" && event.agent === "main"
  const leave = async (): Promise<void> => {
    if (io.env.HEADWAY_LAUNCHER) await (await import("../bridge/take-in.ts")).leaveWord(context, agent, event)
  }
  if (await isNothing(context, agent, event)) {
    if (isEndOfTurn) await note(true)
    await leave()
    return 0
  }
  await inTurn(home, planFileName(event), async () => {
    if (hasAside(home)) {
      const { takeIn } = await import("../bridge/take-in.ts")
      await takeIn(context, planFileName(event)).catch((cause) => report(context, cause))
    }
    const holds = values["let-stop"] !== true
    const ownTool = (values.plugin && agent.pluginTool) || agent.ownTool
    const run = { agent: { ...agent, ownTool }, event, profile, holds, state: readHookState(home, event) }
    const isHeld = await answerEvent(context, run)
    if (isEndOfTurn) await note(!isHeld)
    await leave()
  })
  return 0
}

/** Tells an agent that a task stays open: by this exit code, with the reason on standard error. */
const taskStaysOpen = 2

const refuseTask = async (context: Context, agent: HookAgent, event: HookEvent): Promise<number> => {
  const { taskRefusal } = await import("../bridge/task-gate.ts")
  const why = await taskRefusal(context, event, agent)
  if (why === undefined) return 0
  context.io.err(`${textForModel(why)}\n`)
  return taskStaysOpen
}

/** Whether there is no plan, and nothing to begin one: then there is nothing to count and no turn to wait for. */
const isNothing = async (context: Context, agent: HookAgent, event: HookEvent): Promise<boolean> => {
  const state = readHookState(homeOf(context), event)
  const position = await positionOfPlan(context, event)
  return position === undefined && quietState(agent, event, state, position) === state
}

/** Returns whether the agent is sent back to its work. */
const answerEvent = async (context: Context, run: HookRun): Promise<boolean> => {
  const { agent, event, state } = run
  const home = homeOf(context)
  const position = await positionOfPlan(context, event)
  const quiet = quietState(agent, event, state, position)
  if (quiet) {
    if (quiet !== state) saveHookState(home, event, quiet)
    if (position !== undefined) keepPlace(context, run)
    return false
  }
  const { actOnHook } = await import("../bridge/act-on-hook.ts")
  const done = await actOnHook(context, run)
  // Said first: what the journal holds as told must be said, even if nothing more can be kept.
  const output = agent.answer(event, done.answer)
  if (output !== undefined) context.io.out(`${escapeHidden(JSON.stringify(dataForModel(output)))}\n`)
  done.settle()
  const next: HookState = { ...done.state, position: done.position }
  if (done.hasPlan) {
    keepPlace(context, run)
    saveHookState(home, event, next)
  }
  return done.answer.holds !== undefined
}

/** The hooks that set-up wrote are called too, and do the work. */
const isCalledTwice = async ({ id }: Agent, { io }: Context): Promise<boolean> => {
  const agent = await loadConnectedAgent(id)
  const { isAlsoSetUp } = await import("../../bridges/setup/also-set-up.ts")
  return isAlsoSetUp(agent, { env: io.env, home: io.home, project: projectOf(io.cwd) }, "hooks")
}

/** Events we do not handle come all the time; input that is not an event at all is worth a line. */
const unheard = (context: Context, text: string): void => {
  if (text === "" || (text.length < longest && text.includes('"hook_event_name"'))) return
  const message = `Standard input (${text.length} characters) is not an agent's event, so it was ignored.`
  report(context, new HeadwayError("hook-input", message))
}

const report = (context: Context, cause: unknown): void => {
  try {
    const { io } = context
    const error = cause instanceof Error ? cause : new HeadwayError("hook-failed", String(cause))
    createErrorSink({ home: homeOf(context), env: io.env, now: io.now })(error)
  } catch {}
}
