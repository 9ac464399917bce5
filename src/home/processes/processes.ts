/** The processes of this machine, as far as the system shows them: `/proc` on Linux, `ps` on macOS, nothing elsewhere. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"

export type RunningProcess = {
  pid: number
  parent: number
  user: number
  /** Distinguishes it from a later process with the same pid. */
  start: string
  /** When it was started, in milliseconds, by the clock of this machine. */
  started: number
  /** The executable; undefined if the system does not tell. */
  program?: string | undefined
}

export type Processes = {
  /** Undefined if it does not run. A zombie does not count as running. */
  find(pid: number): RunningProcess | undefined
  /** The processes with these arguments, ours and root's: other users' processes are irrelevant. */
  withWords(isWanted: (words: readonly string[]) => boolean): (RunningProcess & { words: readonly string[] })[]
  wordsOf(pid: number): readonly string[]
  /** Its working folder; undefined if the system does not tell. */
  folderOf(pid: number): string | undefined
  childrenOf(pid: number): RunningProcess[]
}

/** Undefined if the system does not list processes. */
export const processesHere = (platform: NodeJS.Platform = process.platform): Processes | undefined => {
  if (platform === "linux") return fromProc()
  return platform === "darwin" ? fromPs() : undefined
}

const fromProc = (): Processes | undefined => {
  const own = statusOf(process.pid)
  if (!own) return undefined
  // Start times are in ticks since boot, and containers may report a wrong boot time, so they are calibrated with our
  // own start.
  const timeOf = (ticks: number): number => performance.timeOrigin + (ticks - own.ticks) * millisecondsInTick

  const find = (pid: number): RunningProcess | undefined => {
    const status = statusOf(pid)
    const user = ownerOf(pid)
    if (!status || user === undefined) return undefined
    const { parent, ticks } = status
    return { pid, parent, user, start: String(ticks), started: timeOf(ticks), program: linkAt(pid, "exe") }
  }
  const wordsOf = (pid: number): readonly string[] =>
    textOf(`${pid}/cmdline`).slice(0, longestLine).split("\0").filter(Boolean)

  return {
    find,
    wordsOf,
    withWords: (isWanted) =>
      numbersIn("/proc").flatMap((pid) => {
        if (!mayBeOurs(ownerOf(pid))) return []
        const words = wordsOf(pid)
        const found = words.length > 0 && isWanted(words) ? find(pid) : undefined
        return found ? [{ ...found, words }] : []
      }),
    folderOf: (pid) => linkAt(pid, "cwd"),
    // Each thread has its own children.
    childrenOf: (pid) =>
      numbersIn(`/proc/${pid}/task`)
        .flatMap((thread) => textOf(`${pid}/task/${thread}/children`).split(" "))
        .flatMap((child) => (child === "" ? [] : (find(Number(child)) ?? []))),
  }
}

const ownerOf = (pid: number): number | undefined => {
  try {
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
  } catch {
    return undefined
  }
}

const mayBeOurs = (user: number | undefined): boolean => user === 0 || user === process.getuid?.()

/** What the kernel tells its programs, on every machine that Node runs on. */
const millisecondsInTick = 10

/** In characters: the arguments that identify a program come first. */
const longestLine = 4096

const statusOf = (pid: number): { parent: number; ticks: number } | undefined => {
  // The name is in brackets and may contain anything, so fields are counted after the last bracket.
  const text = textOf(`${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state = ""] = fields
  const [parent, ticks] = [Number(fields[1]), Number(fields[19])]
  return state === "" || "ZXx".includes(state) || !Number.isSafeInteger(ticks) ? undefined : { parent, ticks }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, "latin1")
  } catch {
    return ""
  }
}

const linkAt = (pid: number, name: "exe" | "cwd"): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}

/** The processes, or the threads of one: never more than this machine can have. */
const numbersIn = (folder: string): number[] => {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

type ListedProcess = RunningProcess & { words: readonly string[] }

/** Lists all processes at once, at most once a second, because each listing starts a process. */
const fromPs = (): Processes => {
  let listed: { at: number; all: ReadonlyMap<number, ListedProcess> } | undefined
  const all = (): ReadonlyMap<number, ListedProcess> => {
    if (!listed || performance.now() - listed.at >= freshFor) listed = { at: performance.now(), all: listByPs() }
    return listed.all
  }
  return {
    find: (pid) => all().get(pid),
    wordsOf: (pid) => all().get(pid)?.words ?? [],
    withWords: (isWanted) => [...all().values()].filter(({ words, user }) => mayBeOurs(user) && isWanted(words)),
    folderOf: () => undefined,
    childrenOf: (pid) => [...all().values()].filter(({ parent }) => parent === pid),
  }
}

/** In milliseconds. */
const freshFor = 1_000

const listByPs = (): ReadonlyMap<number, ListedProcess> => {
  // Loaded on demand, so that hooks on other systems do not pay for it.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const words = ["-axww", "-o", "pid=,ppid=,uid=,stat=,lstart=,command="]
  const options = { encoding: "utf8", env: { LC_ALL: "C", TZ: "UTC0" }, timeout: 2_000, maxBuffer: 64 << 20 } as const
  const { stdout } = spawnSync("/bin/ps", words, options)
  return new Map((stdout ?? "").split("\n").flatMap((line) => listedIn(line).map((one) => [one.pid, one])))
}

/** `  812   501   77 Ss   Mon Nov 16 13:42:27 2026 /bin/sh -c ...` */
const listedIn = (line: string): ListedProcess[] => {
  const read = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+ \w+\s+\d+ [\d:]+ \d+)\s+(.+?)\s*$/.exec(line)
  const [, pid, parent, user, state = "", begun = "", command = ""] = read ?? []
  const started = Date.parse(`${begun} UTC`)
  if (!read || state.startsWith("Z") || Number.isNaN(started)) return []
  const words = command.slice(0, longestLine).split(" ").filter(Boolean)
  const numbers = { pid: Number(pid), parent: Number(parent), user: Number(user) }
  return [{ ...numbers, start: String(started), started, program: words[0], words }]
}
