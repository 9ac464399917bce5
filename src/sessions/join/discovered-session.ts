/** A session as it is shown: what its files say of one of its agents, with folder, title and state. */
import type { Plan, Said, TodoSpan } from "../../plan/index.ts"
import { ownOf } from "../../streams/line.ts"
import { observedSpans } from "../../streams/times.ts"
import type { PlanTool, Source } from "../source.ts"
import { titleFrom } from "../title.ts"
import type { SessionState, WaitsFor } from "./activity.ts"
import type { CandidateList, Merged } from "./merge-sessions.ts"
import type { PlanFacts, PlanSummary } from "./plan-facts.ts"
import type { SessionStateDetails, StateFacts } from "./session-state.ts"
import type { AgentState } from "./sub-agent-states.ts"

export type DiscoveredSession = {
  agentType: string
  session: string
  /** Its file only has the beginning of its session id. */
  isStart?: true
  /** It comes from a file outside the agent's own folders on this machine, so it is read-only. */
  isElsewhere?: true
  /** `main`, or a sub-agent's id. */
  agent: string
  parent?: { session: string; agent: string }
  /** The folder it works in, or a label if the agent does not name the folder. */
  project?: string
  /** The branch of the repository, as last recorded in the session. */
  branch?: string
  path: string
  /** The title for people: the agent's title, otherwise the first request. */
  title?: string
  /** What kind of sub-agent it is. */
  role?: string
  /** When it was last active, in ISO form. */
  updated: string
  version?: string
  model?: string
  /** The summary of its list. Absent if no list was seen. */
  summary?: PlanSummary
  /** Equal lists have equal fingerprints. */
  fingerprint?: string
  /** When its list was last written, in ISO form. */
  planned?: string
  /** Its list, read on demand. Its todos may have other ids than those from `readPlan`. */
  readonly plan: Plan | undefined
  /** Whether the todos have their permanent ids. */
  readonly isWhole: boolean
  /**
   * Its list with permanent ids. They follow from the whole history of the list, so the session may have to be read
   * from its start. From then on `plan` is the same.
   */
  readPlan(): Promise<Plan | undefined>
  /** The known start and end times of its todos, by id. */
  readonly times: Readonly<Record<string, TodoSpan>>
  /** When its agent last said what the list says. Undefined if its calls were not seen. */
  readonly said?: Said | undefined
  /** Whether these times are complete; if not, `wantWhole(planPath)` requests the rest. */
  readonly isTimed: boolean
  /** The file its list is in. */
  planPath: string
  planTool: PlanTool
  state: SessionState
  /** With `waiting`: what for. */
  waitsFor?: WaitsFor
  /** With `failed`: what went wrong, in the agent's words. */
  error?: string
  /** The inputs of its state, besides its list and the time. */
  facts: StateFacts
}

/** Agents' own tables: folders by label, and titles of sessions. */
export type AgentTables = { projects: SourceTable; titles: SourceTable }

type SourceTable = ReadonlyMap<Source, Readonly<Record<string, string>>>

/** What a session is made of. */
export type PlacedAgent = AgentState & { names: SessionNames; details: SessionStateDetails }

export type SessionNames = { project: string | undefined; title: string | undefined }

/** Its folder and title. The agent's title takes precedence over the first request. */
export const namesFor = ({ found, facts, session }: Merged, { projects, titles }: AgentTables): SessionNames => {
  const { about, agent } = facts
  const label = found.whose.project
  const table = titles.get(found.source)
  const listed = table && ownOf(table, agent === "main" ? session : agent)
  return {
    project: about.project ?? (label === undefined ? undefined : (ownOf(projects.get(found.source), label) ?? label)),
    title: (listed === undefined ? undefined : titleFrom(listed)) ?? about.title ?? about.asked ?? about.command,
  }
}

/** Whether nothing that time, a process or a hook changes is another than when the session was made. */
export const isSame = (made: DiscoveredSession, { names, details }: PlacedAgent): boolean =>
  made.project === names.project &&
  made.title === names.title &&
  made.state === details.state &&
  made.error === details.error &&
  JSON.stringify([made.waitsFor, made.facts]) === JSON.stringify([details.waitsFor, details.facts])

export const sessionOf = ({
  merged,
  names: { project, title },
  details: { updated, planned, ...details },
}: PlacedAgent): DiscoveredSession => {
  const { found, facts, session, isStart, from, isElsewhere } = merged
  const { source } = found
  const { about } = facts
  let read: CandidateList | undefined
  const list = (): CandidateList | undefined => {
    read ??= from?.list()
    return read
  }
  return {
    agentType: source.agentType,
    session,
    ...(isStart ? { isStart } : {}),
    ...(isElsewhere ? { isElsewhere } : {}),
    agent: facts.agent,
    ...(facts.agent !== "main" ? { parent: { session, agent: about.parent?.agent ?? "main" } } : {}),
    ...(project === undefined ? {} : { project }),
    ...(about.branch === undefined ? {} : { branch: about.branch }),
    path: found.path,
    ...(title === undefined ? {} : { title }),
    ...(about.role === undefined ? {} : { role: about.role }),
    updated,
    ...(about.version ? { version: about.version } : {}),
    ...(about.model ? { model: about.model } : {}),
    ...listOf(facts.plan),
    ...(planned === undefined ? {} : { planned }),
    planPath: from?.found.path ?? found.path,
    get plan() {
      return list()?.plan
    },
    get isWhole() {
      return list()?.isWhole ?? true
    },
    async readPlan() {
      if (list()?.isWhole === false) read = (await from?.wholeList()) ?? read
      return list()?.plan
    },
    get times() {
      return observedSpans(list())
    },
    get said() {
      return list()?.said
    },
    get isTimed() {
      return list()?.isTimed ?? true
    },
    planTool: facts.plan ? "present" : source.planTool(about),
    ...details,
  }
}

const listOf = (facts: PlanFacts | undefined): Pick<DiscoveredSession, "summary" | "fingerprint"> => {
  if (!facts) return {}
  const { fingerprint, outline: _, ...summary } = facts
  return { summary, fingerprint }
}
