/** Bash: a command in a shell of its own, that can always be ended. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import { z } from "zod"
import { sanitise, sanitiseBlock, sanitiseOutput } from "../../plan/index.ts"
import { createBoundedOutput } from "./_bounded-output.ts"
import { defineTool, failed } from "./_define.ts"
import type { Limits, ToolContext, ToolResult } from "./tool.ts"

export const bash = defineTool({
  name: "Bash",
  description: `Runs a shell command in the working folder and gives its output and, when it failed, its exit code.
Every command starts in the working folder, has no input to read, and ends with all it started: nothing stays in the
background. It has two minutes, or "timeout" milliseconds, up to ten minutes. Of a long output the middle is left out.
To read, change or find files prefer Read, Edit, Write, Glob and Grep.`,
  input: z.strictObject({
    command: z.string().min(1).max(100_000),
    timeout: z.coerce.number().int().min(1).optional().describe("In milliseconds"),
    description: z.string().optional().describe("What it does, in a few words, for the person who is asked"),
  }),
  example: { command: "npm test", description: "Runs the tests" },
  // Without groups of processes there is no way to end what a command started.
  isEnabled: () => process.platform !== "win32",
  needsPermission: async ({ command, description }) => ({
    action: "run",
    target: sanitise(command).slice(0, 200),
    isOutside: false,
    question: description ? `Run a command? ${sanitise(description).slice(0, 200)}` : "Run a command?",
    detail: sanitiseBlock(command),
  }),
  run: async ({ command, timeout }, context) => {
    const { commandTime, longestCommandTime } = context.limits
    const time = Math.min(timeout ?? commandTime, longestCommandTime)
    const ended = await runCommand(command, time, context)
    return report(ended, time)
  },
})

type Ended = { output: string; how: "exited" | "too-long" | "interrupted"; code: number | null; signal: string | null }

/** How long processes have to end by themselves once told to, and pipes to empty, in milliseconds. */
const grace = 500

const runCommand = (
  command: string,
  time: number,
  { cwd, signal, limits, onProgress, env }: ToolContext,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], {
      cwd,
      env: { ...(env ?? process.env), ...plainSurroundings },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that all it starts can be ended with it.
      detached: true,
    })
    const output = collect(child, limits, onProgress)
    let how: Ended["how"] = "exited"
    const stop = (why: Ended["how"]): void => {
      how = why
      endGroup(child)
    }
    const timer = setTimeout(() => stop("too-long"), time)
    const interrupt = (): void => stop("interrupted")
    signal.addEventListener("abort", interrupt, { once: true })
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", interrupt)
    }
    child.on("error", (cause) => {
      settle()
      reject(new Error(whyNotStarted(cause, cwd)))
    })
    child.on("exit", () => endLeftovers(child))
    child.on("close", (code, killedBy) => {
      settle()
      resolve({ output: output(), how, code, signal: killedBy })
    })
  })

/** The system says the same of a missing folder and a missing shell. */
const whyNotStarted = (cause: NodeJS.ErrnoException, cwd: string): string => {
  if (cause.code !== "ENOENT") return `The command could not be started: ${cause.message}`
  return existsSync(cwd) ? "There is no bash on this machine." : `The working folder is gone: ${cwd}`
}

/** Programs ask these whether somebody is there to page, to colour for, or to type a password. */
const plainSurroundings = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" }

const collect = (
  child: ChildProcess,
  { outputLength }: Limits,
  onProgress: ToolContext["onProgress"],
): (() => string) => {
  // Escapes are taken out of the whole in the end, since one may be split between two pieces; so keep some more.
  const kept = createBoundedOutput(2 * outputLength)
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder("utf8")
    stream?.on("data", (bytes: Buffer) => {
      const text = decoder.write(bytes)
      kept.push(text)
      onProgress?.(plainOutput(text))
    })
    stream?.on("end", () => kept.push(decoder.end()))
  }
  return () => {
    const plain = createBoundedOutput(outputLength)
    plain.push(plainOutput(kept.text()))
    return plain.text()
  }
}

/** As a terminal would leave it: of a line that was written over the last state, of a letter struck twice one. */
const plainOutput = (text: string): string =>
  sanitiseOutput(text.replace(/[^\n\x08]\x08/g, ""))
    .split("\n")
    .map((line) => {
      const last = line.replace(/\r+$/, "")
      return last.slice(last.lastIndexOf("\r") + 1)
    })
    .join("\n")

const endGroup = (child: ChildProcess): void => {
  if (signalGroup(child, "SIGTERM")) setTimeout(() => signalGroup(child, "SIGKILL"), grace).unref()
}

/** The shell is done; what it left running is ended, and pipes that something holds open all the same are let go. */
const endLeftovers = (child: ChildProcess): void => {
  endGroup(child)
  setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, 2 * grace).unref()
}

/** Whether anybody of the group is left to hear it. */
const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): boolean => {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}

const report = ({ output, how, code, signal }: Ended, time: number): ToolResult => {
  const text = output.trim() === "" ? "" : `${output.replace(/^\n+|\s+$/g, "")}\n\n`
  if (how === "too-long") {
    const limit = time < 1000 ? `${time} ms` : `${Math.round(time / 1000)} s`
    return { ...failed(`${text}(Ended: it took longer than ${limit}.)`), display: `Ended after ${limit}` }
  }
  if (how === "interrupted") return { ...failed(`${text}(Interrupted.)`), display: "Interrupted" }
  if (signal) return { ...failed(`${text}(Ended by ${signal}.)`), display: `Ended by ${signal}` }
  if (code !== 0) return { ...failed(`${text}(Exit code ${code}.)`), display: `Exit code ${code}` }
  return { text: text.trimEnd() || "(No output.)", display: "Done" }
}
