/** Evidence in words for a person: sentences with the lines they come from. */
import { sanitise } from "../plan/text/sanitise.ts"
import type { Check, Evidence, TodoEvidence, Verification } from "./evidence.ts"

/** The facts, each as a sentence. */
export const sentencesOf = (todo: TodoEvidence): string[] => {
  const { facts } = todo
  const seen = factSentences(todo)
  const isNothing = seen.length === 0 && (facts.verifications ?? []).length === 0 && todo.status !== "pending"
  return [
    ...(facts.verifications ?? []).map(verificationSentence),
    ...(facts.window === "since-last-change" && todo.status === "completed"
      ? ["It was never in progress: this is what happened since the last change of the list."]
      : []),
    ...(facts.sharedWith === undefined
      ? []
      : [
          `It was marked done together with ${counted(facts.sharedWith.length, "other")}, so they share this evidence.`,
        ]),
    ...seen,
    ...(isNothing ? [nothingSentence(facts)] : []),
  ]
}

const factSentences = (todo: TodoEvidence): string[] => {
  const { refused, delegated } = todo.facts
  return [
    ...[editSentence(todo), checkSentence(todo), doubtSentence(todo)].filter((one) => one !== undefined),
    ...refused.slice(-3).map(({ command, line }) => `${quoted(command)} was refused by the user (line ${line}).`),
    ...delegated
      .slice(-3)
      .map(
        ({ title, line }) =>
          `It was given to a sub-agent${title === undefined ? "" : `, "${short(title)}"`} (line ${line}).`,
      ),
  ]
}

const nothingSentence = ({ toolUses, window }: TodoEvidence["facts"]): string =>
  toolUses === 0
    ? `No tool was used${window === "since-last-change" ? "" : " while it was in progress"}.`
    : `Tools were used ${toolUses === 1 ? "once" : `${toolUses} times`}, with no edit and no check.`

export const verificationSentence = (verification: Verification): string => {
  const { command, file, outcome, isNotRunnable, revision, printed } = verification
  const what = command === undefined ? `The file ${short(file ?? "")}` : quoted(command)
  const found = isNotRunnable
    ? "could not be run"
    : { passed: "passed", failed: "failed", "timed-out": "took too long" }[outcome]
  const where = revision === undefined ? "" : ` at ${revision.slice(0, 8)}`
  const last = outcome === "passed" ? undefined : printed?.at(-1)
  return `${what} ${found} when Headway checked it${where}${last === undefined ? "" : `: ${short(last)}`}${sinceThen(verification)}.`
}

export const planCheckSentence = (verification: Verification): string =>
  `Check of the whole plan: ${verificationSentence(verification)}`

const sinceThen = ({ isStale, isElsewhere }: Verification): string => {
  if (isStale) return "; files have changed since, so this is stale"
  return isElsewhere ? "; whether files have changed since is not known from here" : ""
}

const editSentence = ({ facts: { edits } }: TodoEvidence): string | undefined => {
  if (edits.count === 0) return undefined
  const files =
    edits.files.length === 0
      ? ""
      : ` in ${edits.files.length === 1 ? short(edits.files[0] ?? "") : `${edits.files.length} files`}`
  return `${counted(edits.count, "edit")}${files}, the last on line ${edits.lastLine}.`
}

const checkSentence = ({ facts: { checks, lastCheck, edits } }: TodoEvidence): string | undefined => {
  const last = checks.at(-1)
  if (last === undefined) return edits.count > 0 ? "No check was found." : undefined
  if (lastCheck === undefined) return `${quoted(last.command)} ${how(last)} (line ${last.line}).`
  const after = edits.count === 0 ? "" : lastCheck.isAfterLastEdit ? " after the last edit" : " before the last edit"
  const printed = lastCheck.outcome === "failed" ? (lastCheck.failure ?? lastCheck.printed?.at(-1)) : undefined
  const later =
    last.line > lastCheck.line && last !== lastCheck && last.outcome !== lastCheck.outcome
      ? ` Then ${quoted(last.command)} ${how(last)} (line ${last.line}).`
      : ""
  return `${quoted(lastCheck.command)} ${how(lastCheck)}${after} (line ${lastCheck.line})${printed === undefined ? "" : `: ${short(printed)}`}.${later}`
}

const doubtSentence = ({ facts: { lastDoubt, delegated } }: TodoEvidence): string | undefined => {
  if (lastDoubt === undefined || delegated.some(({ line }) => line === lastDoubt.line)) return undefined
  const { command, line } = lastDoubt
  const what = command === undefined ? "A tool" : quoted(command)
  return `${what} may have changed files (line ${line}), and no check was found after it.`
}

const how = ({ outcome, endedLater }: Check): string => {
  const outcomes: Record<Check["outcome"], string> = {
    passed: "passed",
    failed: "failed",
    unknown: "ended without a visible result",
    environment: "could not be run here",
    refused: "was refused by the user",
    "timed-out": "was stopped because it took too long",
    running: "was left running",
  }
  return `${outcomes[outcome]}${endedLater ? ", after the todo was marked done," : ""}`
}

/** One line about the list as a whole. */
export const listSentence = ({ todos, list }: Evidence): string => {
  const done = todos.filter(({ status }) => status === "completed").length
  const last = {
    passed: "the last check after the last edit passed",
    failed: "the last check after the last edit failed",
    none: "no check was found after the last edit",
  }
  return [
    `${done} of ${todos.length} done`,
    last[list.lastCheck],
    ...(list.open > 0 ? [`${list.open} left open`] : []),
    ...(list.dropped.length > 0 ? [`${list.dropped.length} dropped without explanation`] : []),
    ...(list.failing === undefined ? [] : ["a check of the whole plan fails"]),
    ...(list.bursts > 0 ? [`several were marked done at once${list.bursts > 1 ? `, ${list.bursts} times` : ""}`] : []),
  ].join("; ")
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const longest = 100

const short = (text: string): string => {
  const line = sanitise(text)
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

const quoted = (command: string): string => `"${short(command)}"`
