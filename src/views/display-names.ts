/** Display names of sessions in a list: their titles, followed by ids where titles are ambiguous. */

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
  /** The title; without one, a sub-agent's kind, otherwise the shortest unique part of the id. */
  name: string
  /** The shortest unique part of the id, if another session has the same name. */
  id?: string
}

/** Agent and project are shown next to the name, so only rows that agree in all three are ambiguous. */
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

/**
 * What a row shows, to find rows that look the same. A sub-agent is listed under its session, so its session counts.
 */
const lookOf = ({ session, agent, agentType, project }: Nameable, name: string): string =>
  JSON.stringify([agent === "main" ? (project ?? "") : session, agent === "main", agentType, name.toLowerCase()])

const shortest = 8
/** In characters. Ids of sessions and sub-agents up to this length count as names and are never shortened. */
const [longestSession, longestAgent] = [30, 12]

/** In characters. If the shortest unique beginning is longer than this, the id is shown by its two ends instead. */
const longestBeginning = 12
/** In characters: the least that is shown of each end. */
const shortestEnd = 4

/** Replaces the middle of an id. Can be typed, and every terminal shows it. */
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

/** The shortest unique beginning of each text. */
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
