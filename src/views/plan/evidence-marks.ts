/** How the evidence for a done todo is shown: a sign next to its mark, words, and their style. */
import { type EvidenceWord, evidenceWords } from "../../plan/evidence-word.ts"
import type { TodoStatus } from "../../plan/todo.ts"
import type { Style } from "../text/span.ts"

/** The evidence for one todo marked done. */
export type DoneMark = {
  word: EvidenceWord
  /** A check that the person set has passed, but files have changed since. */
  isStale?: true | undefined
  /** The todo's text does not call for an edit, so no evidence is missing. */
  expectsNoEdit?: true | undefined
  /** The facts, each as a sentence with the line it comes from. */
  sentences: readonly string[]
}

/** By todo id. Todos that are not done, or without evidence, are absent. */
export type DoneMarks = Readonly<Record<string, DoneMark>>

/** How a mark is drawn, and its name. */
export type MarkAppearance = { sign: string; ascii: string; name: string; label: string; meaning: string; style: Style }

export type MarkKind = EvidenceWord | "stale"

const quiet: Style = { dim: true }

/** Only contradictions stand out. Most done todos are unchecked, which is not a fault. */
export const markAppearances: Readonly<Record<MarkKind, MarkAppearance>> = {
  verified: {
    sign: "✓",
    ascii: "v",
    name: "verified",
    label: "done and verified",
    meaning: "verified: a check that you set has passed, and no file has changed since",
    style: { colour: "green", bold: true },
  },
  stale: {
    sign: "~",
    ascii: "~",
    name: "verified before",
    label: "done, verified before files changed",
    meaning: "was verified, and files have changed since",
    style: { colour: "yellow" },
  },
  backed: {
    sign: "+",
    ascii: "+",
    name: "backed",
    label: "done and backed",
    meaning: "backed: a check of the agent passed after its last edit",
    style: { colour: "green" },
  },
  unchecked: {
    sign: "?",
    ascii: "?",
    name: "unchecked",
    label: "done, unchecked",
    meaning: "unchecked: edited, and no check passed since",
    style: quiet,
  },
  contradicted: {
    sign: "!",
    ascii: "!",
    name: "check failed",
    label: "done?, contradicted",
    meaning: "contradicted: the last check failed, and nothing was edited since",
    style: { colour: "red", bold: true },
  },
  "nothing-seen": {
    sign: "·",
    ascii: ".",
    name: "nothing seen",
    label: "done, nothing seen",
    meaning: "neither an edit nor a check was found",
    style: quiet,
  },
  delegated: {
    sign: "→",
    ascii: ">",
    name: "delegated",
    label: "done, delegated",
    meaning: "given to a sub-agent whose work is not known",
    style: quiet,
  },
  "not-started": {
    sign: "·",
    ascii: ".",
    name: "nothing seen",
    label: "done, never started",
    meaning: "never in progress",
    style: quiet,
  },
}

/** The last line of every legend. */
export const marksDisclaimer = "None of these proves that the work is right."

/** The entries of a legend, the strongest evidence first. Two of them share a sign and differ only in details. */
export const markKinds: readonly MarkKind[] = [
  ...evidenceWords.flatMap((word): MarkKind[] => (word === "verified" ? [word, "stale"] : [word])),
].filter((kind) => kind !== "not-started")

/** A failed check takes precedence over files changed since a check. */
export const markKind = ({ word, isStale }: Pick<DoneMark, "word" | "isStale">): MarkKind =>
  isStale && word !== "contradicted" ? "stale" : word

export const markAppearance = (mark: Pick<DoneMark, "word" | "isStale">): MarkAppearance =>
  markAppearances[markKind(mark)]

export const signOf = (mark: Pick<DoneMark, "word" | "isStale">, ascii: boolean): string => {
  const appearance = markAppearance(mark)
  return ascii ? appearance.ascii : appearance.sign
}

/** The text next to a done todo. */
export const labelOf = (mark: Pick<DoneMark, "word" | "isStale" | "expectsNoEdit">): string =>
  mark.word === "nothing-seen" && mark.expectsNoEdit ? "done, nothing to check" : markAppearance(mark).label

/** The mark of a done todo. Its id may be any word, even the name of an object property. */
export const markIn = (
  marks: DoneMarks | undefined,
  { id, status }: { id: string; status: TodoStatus },
): DoneMark | undefined => (status === "completed" && marks && Object.hasOwn(marks, id) ? marks[id] : undefined)

/** The number of todos marked done although the last check failed. */
export const contradictedIn = (marks: DoneMarks): number =>
  Object.values(marks).filter(({ word }) => word === "contradicted").length

/** The signs that occur in these marks, each with its name, the least trustworthy first. */
export const signsAmong = (marks: DoneMarks): MarkAppearance[] => {
  const found = new Set(Object.values(marks).map((mark) => markAppearance(mark).sign))
  return byDoubt.map((kind) => markAppearances[kind]).filter(({ sign }) => found.has(sign))
}

const byDoubt: readonly MarkKind[] = [
  "contradicted",
  "unchecked",
  "stale",
  "backed",
  "verified",
  "delegated",
  "nothing-seen",
]

/** A count of contradicted todos, in short. */
export const doubtText = (count: number): string => `${count} done?`

/** A count of contradicted todos, as a sentence. */
export const doubtSentence = (count: number): string =>
  `${count === 1 ? "1 todo is" : `${count} todos are`} marked done, but the last check failed`
