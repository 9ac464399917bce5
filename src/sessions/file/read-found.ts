/** Reads the found session files, documents, folders and databases into facts about their agents. */
import { basename } from "node:path"
import { loadStream } from "../../agents/index.ts"
import { readTaskFiles } from "../../agents/task-files.ts"
import { readForeignText } from "../../home/reading/foreign-file.ts"
import { emptyPlan, HeadwayError, isoTime, type Plan, type Problem, warning } from "../../plan/index.ts"
import { ownOf } from "../../streams/line.ts"
import {
  createScanObserver,
  type ObservedAgent,
  type ObserverSnapshot,
  type ScanObserver,
} from "../../streams/observe.ts"
import type { Signal } from "../../streams/stream.ts"
import { noTimes, type Timed, type Times, timesByContent } from "../../streams/times.ts"
import { fingerprintOf, outlineOf } from "../fingerprint.ts"
import { type PlanFacts, summaryOf } from "../join/plan-facts.ts"
import { observeCompressed } from "../packed/compressed.ts"
import { isCompressed } from "../packed/is-compressed.ts"
import type { Unpacker } from "../packed/unpack.ts"
import { type AgentFacts, type FileState, planKey } from "../session-index.ts"
import type { Reading } from "../source.ts"
import { type Found, isOneSessions } from "../walk.ts"
import { type ScanState, scanFile } from "./scan.ts"
import { createTitledObserver } from "./titled-observer.ts"

export type ReadFound = { agents: AgentFacts[]; state: FileState; problems: Problem[] }

export type ReadOptions = {
  onRead?: ((bytes: number) => void) | undefined
  /**
   * Whether to determine the permanent ids and times of its todos, which means reading the whole file once. @default
   * false
   */
  wantsWhole?: boolean
  unpacker: Unpacker
}

/** May throw errors of the file system or the database. */
export const readFound = async (
  found: Found,
  before: FileState | undefined,
  options: ReadOptions,
): Promise<ReadFound> => {
  const { place, path } = found
  const { reading } = place
  if (reading.as === "lines") return readSession(found, reading.stream, before, options)
  if (reading.as === "database") {
    const [read, rows] = [await reading.load(), await options.unpacker.rows(path, reading.tables)]
    const lists = read(rows)
    if (isOneSessions(found)) return withTimes(before, factsFrom(lists.flat(), undefined))
    return withTimes(before, together(lists.map((signals) => factsFrom(signals, undefined))))
  }
  const signals = await listSignalsIn(path, reading, isoTime(found.stamp[1]))
  if (place.isNote) return together(notesIn(signals).map((note) => factsFrom(note, undefined)))
  const kept = place.isKept ? before?.plans.main : undefined
  const read = withTimes(before, factsFrom(signals, kept))
  if (!kept) return read
  const { main: now = emptyPlan } = factsFrom(signals, undefined).state.plans
  return { ...read, state: { ...read.state, now } }
}

const listSignalsIn = async (
  path: string,
  reading: Extract<Reading, { as: "document" | "folder" }>,
  at: string | undefined,
): Promise<Signal[]> => {
  if (reading.as === "document")
    return (await reading.load())({ name: basename(path), text: readForeignText(path) }, at)
  const read = await reading.load()
  const { files, problems } = readTaskFiles(path)
  return [...problems.map((problem): Signal => ({ type: "problem", problem })), ...read(files, at)]
}

const readSession = async (
  { path }: Found,
  id: string,
  before: FileState | undefined,
  { onRead, wantsWhole = false, unpacker }: ReadOptions,
): Promise<ReadFound> => {
  const stream = await loadStream(id)
  if (!stream) throw new HeadwayError("unknown-stream", `there is no stream "${id}"`)
  // Unpacking costs more than everything else, so it is done once.
  if (isCompressed(path)) return timed(factsOf(await observeCompressed({ path, stream, unpacker })))
  if (stream.isDocument) return timed(factsOf(scanFile(path, stream, { onRead }).observer))
  const { observer, state } = scanFile(path, stream, { from: before?.scan, onRead })
  const read = factsOf(observer, state)
  if (before?.isTimed && before.scan && state) return timed(read)
  if (!wantsWhole && !before?.isTimed) return read
  const whole = scanFile(path, stream, { onRead, readsAll: true })
  return timed(factsOf(whole.observer, whole.state))
}

const timed = ({ state, ...read }: ReadFound): ReadFound => ({ ...read, state: { ...state, isTimed: true } })

/** The list of one agent in a database with its whole history; undefined if no history is kept. */
export const readHistory = async (
  { path, place: { reading } }: Found,
  { session, agent }: { session: string; agent: string },
  unpacker: Unpacker,
): Promise<Timed | undefined> => {
  if (reading.as !== "database" || !reading.history) return undefined
  const [read, rows] = [await reading.load(), await unpacker.rows(path, reading.history({ session, agent }))]
  const observer = createScanObserver({ readsAll: true })
  const isOf = (signal: Signal): boolean => signal.type === "session" && signal.session === session
  for (const signal of read(rows).find((signals) => signals.some(isOf)) ?? []) observer.take(signal)
  return observer.agents().find((one) => one.agent === agent)
}

