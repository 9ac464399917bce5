/** The statements of one file about each of its agents, with lists read on demand. */
import { ownOf } from "../../streams/line.ts"
import { noTimes, type Timed } from "../../streams/times.ts"
import { type AgentFacts, type FileState, type Indexed, planKey, sharedState, stateIn } from "../session-index.ts"
import { type Found, isOneSessions } from "../walk.ts"
import type { Candidate, CandidateList } from "./merge-sessions.ts"

/** Reads the remaining data of a file, or of one agent's list in a file of many sessions. */
export type WholeReader = {
  file(found: Found): Promise<Indexed | undefined>
  history(found: Found, whose: { session: string; agent: string }): Promise<Timed | undefined>
}

/** The agents of one file. One that has no file of its own counts when it has a list. */
export const candidatesOf = (found: Found, entry: Indexed, whole: WholeReader): Candidate[] => {
  const { agents } = entry
  const { reading } = found.place
  const isLines = reading.as === "lines"
  const isDatabase = reading.as === "database" && !isOneSessions(found)
  const isNamed = agents.some(({ agent }) => agent === found.whose.agent)
  const owner = found.whose.agent ?? (agents.some(({ agent }) => agent === "main") ? "main" : agents[0]?.agent)
  return agents.flatMap((written): Candidate[] => {
    const facts = speaking(found, written, isNamed)
    const isOwn = facts.agent === owner || isDatabase
    const session = sessionFor(found, facts)
    const isSession = (isLines || isDatabase) && !found.place.isBeside
    const isMention = !facts.plan && !found.place.isNote && !(isOwn && isSession)
    if (session === undefined || (isMention && !tellsMore(found, facts))) return []
    const lists = listReader({ found, entry, facts, writtenAs: written.agent, session, whole })
    // An agent's own file only has its changes to other agents' lists.
    const isPartial = isLines && !isOwn && (facts.agent === "main" || found.whose.agent !== undefined)
    const isStart = facts.about.session === undefined && found.whose.session === undefined
    const candidate = {
      found,
      facts,
      session,
      isLines: isSession,
      isPartial,
      isMention,
      isStart,
      ...lists(false),
    }
    const { plan: _, confirmed, ...others } = facts
    return [
      confirmed
        ? { ...candidate, confirmed: { ...candidate, facts: { ...others, ...confirmed }, ...lists(true) } }
        : candidate,
    ]
  })
}

/** Whether a mention adds anything: apart from the session itself and what is removed from its list, only a dedicated document knows what is done. */
const tellsMore = ({ place }: Found, { about, activity, isRemoving }: AgentFacts): boolean =>
  isRemoving === true ||
  (about.title ?? about.role ?? about.isOneShot) !== undefined ||
  (place.reading.as === "document" && activity !== undefined)

/** A sub-agent's session file belongs to it even if it does not name it, or names another agent. */
const speaking = ({ whose, place, isChilds }: Found, written: AgentFacts, isNamed: boolean): AgentFacts => {
  const isUnnamed = place.reading.as === "lines" && !isNamed
  const isOwn = place.speaksAsMain || isChilds || isUnnamed
  if (!isOwn || whose.agent === undefined || written.agent !== "main") return written
  return { ...written, agent: whose.agent, about: { ...written.about, parent: { agent: "main" } } }
}

/** `writtenAs` is the agent under whose name the file has the list. */
type ListSource = {
  found: Found
  entry: Indexed
  facts: AgentFacts
  writtenAs: string
  session: string
  whole: WholeReader
}

/** Reads the list of an agent on demand: all of it, or only the confirmed part. */
const listReader = ({ found, entry, facts, writtenAs, session, whole }: ListSource) => {
  const { reading } = found.place
  const isLines = reading.as === "lines"
  const isDatabase = reading.as === "database" && !isOneSessions(found)
  const key = isDatabase ? planKey(facts.agent, session) : writtenAs
  const listIn = (state: FileState | undefined, onlyConfirmed: boolean): CandidateList => {
    const {
      plan = undefined,
      times = noTimes,
      said,
    } = (onlyConfirmed ? ownOf(state?.confirmed, key) : undefined) ?? {
      plan: ownOf(state?.plans, key),
      times: ownOf(state?.times, key),
      said: ownOf(state?.said, key),
    }
    return {
      plan,
      now: state?.now,
      times,
      said,
      isTimed: !isLines || state?.isTimed === true,
      isWhole: isDatabase ? !reading.history || facts.plan?.todos === 0 : !isLines || state?.isWhole === true,
    }
  }
  return (onlyConfirmed: boolean): Pick<Candidate, "list" | "wholeList"> => {
    const list = (): CandidateList => listIn(isDatabase ? sharedState(entry) : stateIn(entry), onlyConfirmed)
    const wholeList = async (): Promise<CandidateList> => {
      const known = list()
      if (known.isWhole) return known
      if (isLines) {
        const read = await whole.file(found)
        return read ? { ...listIn(stateIn(read), onlyConfirmed), isWhole: true } : known
      }
      const history = await whole.history(found, { session: facts.about.session ?? session, agent: facts.agent })
      // Rows under an id that the database cannot be asked for, such as one with a NUL in it, are not found by it.
      const isFound = history?.plan !== undefined && history.plan.todos.length > 0
      return { ...(isFound ? history : known), isTimed: true, isWhole: true }
    }
    return { list, wholeList }
  }
}

/**
 * A file named after its session belongs to it, whatever its content claims; otherwise any file could replace another
 * session. Only a file named after an agent may say which session it belongs to. The name of a file given by a person
 * means nothing.
 */
const sessionFor = ({ whose, place }: Found, { agent, about }: AgentFacts): string | undefined => {
  const isNamed = whose.session !== undefined && place.path.length > 0 && agent !== whose.session
  return isNamed ? whose.session : (about.session ?? whose.session ?? whose.sessionStart)
}
