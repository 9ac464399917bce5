/** Runs one check in the project's folder: a command that must succeed in time, or a file that must exist. */

import { spawn } from "node:child_process"
import { resolve, sep } from "node:path"
import { statOf } from "../../home/paths/on-disk.ts"
import type { CheckRan, PlanCheck } from "../../plan/index.ts"
import { sanitisePrinted } from "../../plan/text/sanitise.ts"
import type { Io } from "../io.ts"

export type CheckOutcome = Pick<CheckRan, "outcome" | "isNotRunnable" | "took" | "printed">

export type RunCheckOptions = {
  /** In which it runs, and files are looked for. */
  folder: string
  env: Readonly<Record<string, string | undefined>>
  /** In milliseconds. */
  timeLimit: number
  /** Reports signals that end this process: the command is in its own group, and would otherwise continue. */
  onSignal: Io["onSignal"]
}

/** The caller has made sure that a person allowed it. Undefined where the person stopped it. */
export const runCheck = async (check: PlanCheck, options: RunCheckOptions): Promise<CheckOutcome | undefined> => {
  const started = performance.now()
  const found =
    check.command === undefined ? lookAtFile(check.file ?? "", options) : await runCommand(check.command, options)
  return found && { ...found, took: Math.round(performance.now() - started) }
}

const lookAtFile = (file: string, { folder }: RunCheckOptions): Omit<CheckOutcome, "took"> => {
  const path = resolve(folder, file)
  if (!path.startsWith(`${resolve(folder)}${sep}`))
    return { outcome: "failed", printed: [`${shownName(file)} is outside of the project.`] }
  const stats = statOf(path)
  if (!stats?.isFile()) return { outcome: "failed", printed: [`There is no file ${shownName(file)}.`] }
  return stats.size > 0 ? { outcome: "passed" } : { outcome: "failed", printed: [`${shownName(file)} is empty.`] }
}

const shownName = (file: string): string => sanitisePrinted(file).slice(0, longestLine)

const runCommand = (
  command: string,
  { folder, env, timeLimit, onSignal }: RunCheckOptions,
): Promise<Omit<CheckOutcome, "took"> | undefined> =>
  new Promise((settle) => {
    const isWindows = process.platform === "win32"
    const child = spawn(command, {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      // Its own group, so that what it started ends with it.
      detached: !isWindows,
    })
    let output = ""
    let ending: "stopped" | "timed-out" | undefined
    const take = (text: string): void => {
      output = `${output}${text}`.slice(-keptOutput)
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", take)
    const endAll = (why: typeof ending): void => {
      ending ??= why
      endGroup(child.pid, isWindows)
    }
    const unhear = onSignal(() => endAll("stopped"))
    const timer = setTimeout(() => endAll("timed-out"), timeLimit)
    let leaving: NodeJS.Timeout | undefined
    const end = (code: number | null): void => {
      child.off("close", end)
      clearTimeout(timer)
      clearTimeout(leaving)
      unhear()
      child.stdout.destroy()
      child.stderr.destroy()
      // What it left in the background with no output of ours. On Windows its number may be another's by now.
      if (!isWindows) endGroup(child.pid, isWindows)
      const printed = lastLines(output)
      if (ending === "stopped") settle(undefined)
      else if (ending === "timed-out") settle({ outcome: "timed-out", printed })
      else settle(code === 0 ? { outcome: "passed" } : { outcome: "failed", printed, ...notRunnableBy(code) })
    }
    child.on("error", ({ message }) => {
      take(message)
      end(notFound)
    })
    child.on("close", end)
    // What it left in the background would keep its output open.
    child.on("exit", (code) => {
      leaving = setTimeout(() => end(code), lastWords)
    })
  })

/** In milliseconds: how long the rest of the output may take once the command is over. */
const lastWords = 1_000

/** How a shell ends that found no such program, or one that it may not run. */
const [notFound, notRunnable] = [127, 126]

const notRunnableBy = (code: number | null): Pick<CheckOutcome, "isNotRunnable"> =>
  code === notFound || code === notRunnable ? { isNotRunnable: true } : {}

const endGroup = (pid: number | undefined, isWindows: boolean): void => {
  if (pid === undefined) return
  try {
    process.kill(isWindows ? pid : -pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

const [keptOutput, keptLines, longestLine] = [64_000, 20, 400]

const lastLines = (output: string): string[] =>
  output
    .split("\n")
    .map((line) => sanitisePrinted(line).slice(0, longestLine))
    .filter((line) => line !== "")
    .slice(-keptLines)
