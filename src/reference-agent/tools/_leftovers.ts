/** Finds and ends all processes a command started, including those that left its process group. */
import { randomUUID } from "node:crypto"
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

/**
 * What every process of a command inherits: a word in its environment, and an open file. Even a process with its own
 * session (`setsid`, a daemon) keeps both, unless it deliberately drops them.
 */
export type ProcessTag = {
  word: string
  environment: NodeJS.ProcessEnv
  /** The files after the three standard ones. */
  files: ("ignore" | number)[]
  release(): void
}

const variable = "HEADWAY_COMMAND"
/** Above 9, because scripts use the numbers up to 9 themselves. */
const fileNumber = 19

/** An agent that runs in another agent's command inherits that agent's word and adds its own. */
export const createProcessTag = (env: NodeJS.ProcessEnv): ProcessTag => {
  const word = randomUUID()
  const file = openUnnamed(`headway-${word}`)
  return {
    word,
    environment: { [variable]: [env[variable], word].filter(Boolean).join(",") },
    files: file === undefined ? [] : [...Array<"ignore">(fileNumber - 3).fill("ignore"), file],
    release: () => file !== undefined && closeSync(file),
  }
}

/** Opens a file and removes its name; undefined if that is not possible. */
const openUnnamed = (name: string): number | undefined => {
  try {
    const path = join(tmpdir(), name)
    const file = openSync(path, "wx", 0o600)
    unlinkSync(path)
    return file
  } catch {
    return undefined
  }
}

/** A command: its first process, which leads a group, and its tag. */
export type Started = { pid: number; word: string }

/** How long to wait for processes to end after a request, and then after a kill, in milliseconds. */
export const stopDelay = 500
const longestWait = 2000

/**
 * Terminates all processes of a command, then kills those left. Returns those that still run, such as another user's.
 */
export const endAll = async (started: Started): Promise<number[]> => {
  const asked = new Set<number>()
  for (let [waited, pause] = [0, 5]; ; waited += pause, pause = Math.min(100, pause * 2)) {
    const left = processesOf(started)
    if (left.length === 0 || waited >= longestWait) return left
    for (const pid of left) {
      if (waited >= stopDelay) send(pid, "SIGKILL")
      else if (!asked.has(pid)) send(pid, "SIGTERM")
      asked.add(pid)
    }
    await wait(pause)
  }
}

const running = new Set<Started>()

/** Ends the command if this process ends. Returns a function to call when the command is over. */
export const endWithUs = (started: Started): (() => void) => {
  if (running.size === 0) listen()
  running.add(started)
  return () => {
    if (running.delete(started) && running.size === 0) stopListening()
  }
}

/** The signals that end a process without a listener for them. */
const endings = ["SIGHUP", "SIGINT", "SIGTERM"] as const

const listen = (): void => {
  process.on("exit", endRunning)
  // Added before all other listeners, because a `once` listener is removed when it runs, and ours looks for others.
  for (const name of endings) process.prependListener(name, endAsAsked)
}

const stopListening = (): void => {
  process.off("exit", endRunning)
  for (const name of endings) process.off(name, endAsAsked)
}

/** Without another listener, this process ends as it would without ours. */
const endAsAsked = (name: NodeJS.Signals): void => {
  if (process.listenerCount(name) > 1) return
  endRunning()
  stopListening()
  process.kill(process.pid, name)
}

/** Kills running commands at the end of the process, when waiting is no longer possible. */
const endRunning = (): void => {
  for (const started of running) for (const pid of processesOf(started)) send(pid, "SIGKILL")
}

/** Sends a signal. Returns whether a process could receive it. */
const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

type Seen = { pid: number; parent: number; group: number; session: number }

/** The processes of a command. Without /proc, as on macOS, only their group is known, as a negative number. */
const processesOf = ({ pid, word }: Started): number[] => {
  const all = allProcesses()
  if (!all) return send(-pid, 0) ? [-pid] : []
  const found = new Set<number>()
  for (const one of all) {
    if (one.group === pid || one.session === pid || carries(one.pid, word)) found.add(one.pid)
  }
  // All children of these processes belong to the command, even without the tag. Parents are not always listed first.
  for (let known = -1; known !== found.size; ) {
    known = found.size
    for (const { pid: child, parent } of all) if (found.has(parent)) found.add(child)
  }
  return [...found]
}

/** All running processes; undefined if the system does not show them. */
const allProcesses = (): Seen[] | undefined => {
  if (process.platform !== "linux") return undefined
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? seen(Number(name)) : []))
  } catch {
    return undefined
  }
}

const seen = (pid: number): Seen[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The name is in brackets and may contain any character.
    const [state = "", parent, group, session] = text.slice(text.lastIndexOf(")") + 2).split(" ", 4)
    const hasEnded = state === "Z" || state === "X"
    return hasEnded ? [] : [{ pid, parent: Number(parent), group: Number(group), session: Number(session) }]
  } catch {
    return []
  }
}

const carries = (pid: number, word: string): boolean => {
  if (pid === process.pid) return false
  const holds = (read: () => { includes(word: string): boolean }): boolean => {
    try {
      return read().includes(word)
    } catch {
      return false
    }
  }
  return holds(() => readFileSync(`/proc/${pid}/environ`)) || holds(() => readlinkSync(`/proc/${pid}/fd/${fileNumber}`))
}
