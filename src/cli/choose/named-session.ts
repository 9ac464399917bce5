/** Which session a person means: by its id or parts of it, by its title or words of it. */
import { distanceOf } from "../words/suggest.ts"

export type Nameable = {
  session: string
  agent: string
  title?: string | undefined
  /** What listings call it, where that is not its title alone. */
  printed?: readonly string[] | undefined
  /** A listing shows it without `--all`: among several with one name, it is preferred. */
  isRecent?: boolean | undefined
  /** In ISO form. */
  updated: string
  /** Its plan is kept by Headway. */
  isOwn?: boolean
}

export type Naming<One> =
  | { kind: "found"; one: One }
  | { kind: "ambiguous"; candidates: One[] }
  /** The most similar first, or the newest if none is similar. */
  | { kind: "missing"; nearest: One[]; isNear: boolean }

/**
 * Whatever a listing prints is accepted: an id, its beginning or its two ends, a title, a title that was cut, a sub-agent's id. `agent` is a
 * sub-agent, or the beginning of its id; without it the main agent of a session is meant, and sub-agents by their own names.
 */
export const findNamed = <One extends Nameable>(
  all: readonly One[],
  { session: typed, agent }: { session: string; agent?: string | undefined },
): Naming<One> => {
  // A sub-agent is printed as a branch of its session.
  const text = typed.replace(/^\s*(?:└|`-)\s/, "").trim()
  const pools = agent === undefined ? poolsOf(all) : [ofAgent(all, agent)]
  for (const pool of pools) {
    const naming = findIn(pool, text)
    if (naming) return naming
  }
  // As listings print an agent of a session, `shop-1 helper` and `f53816a2/abf7d66e`.
  const [, session, own] = (agent === undefined && /^(\S+?)[ /](\S+)$/.exec(text)) || []
  const inSession = session === undefined ? undefined : findNamed(all, { session, agent: own })
  if (inSession && inSession.kind !== "missing") return inSession
  return { kind: "missing", ...nearestTo(pools[0]?.members ?? [], text) }
}

/** The sessions among which a name must be unique, and their other names. */
type Pool<One> = {
  members: readonly One[]
  namesOf: (one: One) => string[]
  /** Sub-agents, which are searched later and have their own ids. */
  below?: readonly One[]
}

const poolsOf = <One extends Nameable>(all: readonly One[]): Pool<One>[] => {
  const mains = all.filter(({ agent }) => agent === main)
  const others = all.filter(({ agent }) => agent !== main)
  return [
    { members: mains, namesOf: ({ session }) => [session], below: others },
    { members: others, namesOf: ({ session, agent }) => [agent, session] },
  ]
}

const ofAgent = <One extends Nameable>(all: readonly One[], agent: string): Pool<One> => {
  const exact = all.filter((one) => one.agent === agent)
  const members = exact.length > 0 ? exact : all.filter((one) => one.agent.startsWith(agent))
  return { members, namesOf: ({ session }) => [session] }
}

const main = "main"

/** The minimum number of id characters in a listing: this many never match a word of a title by chance. */
const printedLength = 8

const findIn = <One extends Nameable>(
  { members, namesOf, below = [] }: Pool<One>,
  text: string,
): Naming<One> | undefined => {
  const lowered = folded(text)
  const words = wordsOf(lowered)
  if (lowered === "") return undefined
  const isPart = isPartOf(lowered)
  const begins = (one: One): boolean => namesOf(one).some((name) => isPart(folded(name)))
  const isLong = tellsMuch(lowered)
  const titleOf = ({ title = "" }: One): string => folded(title)
  const printedOf = ({ printed = [] }: One): string[] => printed.map(folded)
  const isCut = (one: One): boolean => [titleOf(one), ...printedOf(one)].some((name) => name.startsWith(lowered))
  const isNamed = (one: One): boolean =>
    namesOf(one).some((name) => folded(name) === lowered) || titleOf(one) === lowered
  const isPrinted = (one: One): boolean => printedOf(one).includes(lowered)
  // If listings print the name once, that one is meant; if several times, all that have the name may be.
  const isPrintedOnce = withoutTwins(members.filter(isPrinted)).length === 1
  const printed: ((one: One) => boolean)[] = [
    (one) => namesOf(one).includes(text),
    (one) => isPrinted(one) && isPrintedOnce,
    (one) => isPrinted(one) || isNamed(one),
    (one) => text.length >= printedLength && begins(one),
  ]
  for (const isMeant of printed) {
    const found = withoutTwins(members.filter(isMeant))
    const recent = found.filter(({ isRecent }) => isRecent)
    const meant = recent.length === 1 ? recent : found
    // A title may imitate another session's id: that does not match.
    const isPosing = text.length >= printedLength && !meant.every(begins)
    const isBegun = ({ agent }: One): boolean => folded(agent).startsWith(lowered)
    const begun = isPosing ? [...members.filter(begins), ...below.filter(isBegun)] : []
    if (found.length > 0) return namingOf(withoutTwins([...meant, ...begun]))
  }
  const parts: ((one: One) => boolean)[] = [
    (one) => begins(one) || holdsAll(wordsOf(titleOf(one)), words) || (isLong && isCut(one)),
    (one) => words.length > 0 && words.every((word) => tellsMuch(word) && titleOf(one).includes(word)),
  ]
  for (const isMeant of parts) {
    const found = withoutTwins(members.filter(isMeant))
    if (found.length > 0) return namingOf(found)
  }
  return undefined
}

/** Whether a name begins so, or has the two ends of which listings show that there is something between them. */
const isPartOf = (lowered: string): ((name: string) => boolean) => {
  const [, start = "", end = ""] = /^(.*?)\.{2,3}([^.].*)$/.exec(lowered) ?? []
  return (name) =>
    name.startsWith(lowered) ||
    (end !== "" && name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end))
}

const namingOf = <One>(found: One[]): Naming<One> => {
  const [one] = found
  return one !== undefined && found.length === 1 ? { kind: "found", one } : { kind: "ambiguous", candidates: found }
}

/** If an id names both a kept plan and another agent's session, the plan is meant. */
const withoutTwins = <One extends Nameable>(found: readonly One[]): One[] => {
  const known = new Map<string, One>()
  for (const one of found) {
    const key = JSON.stringify([one.session, one.agent])
    if (one.isOwn || !known.has(key)) known.set(key, one)
  }
  return [...known.values()]
}

/** Ignores case and ellipses. */
const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/(?:…|\.{3}|~)$/, "")
    .trim()

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

const holdsAll = (title: readonly string[], words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => title.includes(word))

/** One or two Latin letters are somewhere in nearly every title. */
const tellsMuch = (word: string): boolean => word.length > 2 || /[^\0-~]/.test(word)

const [mostNear, mostNewest] = [5, 3]

const nearestTo = <One extends Nameable>(
  members: readonly One[],
  text: string,
): { nearest: One[]; isNear: boolean } => {
  const lowered = folded(text)
  const most = Math.min(lowered.length - 1, Math.max(1, Math.floor(lowered.length / 3)))
  const near = members
    .map((one) => ({ one, distance: distanceTo(one, lowered) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance || (one.one.updated < other.one.updated ? 1 : -1))
    .map(({ one }) => one)
  if (near.length > 0) return { nearest: near.slice(0, mostNear), isNear: true }
  const newest = members.toSorted((one, other) => (one.updated < other.updated ? 1 : -1))
  return { nearest: newest.slice(0, mostNewest), isNear: false }
}

/** The distance to the id, its typed part, or the most similar word of the title. */
const distanceTo = ({ session, title = "" }: Nameable, lowered: string): number => {
  const id = session.toLowerCase()
  const distances = [id, id.slice(0, lowered.length), ...wordsOf(folded(title))].map((name) =>
    distanceOf(lowered, name),
  )
  return Math.min(...distances)
}
