/** The agent's process above this one: its hooks and its server are children of it, through shells and runners of packages. */
import { basename } from "node:path"
import { type Processes, processesHere } from "./processes.ts"

/** The number of a process and what tells it from a later one that is given the same number. */
export type CallingProcess = { pid: number; start: string }

export type CallingOptions = {
  /** Undefined where the system does not show its processes. */
  processes?: Pick<Processes, "find" | "wordsOf"> | undefined
  /** The process to begin with. */
  from?: number
  user?: number | undefined
}

/**
 * The first process above this one that is neither a shell nor a runner of packages. Undefined where the system does not tell,
 * and where that process or one on the way to it belongs to another user.
 */
export const findCallingProcess = ({
  processes = processesHere(),
  from = process.ppid,
  user = process.getuid?.(),
}: CallingOptions = {}): CallingProcess | undefined => {
  let pid = from
  for (let step = 0; step < mostBetween && pid > 1; step += 1) {
    const found = processes?.find(pid)
    if (!found || found.user !== user || found.program === undefined) return undefined
    if (!isShell(found.program) && !isRunner(processes?.wordsOf(pid) ?? [])) return { pid, start: found.start }
    pid = found.parent
  }
  return undefined
}

/** A shell that the client starts, our launcher, `npx` with a shell of its own, and some more in case. */
const mostBetween = 8

const isShell = (program: string): boolean => /^-?(?:ba|da|z|k|mk|a|fi|tc|c)?sh$|^busybox$/.test(basename(program))

/** `npx headway mcp` stays between the client and our server; it may give itself a title, which is then its first word. */
const isRunner = ([first = "", second = ""]: readonly string[]): boolean =>
  isRunnerName(first.split(" ")[0] ?? "") ||
  (/^(?:node|nodejs|bun)$/.test(basename(first)) && (isRunnerName(second) || second === "x"))

const isRunnerName = (path: string): boolean =>
  /^(?:npm|npx|pnpm|pnpx|yarn|bunx)(?:-cli)?(?:\.[cm]?js)?$/.test(basename(path))
