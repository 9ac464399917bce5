/** The sessions in board order: waiting ones, working ones, then the others by project, with old ones folded. */
import { type Family, familiesOf, type Member } from "./families.ts"
import { isLive, stateWords } from "./glyphs.ts"
import { stateWordsOf } from "./news.ts"
import type { BoardSession } from "./session.ts"
import type { BoardView } from "./view.ts"

export type BoardEntry =
  | { kind: "section"; section: "waiting" | "working"; count: number }
  | { kind: "project"; name: string; count: number }
  /** One entry for all old sessions. If it is open, the sessions follow it. */
  | { kind: "older"; count: number; isOpen: boolean }
  | (Member & {
      kind: "session"
      /** Whether the row shows its project, because no heading above it does. */
      isPlaced: boolean
      /** False for a session that is only listed because one of its sub-agents matches. */
      isMatch: boolean
    })

export type BoardList = {
  entries: readonly BoardEntry[]
  /** The index of each session's entry by session key, and of the entry for older sessions by `olderKey`. */
  places: ReadonlyMap<string, number>
  /** How many sessions are listed, without sub-agents. */
  shown: number
}

/** The key of the entry for older sessions. It cannot clash with session keys, which are JSON. */
export const olderKey = "(older)"

type Sessions = readonly BoardSession[]

/** The parts of a view that decide which sessions are listed. */
export type ListView = Pick<BoardView, "session" | "filters" | "found" | "isUnfolded" | "before">

/** Sources make a new array after every change, so results can be cached by array. */
const cache = new WeakMap<Sessions, { view: ListView; kept: string | undefined; list: BoardList }>()

/**
 * Without a filter the selected session is always listed, even if it is old or a finished sub-agent, so that it does
 * not disappear while in use.
 */
export const boardList = (view: ListView, sessions: Sessions): BoardList => {
  const last = cache.get(sessions)
  const isSame = last !== undefined && isSameList(last.view, view)
  if (isSame && (last.kept === view.session || holds(last, view.session))) return last.list
  const list = listOf(view, sessions, undefined)
  const isMissing = view.session !== undefined && view.filters.sessions === "" && !list.places.has(view.session)
  const whole = isMissing ? listOf(view, sessions, view.session) : list
  cache.set(sessions, { view, kept: isMissing ? view.session : undefined, list: whole })
  return whole
}

const isSameList = (one: ListView, other: ListView): boolean =>
  one.filters.sessions === other.filters.sessions &&
  one.found === other.found &&
  one.isUnfolded === other.isUnfolded &&
  one.before === other.before

/** Whether a cached list still holds: it kept no session for the old selection and needs none for the new one. */
const holds = (
  { kept, view, list }: { kept: string | undefined; view: ListView; list: BoardList },
  key = "",
): boolean => kept === undefined && (view.filters.sessions !== "" || list.places.has(key))

type Shown = { family: Family; members: (Member & { isMatch: boolean })[] }

const listOf = (view: ListView, sessions: Sessions, kept: string | undefined): BoardList => {
  const words = view.filters.sessions.toLowerCase().split(/\s+/).filter(Boolean)
  const { before, isUnfolded, found } = view
  const filter =
    words.length > 0 ? (one: BoardSession) => matches(one, words) || found?.has(one.key) === true : undefined
  return listEntries({ before, isUnfolded, filter, kept }, sessions)
}

export type ListOptions = Pick<ListView, "before" | "isUnfolded"> & {
  filter?: ((session: BoardSession) => boolean) | undefined
  /** The key of a session that is listed in any state, unless a filter is set. */
  kept?: string | undefined
  /** Also lists sub-agents that are over. @default false */
  isEveryAgent?: boolean
}

