/** Merges what several files say about one agent: its session file, and the lists next to it. */

import { groupedBy } from "../../plan/grouped.ts"
import {
  emptyLedger,
  fieldSaid,
  idProposer,
  isFinished,
  nativeIdOf,
  type Plan,
  type PlanEvent,
  saidAfter,
  type Todo,
} from "../../plan/index.ts"
import type { Activity } from "../../streams/stream.ts"
import type { Timed } from "../../streams/times.ts"
import { fingerprintOf, outlineOf } from "../fingerprint.ts"
import type { AgentFacts } from "../session-index.ts"
import type { Found } from "../walk.ts"
import { withSubject } from "./activity.ts"
import { type PlanFacts, summaryOf } from "./plan-facts.ts"

/** A list with its times, as one file has it. */
export type CandidateList = Timed & {
  isTimed: boolean
  /** Its todos have their permanent ids, which follow from the whole history of the list. */
  isWhole: boolean
  /** For a list whose files vanish: without todos whose files are gone. @default all of it */
  now?: Plan | undefined
}

/** What one file says about one agent. */
export type Candidate = {
  found: Found
  facts: AgentFacts
  session: string
  /** From the session itself, not from a list beside it. */
  isLines: boolean
  /** Only what one sub-agent did to its parent's list. */
  isPartial: boolean
  /** Only a mention in another file, which does not make a session. */
  isMention: boolean
  /** The session is known only by how its id begins. */
  isStart: boolean
  /** Read when it is asked for. */
  list(): CandidateList
  /** The same with permanent ids, for which the file may be read from its start. */
  wholeList(): Promise<CandidateList>
  /** Without the calls whose results may still come, where there are such calls. */
  confirmed?: Candidate
}

/** The same for another session, also without the calls whose results may still come. */
export const ofSession = (
  { confirmed, ...candidate }: Candidate,
  whose: Pick<Candidate, "session"> & Partial<Pick<Candidate, "isStart">>,
): Candidate => ({ ...candidate, ...whose, ...(confirmed ? { confirmed: ofSession(confirmed, whose) } : {}) })

/**
 * `from` is the one whose list it is, if any has a list; `noted` is what the client's processes noted of the session;
 * `isElsewhere` when any of it is from a file that is not in the agent's own folders.
 */
export type Merged = Candidate & { from: Candidate | undefined; noted: readonly AgentFacts[]; isElsewhere: boolean }

/** One for each agent of each session. A list stored in two places counts once. */
export const merge = (candidates: readonly Candidate[]): Merged[] => {
  const [only] = candidates
  // Nearly every session is one file about one agent, so there is nothing to merge.
  if (only && candidates.length === 1) return only.isMention || only.found.place.isNote ? [] : [alone(only)]
  const merged = [...groupedBy(candidates, keyOf).values()].flatMap((all): Merged[] => {
    const noted = all.filter(({ found }) => found.place.isNote).map(({ facts }) => facts)
    const isElsewhere = all.some(({ found }) => found.isElsewhere)
    const group = noted.length > 0 ? all.filter(({ found }) => !found.place.isNote) : all
    const ranked = group.length > 1 ? withoutAnyAgents(group.toSorted(byRank)) : group
    const [first] = ranked
    if (!first || first.isMention) return []
    const list = partsFirst(ranked).reduce<Candidate | undefined>(together, undefined)
    // A file that only changed a list does not tell its agent's title or folder.
    const telling = ranked.filter(({ isPartial }) => !isPartial)
    const about = Object.assign({}, ...telling.map(({ facts }) => facts.about)) as AgentFacts["about"]
    const activity = lastActivity(ranked)
    const own = { ...first.facts, ...(activity ? { activity } : {}), about: { ...about, ...first.facts.about } }
    if (!list) return [{ ...first, facts: own, from: undefined, noted, isElsewhere }]
    const { plan } = list.facts
    const planned = plannedAt(first, list)
    const facts: AgentFacts = {
      ...own,
      ...(plan ? { plan } : {}),
      ...(planned ? { planned } : {}),
    }
    return [{ ...first, facts, from: list, noted, isElsewhere }]
  })
  return withoutTwins(merged)
}

const alone = (only: Candidate): Merged => ({
  ...only,
  from: only.facts.plan ? only : undefined,
  noted: [],
  isElsewhere: only.found.isElsewhere === true,
})

