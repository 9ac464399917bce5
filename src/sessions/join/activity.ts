/** Determines an agent's state from its last activity, how long ago that was, and whether it still runs. */
import { oneLine } from "../../plan/text/one-line.ts"
import type { Activity, WaitsFor } from "../../streams/stream.ts"

export type { WaitsFor } from "../../streams/stream.ts"

/**
 * `working`: it was busy within the last five minutes. `waiting`: it asked something, or stopped and it is the person's
 * turn, for at most twelve hours. `stalled`: it was in the middle of something, with no activity for up to an hour.
 * `finished`: it has stopped and nothing is left to do, as far as known. `ended`: it has stopped with work left or in
 * the middle of something. `failed`: its last turn ended with an error. `idle`: its last activity is long ago or
 * unknown.
 */
export type SessionState = "working" | "waiting" | "stalled" | "ended" | "finished" | "failed" | "idle"

export type SessionFacts = {
  activity?: Activity | undefined
  /** When anything of the session was last written, in ISO form. */
  updated: string
  /** Its list has todos and all of them are finished. */
  isPlanFinished?: boolean
  /** Its list has todos that are not finished. */
  hasWorkLeft?: boolean
  /** It reports to another agent, which then continues. */
  isSubAgent?: boolean
  /** It was started for one task and ends after its turn. */
  isOneShot?: boolean
  /** Its process has ended, or has left the session. */
  isEnded?: boolean
  /** Its running client reported the activity itself, so it is current, however old. */
  isNow?: boolean
}

/** The state of a session, with what it waits for or how it failed. */
export type StateDetails = { state: SessionState; waitsFor?: WaitsFor; error?: string }

const minute = 60_000

/** Builds, tests and long reasoning leave no trace while they run; most end within this time. */
export const workingFor = 5 * minute
export const stalledFor = 60 * minute
/** A day's work: a question asked in the morning still waits in the evening. */
export const waitingFor = 12 * 60 * minute

/** The clocks of two machines may differ by this much. A later date is not believed. */
const tolerance = 5 * minute

export const isNotAhead = (time: string, now: Date): boolean => !(Date.parse(time) > now.getTime() + tolerance)

export const stateOf = (facts: SessionFacts, now: Date): StateDetails => {
  const { activity, isEnded = false } = facts
  if (hasFailed(facts, now)) return { state: "failed", error: activity?.error ?? "" }
  if (isEnded) return { state: stateAtEnd(facts) }
  switch (activity?.kind) {
    case "ended":
      return { state: stateAtEnd(facts) }
    case "waiting":
      return waiting(facts, now, activity.waitsFor ?? { kind: "turn" })
    case "turn-ended":
      return afterTurn(facts, now)
    case "text":
      // Not every agent records the end of its turn; a message without later activity ends it.
      return ageOf(facts, now) < workingFor ? { state: "working" } : afterTurn(facts, now)
    case "tool":
    case "prompt": {
      const age = ageOf(facts, now)
      // A request made after the list was finished is not part of it.
      const isDone = facts.isPlanFinished && activity.kind === "tool"
      return { state: age < workingFor ? "working" : age < stalledFor ? "stalled" : isDone ? "finished" : "idle" }
    }
    case undefined:
      // A list alone does not show that anyone is working on it, and neither does the time of its file.
      return { state: facts.isPlanFinished ? "finished" : "idle" }
  }
}

/** In the middle of a turn an error may be followed by a retry, which soon becomes visible. */
const hasFailed = (facts: SessionFacts, now: Date): boolean => {
  const { activity, isEnded = false } = facts
  if (activity?.error === undefined || activity.isInterrupted) return false
  return isEnded || !isMidTurn(activity) || ageOf(facts, now) >= workingFor
}

export const isMidTurn = ({ kind }: Activity): boolean => kind === "tool" || kind === "prompt"

const afterTurn = (facts: SessionFacts, now: Date): StateDetails => {
  if (facts.isPlanFinished) return { state: "finished" }
  // A sub-agent has reported, and nothing more comes of it.
  const isOver = facts.isSubAgent || facts.isOneShot
  return isOver ? { state: stateAtEnd(facts) } : waiting(facts, now, { kind: "turn" })
}

/** For an agent that has ended: it does not wait, and its open work is not being done. */
const stateAtEnd = ({ activity, isPlanFinished, hasWorkLeft }: SessionFacts): SessionState => {
  if (isPlanFinished) return "finished"
  const isAtRest = activity !== undefined && restful.includes(activity.kind) && !activity.isInterrupted
  return isAtRest && !hasWorkLeft ? "finished" : "ended"
}

/** Nothing was going on after these. */
const restful: readonly Activity["kind"][] = ["text", "turn-ended", "ended"]

const waiting = (facts: SessionFacts, now: Date, waitsFor: WaitsFor): StateDetails => {
  const isOpen = (facts.isNow && waitsFor.kind !== "turn") || ageOf(facts, now) < waitingFor
  return isOpen ? { state: "waiting", waitsFor } : { state: "idle" }
}

/** In milliseconds. Without a plausible time, nothing counts as recent. */
const ageOf = ({ activity, updated }: SessionFacts, now: Date): number => {
  const time = [activity?.at, updated].find((one) => one !== undefined && isNotAhead(one, now))
  return time === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(time)
}

/** A permission request is about the agent's next action. */
export const withSubject = (waitsFor: WaitsFor = { kind: "turn" }, seen: Activity | undefined): WaitsFor => {
  if (waitsFor.kind !== "permission" || seen?.kind !== "tool") return waitsFor
  const text = oneLine([seen.tool, seen.on].filter(Boolean).join(" "))
  return text === "" ? waitsFor : { ...waitsFor, text }
}