/** Sections, projects and sessions in their order. */
export const listEntries = (options: ListOptions, sessions: Sessions): BoardList => {
  const { before, isUnfolded, filter, kept, isEveryAgent = false } = options
  const isShown = filter
    ? ({ session }: Member): boolean => filter(session)
    : ({ session, depth }: Member): boolean => isEveryAgent || depth === 0 || isLive(session) || session.key === kept
  const shown = familiesOf(sessions).flatMap((family): Shown[] => {
    const members = withParents(family.members, isShown)
    return members.length > 0 ? [{ family, members }] : []
  })
  const [recent, older] = filter ? [shown, []] : parted(shown, before)
  const open = isUnfolded ? older : older.filter(({ members }) => members.some((one) => one.session.key === kept))

  const entries: BoardEntry[] = []
  const add = ({ members }: Shown, isPlaced: boolean): void => {
    for (const member of members) {
      const { session, depth, isMatch } = member
      entries.push({ kind: "session", session, depth, isPlaced, isMatch })
    }
  }
  const addProjects = (families: readonly Shown[]): void => {
    for (const [name, own] of byProject(families)) {
      entries.push({ kind: "project", name, count: own.length })
      for (const one of own) add(one, false)
    }
  }
  for (const section of ["waiting", "working"] as const) {
    const own = recent.filter(({ family }) => family.section === section)
    if (own.length > 0) entries.push({ kind: "section", section, count: own.length })
    for (const one of own) add(one, true)
  }
  addProjects(recent.filter(({ family }) => family.section === "rest"))
  if (older.length > 0) {
    entries.push({ kind: "older", count: older.length, isOpen: isUnfolded })
    addProjects(open)
  }
  let places: ReadonlyMap<string, number> | undefined
  return {
    entries,
    // Computed on demand, because printed listings do not need them.
    get places() {
      places ??= placesIn(entries)
      return places
    },
    shown: shown.length,
  }
}

/** If two entries have the same key, the first one counts. */
const placesIn = (entries: readonly BoardEntry[]): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const key = keyOf(entry)
    if (key !== undefined && !places.has(key)) places.set(key, index)
  }
  return places
}

/** The key by which an entry is selected; undefined for a heading. */
export const keyOf = (entry: BoardEntry | undefined): string | undefined => {
  if (entry?.kind === "older") return olderKey
  return entry?.kind === "session" ? entry.session.key : undefined
}

/** The members that are shown, plus their parents, so that no sub-agent appears under the wrong parent. */
const withParents = (members: readonly Member[], isShown: (member: Member) => boolean): Shown["members"] => {
  const [root, second] = members
  // Most sessions have no sub-agents.
  if (root && !second) return isShown(root) ? [{ session: root.session, depth: 0, isMatch: true }] : []
  const kept: Shown["members"] = []
  let needed = 0
  for (const member of members.toReversed()) {
    const isMatch = isShown(member)
    if (!isMatch && member.depth >= needed) continue
    needed = member.depth
    kept.push({ ...member, isMatch })
  }
  return kept.reverse()
}

/** How many of the newest sessions are shown on a board where all are old. */
export const leastShown = 5

/**
 * Separates old sessions, which are over and were last active before a time. A session without a readable time is
 * recent.
 */
const parted = (shown: Shown[], before: number): [recent: Shown[], older: Shown[]] => {
  const isOld = ({ family }: Shown): boolean => family.section === "rest" && family.time < before
  const recent = shown.filter((one) => !isOld(one))
  if (recent.length > 0) return [recent, recent.length === shown.length ? [] : shown.filter(isOld)]
  return [shown.slice(0, leastShown), shown.slice(leastShown)]
}

const byProject = (families: readonly Shown[]): Map<string, Shown[]> => {
  const projects = new Map<string, Shown[]>()
  for (const one of families) {
    const { project } = one.family.root
    const own = projects.get(project)
    if (own) own.push(one)
    else projects.set(project, [one])
  }
  return projects
}

const matches = (session: BoardSession, words: readonly string[]): boolean => {
  const {
    project,
    agentType,
    agentName = "",
    agentShortName = "",
    session: id,
    agent,
    title = "",
    role = "",
    current = "",
    upcoming,
  } = session
  const { waitsFor, error = "", planTool, who = "" } = session
  const tool = planTool === "absent" ? "no plan tool" : ""
  const about = [
    title,
    role,
    project,
    agentType,
    agentName,
    agentShortName,
    id,
    agent,
    current,
    upcoming?.content ?? "",
    waitsFor?.text ?? "",
    error,
    who,
  ]
  const text = [...about, stateWords[session.state], stateWordsOf(session), tool].join(" ").toLowerCase()
  return words.every((word) => text.includes(word))
}
