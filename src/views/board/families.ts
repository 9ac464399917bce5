/** Groups sessions with their sub-agents, and classifies each family for a person: waiting, working or over. */
import { isLive } from "./glyphs.ts"
import type { BoardSession, BoardState } from "./session.ts"

export type Member = { session: BoardSession /** How many agents are above it. */; depth: number }

/** The section of a family on the board. */
export type FamilySection = "waiting" | "working" | "rest"

export type Family = {
  root: BoardSession
  /** The root and all sub-agents, each after its parent. */
  members: readonly Member[]
  /** The most urgent state among the members; if the family is over, the root's state. */
  state: BoardState
  section: FamilySection
  /** The last activity of any member, in ISO form. */
  updated: string
  /** The same in milliseconds since 1970; `NaN` if the time is unreadable. */
  time: number
}

type Sessions = readonly BoardSession[]

/** Sources make a new array after every change, so results can be cached by array. */
const cache = new WeakMap<Sessions, readonly Family[]>()

/** All families: waiting ones, then working ones by project, then the rest, the newest first. */
export const familiesOf = (sessions: Sessions): readonly Family[] => {
  const families = cache.get(sessions) ?? arrange(sessions)
  cache.set(sessions, families)
  return families
}

/** All sub-agents of an agent, at any depth, each after its parent. */
export const teamOf = (sessions: Sessions, leader: BoardSession): Member[] => {
  const isOf = ({ members }: Family): boolean => members.some(({ session }) => session === leader)
  const { members = [] } = familiesOf(sessions).find(isOf) ?? {}
  const place = members.findIndex(({ session }) => session === leader)
  const { depth = 0 } = members[place] ?? {}
  const behind = members.slice(place + 1)
  const end = behind.findIndex((member) => member.depth <= depth)
  return (end < 0 ? behind : behind.slice(0, end)).map(({ session, depth: own }) => ({ session, depth: own - depth }))
}

/** How many sessions there are in each state. Sub-agents are not counted. */
export const countsOf = (sessions: Sessions): { total: number; by: ReadonlyMap<BoardState, number> } => {
  const families = familiesOf(sessions)
  const by = new Map<BoardState, number>()
  for (const { state } of families) by.set(state, (by.get(state) ?? 0) + 1)
  return { total: families.length, by }
}

const arrange = (sessions: Sessions): Family[] => {
  const isAlone = ({ parent }: BoardSession): boolean => parent === undefined
  if (sessions.every(isAlone)) return sessions.map((one) => familyOf(one, [{ session: one, depth: 0 }])).sort(byPlace)
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
  const families: Family[] = []
  const add = (root: BoardSession): void => {
    const members = membersOf(root, childrenOf, reached)
    families.push(familyOf(root, members))
  }
  for (const root of roots) add(root)
  // Agents that are each other's parents have no root, so the first one stands for all of them.
  for (const session of sessions) if (!reached.has(session)) add(session)
  return families.sort(byPlace)
}

/**
 * Ids are untrusted: two sessions may have the same id or claim to be each other's parent. Each session is added once.
 */
const membersOf = (
  root: BoardSession,
  childrenOf: (session: BoardSession) => Sessions,
  reached: Set<BoardSession>,
): Member[] => {
  const members: Member[] = []
  const waiting: Member[] = [{ session: root, depth: 0 }]
  for (let member = waiting.pop(); member; member = waiting.pop()) {
    const { session, depth } = member
    if (reached.has(session)) continue
    reached.add(session)
    members.push(member)
    for (const child of childrenOf(session).toReversed()) waiting.push({ session: child, depth: depth + 1 })
  }
  return members
}

const pressing: readonly BoardState[] = ["waiting", "working", "stalled"]
const sections: Readonly<Partial<Record<BoardState, FamilySection>>> = {
  waiting: "waiting",
  working: "working",
  stalled: "working",
}

const familyOf = (root: BoardSession, members: readonly Member[]): Family => {
  const isAlone = members.length === 1
  const state = isAlone ? root.state : pressingIn(members, root)
  const updated = isAlone ? root.updated : latestIn(members)
  return { root, members, state, section: sections[state] ?? "rest", updated, time: Date.parse(updated) }
}

const pressingIn = (members: readonly Member[], root: BoardSession): BoardState =>
  pressing.find((one) => members.some(({ session }) => session.state === one)) ?? root.state

const latestIn = (members: readonly Member[]): string =>
  members.reduce((latest, { session }) => (session.updated > latest ? session.updated : latest), "")

const addTo = <Value>(groups: Map<string, Value[]>, name: string, value: Value): void => {
  const group = groups.get(name)
  if (group) group.push(value)
  else groups.set(name, [value])
}

const order: Readonly<Record<FamilySection, number>> = { waiting: 0, working: 1, rest: 2 }

const byPlace = (one: Family, other: Family): number =>
  order[one.section] - order[other.section] || within[one.section](one, other)

/**
 * An agent with a question is blocked, so it comes before one that only ended its turn. Working agents are ordered by
 * project and key only, so that activity moves no row.
 */
const within: Readonly<Record<FamilySection, (one: Family, other: Family) => number>> = {
  waiting: (one, other) => Number(asks(other)) - Number(asks(one)) || byAge(one, other),
  working: (one, other) => compare(one.root.project, other.root.project) || byKey(one.root, other.root),
  rest: (one, other) => byAge(one, other),
}

const asks = ({ members }: Family): boolean =>
  members.some(({ session: { state, waitsFor } }) => state === "waiting" && waitsFor && waitsFor.kind !== "turn")

const byAge = (one: Family, other: Family): number => compare(other.updated, one.updated) || byKey(one.root, other.root)

const byLiveness = (one: BoardSession, other: BoardSession): number => Number(isLive(other)) - Number(isLive(one))

const byKey = (one: BoardSession, other: BoardSession): number => compare(one.key, other.key)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
