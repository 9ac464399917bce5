/** Finds the sessions of all agents on this machine, reads only what is new, and never writes to an agent's folder. */
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Plan, type Problem, sanitise, type TodoSpan, warning } from "../plan/index.ts"
import { type Candidate, type CandidateList, merge } from "./_merge-sessions.ts"
import {
  type AgentFacts,
  createIndexed,
  type Indexed,
  type IndexFile,
  isSameMark,
  type PlanFacts,
  planKey,
  printIndex,
  readIndex,
  stateIn,
} from "./_session-index.ts"
import { noTimes, observedSpans } from "./_times.ts"
import { type Found, lookAgain, walk } from "./_walk.ts"
import { type SessionState, stateOf } from "./activity.ts"
import type { Env, PlanTool, Source } from "./sources/source.ts"
import type { AgentType } from "./stream.ts"

export type DiscoverOptions = {
  sources: Readonly<Record<string, Source>>
  env: Env
  /** The person's home. */
  home: string
  /** Looks only here: at a person's home, one agent's folder, or a single file. */
  paths?: readonly string[] | undefined
  index?: IndexFile | undefined
  now: Date
  onProblem?: (problem: Problem) => void
  onProgress?: (done: number, total: number) => void
  /** Told of every read of a session file, in bytes. */
  onRead?: (bytes: number) => void
}

export type DiscoveredSession = {
  agentType: AgentType
  session: string
  /** `main`, or a sub-agent's id. */
  agent: string
  parent?: { session: string; agent: string }
  /** The folder it works in; a label where the agent does not say the folder. */
  project?: string
  path: string
  /** When it was last active, in ISO form. */
  updated: string
  version?: string
  model?: string
  /** Its list in short. Absent when no list was seen. */
  summary?: Omit<PlanFacts, "print">
  /** The same list has the same print, another one another. */
  print?: string
  /** When its list was last said, in ISO form. */
  planned?: string
  /** Its list, read when it is asked for. */
  readonly plan: Plan | undefined
  /** When the todos of its list were begun and finished, by their ids, as far as that was seen. */
  readonly times: Readonly<Record<string, TodoSpan>>
  /** Whether there is no more to know of these times; if there is, `wantTimes(planPath)` has it read. */
  readonly isTimed: boolean
  /** The file its list stands in. */
  planPath: string
  planTool: PlanTool
  state: SessionState
  activity?: Indexed["agents"][number]["activity"]
}

/** Everything that could not be read is skipped and reported; nothing is thrown. */
export const discover = async ({ now, ...options }: DiscoverOptions): Promise<DiscoveredSession[]> => {
  const discovery = createDiscovery(options)
  const sessions = await discovery.look(now)
  discovery.save()
  return sessions
}

/** What is known of all sessions, for whoever looks more than once. */
export type Discovery = {
  /** All sessions as they are now. Where only some paths can have changed since the last look, only they are looked at. */
  look(now: Date, changed?: ReadonlySet<string>): Promise<DiscoveredSession[]>
  /** The next look reads this file for the times of its todos too. */
  wantTimes(path: string): void
  /** The folders that were looked into, those where something happened last before the others. */
  folders(): string[]
  /** Keeps what was read for the next time, if there is anything new. */
  save(): void
}

