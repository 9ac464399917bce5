/** How a session stands: from its records, and as long as something seems to be going on from its client and hooks too. */
import { isoTime } from "../../plan/index.ts"
import type { Activity } from "../../streams/stream.ts"
import { type ClientState, isOver, type LookAtClient, type ProcessNote, toldBy } from "../clients.ts"
import { isNotAhead, type SessionFacts, type SessionState, type Standing, standingOf, withSubject } from "./activity.ts"
import type { Candidate, Merged } from "./merge-sessions.ts"

/** What a state follows from, beside the list and the time. */
export type StateFacts = Pick<SessionFacts, "activity" | "isOneShot" | "isEnded" | "isNow">

export type SessionStanding = Standing & {
  facts: StateFacts
  /** When it was last active, in ISO form. */
  updated: string
  /** When its list was last said, if that can be. */
  planned?: string
}

export type LookOptions = {
  now: Date
  /** Absent where the files are of another machine. */
  lookAtClient?: LookAtClient | undefined
  /** What processes of the agent noted, in all of its sessions. */
  notes(): readonly ProcessNote[]
  /** All agents of the session. */
  agents: ReadonlySet<string>
}

/** Time alone changes these. */
export const isLiveState = (state: SessionState): boolean => liveStates.includes(state)

const liveStates: readonly SessionState[] = ["working", "waiting", "stalled"]

export const standingIn = (merged: Merged, project: string | undefined, options: LookOptions): SessionStanding => {
  const { now, lookAtClient, notes } = options
  const { found, facts, session, from, noted } = merged
  const { plan } = facts
  const planned = facts.planned !== undefined && isNotAhead(facts.planned, now) ? facts.planned : undefined
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
  const stands = (more: StateFacts): SessionStanding => ({
    ...standingOf({ ...about, ...more }, now),
    facts: more,
    ...times,
  })
  const isLive = noted.length > 0 || isLiveState(standingOf({ ...about, activity: settled }, now).state)
  if (!isLive || !lookAtClient) return stands({ activity: settled, isOneShot })
  const client = lookAtClient({ agentType: found.source.agentType, session, project, updated, notes: notes() }, now)
  const said = saidOf(merged, client, seen, options)
  const isEnded = client.isEnded === true || said === "ended"
  const activity = said === "ended" ? seen : (said ?? (client.isBusy ? seen : settled))
  // Someone is there to go on with what was started for one task.
  const isNow = client.isNoteTrue === true
  const standing = stands({ activity, isOneShot: isOneShot && !client.isThere, isEnded, isNow })
  return client.isBusy && standing.state === "stalled" ? { ...standing, state: "working" } : standing
}

/** What the client itself says of how it stands now; undefined where its records say the last of it. */
const saidOf = (
  merged: Merged,
  client: ClientState,
  seen: Activity | undefined,
  { agents }: Pick<LookOptions, "agents">,
): Activity | "ended" | undefined => {
  const { facts, noted } = merged
  if (client.isNoteTrue && facts.agent === "main") {
    const note = latestOf(noted.flatMap(({ activity }) => activity ?? []))
    const said = note ? asNoted(note, seen) : takenUp(merged, seen)
    if (said) return said
  }
  // What is said of an agent of which nothing else is known is the main agent's to show.
  return toldBy(client, seen, (agent) => agent === facts.agent || (facts.agent === "main" && !agents.has(agent)))
}

/** A process that came after everything in the records goes on with the session: until the person says something, it waits. */
const takenUp = ({ noted }: Merged, seen: Activity | undefined): Activity | undefined => {
  // A run for one task does not wait for a person, but begins with it at once.
  const since = latest(undefined, ...noted.map(({ about }) => (about.isOneShot ? undefined : about.process?.noted)))
  return seen && isOver(seen) && since !== undefined && since > (seen.at ?? since)
    ? { kind: "turn-ended", at: since }
    : undefined
}

/** A note says in a word what goes on; the records say what it is about. */
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

const latestOf = (all: readonly Activity[]): Activity | undefined =>
  all.reduce<Activity | undefined>(
    (one, other) => ((other.at ?? "") > (one?.at ?? "") ? other : (one ?? other)),
    undefined,
  )

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

/** For what says no time at all, or one that cannot be. */
const longAgo = new Date(0).toISOString()

/** Words after which nothing came have ended the turn of an agent that never says so. */
const settledAt = (activity: Activity | undefined, after: number | undefined, now: Date): Activity | undefined => {
  if (activity?.kind !== "text" || after === undefined || activity.at === undefined) return activity
  return now.getTime() - Date.parse(activity.at) >= after ? { ...activity, kind: "turn-ended" } : activity
}

/** A list that its session says after everything else is work too. One beside it may be written at any time. */
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
