/** The problems that currently keep the board from showing everything, as one sentence for the person. */
import { messageOf, type Problem, sanitise, warning } from "../plan/index.ts"

export type Notices = {
  /** The current problem with the store, if any. */
  setStore(problem: Problem | undefined): void
  storeFailed(cause: unknown): void
  /** What could not be read of the sessions. */
  setSessions(problems: readonly Problem[]): void
  text(): string | undefined
}

export const createNotices = (): Notices => {
  let store: Problem | undefined
  let sessions: readonly Problem[] = []
  return {
    setStore(problem) {
      store = problem
    },
    storeFailed(cause) {
      store = warning("store-failed", messageOf(cause))
    },
    setSessions(problems) {
      sessions = problems
    },
    text: () => noticeOf([...(store ? [store] : []), ...sessions]),
  }
}

/** Old sessions may have many read errors. Report only those that hide something from the person now. */
const toldCodes = [
  ...["store-failed", "store-away", "undelivered", "other-database"],
  ...["unreadable-plan", "unreadable-folder", "unreadable-file", "no-sqlite"],
]

const noticeOf = (problems: readonly Problem[]): string | undefined => {
  const [first, ...others] = new Set(
    problems.filter(({ code }) => toldCodes.includes(code)).map(({ message }) => message),
  )
  if (first === undefined) return undefined
  return sanitise(others.length > 0 ? `${first} (and ${others.length} more like this)` : first)
}