export const createDiscovery = (options: Omit<DiscoverOptions, "now">): Discovery => {
  const { index, onProblem = () => {}, onProgress, onRead } = options
  const { homes, files } = placesOf(options)
  const wanted = new Set<string>()
  let entries: Map<string, Indexed> | undefined
  let all: Found[] = []
  let folders: string[] = []
  let isUnsaved = false

  const findAll = async (known: Map<string, Indexed>): Promise<Found[]> => {
    const walked = homes.map(({ source, home }) => walk(source, home, onProblem))
    folders = [...new Set([...walked.flatMap((one) => [...one.folders]), ...files.map((path) => dirname(path))])]
    const found = [...walked.flatMap((one) => one.found), ...(await filesNamed(files, options))]
    const paths = new Set(found.map(({ path }) => path))
    for (const path of known.keys()) {
      if (paths.has(path) || !homes.some(({ home }) => path.startsWith(home))) continue
      known.delete(path)
      isUnsaved = true
    }
    return found
  }

  /** Undefined when something is new or gone, so that all must be looked for. */
  const findAgain = (changed: ReadonlySet<string>): Found[] | undefined => {
    const known = new Set(all.map(({ path }) => path))
    const affected = new Set<string>()
    for (const path of changed) {
      const owner = [path, dirname(path), path.replace(/-(?:wal|shm|journal)$/, "")].find((one) => known.has(one))
      if (owner === undefined) return undefined
      affected.add(owner)
    }
    const again = all.map((found) => (affected.has(found.path) ? lookAgain(found, onProblem) : found))
    return again.every((found) => found !== undefined) ? again : undefined
  }

  return {
    async look(now, changed) {
      entries ??= readIndex(loadText(index))
      all = (changed && findAgain(changed)) ?? (await findAll(entries))
      const candidates: Candidate[] = []
      for (const [done, found] of all.entries()) {
        const known = entries.get(found.path)
        const wantsTimes = wanted.delete(found.path) && found.place.reading.as === "lines"
        const isCurrent = known && isSameMark(known.mark, found.mark) && !wantsTimes
        const entry = isCurrent ? known : await readAgain(found, known, { onProblem, onRead, wantsTimes })
        isUnsaved ||= entry !== known
        if (entry) entries.set(found.path, entry)
        else entries.delete(found.path)
        if (entry) candidates.push(...candidatesOf(found, entry))
        onProgress?.(done + 1, all.length)
      }
      const projects = projectsIn(homes, onProblem)
      return merge(candidates).map((one) => sessionOf(one, projects, now))
    },
    wantTimes: (path) => void wanted.add(path),
    folders: () => byTime(folders, all),
    save() {
      if (index && entries && isUnsaved) saveText(index, printIndex(entries.values()), onProblem)
      isUnsaved = false
    },
  }
}

type Home = { source: Source; home: string }

const placesOf = ({ sources, env, home, paths }: Omit<DiscoverOptions, "now">): { homes: Home[]; files: string[] } => {
  const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  const files = paths?.filter(isFile) ?? []
  const roots = paths?.filter((path) => !files.includes(path))
  const homes = Object.values(sources).flatMap((source) => {
    const below = [...source.below.home, ...source.below.folder]
    const folders = roots?.flatMap((root) => below.map((folder) => join(root, folder))) ?? source.homes(env, home)
    return [...new Set(folders)].map((folder) => ({ source, home: folder }))
  })
  return { homes, files }
}

const filesNamed = async (paths: readonly string[], { sources, onProblem }: Omit<DiscoverOptions, "now">) => {
  if (paths.length === 0) return []
  const { fileNamed } = await import("./_named-file.ts")
  return paths.flatMap((path) => fileNamed(path, sources, onProblem) ?? [])
}

/** Folders that only hold folders come first: there are few of them, and what is new begins there. */
const byTime = (folders: readonly string[], all: readonly Found[]): string[] => {
  const times = new Map<string, number>()
  for (const { path, mark, place } of all) {
    const folder = place.reading.as === "folder" ? path : dirname(path)
    times.set(folder, Math.max(times.get(folder) ?? 0, mark[1]))
  }
  const timeOf = (folder: string): number => times.get(folder) ?? Number.POSITIVE_INFINITY
  return folders.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
}

const loadText = (index: IndexFile | undefined): string | undefined => {
  try {
    return index?.load()
  } catch {
    return undefined
  }
}