/** The last activity in all files of the session; unknown times come first. */
const lastActivity = (ranked: readonly Candidate[]): AgentFacts["activity"] => {
  const activities = ranked.flatMap(({ isPartial, facts }) => (isPartial ? [] : (facts.activity ?? [])))
  const last = activities.reduce<AgentFacts["activity"]>(
    (before, one) => (before === undefined || isLater(one, before) ? one : before),
    undefined,
  )
  // One file says that a tool needs permission, and another what the tool is used on.
  const used =
    last?.kind === "waiting" &&
    last.tool !== undefined &&
    activities.find(({ kind, tool }) => kind === "tool" && tool === last.tool)
  return last && used ? { ...last, waitsFor: withSubject(last.waitsFor, used) } : last
}

/** A question to the person follows from the activity at the same time. */
const isLater = (one: Activity, other: Activity): boolean => {
  const [at = "", before = ""] = [one.at, other.at]
  return at > before || (at === before && one.kind === "waiting" && other.kind !== "waiting")
}

/** A list beside a session only has file times, which change when copied: the session's records take precedence. */
const plannedAt = ({ isLines, facts }: Candidate, list: Candidate): string | undefined => {
  const isDated = facts.activity?.at !== undefined || facts.planned !== undefined || facts.about.recorded !== undefined
  return isLines && isDated && !list.isLines ? facts.planned : list.facts.planned
}

/** A list that any agent may have written is used if no session file says whose it is. */
const withoutAnyAgents = (group: readonly Candidate[]): readonly Candidate[] =>
  group.some(({ isLines }) => isLines) ? group.filter(({ found }) => !found.place.isAnyAgents) : group

const keyOf = ({ found, session, facts }: Candidate): string => `${found.source.agentType}\n${session}\n${facts.agent}`

/** The session's own file first, then lists beside it, newer layouts before older ones, then parts and mentions; of equals the one written last. */
const byRank = (one: Candidate, other: Candidate): number =>
  rankOf(one) - rankOf(other) || other.found.stamp[1] - one.found.stamp[1]

const rankOf = ({ isLines, isPartial, isMention, found }: Candidate): number => {
  if (isMention) return 4
  if (isPartial) return 3
  if (isLines) return 0
  return isState(found) ? 1 : 2
}

/** The files of sub-agents come after the session's own: what the client's files say now is newer than both. */
const partsFirst = (ranked: readonly Candidate[]): readonly Candidate[] => {
  const [first, ...others] = ranked
  if (!first || !isOwnList(first)) return ranked
  const [parts, rest] = [others.filter(({ isPartial }) => isPartial), others.filter(({ isPartial }) => !isPartial)]
  return [first, ...parts, ...rest]
}

const isOwnList = ({ isLines, isPartial, facts }: Candidate): boolean =>
  isLines && !isPartial && facts.plan !== undefined

/**
 * The session's own list, updated from the client's files. File times decide nothing, because trees are copied. A list
 * that a client keeps in a single file is written with the call, and never has more.
 */
const together = (list: Candidate | undefined, candidate: Candidate): Candidate | undefined => {
  const { plan, isRemoving } = candidate.facts
  if (list && candidate.isPartial) return isOwnList(list) && (plan || isRemoving) ? withPart(list, candidate) : list
  if (!plan) return list
  if (!list) return candidate
  if (plan.todos === 0) return list
  if (list.facts.plan?.todos === 0 && !isState(candidate.found)) return candidate
  return isState(candidate.found) && plan.outline !== list.facts.plan?.outline ? withState(list, plan, candidate) : list
}

/** Whether it has the current state of each todo, not only its history. */
const isState = ({ place }: Found): boolean => place.reading.as === "folder" || place.isBeside === true

const withState = (list: Candidate, { fingerprint, outline }: PlanFacts, state: Candidate): Candidate => {
  const prints = { fingerprint: `${list.facts.plan?.fingerprint}+${fingerprint}`, outline }
  const joined = (own: CandidateList): CandidateList => {
    const { plan, now = plan } = state.list()
    if (!own.plan || !now) return own
    const stated = planWithState(own.plan, now)
    const said = own.said && { said: saidAfter(own.said, rewordings(own.plan, stated), undefined) }
    return { ...own, plan: stated, ...said }
  }
  return joinedWith(list, joined, () => prints)
}

