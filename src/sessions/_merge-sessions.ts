/** Brings together what several files say about one agent: its session file, and the lists beside it. */
import { groupedBy } from "../streams/grouped.ts"
import type { Timed } from "../streams/times.ts"
import type { AgentFacts } from "./_session-index.ts"
import type { Found } from "./_walk.ts"

/** A list with its times, as one file has it. */
export type CandidateList = Timed & { isTimed: boolean }

/** What one file says about one agent. */
export type Candidate = {
  found: Found
  facts: AgentFacts
  session: string
  /** From the session itself, not from a list beside it. */
  isLines: boolean
  /** Only what one sub-agent did to its parent's list. */
  isPartial: boolean
  /** Read when it is asked for. */
  list(): CandidateList
}

/** `from` is the one whose list it is, if any has a list. */
export type Merged = Candidate & { from: Candidate | undefined }

/** A list beside a session is written just after the call in it. */
const sameTime = 2_000

/** One for each agent of each session. Of two lists the later one counts; when in doubt the one in the session. */
export const merge = (candidates: readonly Candidate[]): Merged[] => {
  const merged = [...groupedBy(candidates, keyOf).values()].flatMap((group): Merged[] => {
    const ranked = group.length > 1 ? group.toSorted(byRank) : group
    const [first] = ranked
    if (!first) return []
    const list = ranked.reduce<Candidate | undefined>(later, undefined)
    const about = Object.assign({}, ...group.map(({ facts }) => facts.about)) as AgentFacts["about"]
    if (!list) return [{ ...first, from: undefined }]
    const { plan, planned } = list.facts
    const facts: AgentFacts = {
      ...first.facts,
      about: { ...about, ...first.facts.about },
      ...(plan ? { plan } : {}),
      ...(planned ? { planned } : {}),
    }
    return [{ ...first, facts, from: list }]
  })
  return withoutTwins(merged)
}

const keyOf = ({ found, session, facts }: Candidate): string => `${found.source.agentType}\n${session}\n${facts.agent}`

/** The session's own file first, then lists beside it, then parts of them; of equals the one written last. */
const byRank = (one: Candidate, other: Candidate): number =>
  rankOf(one) - rankOf(other) || other.found.stamp[1] - one.found.stamp[1]

const rankOf = ({ isLines, isPartial }: Candidate): number => (isPartial ? 2 : isLines ? 0 : 1)

const later = (list: Candidate | undefined, candidate: Candidate): Candidate | undefined => {
  if (!candidate.facts.plan) return list
  if (!list) return candidate
  if (candidate.isPartial || candidate.facts.plan.todos === 0) return list
  if (list.facts.plan?.todos === 0) return candidate
  const [was, is] = [timeOf(list), timeOf(candidate)]
  return is > was + sameTime ? candidate : list
}

const timeOf = ({ facts, found }: Candidate): number => Date.parse(facts.planned ?? "") || found.stamp[1]

/**
 * The first generation of Claude Code names a sub-agent in its list's file by an id that its session file does not
 * know: a list that is already there under another name is the same agent's.
 */
const withoutTwins = (merged: readonly Merged[]): Merged[] => {
  const isBeside = ({ isLines, facts }: Merged): boolean => !isLines && facts.agent !== "main"
  const sessions = new Set(merged.filter(isBeside).map(({ session }) => session))
  const known = new Set(
    merged.flatMap((one) =>
      one.isLines && one.facts.agent !== "main" && sessions.has(one.session) ? twinKey(one) : [],
    ),
  )
  return merged.filter((one) => !isBeside(one) || !known.has(twinKey(one)))
}

const twinKey = ({ found, session, from }: Merged): string => {
  const todos = from?.list().plan?.todos.map(({ content, status }) => [content, status])
  return `${found.source.agentType}\n${session}\n${JSON.stringify(todos)}`
}