const saveText = (index: IndexFile, text: string, report: (problem: Problem) => void): void => {
  try {
    index.save(text)
  } catch (cause) {
    report(warning("unsaved-index", `What was read of the agents' sessions could not be kept: ${messageOf(cause)}`))
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

type ReadAgain = {
  onProblem: (problem: Problem) => void
  onRead: ((bytes: number) => void) | undefined
  wantsTimes: boolean
}

const readAgain = async (
  found: Found,
  known: Indexed | undefined,
  { onProblem, onRead, wantsTimes }: ReadAgain,
): Promise<Indexed | undefined> => {
  const { readFound, unreadable } = await import("./_read-found.ts")
  const { path, mark } = found
  try {
    // Only a file of lines grows; of anything else the last look is all that can be compared with this one.
    const isSameFile = known?.mark[2] === mark[2] && known.mark[0] <= mark[0]
    const mayGoOn = found.place.reading.as !== "lines" || isSameFile
    const before = known && mayGoOn ? stateIn(known) : undefined
    const { agents, state, problems } = await readFound(found, before, { onRead, wantsTimes })
    for (const problem of problems) onProblem({ ...problem, message: `${sanitise(path)}: ${problem.message}` })
    return createIndexed(path, mark, agents, state)
  } catch (cause) {
    onProblem(unreadable(sanitise(path), cause))
    return undefined
  }
}

/** The agents of one file. One that has no file of its own counts when it has a list. */
const candidatesOf = (found: Found, entry: Indexed): Candidate[] => {
  const { agents } = entry
  const isLines = found.place.reading.as === "lines"
  const isDatabase = found.place.reading.as === "database"
  const owner = found.whose.agent ?? (agents.some(({ agent }) => agent === "main") ? "main" : agents[0]?.agent)
  return agents.flatMap((facts): Candidate[] => {
    const isOwn = facts.agent === owner || isDatabase
    const session = facts.about.session ?? found.whose.session
    if (session === undefined || (!facts.plan && !(isOwn && (isLines || isDatabase)))) return []
    const key = isDatabase ? planKey(facts.agent, session) : facts.agent
    const list = (): CandidateList => {
      const state = stateIn(entry)
      return {
        plan: state?.plans[key],
        times: state?.times?.[key] ?? noTimes,
        isTimed: !isLines || state?.isTimed === true,
      }
    }
    const isPartial = isLines && !isOwn && facts.agent === "main"
    return [{ found, facts, session, isLines: isLines || isDatabase, isPartial, list }]
  })
}

const projectsIn = (
  homes: readonly Home[],
  report: (problem: Problem) => void,
): Map<Source, Record<string, string>> => {
  const tables = new Map<Source, Record<string, string>>()
  for (const { source, home } of homes) {
    if (!source.projects) continue
    const path = join(home, source.projects.file)
    try {
      tables.set(source, { ...tables.get(source), ...source.projects.read(readFileSync(path, "utf8")) })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT")
        report(warning("unreadable-file", `${sanitise(path)} could not be read: ${messageOf(cause)}`))
    }
  }
  return tables
}

const sessionOf = (
  { found, facts, session, from }: ReturnType<typeof merge>[number],
  projects: ReadonlyMap<Source, Record<string, string>>,
  now: Date,
): DiscoveredSession => {
  const { source, whose } = found
  const { about, activity } = facts
  const label = whose.project
  const project = about.project ?? (label === undefined ? undefined : (projects.get(source)?.[label] ?? label))
  const isSubAgent = facts.agent !== "main"
  const updated = latest(activity?.at, facts.planned) ?? new Date(found.mark[1]).toISOString()
  const isPlanFinished = facts.plan?.isFinished ?? false
  let read: CandidateList | undefined
  const list = (): CandidateList | undefined => {
    read ??= from?.list()
    return read
  }
  return {
    agentType: source.agentType,
    session,
    agent: facts.agent,
    ...(isSubAgent ? { parent: { session, agent: about.parent?.agent ?? "main" } } : {}),
    ...(project === undefined ? {} : { project }),
    path: found.path,
    updated,
    ...(about.version ? { version: about.version } : {}),
    ...(about.model ? { model: about.model } : {}),
    ...listOf(facts.plan),
    ...(facts.planned ? { planned: facts.planned } : {}),
    planPath: from?.found.path ?? found.path,
    get plan() {
      return list()?.plan
    },
    get times() {
      return observedSpans(list())
    },
    get isTimed() {
      return list()?.isTimed ?? true
    },
    planTool: facts.plan ? "present" : source.planTool(about),
    state: stateOf({ activity: lastSeen(activity, facts.planned, from), updated, isPlanFinished, isSubAgent }, now),
    ...(activity ? { activity } : {}),
  }
}

const listOf = (facts: PlanFacts | undefined): Pick<DiscoveredSession, "summary" | "print"> => {
  if (!facts) return {}
  const { print, ...summary } = facts
  return { summary, print }
}

/** A list that its session says after everything else is work too. One beside it may be written at any time. */
const lastSeen = (
  activity: AgentFacts["activity"],
  planned: string | undefined,
  from: Candidate | undefined,
): AgentFacts["activity"] =>
  planned && activity?.at && from?.isLines && planned > activity.at ? { kind: "tool", at: planned } : activity

const latest = (...times: (string | undefined)[]): string | undefined =>
  times.reduce((one, other) => (Date.parse(other ?? "") > (Date.parse(one ?? "") || 0) ? other : one))