/** With what a sub-agent did to the list: the session's own file does not have its calls. */
const withPart = (list: Candidate, { facts, list: partOf }: Candidate): Candidate =>
  joinedWith(
    list,
    (own) => (own.plan ? { ...own, plan: { ...own.plan, todos: todosWithPart(own, partOf(), facts.planned) } } : own),
    (plan) => ({ fingerprint: fingerprintOf(plan), outline: outlineOf(plan) }),
  )

/** A todo that it finished may have been begun again since: only a later statement of the session's own says so. */
const todosWithPart = ({ plan, said = {} }: CandidateList, part: CandidateList, planned = ""): Todo[] => {
  // An agent that writes whole lists has a list of its own.
  if (part.said?.whole !== undefined) return [...(plan?.todos ?? [])]
  const gone = new Set(part.said?.gone)
  const finished = new Map(
    (part.plan?.todos ?? []).flatMap((todo) => (isFinished(todo.status) ? named(todo, todo.status) : [])),
  )
  return (plan?.todos ?? []).flatMap((todo): Todo[] => {
    const native = nativeIdOf(todo) ?? ""
    if (gone.has(native)) return []
    const status = finished.get(native)
    const isKept = isFinished(todo.status) || (fieldSaid(said, todo.id, "status") ?? "") > planned
    return [status === undefined || isKept ? todo : { ...todo, status }]
  })
}

const joinedWith = (
  list: Candidate,
  joined: (own: CandidateList) => CandidateList,
  printsOf: (plan: Plan) => Pick<PlanFacts, "fingerprint" | "outline">,
): Candidate => {
  const own = list.list()
  const { plan } = joined(own)
  if (!plan || JSON.stringify(plan.todos) === JSON.stringify(own.plan?.todos)) return list
  return {
    ...list,
    facts: { ...list.facts, plan: { ...summaryOf(plan), ...printsOf(plan) } },
    list: () => joined(list.list()),
    wholeList: async () => joined(await list.wholeList()),
  }
}

/** A file may have the new wording of a todo before the session has the result of the call that reworded it. */
const rewordings = (own: Plan, { todos }: Plan): PlanEvent[] => {
  const before = new Map(own.todos.map(({ id, content }) => [id, content]))
  return todos.flatMap(({ id, content }): PlanEvent[] => {
    const old = before.get(id)
    return old === undefined || old === content
      ? []
      : [{ type: "todo-changed", id, from: { content: old }, to: { content } }]
  })
}

/**
 * Todos are matched by the ids their agent gave them; a list without such ids is a different list. A todo whose file is
 * gone is done, and stays.
 */
const planWithState = (own: Plan, { todos }: Plan): Plan => {
  if (own.todos.length === 0) return { ...own, todos }
  const ids = new Map(own.todos.flatMap((todo) => named(todo, todo.id)))
  if (ids.size === 0) return own
  const stated = new Map(todos.map((todo) => [ids.get(nativeIdOf(todo) ?? ""), todo]))
  const changed = own.todos.map((todo): Todo => {
    const now = stated.get(todo.id)
    return now ? { ...todo, ...now, id: todo.id, extra: { ...todo.extra, ...now.extra } } : todo
  })
  const proposeId = idProposer(own, emptyLedger)
  const added = todos
    .filter((todo) => !ids.has(nativeIdOf(todo) ?? ""))
    .map((todo) => ({ ...todo, id: proposeId(todo.id) }))
  const isInOrder = added.length === 0 || ![...changed, ...added].every(({ id }) => /^\d{1,15}$/.test(id))
  // A session may know only some tasks of a list that it shares.
  return { ...own, todos: isInOrder ? [...changed, ...added] : [...changed, ...added].sort(byNumber) }
}

const byNumber = (one: Todo, other: Todo): number => Number(one.id) - Number(other.id)

const named = <Value>(todo: Todo, value: Value): [native: string, value: Value][] => {
  const native = nativeIdOf(todo)
  return native === undefined ? [] : [[native, value]]
}

/**
 * Early versions of an agent named a sub-agent in the file of its list by an id that its session file does not have: a
 * list that is already there under another name is the same agent's.
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
