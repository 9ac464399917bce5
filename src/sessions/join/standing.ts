/** How a session stands: from its records, and as long as something seems to be going on from its client and hooks too. */
import { isoTime } from "../../plan/index.ts"
import type { Activity } from "../../streams/stream.ts"
import { type ClientState, isOver, type LookAtClient, type ProcessNote, toldBy } from "../clients.ts"
import { isNotAhead, type SessionFacts, type SessionState, type Standing, standingOf, withSubject } from "./activity.ts"
import type { Candidate, Merged } from "./merge-sessions.ts"

/** What a state follows from, beside the list and the time. */
export type StateFacts = Pick<SessionFacts, "activity" | "isOneShot" | "isEnded" | "isNow">

export type SessionStanding = Standing & { facts: StateFacts }

export type LookOptions = {
  now: Date
  /** Absent where the files are of another machine. */
  lookAtClient?: LookAtClient | undefined
  /** What processes of the agent noted, in all of its sessions. */
  notes: readonly ProcessNote[]
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
  const updated = updatedAt(merged, now)
  const about = {
    updated,
    isPlanFinished: plan?.isFinished ?? false,
    hasWorkLeft: plan !== undefined && plan.todos > 0 && !plan.isFinished,
    isSubAgent: facts.agent !== "main",
  }
  const seen = lastSeen(facts.activity, facts.planned, from)
  const settled = settledAt(seen, found.source.settlesAfter, now)
  const isOneShot = facts.about.isOneShot ?? false
  const stands = (more: StateFacts): SessionStanding => ({ ...standingOf({ ...about, ...more }, now), facts: more })
  const isLive = noted.length > 0 || isLiveState(standingOf({ ...about, activity: settled }, now).state)
  if (!isLive || !lookAtClient) return stands({ activity: settled, isOneShot })
  const client = lookAtClient({ agentType: found.source.agentType, session, project, updated, notes }, now)
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
  { facts, noted }: Merged,
  client: ClientState,
  seen: Activity | undefined,
  { agents }: Pick<LookOptions, "agents">,
): Activity | "ended" | undefined => {
  const note = client.isNoteTrue ? latestOf(noted.flatMap(({ activity }) => activity ?? [])) : undefined
  if (note && facts.agent === "main") return asNoted(note, seen)
  // What is said of an agent of which nothing else is known is the main agent's to show.
  return toldBy(client, seen, (agent) => agent === facts.agent || (facts.agent === "main" && !agents.has(agent)))
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
export const updatedAt = ({ found, facts, from }: Merged, now: Date): string => {
  const possible = (time: string | undefined): string | undefined =>
    time !== undefined && isNotAhead(time, now) ? time : undefined
  const planned = possible(facts.planned)
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
