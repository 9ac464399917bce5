/** The sessions in the order of the board: by project, sub-agents under whom they work for, what is going on before what is over. */
import { isLive, stateWordsOf } from "./glyphs.ts"
import type { BoardSession } from "./session.ts"

export type BoardEntry =
  | { kind: "project"; name: string }
  | { kind: "session"; session: BoardSession /** How many agents are above it. */; depth: number }

export type BoardList = {
  entries: readonly BoardEntry[]
  /** Where a session is among the entries, by its key. */
  places: ReadonlyMap<string, number>
  /** How many sessions are shown. */
  shown: number
}

type Sessions = readonly BoardSession[]

type Family = { root: BoardSession; isLive: boolean; updated: string }

type Families = {
  /** The families of a project, in order; projects in order. */
  projects: readonly { name: string; families: readonly Family[] }[]
  childrenOf(session: BoardSession): Sessions
}

/** Sources give another array after every change, so what was worked out for one stays true. */
const knownFamilies = new WeakMap<Sessions, Families>()
const knownLists = new WeakMap<Sessions, { filter: string; list: BoardList }>()

export const boardList = (sessions: Sessions, filter: string): BoardList => {
  const known = knownLists.get(sessions)
  if (known?.filter === filter) return known.list
  const list = listOf(sessions, filter)
  knownLists.set(sessions, { filter, list })
  return list
}

/** All sub-agents of an agent, at any depth, each after its parent. */
export const teamOf = (sessions: Sessions, leader: BoardSession): { session: BoardSession; depth: number }[] => {
  const { childrenOf } = familiesOf(sessions)
  return membersOf(leader, childrenOf).slice(1)
}

/** Every session on the board whose state it is, in the order of the list. */
export const sessionsIn = (list: BoardList, state: BoardSession["state"]): BoardSession[] =>
  list.entries.flatMap((entry) => (entry.kind === "session" && entry.session.state === state ? [entry.session] : []))

const listOf = (sessions: Sessions, filter: string): BoardList => {
  const { projects, childrenOf } = familiesOf(sessions)
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const entries: BoardEntry[] = []
  const places = new Map<string, number>()
  let shown = 0
  for (const { name, families } of projects) {
    const found = families.flatMap(({ root }) => matching(membersOf(root, childrenOf), words))
    if (found.length === 0) continue
    entries.push({ kind: "project", name })
    for (const member of found) {
      if (!places.has(member.session.key)) places.set(member.session.key, entries.length)
      entries.push({ kind: "session", ...member })
      shown += 1
    }
  }
  return { entries, places, shown }
}

type Member = { session: BoardSession; depth: number }

const membersOf = (root: BoardSession, childrenOf: Families["childrenOf"]): Member[] => {
  const members: Member[] = []
  // Names come from outside: two may claim to work for each other.
  const seen = new Set<BoardSession>()
  const waiting: Member[] = [{ session: root, depth: 0 }]
  for (let member = waiting.pop(); member; member = waiting.pop()) {
    const { session, depth } = member
    if (seen.has(session)) continue
    seen.add(session)
    members.push(member)
    for (const child of childrenOf(session).toReversed()) waiting.push({ session: child, depth: depth + 1 })
  }
  return members
}

/** Those that match, and those above them, so that none stands under the wrong one. */
const matching = (members: readonly Member[], words: readonly string[]): Member[] => {
  if (words.length === 0) return [...members]
  const kept: Member[] = []
  let needed = 0
  for (const member of members.toReversed()) {
    const isNeeded = member.depth < needed
    if (!isNeeded && !matches(member.session, words)) continue
    needed = member.depth
    kept.push(member)
  }
  return kept.reverse()
}

const matches = (session: BoardSession, words: readonly string[]): boolean => {
  const { project, agentType, session: id, agent, current = "", planTool } = session
  const tool = planTool === "absent" ? "no plan tool" : ""
  const text = [project, agentType, id, agent, current, stateWordsOf(session), tool].join(" ").toLowerCase()
  return words.every((word) => text.includes(word))
}

const familiesOf = (sessions: Sessions): Families => {
  const known = knownFamilies.get(sessions)
  if (known) return known
  const families = arrange(sessions)
  knownFamilies.set(sessions, families)
  return families
}

const arrange = (sessions: Sessions): Families => {
  const keys = new Set(sessions.map(({ key }) => key))
  const children = new Map<string, BoardSession[]>()
  const roots: BoardSession[] = []
  for (const session of sessions) {
    const { parent } = session
    if (parent === undefined || parent === session.key || !keys.has(parent)) roots.push(session)
    else addTo(children, parent, session)
  }
  for (const siblings of children.values()) siblings.sort((one, other) => byLiveness(one, other) || byKey(one, other))
  const childrenOf = (session: BoardSession): Sessions => children.get(session.key) ?? []

  const reached = new Set<BoardSession>()
  const projects = new Map<string, Family[]>()
  const add = (root: BoardSession): void => {
    const members = membersOf(root, childrenOf)
    for (const { session } of members) reached.add(session)
    const updated = members.reduce((latest, { session }) => (session.updated > latest ? session.updated : latest), "")
    const family = { root, isLive: members.some(({ session }) => isLive(session)), updated }
    addTo(projects, root.project, family)
  }
  for (const root of roots) add(root)
  // Agents that are each other's parents have none on top; the first of them stands for all.
  for (const session of sessions) if (!reached.has(session)) add(session)

  return {
    childrenOf,
    projects: [...projects]
      .map(([name, families]) => ({ name, families: families.sort(byFamily) }))
      .sort((one, other) => byProject(one, other)),
  }
}

const addTo = <Value>(groups: Map<string, Value[]>, name: string, value: Value): void => {
  const group = groups.get(name)
  if (group) group.push(value)
  else groups.set(name, [value])
}

/**
 * What is going on comes first, and there nothing but its name decides, so that a change of state or a new line does not
 * move any row. What has ended no longer changes and comes newest first.
 */
const byFamily = (one: Family, other: Family): number => {
  if (one.isLive !== other.isLive) return one.isLive ? -1 : 1
  return (one.isLive ? 0 : compare(other.updated, one.updated)) || byKey(one.root, other.root)
}

const byProject = (
  one: { name: string; families: readonly Family[] },
  other: { name: string; families: readonly Family[] },
): number => {
  const [first, second] = [one.families[0], other.families[0]]
  if (first?.isLive !== second?.isLive) return first?.isLive ? -1 : 1
  const byAge = first?.isLive ? 0 : compare(second?.updated ?? "", first?.updated ?? "")
  return byAge || compare(one.name, other.name)
}

const byLiveness = (one: BoardSession, other: BoardSession): number => Number(isLive(other)) - Number(isLive(one))

const byKey = (one: BoardSession, other: BoardSession): number => compare(one.key, other.key)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
