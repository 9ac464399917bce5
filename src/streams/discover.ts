/** Finds the sessions of all agents on this machine, reads only what is new, and never writes to an agent's folder. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Plan, type Problem, sanitise, warning } from "../plan/index.ts"
import { type Candidate, merge } from "./_merge-sessions.ts"
import {
  createIndexed,
  type Indexed,
  type IndexFile,
  isSameMark,
  planKey,
  printIndex,
  readIndex,
  stateIn,
} from "./_session-index.ts"
import { type Found, walk } from "./_walk.ts"
import { type SessionState, stateOf } from "./activity.ts"
import type { Env, PlanTool, Source } from "./sources/source.ts"
import type { AgentType } from "./stream.ts"

export type DiscoverOptions = {
  sources: Readonly<Record<string, Source>>
  env: Env
  /** The person's home. */
  home: string
  /** Looks only here: a person's home, or one agent's folder. */
  root?: string | undefined
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
  summary?: Indexed["agents"][number]["plan"]
  /** Its list, read when it is asked for. */
  readonly plan: Plan | undefined
  planTool: PlanTool
  state: SessionState
  activity?: Indexed["agents"][number]["activity"]
}

/** Everything that could not be read is skipped and reported; nothing is thrown. */
export const discover = async (options: DiscoverOptions): Promise<DiscoveredSession[]> => {
  const { index, now, onProblem = () => {}, onProgress, onRead } = options
  const before = readIndex(loadText(index))
  const after = new Map(before)
  const homes = homesOf(options)
  const all = homes.flatMap(({ source, home }) => walk(source, home, onProblem))
  for (const path of before.keys()) if (homes.some(({ home }) => path.startsWith(home))) after.delete(path)
  const candidates: Candidate[] = []
  let isChanged = false
  for (const [done, found] of all.entries()) {
    const known = before.get(found.path)
    const entry = known && isSameMark(known.mark, found.mark) ? known : await readAgain(found, known, onProblem, onRead)
    isChanged ||= entry !== known
    if (entry) {
      after.set(found.path, entry)
      candidates.push(...candidatesOf(found, entry))
    }
    onProgress?.(done + 1, all.length)
  }
  if (index && (isChanged || after.size !== before.size)) saveText(index, printIndex(after.values()), onProblem)
  const projects = projectsIn(homes, onProblem)
  return merge(candidates).map((one) => sessionOf(one, projects, now))
}

type Home = { source: Source; home: string }

const homesOf = ({ sources, env, home, root }: DiscoverOptions): Home[] =>
  Object.values(sources).flatMap((source) => {
    const folders =
      root === undefined
        ? source.homes(env, home)
        : [...source.below.home, ...source.below.folder].map((folder) => join(root, folder))
    return [...new Set(folders)].map((folder) => ({ source, home: folder }))
  })

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

const readAgain = async (
  found: Found,
  known: Indexed | undefined,
  report: (problem: Problem) => void,
  onRead: ((bytes: number) => void) | undefined,
): Promise<Indexed | undefined> => {
  const { readFound, unreadable } = await import("./_read-found.ts")
  const { path, mark } = found
  try {
    const mayGoOn = found.place.isKept || (known?.mark[2] === mark[2] && known.mark[0] <= mark[0])
    const { agents, state, problems } = await readFound(found, known && mayGoOn ? stateIn(known) : undefined, onRead)
    for (const problem of problems) report({ ...problem, message: `${sanitise(path)}: ${problem.message}` })
    return createIndexed(path, mark, agents, state)
  } catch (cause) {
    report(unreadable(sanitise(path), cause))
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
    const plan = () => stateIn(entry)?.plans[key]
    const isPartial = isLines && !isOwn && facts.agent === "main"
    return [{ found, facts, session, isLines: isLines || isDatabase, isPartial, plan }]
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
  { found, facts, session, plan, from }: ReturnType<typeof merge>[number],
  projects: ReadonlyMap<Source, Record<string, string>>,
  now: Date,
): DiscoveredSession => {
  const { source, whose } = found
  const { about, activity } = facts
  const label = whose.project
  const project = about.project ?? (label === undefined ? undefined : (projects.get(source)?.[label] ?? label))
  const isSubAgent = facts.agent !== "main"
  const updated = activity?.at ?? facts.planned ?? new Date(found.mark[1]).toISOString()
  const isPlanFinished = facts.plan?.isFinished ?? false
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
    ...(facts.plan ? { summary: facts.plan } : {}),
    get plan() {
      return from ? plan() : undefined
    },
    planTool: facts.plan ? "present" : source.planTool(about),
    state: stateOf({ activity, updated, isPlanFinished, isSubAgent }, now),
    ...(activity ? { activity } : {}),
  }
}
