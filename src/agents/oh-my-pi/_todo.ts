/** What oh-my-pi's two formats share: its todo tool, and the result details that hold the whole list. */
import { type Fields, fieldsOf, snapshot } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"

/** The tool now, and the one before it. */
const isTodoTool = (tool: unknown): tool is string => tool === "todo" || tool === "todo_write"

/** Its own tool, whose results tell the whole list, or Headway's; undefined for any other. */
export const listTool = (name: unknown): (OwnTool & { hasDetails: boolean }) | undefined => {
  if (isTodoTool(name)) return { dialect: "oh-my-pi", tool: name, hasDetails: true }
  const own = ownTool(name)
  return own && { ...own, hasDetails: false }
}

/** The details of a result if they hold the list: `{ phases: [{ name, tasks: [{ content, status }] }], … }`. */
export const detailsOf = (value: unknown): Fields | undefined => {
  const details = fieldsOf(value)
  return Array.isArray(details.phases) ? details : undefined
}

export const phasesSnapshot = (details: Fields, about: { session?: string | undefined; at?: unknown }): Signal =>
  snapshot("main", "oh-my-pi", { tool: "todo", input: undefined, result: details, ...about })
