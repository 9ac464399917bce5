/** Whether an agent is at work: from what an agent was last seen doing, how long ago that was, and whether it still runs. */
import { oneLine } from "../../plan/text/one-line.ts"
import type { Activity, WaitsFor } from "../../streams/stream.ts"

export type { WaitsFor } from "../../streams/stream.ts"

/**
 * `working`: it was busy within the last five minutes. `waiting`: it has asked something, or has stopped and it is the
 * person's turn, for at most twelve hours. `stalled`: it was in the middle of something, and for up to an hour nothing has
 * come. `finished`: nothing is left to do, as far as that is known, and it does nothing more. `ended`: it does nothing more,
 * with work left or in the middle of something. `failed`: its last turn broke off with an error. `idle`: long ago, or
 * nothing says what it does.
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
  /** It reports to another agent, whose turn comes after its own. */
  isSubAgent?: boolean
  /** It was started for one task: after its turn comes nothing. */
  isOneShot?: boolean
  /** Its process has ended, or has left the session. */
  isEnded?: boolean
  /** Its running client says of itself what is known of its activity: it is so now, however long already. */
  isNow?: boolean
}

/** What a session does, with what it waits for or how it failed. */
export type Standing = { state: SessionState; waitsFor?: WaitsFor; error?: string }

const minute = 60_000

/** Builds, tests and long thoughts leave no trace while they run; most end within this time. */
export const workingFor = 5 * minute
export const stalledFor = 60 * minute
/** A day's work: a question asked in the morning still waits in the evening. */
export const waitingFor = 12 * 60 * minute

/** Clocks of two machines may differ by so much. What is dated later has not happened, whatever wrote the date. */
const tolerance = 5 * minute

export const isNotAhead = (time: string, now: Date): boolean => !(Date.parse(time) > now.getTime() + tolerance)

export const standingOf = (facts: SessionFacts, now: Date): Standing => {
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
      // Not every agent says that its turn is over; one that has spoken and does nothing more has ended it.
      return ageOf(facts, now) < workingFor ? { state: "working" } : afterTurn(facts, now)
    case "tool":
    case "prompt": {
      const age = ageOf(facts, now)
      // What was asked after a list was finished is not in it.
      const isDone = facts.isPlanFinished && activity.kind === "tool"
      return { state: age < workingFor ? "working" : age < stalledFor ? "stalled" : isDone ? "finished" : "idle" }
    }
    case undefined:
      // A list alone does not say that anything is being done about it, and when its file was written even less.
      return { state: facts.isPlanFinished ? "finished" : "idle" }
  }
}

/** In the middle of a turn an error may be followed by another try, of which something is seen soon. */
const hasFailed = (facts: SessionFacts, now: Date): boolean => {
  const { activity, isEnded = false } = facts
  if (activity?.error === undefined || activity.isInterrupted) return false
  return isEnded || !midTurn.includes(activity.kind) || ageOf(facts, now) >= workingFor
}

const midTurn: readonly Activity["kind"][] = ["tool", "prompt"]

const afterTurn = (facts: SessionFacts, now: Date): Standing => {
  if (facts.isPlanFinished) return { state: "finished" }
  // A sub-agent has reported, and nothing more comes of it.
  const isOver = facts.isSubAgent || facts.isOneShot
  return isOver ? { state: stateAtEnd(facts) } : waiting(facts, now, { kind: "turn" })
}

/** Of an agent that does nothing more: it waits for no one, and what it left undone is not being done. */
const stateAtEnd = ({ activity, isPlanFinished, hasWorkLeft }: SessionFacts): SessionState => {
  if (isPlanFinished) return "finished"
  const isAtRest = activity !== undefined && restful.includes(activity.kind) && !activity.isInterrupted
  return isAtRest && !hasWorkLeft ? "finished" : "ended"
}

/** Nothing was going on after these. */
const restful: readonly Activity["kind"][] = ["text", "turn-ended", "ended"]

const waiting = (facts: SessionFacts, now: Date, waitsFor: WaitsFor): Standing => {
  const isOpen = (facts.isNow && waitsFor.kind !== "turn") || ageOf(facts, now) < waitingFor
  return isOpen ? { state: "waiting", waitsFor } : { state: "idle" }
}

/** In milliseconds. Of what has no time that can be, nothing says that it is recent. */
const ageOf = ({ activity, updated }: SessionFacts, now: Date): number => {
  const time = [activity?.at, updated].find((one) => one !== undefined && isNotAhead(one, now))
  return time === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(time)
}

/** A permission is asked for what the agent was about to do. */
export const withSubject = (waitsFor: WaitsFor = { kind: "turn" }, seen: Activity | undefined): WaitsFor => {
  if (waitsFor.kind !== "permission" || seen?.kind !== "tool") return waitsFor
  const text = oneLine([seen.tool, seen.on].filter(Boolean).join(" "))
  return text === "" ? waitsFor : { ...waitsFor, text }
}
