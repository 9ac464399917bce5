/** Sessions with the sub-agents that work for them, and what each such family is to a person: waiting, at work, or over. */
import { isLive } from "./glyphs.ts"
import type { BoardSession, BoardState } from "./session.ts"

export type Member = { session: BoardSession /** How many agents are above it. */; depth: number }

/** Where a family stands on the board. */
export type FamilySection = "waiting" | "working" | "rest"

export type Family = {
  root: BoardSession
  /** The root and all sub-agents, each after its parent. */
  members: readonly Member[]
  /** What the family counts as: the most pressing state of its members, of what is over that of the root. */
  state: BoardState
  section: FamilySection
  /** The last activity of any of them, in ISO form. */
  updated: string
  /** The same in milliseconds since 1970; not a number where it cannot be read. */
  time: number
}

type Sessions = readonly BoardSession[]

type Arranged = { families: readonly Family[]; ofMember: ReadonlyMap<BoardSession, Family> }

/** Sources give another array after every change, so what was worked out for one stays true. */
const known = new WeakMap<Sessions, Arranged>()

const arrangedOf = (sessions: Sessions): Arranged => {
  const made = known.get(sessions)
  if (made) return made
  const families = arrange(sessions)
  const ofMember = new Map(families.flatMap((one) => one.members.map(({ session }) => [session, one] as const)))
  known.set(sessions, { families, ofMember })
  return { families, ofMember }
}

/** All families: those that wait, then those at work, then the rest, the newest first. */
export const familiesOf = (sessions: Sessions): readonly Family[] => arrangedOf(sessions).families

/** All sub-agents of an agent, at any depth, each after its parent. */
export const teamOf = (sessions: Sessions, leader: BoardSession): Member[] => {
  const { members = [] } = arrangedOf(sessions).ofMember.get(leader) ?? {}
  const place = members.findIndex(({ session }) => session === leader)
  const { depth = 0 } = members[place] ?? {}
  const behind = members.slice(place + 1)
  const end = behind.findIndex((member) => member.depth <= depth)
  return (end < 0 ? behind : behind.slice(0, end)).map(({ session, depth: own }) => ({ session, depth: own - depth }))
}

/** How many sessions there are in each state. Sub-agents are no sessions. */
export const countsOf = (sessions: Sessions): { total: number; by: ReadonlyMap<BoardState, number> } => {
  const families = familiesOf(sessions)
  const by = new Map<BoardState, number>()
  for (const { state } of families) by.set(state, (by.get(state) ?? 0) + 1)
  return { total: families.length, by }
}

const arrange = (sessions: Sessions): Family[] => {
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
  // Agents that are each other's parents have none on top; the first of them stands for all.
  for (const session of sessions) if (!reached.has(session)) add(session)
  return families.sort(byPlace)
}

/** Names come from outside: two may claim to work for each other, or to be the same. Each is taken once. */
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
  const state = pressing.find((one) => members.some(({ session }) => session.state === one)) ?? root.state
  const updated = members.reduce((latest, { session }) => (session.updated > latest ? session.updated : latest), "")
  return { root, members, state, section: sections[state] ?? "rest", updated, time: Date.parse(updated) }
}

const addTo = <Value>(groups: Map<string, Value[]>, name: string, value: Value): void => {
  const group = groups.get(name)
  if (group) group.push(value)
  else groups.set(name, [value])
}

const order: Readonly<Record<FamilySection, number>> = { waiting: 0, working: 1, rest: 2 }

const byPlace = (one: Family, other: Family): number =>
  order[one.section] - order[other.section] || within[one.section](one, other)

/**
 * Who asks something cannot go on without a reply, and comes before who has only ended a turn. Among those at work nothing
 * but their names decides, so that a new line moves no row.
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
