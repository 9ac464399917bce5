/** Runs a program to query it: without a shell, with limits on time and output, and without exceptions. */
import type { ChildProcess } from "node:child_process"
import { rmSync } from "node:fs"
import { isAbsolute } from "node:path"
import spawn from "cross-spawn"
import { makeScratchFolder } from "../../home/writing/scratch-folder.ts"
import { messageOf } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { findProgram, type Search, trustedEnv } from "./find-program.ts"

export type Ran = {
  /** Undefined when it could not be started or did not end in time. */ code?: number
  out: string
  problem?: string
}

export type RunOptions = Search & {
  /** What it reads; without it there is nothing to read. */
  input?: string
  /** Milliseconds. */
  timeLimit?: number
  /** Called with all output so far; true ends the program: its output is enough. */
  isEnough?: (out: string) => boolean
}

const mostOutput = 200_000

/** How long a program that was asked to end, or what it left running, may take to do so, in milliseconds. */
const grace = 1000

/**
 * In a folder of its own, which is its home for plans too: nothing in the project says how it runs, and nothing is written
 * to the person's plans. What it started itself ends with it.
 */
export const runProgram = async (words: readonly string[], options: RunOptions): Promise<Ran> => {
  const [name = "", ...args] = words
  let folder: string | undefined
  try {
    const program = isAbsolute(name) ? name : findProgram(name, options)
    if (program === undefined) return { out: "", problem: `${sanitise(name.slice(0, 200))} is not on your PATH` }
    folder = makeScratchFolder("run")
    return await runIn(folder, program, args, options)
  } catch (cause) {
    return { out: "", problem: messageOf(cause) }
  } finally {
    if (folder !== undefined) removeFolder(folder)
  }
}

/** What the program left there may be in use, or too deep to be removed; the system clears its temporary folder. */
const removeFolder = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}

const runIn = (folder: string, program: string, args: readonly string[], options: RunOptions): Promise<Ran> => {
  const { input, timeLimit = 10_000, isEnough } = options
  // Windows starts `.cmd` files, which is what most agents are there, only through its command interpreter.
  const child = spawn(program, args, {
    env: { ...trustedEnv(options), HEADWAY_HOME: folder, PWD: folder },
    cwd: folder,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    detached: isGrouped,
  })
  return new Promise((resolve) => {
    let out = ""
    let ran: Omit<Ran, "out"> | undefined
    const forget = endWithUs(child)
    const finish = (): void => {
      forget()
      for (const timer of timers) clearTimeout(timer)
      // One that has left the group may still hold it open.
      child.stdout?.destroy()
      resolve({ out, ...ran })
    }
    const end = (how: Omit<Ran, "out">, signal: NodeJS.Signals): void => {
      ran ??= how
      child.stdin?.end()
      endGroup(child, signal)
      timers.push(
        setTimeout(() => endGroup(child, "SIGKILL"), grace / 2),
        setTimeout(finish, grace),
      )
    }
    const tooLong = { problem: `did not respond within ${timeLimit / 1000} seconds` }
    const timers = [setTimeout(() => end(tooLong, "SIGKILL"), timeLimit)]
    child.on("error", ({ message }) => {
      ran ??= { problem: message }
      finish()
    })
    child.on("exit", (code) => end(code === null ? { problem: "was ended by a signal" } : { code }, "SIGKILL"))
    child.on("close", finish)
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (out.length >= mostOutput) return
      out += text
      if (ran === undefined && isEnough?.(out)) end({ code: 0 }, "SIGTERM")
    })
    // It may end without reading.
    child.stdin?.on("error", () => {})
    if (isEnough) child.stdin?.write(input ?? "")
    else child.stdin?.end(input ?? "")
  })
}

const isGrouped = process.platform !== "win32"

const endGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid === undefined) return
    if (isGrouped) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {}
}

/** A process group of its own does not get the signals the terminal sends to ours. Returns what to call when it has ended. */
const endWithUs = (child: ChildProcess): (() => void) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
  const forget = (): void => {
    for (const name of signals) process.off(name, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    endGroup(child, "SIGKILL")
    forget()
    process.kill(process.pid, signal)
  }
  for (const name of signals) process.on(name, onSignal)
  return forget
}
