/** `headway agent`: the reference agent, on a screen or without one. */

import { projectOf } from "../../board/project.ts"
import { findProgram } from "../../bridges/programs/find-program.ts"
import { findDialect } from "../../dialects/index.ts"
import { HeadwayError, sanitise } from "../../plan/index.ts"
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  type AgentScreenOptions,
  type Ending,
  type FoundModel,
  type OpenAgentScreen,
  openAgent,
} from "../../reference-agent/index.ts"
import { createErrorSink, loadSettings, offersList, saveSettings } from "../../stores/index.ts"
import { isCommand } from "../../tui/agent/command-line.ts"
import { findModelHere } from "../agent/find-model.ts"
import { type AgentSettings, agentOptions, readAgentSettings } from "../agent/options.ts"
import { withoutPerson, withTrust } from "../agent/permits.ts"
import { printSlash } from "../agent/print-slash.ts"
import { createStreamPrinter } from "../agent/print-stream.ts"
import { createTextPrinter } from "../agent/print-text.ts"
import { createRunEvidence, type RunEvidence } from "../agent/run-evidence.ts"
import { openSession, ownAgentType, type Session, usualDialect } from "../agent/session.ts"
import { runSlash, slashCommands } from "../agent/slash.ts"
import { openStateNotes } from "../agent/state-notes.ts"
import { gateOf, readTools } from "../bridge/mcp-options.ts"
import { wantsColour } from "../colour.ts"
import { type Context, defineCommand } from "../command.ts"
import { say } from "../output/say.ts"
import { homeOf, withoutUntrusted } from "../place/place.ts"

export const agent = defineCommand({
  usage: 'agent ["TASK"] [--model MODEL] [--yes] [--print] [--resume SESSION]',
  about: `A small coding agent that keeps its plan with Headway. At a terminal you work with it; with --print, or without a
terminal, it works on TASK (or standard input) and prints its answer. A TASK such as /todos is a command, as on the screen,
and is not sent to the model; it is about the session that --resume or --session names, or the newest here.

MODEL is provider/name (anthropic, openai, google, local), or the usual one of the first provider whose key is set.
Without a key, script:demo shows it at work.`,
  options: agentOptions,
  maxWords: 1,
  examples: [
    'headway agent --model script:demo --yes --print "Build it"',
    'headway agent "Repair the failing test" --model anthropic/claude-sonnet-4-5',
    'headway agent --json "List the open questions" | jq -c .',
    "headway agent --resume shop-3",
  ],
  async run(given) {
    const context = withoutUntrusted(given)
    // Its warnings would go to standard output, between our lines.
    globalThis.AI_SDK_LOG_WARNINGS = false
    const settings = readAgentSettings(context)
    const { io } = context
    const isHeadless = settings.isPrinting || !io.isTerminal.in || !io.isTerminal.out
    const task = context.words[0] ?? (isHeadless ? await readTask(context) : undefined)
    if (isHeadless && (task === undefined || task.trim() === ""))
      throw new HeadwayError(
        "usage",
        'Say what to do: headway agent --print "TASK", or pass the task on standard input.',
      )
    if (isHeadless && isCommand(task ?? "")) return printSlash(context, settings, task ?? "")
    const found = await findModelHere(settings.model, io, findDialect(settings.dialect ?? usualDialect))
    const session = await openSession(context, { ...settings, model: found.name, gate: await gateOf(context) })
    const { header } = session
    if (header.cwd !== io.cwd) say(io, `this session was started in ${header.cwd}; now it works in ${io.cwd}`)
    if (isHeadless) return work(context, { settings, found, session }, task ?? "")
    await openScreen(context, { settings, found, session }, task)
    return 0
  },
})

/** In bytes: more than any model takes. */
const longestTask = 16 << 20

const readTask = async ({ io }: Context): Promise<string> => {
  const text = await io.input(longestTask + 1)
  if (Buffer.byteLength(text) <= longestTask) return text.trim()
  throw new HeadwayError("usage", "Standard input holds more than 16 MiB, which is too long for a task.")
}

type Parts = { settings: AgentSettings; found: FoundModel; session: Session }

type Listeners = Pick<AgentOptions, "permit" | "confirm"> & { onEvent: (event: AgentEvent) => void }

