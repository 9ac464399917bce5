/** Runs a program to ask it something: no shell, little time, little output, and never an exception. */
import { spawn } from "node:child_process"

export type Ran = {
  /** Undefined when it could not be started or did not end in time. */ code?: number
  out: string
  problem?: string
}

export type RunOptions = {
  env: Readonly<Record<string, string | undefined>>
  cwd?: string
  input?: string
  /** Milliseconds. */
  patience?: number
  /** Called with all output so far; true ends the program: enough was heard. */
  isEnough?: (out: string) => boolean
}

const mostOutput = 200_000

export const runProgram = (words: readonly string[], options: RunOptions): Promise<Ran> => {
  const { env, cwd, input = "", patience = 10_000, isEnough } = options
  const [program = "", ...args] = words
  return new Promise((resolve) => {
    let out = ""
    const child = spawn(program, args, {
      env,
      stdio: ["pipe", "pipe", "ignore"],
      ...(cwd === undefined ? {} : { cwd }),
    })
    const timer = setTimeout(() => end({ out, problem: `did not answer within ${patience / 1000} seconds` }), patience)
    const end = (ran: Ran, signal: NodeJS.Signals = "SIGKILL"): void => {
      clearTimeout(timer)
      child.stdin.end()
      child.kill(signal)
      resolve(ran)
    }
    child.on("error", (cause) => end({ out, problem: cause.message }))
    child.on("close", (code) => end(code === null ? { out, problem: "was ended by a signal" } : { code, out }))
    child.stdout.on("data", (chunk: Buffer) => {
      if (out.length < mostOutput) out += chunk.toString("utf8")
      if (isEnough?.(out)) end({ code: 0, out }, "SIGTERM")
    })
    // It may end without reading.
    child.stdin.on("error", () => {})
    if (isEnough) child.stdin.write(input)
    else child.stdin.end(input)
  })
}
