/** Notifies the person: rings the terminal's bell, or runs a command. Neither can block or break the board. */
import { type ChildProcess, spawn } from "node:child_process"
import { projectOf } from "../../board/project.ts"
import { shellOf, trustedEnv } from "../../bridges/programs/find-program.ts"
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { WatchedRows } from "../../views/board/session.ts"
import { createNotices, type Notice } from "../../views/notices.ts"
import type { Io } from "../io.ts"
import type { Option } from "../words/option.ts"

export const notifyOption = {
  type: "string",
  value: "bell|COMMAND",
  about:
    "when an agent finishes, waits for you or stalls: ring the bell, or run COMMAND with HEADWAY_EVENT, HEADWAY_MESSAGE, … set",
} as const satisfies Option

export type NotifyOptions = {
  /** `bell`, or a command for the shell. */
  how: string
  io: Io
  /** Called once if the command cannot be run or fails. */
  onFailure: (message: string) => void
  /** How often to look though nothing has changed, in milliseconds. @default 1000 */
  interval?: number
}

/** Runs until the returned function is called. */
export const notifyOf = (source: WatchedRows, options: NotifyOptions): (() => void) => {
  const { io, interval = 1000 } = options
  const notices = createNotices()
  const call = callerOf(options)
  const check = (): void => notices(source.sessions, io.now()).forEach(call)
  check()
  const unsubscribe = source.subscribe(check)
  const timer = setInterval(check, interval).unref()
  return () => {
    unsubscribe()
    clearInterval(timer)
  }
}

const callerOf = (options: NotifyOptions): ((notice: Notice) => void) => {
  const { how, io } = options
  if (how.trim() === "") throw new HeadwayError("usage", '--notify takes "bell" or a command: --notify "say done".')
  if (how !== "bell") return commandCaller(options)
  if (!io.isTerminal.out && !io.isTerminal.err)
    throw new HeadwayError("usage", "--notify bell needs a terminal to ring. Give a command instead.")
  return () => (io.isTerminal.out ? io.out : io.err)({ gesture: "ring" })
}

/** Commands that may run at a time; one that hangs is ended. */
const mostRunning = 4
const longestRun = 30_000

const commandCaller = ({ how, io, onFailure }: NotifyOptions): ((notice: Notice) => void) => {
  let running = 0
  let hasFailed = false
  const fail = (why: string): void => {
    if (!hasFailed) onFailure(`The --notify command ${why}.`)
    hasFailed = true
  }
  return (notice) => {
    if (running >= mostRunning) return fail("takes too long, so some notifications were skipped")
    running += 1
    let isOver = false
    const end = (why: string | undefined): void => {
      if (isOver) return
      isOver = true
      running -= 1
      if (why !== undefined) fail(why)
    }
    try {
      const child = start(how, io, factsOf(notice))
      const timer = setTimeout(() => endGroup(child), longestRun).unref()
      child.on("error", ({ message }) => end(`could not be started: ${message}`))
      child.on("exit", (code, signal) => {
        clearTimeout(timer)
        end(code === 0 ? undefined : `ended with ${code ?? signal ?? "an error"}`)
      })
      child.unref()
    } catch (cause) {
      end(`could not be started: ${messageOf(cause)}`)
    }
  }
}

const isWindows = process.platform === "win32"

/** An agent's text goes into environment variables, never into the command line. */
const start = (command: string, { env, home, cwd }: Io, facts: NodeJS.ProcessEnv): ChildProcess => {
  const search = { env, home, project: projectOf(cwd) }
  const options = { env: { ...trustedEnv(search), ...facts }, stdio: "ignore", detached: !isWindows } as const
  return isWindows ? spawn(command, { ...options, shell: true }) : spawn(shellOf(search), ["-c", command], options)
}

/** With everything the command has started. */
const endGroup = (child: ChildProcess): void => {
  try {
    if (isWindows || child.pid === undefined) child.kill("SIGKILL")
    else process.kill(-child.pid, "SIGKILL")
  } catch {}
}

const factsOf = ({ event, session, message }: Notice): NodeJS.ProcessEnv => ({
  HEADWAY_EVENT: event,
  HEADWAY_SESSION: factOf(session.session),
  HEADWAY_AGENT: factOf(session.agentType),
  HEADWAY_PROJECT: factOf(session.project),
  HEADWAY_TITLE: factOf(session.title ?? ""),
  HEADWAY_MESSAGE: factOf(message),
})

/** More would keep the command from being started at all. */
const longestFact = 1000

/** On Windows, variables are expanded before the line is parsed, so special characters are removed. */
const factOf = (text: string): string => {
  const short = sanitise(text.slice(0, longestFact))
  return isWindows ? short.replace(/[&|<>^"%!()]/g, " ") : short
}