/** Documents are checkpoints. If a document drops done items, the earlier ones are kept. */
const factsFrom = (signals: readonly Signal[], base: Plan | undefined): ReadFound => {
  const observer = createTitledObserver({ from: base && snapshotWith(base) })
  for (const signal of signals) observer.take(signal)
  return factsOf(observer)
}

/** The statements about each process in a note: its session comes first. */
const notesIn = (signals: readonly Signal[]): Signal[][] => {
  const notes: Signal[][] = []
  for (const signal of signals) {
    if (signal.type === "session") notes.push([signal])
    else notes.at(-1)?.push(signal)
  }
  return notes
}

const snapshotWith = (plan: Plan): ObserverSnapshot => {
  const base = { plan, times: noTimes, listCount: 1 }
  return {
    agents: [{ agent: "main", about: {}, activity: undefined, updated: undefined, base, calls: [] }],
    settled: [],
  }
}

/** A document only has the current state; changes follow from comparing it with the previous one. */
const withTimes = (before: FileState | undefined, { agents, state, problems }: ReadFound): ReadFound => {
  const planned = new Map<string, string | undefined>()
  for (const { agent, about, planned: at } of agents.toReversed()) {
    planned.set(agent, at)
    planned.set(planKey(agent, about.session), at)
  }
  const times = Object.entries(state.plans).map(([key, plan]): [string, Times] => {
    const known = ownOf(before?.plans, key)
    const at = planned.get(key)
    return [key, timesByContent(known && { plan: known, times: ownOf(before?.times, key) ?? noTimes }, plan, at)]
  })
  return { agents, problems, state: { ...state, times: Object.fromEntries(times) } }
}

/** Many sessions in one file: plans go by session and agent there. */
const together = (parts: readonly ReadFound[]): ReadFound => ({
  // A database has the lists as they were stored.
  agents: parts.flatMap(({ agents }) => agents.map(({ confirmed: _, ...facts }) => facts)),
  state: {
    plans: Object.fromEntries(
      parts.flatMap(({ agents, state }) =>
        agents.flatMap(({ agent, about }) => {
          const plan = ownOf(state.plans, agent)
          return plan ? [[planKey(agent, about.session), plan] as const] : []
        }),
      ),
    ),
  },
  problems: parts.flatMap(({ problems }) => problems),
})

const factsOf = (observer: ScanObserver, scan?: ScanState): ReadFound => {
  const agents = observer.agents()
  const plans = Object.fromEntries(agents.flatMap(({ agent, plan }) => (plan ? [[agent, plan]] : [])))
  const times = Object.fromEntries(
    agents.flatMap(({ agent, times }) => (Object.keys(times).length > 0 ? [[agent, times]] : [])),
  )
  const said = Object.fromEntries(agents.flatMap(({ agent, said }) => (said ? [[agent, said]] : [])))
  const open = new Set(agents.filter(mayBeAnswered).map(({ agent }) => agent))
  const confirmed = new Map([...observer.confirmed()].filter(([agent]) => open.has(agent)))
  const factsWith = (agent: ObservedAgent): AgentFacts => {
    const list = confirmed.get(agent.agent)
    if (!list) return agentFacts(agent)
    return { ...agentFacts(agent), confirmed: list.plan ? { plan: planFacts(list.plan) } : {} }
  }
  return {
    agents: agents.map(factsWith),
    state: {
      plans,
      times,
      said,
      ...(confirmed.size > 0 ? { confirmed: Object.fromEntries(confirmed) } : {}),
      ...(observer.isWhole() ? { isWhole: true } : {}),
      ...(scan ? { scan } : {}),
    },
    problems: [...observer.problems().values()].map(({ problem, count }) =>
      count > 1 ? { ...problem, message: `${problem.message} (${count} times)` } : problem,
    ),
  }
}

/** Whether the result of its last call may still arrive: not once the turn has ended, or another has begun. */
const mayBeAnswered = ({ activity, updated }: ObservedAgent): boolean =>
  activity?.at === undefined ||
  updated === undefined ||
  activity.at <= updated ||
  !["turn-ended", "ended", "prompt"].includes(activity.kind)

const agentFacts = ({ agent, plan, said, about, activity, updated }: ObservedAgent): AgentFacts => ({
  agent,
  about,
  ...(plan ? { plan: planFacts(plan) } : said?.gone ? { isRemoving: true } : {}),
  ...(activity ? { activity } : {}),
  ...(updated ? { planned: updated } : {}),
})

const planFacts = (plan: Plan): PlanFacts => ({
  ...summaryOf(plan),
  fingerprint: fingerprintOf(plan),
  outline: outlineOf(plan),
})

export const unreadable = (path: string, cause: unknown): Problem => {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "ENOENT") return warning("vanished-file", `${path} disappeared while it was read and was skipped.`)
  return warning("unreadable-file", `${path} could not be read and was skipped: ${message}`)
}
