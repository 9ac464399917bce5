/** The state of a session: from its records and, while it seems active, from its client and hooks. */
import { isoTime } from "../../plan/index.ts"
import type { Activity } from "../../streams/stream.ts"
import type { OpenSession } from "../assigned-processes.ts"
import { activityReportedBy, type ClientState, isOver, type ProcessNote, type ReadClientState } from "../clients.ts"
import {
  isMidTurn,
  isNotAhead,
  type SessionFacts,
  type SessionState,
  type StateDetails,
  stateOf,
  withSubject,
} from "./activity.ts"
import type { Candidate, Merged } from "./merge-sessions.ts"

/** The inputs of a state, besides the list and the time. */
export type StateFacts = Pick<SessionFacts, "activity" | "isOneShot" | "isEnded" | "isNow">

export type SessionStateDetails = StateDetails & {
  facts: StateFacts
  /** When it was last active, in ISO form. */
  updated: string
  /** When its list was last written, if plausible. */
  planned?: string
}

export type StateOptions = {
  now: Date
  /** Absent if the files come from another machine. */
  readClientState?: ReadClientState | undefined
  /** What processes of the agent noted, in all of its sessions. */
  notes(): readonly ProcessNote[]
  /** All sessions of the agent that are not over. */
  open(): readonly OpenSession[]
  /** All agents of the session. */
  agents: ReadonlySet<string>
}

/** Time alone changes these. */
export const isLiveState = (state: SessionState): boolean => liveStates.includes(state)

const liveStates: readonly SessionState[] = ["working", "waiting", "stalled"]

export const sessionStateIn = (
  merged: Merged,
  project: string | undefined,
  options: StateOptions,
): SessionStateDetails => {
  const { now, readClientState, notes, open } = options
  const { found, facts, session, from, noted } = merged
  const { plan } = facts
  const planned = plausiblePlanned(facts, now)
  const updated = updatedAt(merged, planned, now)
  const about = {
    updated,
    isPlanFinished: plan?.isFinished ?? false,
    hasWorkLeft: plan !== undefined && plan.todos > 0 && !plan.isFinished,
    isSubAgent: facts.agent !== "main",
  }
  const seen = lastSeen(facts.activity, facts.planned, from)
  const settled = settledAt(seen, found.source.settlesAfter, now)
  const isOneShot = facts.about.isOneShot ?? false
  const times = { updated, ...(planned === undefined ? {} : { planned }) }
  const detailsWith = (more: StateFacts): SessionStateDetails => ({
    ...stateOf({ ...about, ...more }, now),
    facts: more,
    ...times,
  })
  const isLive = noted.length > 0 || isLiveState(stateOf({ ...about, activity: settled }, now).state)
  if (!isLive || !readClientState) return detailsWith({ activity: settled, isOneShot })
  const query = { agentType: found.source.agentType, session, project, updated, notes: notes(), open }
  const client = readClientState(query, now)
  const reported = reportedBy(merged, client, seen, options)
  const isEnded = client.isEnded === true || reported === "ended"
  const activity = reported === "ended" ? seen : (reported ?? (client.isBusy ? seen : settled))
  const isNow = client.isNoteTrue === true
  // A client that is still there can go on with what was started for one task.
  const details = detailsWith({ activity, isOneShot: isOneShot && !client.isThere, isEnded, isNow })
  const isBusy = client.isBusy || isNotedBusy(merged, client)
  return isBusy && isSilent(details) ? { ...details, state: "working" } : details
}

/** Whether it was last seen in the middle of its turn, so long ago that it may have stopped there. */
export const isSilent = ({ state, facts: { activity } }: SessionStateDetails): boolean =>
  state === "stalled" || (state === "idle" && activity !== undefined && isMidTurn(activity))

/** Whether its running process notes that it is at work, which it does until the turn is over. */
const isNotedBusy = ({ facts, noted }: Merged, { isNoteTrue }: ClientState): boolean => {
  const note = isNoteTrue && facts.agent === "main" ? lastNoted(noted) : undefined
  return note !== undefined && isMidTurn(note)
}

