/** Resumes a session in its agent: in the pane where it runs, a new tmux window, or this terminal. */
import { spawnSync } from "node:child_process"
import { constants } from "node:os"
import { loadSources } from "../../agents/index.ts"
import { projectOf } from "../../board/project.ts"
import { findProgram, trustedEnv } from "../../bridges/programs/find-program.ts"
import { processesHere } from "../../home/processes/processes.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { ProcessNote } from "../../sessions/clients.ts"
import { processNotesIn } from "../../sessions/lookup/process-notes.ts"
import { findServingProcess, type Served } from "../../sessions/serving-process.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place/place.ts"
import { type Resumable, type ResumeCommand, resumeCommand } from "./resume-command.ts"
import { createTmux, type Tmux } from "./tmux.ts"

export type OpenOptions = {
  /** All sessions of this machine, among which the process of one is found. */
  all: readonly Served[]
  /** Runs it in this terminal, also inside tmux. @default false */
  isHere?: boolean | undefined
  /** Also where it runs already. @default false */
  isAgain?: boolean | undefined
  /** Called with the folder in which the session continues, before it takes the terminal. */
  onStart?: ((command: ResumeCommand) => void) | undefined
}

/** `code` is the client's own exit code, where it ran in this terminal. */
export type OpenedSession = { how: "pane" | "window" | "here"; command: ResumeCommand; code: number }

/** Throws an explanatory error if it cannot be opened. */
export const openSession = async (
  one: Served & Resumable,
  context: Context,
  { all, isHere = false, isAgain = false, onStart }: OpenOptions,
): Promise<OpenedSession> => {
  const command = resumeCommand(one, context)
  const processes = processesHere()
  const env = trusted(context, command)
  const tmux = context.io.env.TMUX && !isHere ? tmuxHere(context, command, env) : undefined
  const notes = isAgain ? [] : await notesOf(one.agentType, context)
  const serving = isAgain ? undefined : findServingProcess(one, { home: homeOf(context), all, notes, processes })
  if (serving && tmux?.goTo(serving.pid)) return { how: "pane", command, code: 0 }
  if (serving?.isCertain)
    throw new HeadwayError(
      "runs-already",
      `This session is already running, in process ${serving.pid} of another terminal. --again opens it a second time.`,
    )
  const { file, words } = command.own ?? { file: fileOf(context, command), words: command.words }
  onStart?.(command)
  if (!tmux) return { how: "here", command, code: runHere(context, { file, words, folder: command.folder, env }) }
  const isOpened = tmux.openWindow({
    ...{ program: file, words, folder: command.folder },
    env: { PATH: env.PATH, ...(await variablesOf(one.agentType, context)) },
  })
  if (isOpened) return { how: "window", command, code: 0 }
  throw new HeadwayError("no-window", "tmux could not open a window. Add --here to open the session in this one.")
}

const notesOf = async (agentType: string, { io }: Context): Promise<ProcessNote[]> => {
  const source = (await loadSources())[agentType]
  return source ? processNotesIn({ source, env: io.env, home: io.home }) : []
}

/** Programs are looked up where neither the session's folder nor the one we are in can have put its own. */
const trusted = ({ io }: Context, { folder }: ResumeCommand): NodeJS.ProcessEnv =>
  [io.cwd, folder].reduce<Readonly<Record<string, string | undefined>>>(
    (env, place) => trustedEnv({ env, home: io.home, project: projectOf(place) }),
    io.env,
  )

const tmuxHere = ({ io }: Context, { folder }: ResumeCommand, env: NodeJS.ProcessEnv): Tmux | undefined => {
  const file = findProgram("tmux", { env, home: io.home, project: projectOf(folder) })
  return file === undefined ? undefined : createTmux(file, env, processesHere())
}

const fileOf = (context: Context, command: ResumeCommand): string => {
  const { program, folder } = command
  const env = trusted(context, command)
  const file = findProgram(program, { env, home: context.io.home, project: projectOf(folder) })
  if (file !== undefined) return file
  throw new HeadwayError(
    "command-not-found",
    `There is no command "${program}". Is it installed, and is it in the PATH?`,
  )
}

/** Where the agent keeps its sessions may be said by variables that tmux does not have: those that it is asked for by. */
const variablesOf = async (agentType: string, { io }: Context): Promise<Record<string, string | undefined>> => {
  const source = (await loadSources())[agentType]
  const asked: Record<string, string | undefined> = {}
  const noting = new Proxy(io.env, {
    get(env, name) {
      const value = typeof name === "string" ? env[name] : undefined
      if (typeof name === "string") asked[name] = value
      return value
    },
  })
  source?.homes(noting, io.home)
  return { ...asked, HEADWAY_HOME: io.env.HEADWAY_HOME }
}

type Started = { file: string; words: readonly string[]; folder: string; env: NodeJS.ProcessEnv }

/** The client has the terminal until it ends, and nothing else reads what is typed. Ctrl+C is meant for it. */
const runHere = ({ io }: Context, { file, words, folder, env }: Started): number => {
  const unhear = io.onSignal(() => {})
  try {
    const { status, signal, error } = spawnSync(file, words, { cwd: folder, env, stdio: "inherit" })
    if (!error) return status ?? signalCodes + (signal ? constants.signals[signal] : 0)
    throw new HeadwayError("command-not-run", `"${file}" could not be started: ${error.message}`, { cause: error })
  } finally {
    unhear()
  }
}

/** As a shell says them. */
const signalCodes = 128
