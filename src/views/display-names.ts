/** Display names of sessions in a list: their titles, with ids if titles would be ambiguous. */

export type Nameable = {
  session: string
  /** `main`, or a sub-agent's id. */
  agent: string
  agentType: string
  project?: string | undefined
  title?: string | undefined
  role?: string | undefined
}

export type DisplayName = {
  /** The title; without one a sub-agent's kind, or as much of the id as tells it from all others. */
  name: string
  /** The shortest unique part of the id, if another session has the same name. */
  id?: string
}

/** Agent and project are shown next to a name: only rows that agree in all three look the same. */
export const displayNames = <One extends Nameable>(sessions: readonly One[]): Map<One, DisplayName> => {
  const ids = shortNames(sessions.map(({ session }) => session))
  const agents = shortNames(
    sessions.flatMap(({ agent }) => (agent === "main" ? [] : agent)),
    longestAgent,
  )
  const idOf = ({ session, agent }: One): string =>
    agent === "main" ? (ids.get(session) ?? session) : (agents.get(agent) ?? agent)
  const counts = new Map<string, number>()
  const named = sessions.map((one) => {
    const given = one.title || (one.agent === "main" ? "" : (one.role ?? ""))
    const name = given || idOf(one)
    const look = lookOf(one, name)
    counts.set(look, (counts.get(look) ?? 0) + 1)
    return { one, name, look, isId: given === "" }
  })
  return new Map(
    named.map(({ one, name, look, isId }): [One, DisplayName] => [
      one,
      isId || counts.get(look) === 1 ? { name } : { name, id: idOf(one) },
    ]),
  )
}

/** Sub-agents are under the session they belong to. */
const lookOf = ({ session, agent, agentType, project }: Nameable, name: string): string =>
  JSON.stringify([agent === "main" ? (project ?? "") : session, agent === "main", agentType, name.toLowerCase()])

const shortest = 8
/** In characters: shorter ids of sessions and of sub-agents are names, and stay whole. */
const [longestSession, longestAgent] = [30, 12]

/** In characters: a beginning longer than this would leave a title no room, and only the two ends of the id are shown. */
const longestBeginning = 12
/** In characters: how much of each end is shown at least. */
const shortestEnd = 4

/** The replacement for the middle of an id, typable and visible on every terminal. */
const gap = ".."

/**
 * The shortest unique form of each long id: its beginning, or its two ends, `01a1..9af0`, if many ids begin alike, as
 * time-based ids do. Short ids are names and stay whole.
 */
export const shortNames = (names: readonly string[], longest: number = longestSession): Map<string, string> => {
  const isShort = (name: string): boolean => name.length < longest
  if (names.every(isShort)) return new Map()
  const beginnings = tellingStarts([...new Set(names)], { isWhole: isShort, least: shortest })
  if ([...beginnings.values()].every((name) => name.length <= longestBeginning || isShort(name))) return beginnings
  const taken = new Set(beginnings.values())
  const ends = tellingStarts([...beginnings.keys()].map(reversed), { isWhole: () => false, least: shortestEnd })
  return new Map(
    Array.from(beginnings, ([name, beginning]) => {
      const ending = reversed(ends.get(reversed(name)) ?? "")
      const both = `${name.slice(0, shortestEnd)}${gap}${ending}`
      const isBetter = !isShort(name) && beginning.length > longestBeginning && both.length < beginning.length
      return [name, isBetter && !taken.has(both) ? both : beginning]
    }),
  )
}

type Telling = { isWhole: (name: string) => boolean; least: number }

/** The shortest unique prefix of each text. */
const tellingStarts = (texts: readonly string[], { isWhole, least }: Telling): Map<string, string> => {
  const sorted = texts.toSorted()
  return new Map(
    sorted.map((text, index) => {
      const shared = Math.max(sharedLength(text, sorted[index - 1]), sharedLength(text, sorted[index + 1]))
      return [text, isWhole(text) ? text : text.slice(0, Math.max(least, shared + 1))]
    }),
  )
}

const reversed = (text: string): string => text.split("").reverse().join("")

const sharedLength = (one: string, other = ""): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
