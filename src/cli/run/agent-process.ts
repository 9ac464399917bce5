/** An agent in its own process group: started without a terminal, stopped in steps, ended with its own exit code. */
import { type ChildProcess, spawn } from "node:child_process"
import { constants } from "node:os"
import type { Readable } from "node:stream"
import { HeadwayError } from "../../plan/headway-error.ts"

export type AgentProcess = {
  stdout: Readable
  stderr: Readable
  /** Resolves with the exit code: the agent's own, or 128 and the number of the signal that ended it. */
  readonly exited: Promise<number>
  /** Stops it in steps: interrupts, terminates, kills. Each further call takes the next step immediately. */
  stop(): void
  /** Passes a signal on; if the agent ignores it, the next steps follow. */
  pass(signal: NodeJS.Signals): void
}

export type AgentProcessOptions = {
  command: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Gives it our standard input; without it there is nothing to read. */
  hasInput: boolean
}

/** How long an agent may take after each step, in milliseconds. Agents save their session when they are asked to stop. */
const steps: readonly [signal: NodeJS.Signals, silenceLimit: number][] = [
  ["SIGINT", 5_000],
  ["SIGTERM", 3_000],
  ["SIGKILL", 0],
]

/** Throws an error that a person can fix: the command does not exist, or may not be run. */
export const startAgent = async (options: AgentProcessOptions): Promise<AgentProcess> => {
  const [file = "", ...words] = options.command
  const child = spawn(file, words, {
    cwd: options.cwd,
    env: options.env,
    stdio: [options.hasInput ? "inherit" : "ignore", "pipe", "pipe"],
    // Its own group, so that what the agent started is stopped along with it, and Ctrl+C reaches it only through us.
    detached: process.platform !== "win32",
  })
  await started(child, file)
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new HeadwayError("not-started", `${file} was started, but its output cannot be read.`)
  let next = 0
  let timer: NodeJS.Timeout | undefined

  const stop = (): void => {
    clearTimeout(timer)
    const [signal, silenceLimit] = steps[Math.min(next, steps.length - 1)] ?? ["SIGKILL", 0]
    next += 1
    send(child, signal)
    if (silenceLimit > 0) timer = setTimeout(stop, silenceLimit)
  }

  // Should this process end before it, for whatever reason, the agent would be left unattended.
  const endAlong = (): void => send(child, "SIGTERM")
  process.once("exit", endAlong)

  const exited = new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => {
      clearTimeout(timer)
      process.off("exit", endAlong)
      for (const stream of [stdout, stderr]) endWhenSilent(stream)
      // An agent that was stopped must leave no process behind; one that ended by itself may have started something to stay.
      if (next > 0) send(child, "SIGKILL")
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })

  return {
    stdout,
    stderr,
    exited,
    stop,
    pass(signal) {
      const known = steps.findIndex(([name]) => name === signal)
      if (known < 0) send(child, signal)
      next = Math.max(next, known < 0 ? 1 : known)
      if (known >= 0) stop()
      else timer ??= setTimeout(stop, steps[0]?.[1] ?? 0)
    },
  }
}

const started = (child: ChildProcess, file: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once("spawn", resolve)
    child.once("error", (cause: NodeJS.ErrnoException) => reject(notStarted(file, cause)))
  })

const notStarted = (file: string, cause: NodeJS.ErrnoException): HeadwayError => {
  if (cause.code === "ENOENT") {
    const question = "Is it installed, and is it in the PATH?"
    return new HeadwayError("command-not-found", `There is no command "${file}". ${question}`, { cause })
  }
  const why = cause.code === "EACCES" ? "you may not run it. Is it executable?" : cause.message
  return new HeadwayError("command-not-run", `"${file}" could not be started: ${why}`, { cause })
}

/** Processes it left behind may hold its output open forever; once nothing more arrives, we stop waiting. */
const endWhenSilent = (stream: Readable & { bytesRead?: number }): void => {
  if (stream.closed) return
  let seen: number | undefined
  const timer = setInterval(() => {
    // As long as there is something to take, it is only the reader who is slow.
    if (stream.readableLength === 0 && stream.bytesRead === seen) stream.destroy()
    seen = stream.bytesRead
  }, 250)
  stream.once("close", () => clearInterval(timer))
}

/** To the whole group where there is one. A process that is gone already is ignored. */
const send = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (process.platform === "win32" || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {}
}