/** When an agent was last active, in ISO form; undefined if it is over and no process is in it by itself. */
export const openSince = (merged: Merged, now: Date): string | undefined => {
  const { facts, from } = merged
  const seen = lastSeen(facts.activity, facts.planned, from)
  const isLeft = seen?.kind === "ended" || (facts.about.isOneShot === true && seen?.kind === "turn-ended")
  return isLeft ? undefined : updatedAt(merged, plausiblePlanned(facts, now), now)
}

/** The state reported by the client itself; undefined if the session's records are newer. */
const reportedBy = (
  merged: Merged,
  client: ClientState,
  seen: Activity | undefined,
  { agents }: Pick<StateOptions, "agents">,
): Activity | "ended" | undefined => {
  const { facts, noted } = merged
  if (client.isNoteTrue && facts.agent === "main") {
    const note = lastNoted(noted)
    const reported = note ? asNoted(note, seen) : takenUp(merged, seen)
    if (reported) return reported
  }
  // A report about an otherwise unknown agent is shown with the main agent.
  return activityReportedBy(
    client,
    seen,
    (agent) => agent === facts.agent || (facts.agent === "main" && !agents.has(agent)),
  )
}

/** A process started after the last record has resumed the session: it waits until the person says something. */
const takenUp = ({ noted }: Merged, seen: Activity | undefined): Activity | undefined => {
  // A run for one task does not wait for a person, but begins with it at once.
  const since = latest(undefined, ...noted.map(({ about }) => (about.isOneShot ? undefined : about.process?.noted)))
  return seen && isOver(seen) && since !== undefined && since > (seen.at ?? since)
    ? { kind: "turn-ended", at: since }
    : undefined
}

/** A note has one word for the activity; the records have the details. */
const asNoted = (note: Activity, seen: Activity | undefined): Activity => {
  switch (note.kind) {
    case "waiting":
      return seen?.kind === "waiting" ? seen : { ...note, waitsFor: withSubject(note.waitsFor, seen) }
    case "turn-ended":
      return seen && isOver(seen) ? seen : note
    default:
      return seen && (seen.kind === "tool" || seen.kind === "prompt") ? seen : note
  }
}

const lastNoted = (noted: Merged["noted"]): Activity | undefined =>
  noted
    .flatMap(({ activity }) => activity ?? [])
    .reduce<Activity | undefined>(
      (one, other) => ((other.at ?? "") > (one?.at ?? "") ? other : (one ?? other)),
      undefined,
    )

const plausiblePlanned = ({ planned }: Merged["facts"], now: Date): string | undefined =>
  planned !== undefined && isNotAhead(planned, now) ? planned : undefined

/**
 * By the records. When a file was written counts only where nothing in it says a time, and it may hold any date: trees are
 * copied.
 */
const updatedAt = ({ found, facts, from }: Merged, planned: string | undefined, now: Date): string => {
  const possible = (time: string | undefined): string | undefined =>
    time !== undefined && isNotAhead(time, now) ? time : undefined
  const recorded = latest(possible(facts.activity?.at), from?.isLines ? planned : undefined)
  return recorded ?? possible(facts.about.recorded) ?? planned ?? possible(isoTime(found.stamp[1])) ?? longAgo
}

/** For records without a plausible time. */
const longAgo = new Date(0).toISOString()

/** A message without later activity ends the turn of an agent that does not record it. */
const settledAt = (activity: Activity | undefined, after: number | undefined, now: Date): Activity | undefined => {
  if (activity?.kind !== "text" || after === undefined || activity.at === undefined) return activity
  return now.getTime() - Date.parse(activity.at) >= after ? { ...activity, kind: "turn-ended" } : activity
}

/** A list written last in its session is activity too. A list beside it may be written at any time. */
const lastSeen = (
  activity: Activity | undefined,
  planned: string | undefined,
  from: Candidate | undefined,
): Activity | undefined =>
  planned && from?.isLines && (!activity || (activity.at && planned > activity.at))
    ? { kind: "tool", at: planned }
    : activity

export const latest = (...times: (string | undefined)[]): string | undefined =>
  times.reduce((one, other) => (Date.parse(other ?? "") > (Date.parse(one ?? "") || 0) ? other : one))
