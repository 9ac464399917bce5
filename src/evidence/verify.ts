/** Adds Headway's own checks to the evidence of a session. Only these can make a todo verified. */
import { isFinished, normalise, type PlanKey } from "../plan/index.ts"
import type { Evidence, ListEvidence, TodoEvidence, Verification, Word } from "./evidence.ts"

/** The check of a todo, which is identified by its text, because ids differ between a session and its stored plan. */
export type Verified = {
  /** The todo's text; undefined for a check of the whole plan. */
  todo?: string
  /** For a check of the whole plan: whether no todo is open, so that a failure counts against the done ones. */
  isPlanDone?: true
  /** Which todo is meant if several have this text; the first is 0. @default 0 */
  nth?: number
  /** Whether the person set the check. Otherwise an agent or a project proposed it, and the person allowed it. */
  isPersons: boolean
  /** Undefined if the check has not been run yet. */
  verification?: Verification
}

/** `of` is the agent whose plan was checked. The checks do not cover the plans of other agents. */
export const withVerifications = (evidence: Evidence, checks: readonly Verified[], of = "main"): Evidence => {
  if (checks.length === 0) return evidence
  const own = withPlaces(evidence.todos.filter(({ agent = "main" }) => agent === of))
  const nthOf = new Map(own.map(({ todo, nth }) => [todo, nth]))
  return {
    ...evidence,
    todos: evidence.todos.map((todo) => {
      const nth = nthOf.get(todo)
      if (nth === undefined) return todo
      const { word, verifications, isStale } = verdictOn({ ...todo, nth }, checks)
      if (verifications.length === 0) return todo
      return { ...todo, word, ...(isStale ? { isStale } : {}), facts: { ...todo.facts, verifications } }
    }),
    list: { ...evidence.list, ...failingIn(checks) },
  }
}

/** The checks of the whole plan that fail on the current files. */
export const planFailures = (checks: readonly Verified[]): Verification[] =>
  checks.flatMap(({ todo, verification }) =>
    todo === undefined && verification && isFailedNow(verification) ? [verification] : [],
  )

const failingIn = (checks: readonly Verified[]): Pick<ListEvidence, "failing"> => {
  const failing = planFailures(checks)
  return failing.length === 0 ? {} : { failing }
}

/** The verdict of Headway's own checks about a todo. */
export type Verdict = {
  word: Word
  verifications: readonly Verification[]
  /** Whether all of them passed, but files have changed since. */
  isStale: boolean
}

/** Each todo with its index among todos with the same text. */
export const withPlaces = <Worded extends { content: string }>(
  todos: readonly Worded[],
): { todo: Worded; nth: number }[] => {
  const counts = new Map<string, number>()
  return todos.map((todo) => {
    const text = normalise(todo.content)
    const nth = counts.get(text) ?? 0
    counts.set(text, nth + 1)
    return { todo, nth }
  })
}

export const verdictOn = (
  { content, status, word, nth }: Pick<TodoEvidence, "content" | "status" | "word"> & { nth: number },
  checks: readonly Verified[],
): Verdict => {
  const text = normalise(content)
  const own = checks.filter((one) => one.todo !== undefined && normalise(one.todo) === text && (one.nth ?? 0) === nth)
  // A check of the whole plan counts for each todo without a check of its own.
  const ofAll = checks.filter((one) => one.todo === undefined)
  const wanted = own.some(({ isPersons }) => isPersons) ? own : [...own, ...ofAll]
  const verifications = wanted.flatMap(({ verification }) => verification ?? [])
  const isPassed =
    status === "completed" &&
    verifications.length > 0 &&
    verifications.length === wanted.length &&
    verifications.every(({ outcome }) => outcome === "passed")
  // Only a check that the person set verifies a todo. Merely allowing a command does not say what it proves.
  const isVerifying = isPassed && wanted.some(({ isPersons }) => isPersons)
  const isChanged = verifications.some((one) => one.isStale === true)
  const isStale = isVerifying && isChanged
  if (isVerifying && !isChanged) return { word: "verified", verifications, isStale }
  if (isPassed && !isChanged && word !== "contradicted") return { word: "backed", verifications, isStale }
  // A check of the whole plan may fail because of open todos. Once none is open, its failure contradicts all done
  // todos.
  const isContradicted =
    status === "completed" &&
    wanted.some(
      ({ todo, isPlanDone, verification }) =>
        (todo !== undefined || isPlanDone) && verification && isFailedNow(verification),
    )
  return { word: isContradicted ? "contradicted" : word, verifications, isStale }
}

/**
 * Whether it failed and no file is known to have changed since. Outside of git, changes are unknown and the last result
 * counts. False if the check could not be run, or if the project's folder is unknown here.
 */
const isFailedNow = ({ outcome, isNotRunnable, isStale, isElsewhere }: Verification): boolean =>
  outcome === "failed" && !isNotRunnable && !isStale && !isElsewhere

/** The evidence of a plan without a session: only Headway's own checks. */
export const evidenceOfPlan = (
  { session, agent }: PlanKey,
  todos: readonly Pick<TodoEvidence, "id" | "content" | "status">[],
): Evidence => ({
  session,
  todos: todos.map(({ id, content, status }) => ({
    id,
    content,
    status,
    ...(agent === "main" ? {} : { agent }),
    word: status === "completed" || status === "in_progress" ? "nothing-seen" : "not-started",
    facts: { window: "none", edits: { count: 0, files: [] }, checks: [], refused: [], delegated: [], toolUses: 0 },
  })),
  list: {
    lastCheck: "none",
    dropped: [],
    open: todos.filter(({ status }) => !isFinished(status)).length,
    bursts: 0,
  },
})
