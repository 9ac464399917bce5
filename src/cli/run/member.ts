/** Runs one member from start to end: its output is read, shown and recorded. */
import type { Readable } from "node:stream"
import { emptyPlan, type Problem, sanitisePrinted } from "../../plan/index.ts"
import { createLineSplitter, type ObservedAgent } from "../../streams/index.ts"
import type { RunView } from "../../tui/run/view.ts"
import { namedAgent, openPlan, reporter, sessionToKeep } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import { type AgentOutput, createAgentOutput } from "./agent-output.ts"
import { type AgentProcess, startAgent } from "./agent-process.ts"
import { createRecorder, type Recorder } from "./agent-recorder.ts"
import type { RunMember } from "./members.ts"
import { type KeptRun, noteRun } from "./note-run.ts"

export type RunMemberOptions = {
  context: Context
  member: RunMember
  view: RunView
  /** Only the first gets our standard input: the next one would find it empty. */
  isFirst: boolean
  onStart: (agent: AgentProcess) => void
  /** Whether the run was stopped. */
  isStopped: () => boolean
}

/** Resolves with the exit code. Rejects when the agent could not be started. */
export const runMember = async (options: RunMemberOptions): Promise<number> => {
  const { member, view, isFirst, onStart, isStopped } = options
  const context = speakingThrough(view, options.context)
  const { io } = context
  view.begin(member)
  await view.flush()
  const hasInput = isFirst && !io.isTerminal.in
  const agent = await startAgent({ command: member.command, cwd: io.cwd, env: io.env, hasInput })
  onStart(agent)
  const seen = new Map<string, { observed: ObservedAgent; agentType: string }>()
  let kept: KeptRun | undefined
  const recorder = recorderOf(context, view, {
    about: (name) => ({ ...seen.get(name), session: output.session }),
    onKept(run) {
      kept = run
      return noteRun(homeOf(context), run, "begun", io.now())
    },
  })
  const output = createAgentOutput({
    candidates: member.candidates,
    now: io.now,
    member: member.name,
    onMessage: view.message,
    onEvent: view.event,
    onList(observed, agentType) {
      const plan = observed.plan ?? emptyPlan
      seen.set(observed.agent, { observed, agentType })
      view.list({ agent: observed.agent, name: observed.agent === "main" ? agentType : observed.agent, plan })
      recorder.take(observed.agent, plan)
    },
    onTurn: view.turned,
  })
  const [code] = await Promise.all([
    agent.exited,
    readOutput(agent, output, view),
    readMessages(agent.stderr, view.complained),
  ])
  await recorder.close()
  if (kept) await noteRun(homeOf(context), kept, "ended", io.now())
  const error = isStopped() ? "The run was stopped." : code === 0 ? undefined : `The agent failed: ${endOf(code)}.`
  output.endTurns(error)
  if (error !== undefined) view.clear()
  await view.flush()
  report(context, member, output, code === 0 && !isStopped())
  return code
}

/** Messages must not tear what is drawn. */
const speakingThrough = (view: RunView, context: Context): Context => ({
  ...context,
  io: {
    ...context.io,
    err: (printed) => {
      if (typeof printed === "string") view.complained(printed)
    },
  },
})

/** Codes above it are those of signals, as a shell says them. */
const signalCodes = 128

/** How a failed process ended. */
export const endOf = (code: number): string =>
  code > signalCodes ? `ended by signal ${code - signalCodes}` : `exit code ${code}`

type Known = { observed?: ObservedAgent; agentType?: string; session: string | undefined }

type RecorderOf = {
  about(agent: string): Known
  /** The session that its plans are kept in is known. */
  onKept(run: KeptRun): Promise<void>
}

const recorderOf = (context: Context, view: RunView, { about, onKept }: RecorderOf): Recorder => {
  const { io } = context
  let keptIn: Promise<string> | undefined
  return createRecorder({
    callIdPrefix: `run ${process.pid} ${io.now().getTime()}`,
    onPlan(agent, plan) {
      view.planned(agent, plan)
      void view.flush()
    },
    onProblem: reporter(context),
    async open(agent) {
      const { observed, agentType, session } = about(agent)
      keptIn ??= sessionToKeep(context, { claimed: session, agentType })
      if (agentType) await onKept({ agentType, session: await keptIn })
      const own = namedAgent(context)
      const parent = observed?.about.parent ? { agent: observed.about.parent.agent } : { agent: own }
      const opened = { ...(agentType ? { agentType } : {}), ...(agent === "main" ? {} : { parent }) }
      return openPlan(context, {
        session: await keptIn,
        agent: agent === "main" ? own : agent,
        opened,
      })
    },
  })
}

/** Reads on only when what was read has been taken: a flood waits in the agent, not here. */
const readOutput = async (agent: AgentProcess, output: AgentOutput, view: RunView): Promise<void> => {
  let isWanted = true
  for await (const chunk of chunksOf(agent.stdout)) {
    if (!isWanted) continue
    for (const piece of piecesOf(chunk)) {
      output.push(piece)
      if (view.isFull()) await view.flush()
    }
    isWanted = await view.flush()
    // As with `| head`: its output is no longer read, so it may stop.
    if (!isWanted) agent.stop()
  }
  output.end()
  if (isWanted) await view.flush()
}

/** In bytes. The report of a few short calls may be thousands of times as long. */
const longestPiece = 4 << 10

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += longestPiece) yield chunk.subarray(at, at + longestPiece)
}

/** In bytes. */
const longestMessage = 1 << 20

const readMessages = async (stream: Readable, complain: (text: string) => void): Promise<void> => {
  let text = ""
  const splitter = createLineSplitter({
    onLine: (line) => {
      text += `${sanitisePrinted(line)}\n`
    },
    onSkipped: (length) => {
      text += `(a line of ${Math.ceil(length / (1 << 20))} MB is left out)\n`
    },
    keepsEmpty: true,
    maxLength: longestMessage,
  })
  const pass = (): void => {
    if (text !== "") complain(text)
    text = ""
  }
  for await (const chunk of chunksOf(stream)) {
    splitter.push(chunk)
    pass()
  }
  splitter.end()
  pass()
}

/** The bytes of a stream until its end, or until it was given up. */
async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw cause
  }
}

/** What could not be read, once per kind; and why no plan was seen, where that is not obvious. */
const report = ({ io }: Context, { command, missingWords }: RunMember, output: AgentOutput, isDone: boolean): void => {
  for (const { problem, count } of output.problems.values()) say(io, problemText(problem, count))
  if (isDone && !output.isRecognised && !missingWords)
    say(io, `${command[0]} printed nothing that Headway recognises as an agent's output, so there was no plan to show.`)
}

const problemText = ({ code, message }: Problem, count: number): string => {
  // Quoting the line would show what was not meant for people.
  if (code === "malformed-line") return `${count === 1 ? "A line was" : `${count} lines were`} damaged and skipped.`
  return count === 1 ? message : `${message} (${count} times)`
}
