/** Brief evidence: what a screen shows for each done todo, small enough to cache. */
import { normalise } from "../plan/index.ts"
import type { Evidence, TodoEvidence, Word } from "./evidence.ts"
import { sentencesOf, verificationSentence } from "./sentences.ts"
import { type Verified, verdictOn, withPlaces } from "./verify.ts"

/** A done todo, with one word of evidence and the facts as sentences. */
export type BriefTodo = {
  id: string
  content: string
  word: Word
  /** The agent of its list, if it is a sub-agent. */
  agent?: string
  /** The todo's text does not call for an edit, so no evidence is missing. */
  expectsNoEdit?: true
  sentences: readonly string[]
}

/** The done todos of a session. */
export type Brief = { todos: readonly BriefTodo[] }

export const briefOf = ({ todos }: Evidence): Brief => ({
  todos: todos
    .filter(({ status }) => status === "completed")
    .map((todo) => {
      const { id, content, word, agent, facts } = todo
      return {
        id,
        content,
        word,
        ...(agent === undefined ? {} : { agent }),
        ...(facts.expectsNoEdit && facts.toolUses > 0 ? { expectsNoEdit: true } : {}),
        sentences: sentencesOf(todo),
      }
    }),
})

/** What is shown for a todo of a plan; see `marksOf`. */
export type Marked = Pick<BriefTodo, "word" | "expectsNoEdit" | "sentences"> & {
  /** Headway's check has passed, but files have changed since. */
  isStale?: true
}

export type MarksOptions = {
  /** The evidence from the session; undefined if none was read. */
  brief: Brief | undefined
  /** The agent of the plan. */
  agent: string
  /** The checks that Headway ran. */
  checks: readonly Verified[]
}

/**
 * What is shown for the done todos of a plan, by id. The plan may have other ids than the session, and todos that are
 * not done in the session: those have no mark, unless Headway has checked them.
 */
export const marksOf = (
  todos: readonly Pick<TodoEvidence, "id" | "content" | "status">[],
  { brief, agent, checks }: MarksOptions,
): Record<string, Marked> => {
  const own = (brief?.todos ?? []).filter((one) => (one.agent ?? "main") === agent)
  const seen = new Map<string, BriefTodo[]>()
  for (const one of own) {
    const text = normalise(one.content)
    const same = seen.get(text)
    if (same) same.push(one)
    else seen.set(text, [one])
  }
  const marks = withPlaces(todos).flatMap(({ todo: { id, content, status }, nth }): [string, Marked][] => {
    if (status !== "completed") return []
    const same = seen.get(normalise(content)) ?? []
    const found = same.find((one) => one.id === id) ?? (same.length === 1 ? same[0] : undefined)
    const { word, verifications, isStale } = verdictOn(
      { content, status, nth, word: found?.word ?? "nothing-seen" },
      checks,
    )
    if (!found && verifications.length === 0) return []
    const { expectsNoEdit, sentences = [] } = found ?? {}
    const checked = verifications.map(verificationSentence)
    return [
      [
        id,
        {
          word,
          ...(isStale ? { isStale } : {}),
          ...(expectsNoEdit ? { expectsNoEdit } : {}),
          sentences: [...checked, ...sentences],
        },
      ],
    ]
  })
  return Object.fromEntries(marks)
}
