/** Finds the agent's process above this one: hooks and servers are its children, through shells and package runners. */
import { basename } from "node:path"
import { type Processes, processesHere } from "./processes.ts"

/** A pid, and what distinguishes the process from a later one with the same pid. */
export type CallingProcess = { pid: number; start: string }

export type CallingOptions = {
  /** Undefined if the system does not list processes. */
  processes?: Pick<Processes, "find" | "wordsOf"> | undefined
  /** The process to begin with. */
  from?: number
  user?: number | undefined
}

/**
 * The first ancestor that is neither a shell nor a package runner. Undefined if the system does not tell, or if it or a
 * process in between belongs to another user.
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

/** A shell of the client, our launcher, `npx` with its own shell, and a few more as a reserve. */
const mostBetween = 8

const isShell = (program: string): boolean => /^-?(?:ba|da|z|k|mk|a|fi|tc|c)?sh$|^busybox$/.test(basename(program))

/** `npx headway mcp` stays between the client and our server; it may give itself a title, which is then its first word. */
const isRunner = ([first = "", second = ""]: readonly string[]): boolean =>
  isRunnerName(first.split(" ")[0] ?? "") ||
  (/^(?:node|nodejs|bun)$/.test(basename(first)) && (isRunnerName(second) || second === "x"))

const isRunnerName = (path: string): boolean =>
  /^(?:npm|npx|pnpm|pnpx|yarn|bunx)(?:-cli)?(?:\.[cm]?js)?$/.test(basename(path))
