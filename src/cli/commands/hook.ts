/** `headway hook`: called by an agent's own hooks, with the event on standard input. Never fails and never holds it up. */
import { join } from "node:path"
import type { Agent } from "../../agents/agent.ts"
import { agentNamed, hookAgentIds, loadConnectedAgent } from "../../agents/index.ts"
import { projectOf } from "../../board/project.ts"
import { leaveCallNote } from "../../bridges/hooks/call-notes.ts"
import type { HookEvent } from "../../bridges/hooks/hook.ts"
import { isOwnTool } from "../../bridges/hooks/own-tool.ts"
import { quietState } from "../../bridges/hooks/quick.ts"
import { readHookEvent } from "../../bridges/hooks/read-event.ts"
import { type HookState, hookStateFrom } from "../../bridges/hooks/state.ts"
import { hasHooksSetUp } from "../../bridges/setup/also-set-up.ts"
import { createErrorSink } from "../../home/error-log.ts"
import { planFileName } from "../../home/file-names.ts"
import { foreignTextIn } from "../../home/foreign-file.ts"
import { replaceFile } from "../../home/write-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { dataForModel } from "../../plan/text/for-model.ts"
import { escapeHidden } from "../../plan/text/sanitise.ts"
import { type Context, defineCommand } from "../command.ts"
import type { Options } from "../option.ts"
import { say } from "../output/say.ts"
import { homeOf, positionOf, withoutUntrusted } from "../place.ts"

const names = hookAgentIds.join(", ")

/** Longer than any event: what is piped in is something else. */
const longest = 32 * 1024 * 1024

const profiles = ["off", "quiet", "classic", "gencode"] as const

const options = {
  profile: { type: "choice", of: profiles, about: "how often the model is reminded (default quiet)" },
  "let-stop": { type: "boolean", about: "never send an agent back to work" },
  plugin: { type: "boolean", about: "called by Headway's plugin: silent where set-up has put hooks as well" },
} as const satisfies Options

export const hook = defineCommand({
  usage: `hook AGENT [--profile ${profiles.join("|")}] [--let-stop] [--plugin]`,
  about: `Called by an agent's hooks, with the event on standard input; "headway setup AGENT" arranges that.

Records the agent's own list, gives it back after compaction and in a resumed session, passes on what a person changed,
reminds (quietly), and sends an agent that stops with work left back to it. Whatever comes, it ends with 0; wrong options end it with 1.

AGENT is one of ${names}.`,
  options,
  maxWords: 1,
  firstWords: hookAgentIds,
  // Agents take 2 for "stop": a call that was written by another version must not hold them up.
  usageExitCode: 1,
  examples: ["headway hook claude-code < event.json", "headway hook openai-codex --profile off --let-stop"],
  async run(context) {
    try {
      await answer(context)
    } catch (cause) {
      // The agent must go on; what went wrong is written down.
      report(context, cause)
    }
    return 0
  },
})

const answer = async (given: Context<typeof options>): Promise<void> => {
  const { io, values, words } = given
  const row = agentNamed(words[0] ?? "")
  const agent = await row?.hooks?.()
  if (!agent) {
    say(io, `hook needs the name of an agent: ${names}.`)
    return
  }
  const { profile = "quiet" } = values
  const text = await io.input(longest)
  const event = readHookEvent(agent, text)
  if (!event) return unheard(given, text)
  const context = withoutUntrusted({ ...given, io: { ...io, cwd: event.cwd ?? io.cwd } })
  if (values.plugin && row && (await isCalledTwice(row, context))) return
  const home = homeOf(context)
  if (event.moment === "call") return announce(home, event)
  const path = join(home, "cache", "hooks", `${planFileName(event)}.json`)
  const state = hookStateFrom(foreignTextIn(path))
  const key = { session: state.plan ?? event.session, agent: event.agent }
  const position = await positionOf(context, key, async () =>
    (await import("../bridge/act-on-hook.ts")).storeForHook(context),
  )
  const quiet = quietState(agent, event, state, position)
  if (quiet) {
    if (quiet !== state) replaceFile(path, JSON.stringify(quiet), join(home, "tmp"))
    return
  }
  const { actOnHook } = await import("../bridge/act-on-hook.ts")
  const ownTool = (values.plugin && agent.pluginTool) || agent.ownTool
  const called = { agent: { ...agent, ownTool }, event, state, profile, holds: values["let-stop"] !== true }
  const done = await actOnHook(context, called)
  const plan = done.session === event.session ? {} : { plan: done.session }
  // Said first: what the journal holds as told must be said, even if nothing more can be kept.
  const output = agent.answer(event, done.answer)
  if (output !== undefined) io.out(`${escapeHidden(JSON.stringify(dataForModel(output)))}\n`)
  done.settle()
  const next: HookState = { ...done.state, ...plan, position: done.position }
  if (done.hasPlan) replaceFile(path, JSON.stringify(next), join(home, "tmp"))
}

/** The hooks that set-up wrote are called too, and do the work. */
const isCalledTwice = async ({ id }: Agent, { io }: Context): Promise<boolean> => {
  const agent = await loadConnectedAgent(id)
  return hasHooksSetUp(agent, { env: io.env, home: io.home, project: projectOf(io.cwd) })
}

/** Events we do not handle come all the time; input that is not an event at all is worth a line. */
const unheard = (context: Context, text: string): void => {
  if (text === "" || (text.length < longest && text.includes('"hook_event_name"'))) return
  const message = `Standard input (${text.length} characters) is not an agent's event, so it was ignored.`
  report(context, new HeadwayError("hook-input", message))
}

/** Our server is about to get this call, and is told whose it is. */
const announce = (home: string, event: HookEvent): void => {
  const { name = "", callId } = event.tool ?? {}
  if (callId !== undefined && isOwnTool(name)) leaveCallNote(home, callId, event)
}

const report = (context: Context, cause: unknown): void => {
  try {
    const { io } = context
    const error = cause instanceof Error ? cause : new HeadwayError("hook-failed", String(cause))
    createErrorSink({ home: homeOf(context), env: io.env, now: io.now })(error)
  } catch {}
}
