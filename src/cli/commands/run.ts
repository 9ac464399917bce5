/** `headway run`: runs agents in turn, passes on their output, and shows the plan of the current one. */
import { basename } from "node:path"
import { agents } from "../../agents/index.ts"
import { isHeadwayError } from "../../plan/headway-error.ts"
import type { Appearance } from "../../tui/components/appearance.tsx"
import { openRunView, type RunView } from "../../tui/run/view.ts"
import { namedSessionId, newOption, type TargetContext } from "../choose/target.ts"
import { wantsColour } from "../colour.ts"
import { type Context, defineCommand } from "../command.ts"
import { say, sayText } from "../output/say.ts"
import { withoutUntrusted } from "../place/place.ts"
import type { AgentProcess } from "../run/agent-process.ts"
import { createRunEvents, createRunLines } from "../run/lines.ts"
import { endOf, runMember } from "../run/member.ts"
import { type RunMember, readMembers } from "../run/members.ts"

export const run = defineCommand({
  usage: "run [--member NAME:COLOUR] [--from AGENT] -- COMMAND… [--then [--member …] -- COMMAND…]",
  about:
    "Runs an agent and shows its plan in place below its output. Agents after --then run one after the other, as long as each succeeds.\nEsc or Ctrl+C stops it. Exit code: the agent's own; 128 plus the signal's number if a signal ended it; 127 if\nthere is no such command, 126 if it could not be started.",
  options: {
    member: {
      type: "string",
      value: "NAME:COLOUR",
      about: "what to call it, and the colour of its heading: a name or #rrggbb (default cyan)",
    },
    from: {
      type: "string",
      value: "AGENT",
      known: ["auto", ...Object.keys(agents)],
      about: "whose output it is: claude-code, openai-codex, google-gemini, opencode, …, or auto (default)",
    },
    new: newOption,
  },
  takesCommand: true,
  examples: [
    'headway run -- claude -p "Fix the tests" --output-format stream-json --verbose',
    'headway run --member Ada:green -- codex exec --json "Write it" \\\n    --then --member Bob -- gemini -o stream-json -p "Review it"',
    'headway run -- opencode run --format json "Tidy up" > run.log',
  ],
  async run(given) {
    const context = await withNamedSession(given)
    const { values, behind } = context
    const members = await readMembers(values, behind)
    for (const one of members) hint(context, one)
    return runAll(context, members)
  },
})

/** A session that is named is looked for before anything runs. */
const withNamedSession = async <Here extends TargetContext>(context: Here): Promise<Here> => {
  const session = await namedSessionId(withoutUntrusted(context), { mayBegin: true })
  return session === undefined ? context : { ...context, values: { ...context.values, session } }
}

/** A person's command is never changed; a message says which options would make it show a plan. */
const hint = ({ io }: Context, { command, missingWords }: RunMember): void => {
  if (missingWords) say(io, `${command[0]} shows a plan only with these options: ${missingWords}`)
  if (command.includes("--then"))
    say(io, `"--then" is passed on to ${command[0]}. Another agent begins with: --then -- COMMAND…`)
}

const runAll = async (context: Context, members: readonly RunMember[]): Promise<number> => {
  const { io } = context
  let agent: AgentProcess | undefined
  let isStopped = false
  let begun = 0
  const sayNotStarted = (reason: string, last: number): void => {
    const names = members.slice(last + 1).map(memberName)
    if (names.length === 0) return
    const were = names.length === 1 ? "was" : "were"
    view.complained(sayText(`${listed(names)} ${were} not started, because ${reason}.`))
  }
  const stop = (): void => {
    isStopped = true
    view.stopping()
    void view.flush()
    agent?.stop()
  }
  const view = openView(context, stop)
  const unhear = io.onSignal((signal) => {
    isStopped = true
    view.clear()
    void view.flush()
    agent?.pass(signal)
  })
  try {
    for (const [index, member] of members.entries()) {
      begun = index
      const code = await runMember({
        context,
        member,
        view,
        isFirst: index === 0,
        onStart: (started) => {
          agent = started
          // Asked to stop before there was anything to stop.
          if (isStopped) agent.stop()
        },
        isStopped: () => isStopped,
      })
      if (code === 0 && !isStopped) continue
      sayNotStarted(isStopped ? "the run was stopped" : `${memberName(member)} failed (${endOf(code)})`, index)
      return code
    }
    return 0
  } catch (cause) {
    view.clear()
    if (!isHeadwayError(cause) || !Object.hasOwn(startCodes, cause.code)) throw cause
    view.complained(sayText(cause.message))
    sayNotStarted(`${memberName(members[begun])} could not be started`, begun)
    return startCodes[cause.code] ?? 1
  } finally {
    unhear()
    view.close()
  }
}

/** What a member is called: by its name, else by its command. */
const memberName = (member: RunMember | undefined): string =>
  member?.name ?? basename(member?.command[0] ?? "The agent")

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

/** What a shell returns for what it cannot run. */
const startCodes: Readonly<Record<string, number>> = { "command-not-found": 127, "command-not-run": 126 }

/** A terminal that can be drawn on gets the live view, everything else lines. */
const openView = (context: Context, onStop: () => void): RunView => {
  const { io, values } = context
  const appearance: Appearance = { colour: wantsColour(context), ascii: values.ascii === true }
  if (values.json) return createRunEvents(io, appearance)
  if (!io.isTerminal.out || io.env.TERM === "dumb") return createRunLines(io, appearance)
  const { output, input } = io.terminal()
  return openRunView({
    output,
    input: io.isTerminal.in ? input : undefined,
    appearance,
    complain: io.err,
    sharesMessages: io.isTerminal.err,
    onStop,
  })
}