type Opened = { agent: Agent; evidence: RunEvidence }

const open = async (context: Context, { settings, found, session }: Parts, listeners: Listeners): Promise<Opened> => {
  const { io } = context
  const evidence = await createRunEvidence(session.session, io.now)
  const dialect = findDialect(session.header.dialect)
  const notes = await openStateNotes({
    home: homeOf(context),
    agentType: ownAgentType,
    session: session.session,
    now: io.now,
  })
  const { level, profile, mostTurns, contextWindow = found.contextWindow, isTrusted, allowedVariables } = settings
  const agent = await openAgent({
    ...{ model: found.model, cwd: io.cwd, now: io.now, level, profile, contextWindow, allowedVariables },
    ...{ tracker: session.tracker, transcript: session.transcript, planFile: session.planFile },
    ...(mostTurns === undefined ? {} : { mostTurns }),
    shell: findProgram("bash", { env: io.env, home: io.home, project: projectOf(io.cwd) }) ?? "/bin/bash",
    dialect,
    tool: readTools(settings.tool, dialect),
    offersList: offersList(loadSettings(homeOf(context))),
    ...withTrust(notes.asking(listeners), isTrusted),
    contradictions: profile === "off" ? undefined : evidence.contradictions,
    onEvent: (event) => {
      evidence.onEvent(event)
      listeners.onEvent(event)
    },
  })
  return { agent: notes.working(agent), evidence }
}

/** 0 when it is done, 1 when it is not. */
const work = async (context: Context, parts: Parts, task: string): Promise<number> => {
  const { settings, found, session } = parts
  const { io } = context
  const create = settings.format === "text" ? createTextPrinter : createStreamPrinter
  const { view } = findDialect(session.header.dialect)
  const printer = create({ io, view, ascii: context.values.ascii === true })
  const listeners = { ...withoutPerson(settings.isTrusted), onEvent: printer.onEvent }
  const { agent: running, evidence } = await open(context, parts, listeners)
  printer.begin({
    ...{ session: session.session, model: found.name, cwd: io.cwd, isResumed: session.isResumed },
    tools: running.tools.names(),
  })
  const result: { ending: Ending; text: string } = await running.run(task, io.stopped())
  printer.end({ ...result, evidence: evidence.evidence() })
  running.close()
  return result.ending === "done" ? 0 : 1
}

const openScreen = async (context: Context, parts: Parts, task: string | undefined): Promise<void> => {
  const { io, values } = context
  const { session, found } = parts
  const home = homeOf(context)
  const saved = loadSettings(home)
  const dialect = findDialect(session.header.dialect)
  const unfollow = await session.tracker.follow()
  let evidence: RunEvidence | undefined
  const screen: AgentScreenOptions = {
    open: async (listeners) => {
      const opened = await open(context, parts, listeners)
      evidence = opened.evidence
      return opened.agent
    },
    ...{ session: session.session, model: sanitise(found.name), task, isResumed: session.isResumed },
    command: (line, running, signal) =>
      runSlash(line, { tracker: running.tracker, dialect: dialect.id, agent: running, evidence, signal, context }),
    ...{ view: dialect.view, describeCall: dialect.describeCall },
    marks: (todos) => evidence?.marks(todos),
    commands: slashCommands,
    appearance: { colour: wantsColour(context), ascii: values.ascii === true },
    now: io.now,
    isExpanded: saved.showExpandedTodos,
    saveExpanded: (showExpandedTodos) => {
      try {
        saveSettings(home, { showExpandedTodos })
      } catch (cause) {
        // The view changes all the same; only the next start does not know of it.
        createErrorSink({ home, env: io.env, now: io.now })(cause)
      }
    },
    clearDelay: saved["tasks.todoClearDelay"],
    stopped: io.stopped(),
  }
  try {
    await (await screenFor(context))(screen)
  } finally {
    await unfollow()
  }
}

const screenFor = async ({ io }: Context): Promise<OpenAgentScreen> =>
  io.env.TERM === "dumb"
    ? (await import("../agent/plain-screen.ts")).openPlainScreen
    : (await import("../../tui/agent/screen.tsx")).openAgentScreen
