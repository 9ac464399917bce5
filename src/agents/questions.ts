/** Reads the calls by which agents ask a person: a question, or approval of a plan. */
import { oneLine } from "../plan/text/one-line.ts"
import { type Fields, fieldsOf, gistOf, objectsOf, textOf } from "../streams/line.ts"
import type { WaitsFor } from "../streams/stream.ts"

/** The tools with which an agent asks the person, by name. */
export type AskingTools = Readonly<Record<string, "question" | "plan">>

/** What a call asks the person; undefined for a tool that asks nothing. */
export const questionByCall = (tools: AskingTools, tool: string, input: unknown): WaitsFor | undefined => {
  const kind = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  if (!kind) return undefined
  return kind === "plan" ? forPlan(fieldsOf(input)) : questionFrom(fieldsOf(input))
}

/** The request for permission to use a tool, as reported by a hook or a client. */
export const permissionFor = (tool: string | undefined, input: unknown): WaitsFor =>
  withText("permission", [tool, gistOf(input)].filter(Boolean).join(" "))

/** The question in an input, or the first of several. */
export const questionFrom = (input: Fields): WaitsFor => {
  const [first = {}, ...others] = [...objectsOf(input.questions), input]
  const question = textOf(first.question) ?? textOf(first.message) ?? textOf(first.header) ?? ""
  const more = others.length > 1 ? ` (and ${others.length - 1} more)` : ""
  return withText("question", question, more)
}

const forPlan = ({ plan }: Fields): WaitsFor => {
  const title = (textOf(plan) ?? "").split("\n").find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ""
  const words = title.replace(/^[\s#*>-]+/, "").replace(/^plan:\s*/i, "")
  return withText("permission", words === "" ? "to carry out its plan" : `to carry out its plan: ${words}`)
}

export const withText = (kind: WaitsFor["kind"], words: string, more = ""): WaitsFor => {
  const text = oneLine(words)
  return text === "" ? { kind } : { kind, text: text + more }
}
