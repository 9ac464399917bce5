/** The text of `todo` attachments: the changed list, the restored list, or that the list is empty. */
import { sanitiseData } from "../../plan/index.ts"
import { type GuidanceTools, spokenListTools } from "../tools.ts"
import { type ListBody, listLines, notShown } from "./_list.ts"
import { ignoreIfUnfit, keepToYourself } from "./_words.ts"

export type TodoBody = ListBody & {
  type: "todo"
  /** Why the list is sent although it did not change. */
  context?: "post-compact" | "resume"
  /** Whether the plan is from an earlier session and not resumed yet. */
  isPaused?: boolean
  /** Milliseconds since the list was last changed. */
  age?: number
}

/** Empty where there is nothing to say: an empty list does not come back. */
export const todoText = (body: TodoBody, tools: GuidanceTools): string => {
  if (body.context !== undefined && body.itemCount === 0) return ""
  if (body.context === "post-compact") return restoredText(body)
  if (body.context === "resume") return resumedText(body, tools)
  return body.itemCount === 0 ? emptyText(tools) : changedText(body)
}

const restoredText = (body: TodoBody): string =>
  [
    "The conversation was shortened; your todo list was not:",
    "",
    listLines(body),
    "",
    `Continue where you were. ${keepToYourself}`,
  ].join("\n")

const resumedText = (body: TodoBody, tools: GuidanceTools): string => {
  const list = spokenListTools(tools)
  const from = `This is the todo list of an earlier session${body.age === undefined ? "" : `, last changed ${ago(body.age)}`}`
  const toResume = `mark the todo you start with as in progress${list === "" ? "" : ` with ${list}`} and it continues`
  return [
    body.isPaused ? `${from}. It is paused:` : `${from}:`,
    "",
    listLines(body),
    "",
    body.isPaused
      ? `Do not start on it unasked. If it is what the user wants now, ${toResume}; otherwise leave it as it is.`
      : "It has been resumed: continue with it.",
  ].join("\n")
}

const changedText = ({ content, itemCount }: TodoBody): string =>
  [
    "The todo list has changed since you last saw it. It is now:",
    "",
    JSON.stringify(sanitiseData(content)),
    ...notShown(content.length, itemCount),
    "",
    `Continue from there. ${keepToYourself}`,
  ].join("\n")

const emptyText = (tools: GuidanceTools): string =>
  [
    `The todo list is empty. If the work at hand has several steps, plan them with ${spokenListTools(tools)}.`,
    ignoreIfUnfit,
    keepToYourself,
  ].join(" ")

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const

const ago = (milliseconds: number): string => {
  const [unit, length] = units.find(([, size]) => milliseconds >= size) ?? []
  if (unit === undefined || length === undefined) return "just now"
  const count = Math.floor(milliseconds / length)
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`
}
