/** Whether an agent is at work: from what an agent was last seen doing, and how long ago that was. */
import type { ActivityKind } from "../streams/stream.ts"

/**
 * `working`: it was busy within the last five minutes. `waiting`: it has stopped and it is the person's turn, for at
 * most twelve hours. `stalled`: it was in the middle of something, and for up to an hour nothing has come. `finished`:
 * it said so, or stopped with nothing left to do, or its process ended after its turn. `ended`: its process ended with work
 * left. `failed`: it stopped because of an error. `idle`: long ago, whatever it was,
 * or its process ended in the middle of something.
 */
export type SessionState = "working" | "waiting" | "stalled" | "ended" | "finished" | "failed" | "idle"

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string }

export type SessionFacts = {
  activity?: { kind: ActivityKind; at?: string } | undefined
  /** When anything of the session was last written, in ISO form. */
  updated: string
  /** Its list has todos and all of them are finished. */
  isPlanFinished?: boolean
  /** It reports to another agent and never waits for a person. */
  isSubAgent?: boolean
}

const minute = 60_000

/** Builds, tests and long thoughts leave no trace while they run; most end within this time. */
export const workingFor = 5 * minute
export const stalledFor = 60 * minute
/** A day's work: a question asked in the morning still waits in the evening. */
export const waitingFor = 12 * 60 * minute

/** Clocks of two machines may differ by so much. What is dated later has not happened, whatever wrote the date. */
const tolerance = 5 * minute

export const isNotAhead = (time: string, now: Date): boolean => !(Date.parse(time) > now.getTime() + tolerance)

/** Of an agent whose process has ended: it waits for no one, and what it left undone is not being done. */
export const stateOfEnded = ({ activity, isPlanFinished = false }: Omit<SessionFacts, "updated">): SessionState =>
  isPlanFinished || (activity !== undefined && !midTurn.includes(activity.kind)) ? "finished" : "idle"

const midTurn: readonly ActivityKind[] = ["tool", "prompt"]

export const stateOf = (facts: SessionFacts, now: Date): SessionState => {
  const { activity, updated, isPlanFinished = false, isSubAgent = false } = facts
  const time = [activity?.at, updated].find((one) => one !== undefined && isNotAhead(one, now))
  // Of what has no time that can be, nothing says that it is recent.
  const age = time === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(time)
  switch (activity?.kind) {
    case "ended":
      return "finished"
    case "turn-ended":
    case "waiting":
      if (isSubAgent || (isPlanFinished && activity.kind === "turn-ended")) return "finished"
      return age < waitingFor ? "waiting" : "idle"
    case "text":
      // Not every agent says that its turn is over; one that has spoken and does nothing more has ended it.
      if (age < workingFor) return "working"
      if (isSubAgent || isPlanFinished) return "finished"
      return age < waitingFor ? "waiting" : "idle"
    case "tool":
    case "prompt":
      if (age < workingFor) return "working"
      return age < stalledFor ? "stalled" : "idle"
    case undefined:
      // Only the list and the time of a file are known: they do not say that it stalled.
      if (isPlanFinished) return "finished"
      return age < workingFor ? "working" : "idle"
  }
}
