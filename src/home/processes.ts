/** The processes of this machine, as far as the system shows them: `/proc` on Linux, nothing elsewhere. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"

export type RunningProcess = {
  pid: number
  parent: number
  /** When it was started, in milliseconds. A number that is given again has another start. */
  started: number
}

export type Processes = {
  /** Undefined when it is not running; one that has ended and was not yet taken note of by its parent does not run. */
  find(pid: number): RunningProcess | undefined
  /** The processes whose words are these, those of other people included. */
  withWords(isWanted: (words: readonly string[]) => boolean): (RunningProcess & { words: readonly string[] })[]
  wordsOf(pid: number): readonly string[]
  /** The folder it works in; undefined where the system does not say it to us. */
  folderOf(pid: number): string | undefined
  childrenOf(pid: number): RunningProcess[]
}

/** Undefined where the system does not show its processes as files. */
export const processesHere = (root = "/proc"): Processes | undefined => {
  const booted = bootTime(root)
  if (booted === undefined) return undefined
  const textOf = (...path: string[]): string => {
    try {
      return readFileSync(join(root, ...path), "latin1")
    } catch {
      return ""
    }
  }
  /** Never more than this machine can have. */
  const pids = (): number[] => readdirSync(root).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))

  const find = (pid: number): RunningProcess | undefined => {
    // The name stands in brackets and may hold anything, so that fields are counted from the last one.
    const fields = textOf(String(pid), "stat").split(")").at(-1)?.trim().split(" ") ?? []
    const [state, parent] = fields
    const ticks = Number(fields[19])
    if (state === undefined || state === "" || "ZXx".includes(state) || !Number.isFinite(ticks)) return undefined
    return { pid, parent: Number(parent), started: booted + ticks * millisecondsInTick }
  }
  const wordsOf = (pid: number): readonly string[] =>
    textOf(String(pid), "cmdline").slice(0, longestLine).split("\0").filter(Boolean)

  return {
    find,
    wordsOf,
    withWords: (isWanted) =>
      pids().flatMap((pid) => {
        const words = wordsOf(pid)
        const found = words.length > 0 && isWanted(words) ? find(pid) : undefined
        return found ? [{ ...found, words }] : []
      }),
    folderOf(pid) {
      try {
        return readlinkSync(join(root, String(pid), "cwd"))
      } catch {
        return undefined
      }
    },
    childrenOf: (pid) =>
      textOf(String(pid), "task", String(pid), "children")
        .split(" ")
        .flatMap((child) => (child === "" ? [] : (find(Number(child)) ?? []))),
  }
}

/** What the kernel tells its programs, on every machine that Node runs on. */
const millisecondsInTick = 10

/** In characters: the words that tell a program stand at the start. */
const longestLine = 4096

const bootTime = (root: string): number | undefined => {
  try {
    const [, seconds] = /^btime (\d+)$/m.exec(readFileSync(join(root, "stat"), "latin1")) ?? []
    return seconds === undefined ? undefined : Number(seconds) * 1000
  } catch {
    return undefined
  }
}
