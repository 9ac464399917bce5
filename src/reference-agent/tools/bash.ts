/** Bash: runs a command in its own shell, which can always be ended. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import { z } from "zod"
import { sanitiseOutput } from "../../plan/index.ts"
import { createBoundedOutput } from "./_bounded-output.ts"
import { environmentOf } from "./_environment.ts"
import { createProcessTag, endAll, endWithUs, stopDelay } from "./_leftovers.ts"
import { textInput } from "./_lines.ts"
import { defineTool, failed } from "./define.ts"
import type { Limits, ToolContext, ToolResult } from "./tool.ts"

export const bash = defineTool({
  name: "Bash",
  description: `Runs a shell command in the working folder and gives its output and, when it failed, its exit code.
Every command starts in the working folder, has no input to read and no keys of model services in its environment, and
ends together with everything it started: nothing stays in the background. It has two minutes, or "timeout" milliseconds, up to ten minutes. The middle of a long output is left out.
To read, change or find files prefer Read, Edit, Write, Glob and Grep.`,
  input: z.strictObject({
    command: textInput.min(1).max(100_000),
    timeout: z.coerce.number().int().min(1).optional().describe("In milliseconds"),
    description: z.string().optional().describe("What it does, in a few words, for the person who approves it"),
  }),
  example: { command: "npm test", description: "Runs the tests" },
  // Without process groups, there is no way to end everything that a command started.
  isEnabled: () => process.platform !== "win32",
  needsPermission: async ({ command, description }) => ({
    action: "run",
    target: command,
    isOutside: false,
    question: description ? `Run a command? The model says: ${description.slice(0, 200)}` : "Run a command?",
    detail: command,
  }),
  run: async ({ command, timeout }, context) => {
    const { commandTime, longestCommandTime } = context.limits
    const time = Math.min(timeout ?? commandTime, longestCommandTime)
    const ended = await runCommand(command, time, context)
    return report(ended, time)
  },
})

type Ended = {
  output: string
  how: "exited" | "too-long" | "interrupted"
  code: number | null
  signal: string | null
  /** Processes that could not be ended. */
  left: readonly number[]
}

const runCommand = async (command: string, time: number, context: ToolContext): Promise<Ended> => {
  const { cwd, signal, limits, onProgress, env = process.env, allowedVariables, shell = "bash" } = context
  const tag = createProcessTag(env)
  try {
    const child = spawn(shell, ["-c", command], {
      cwd,
      env: { ...environmentOf(env, allowedVariables), ...plainSurroundings, ...tag.environment },
      stdio: ["ignore", "pipe", "pipe", ...tag.files],
      // Its own process group, so that everything it starts can be ended with it.
      detached: true,
    })
    const output = collect(child, limits, onProgress)
    const exited = once(child, "exit")
    const closed = once(child, "close")
    if (child.pid === undefined) throw new Error(whyNotStarted(await failureOf(exited, closed), cwd))
    const started = { pid: child.pid, word: tag.word }
    const isOver = endWithUs(started)
    let how: Ended["how"] = "exited"
    const stop = (why: Ended["how"]): void => {
      how = why
      void endAll(started)
    }
    const timer = setTimeout(() => stop("too-long"), time)
    const interrupt = (): void => stop("interrupted")
    signal.addEventListener("abort", interrupt, { once: true })
    const [code, killedBy] = (await exited) as [number | null, string | null]
    clearTimeout(timer)
    signal.removeEventListener("abort", interrupt)
    const left = await endAll(started)
    isOver()
    await emptied(child, closed)
    return { output: output(), how, code, signal: killedBy, left }
  } finally {
    tag.release()
  }
}

/** The error of a process that could not be started, which neither exits nor closes its pipes. */
const failureOf = (...waiting: Promise<unknown>[]): Promise<NodeJS.ErrnoException> =>
  Promise.all(waiting).then(
    () => new Error("it did not start"),
    (cause: NodeJS.ErrnoException) => cause,
  )

/** Waits for the last output in the pipes, but not for a pipe that stays open. */
const emptied = async (child: ChildProcess, closed: Promise<unknown>): Promise<void> => {
  const timer = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, stopDelay)
  await closed
  clearTimeout(timer)
}

/** The system reports the same error for a missing folder and a missing shell. */
const whyNotStarted = (cause: NodeJS.ErrnoException, cwd: string): string => {
  if (cause.code !== "ENOENT") return `The command could not be started: ${cause.message}`
  return existsSync(cwd) ? "There is no bash on this machine." : `The working folder is gone: ${cwd}`
}

/** With these variables, programs use no pager and no colour, and do not ask for a password. */
const plainSurroundings = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" }

const collect = (
  child: ChildProcess,
  { outputLength }: Limits,
  onProgress: ToolContext["onProgress"],
): (() => string) => {
  // Escape sequences may be split between pieces, so they are removed at the end. Until then, more text is kept.
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

/**
 * The output as a terminal finally shows it: only the last state of an overwritten line, and one letter for a letter
 * struck twice.
 */
const plainOutput = (text: string): string =>
  sanitiseOutput(text.replace(/[^\n\x08]\x08/g, ""))
    .split("\n")
    .map(lastState)
    .join("\n")

const lastState = (line: string): string => {
  let end = line.length
  while (line.charAt(end - 1) === "\r") end -= 1
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end)
}

const report = ({ output, how, code, signal, left }: Ended, time: number): ToolResult => {
  const printed = output.trim() === "" ? "" : `${output.replace(/^\n+/, "").trimEnd()}\n\n`
  const text =
    left.length === 0 ? printed : `${printed}(Still running, and could not be ended: ${left.join(", ")}.)\n\n`
  if (how === "too-long") {
    const limit = time < 1000 ? `${time} ms` : `${Math.round(time / 1000)} s`
    return { ...failed(`${text}(Ended: it took longer than ${limit}.)`), display: `Ended after ${limit}` }
  }
  if (how === "interrupted") return { ...failed(`${text}(Interrupted.)`), display: "Interrupted" }
  if (signal) return { ...failed(`${text}(Ended by ${signal}.)`), display: `Ended by ${signal}` }
  if (code !== 0) return { ...failed(`${text}(Exit code ${code}.)`), display: `Exit code ${code}` }
  return { text: text.trimEnd() || "(No output.)", display: "Done" }
}
