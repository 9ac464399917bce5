/** oh-my-pi's lists: its todo tool, and the details of results, which contain the whole list. */
import { type Fields, fieldsOf, snapshot, textOf } from "../../streams/line.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"
import type { PiLists } from "../pi/family-lists.ts"

export const ohMyPiLists: PiLists = {
  called: (name, args) => listCall(name, args),
  answered: (name, details) => listResult(name, details),
  // The person edited the list, or began a new conversation in the same file.
  beside: ({ type, customType, data }) => {
    if (type === "reset_boundary") return ohMyPiLists.empty
    return type === "custom" && customType === "user_todo_edit" ? detailsOf(data) : undefined
  },
  snapshot: (list, about) => snapshot("main", "oh-my-pi", { tool: "todo", input: undefined, result: list, ...about }),
  asking: { ask: "question" },
  empty: { phases: [] },
}

/** The tool's current name, and its old one. */
const isTodoTool = (tool: unknown): tool is string => tool === "todo" || tool === "todo_write"

/** oh-my-pi's tool, whose results contain the whole list, or Headway's; undefined for any other. */
const listTool = (name: unknown): (OwnTool & { hasDetails: boolean }) | undefined => {
  if (isTodoTool(name)) return { dialect: "oh-my-pi", tool: name, hasDetails: true }
  const own = ownTool(name)
  return own && { ...own, hasDetails: false }
}

/**
 * A call of a list tool and its input. A tool can also be called by writing its input to the device with its name,
 * which is the only way to call a server's tool: `write` with the path `xd://mcp__headway_todo`.
 */
const listCall = (name: unknown, args: unknown): (OwnTool & { input: unknown }) | undefined => {
  const { path, content } = fieldsOf(args)
  const mounted = name === deviceTool ? device.exec(textOf(path) ?? "")?.groups?.tool : undefined
  const list = listTool(mounted ?? name)
  // `i` is the model's reason for the call, not part of the operation.
  const { i: _, ...input } = fieldsOf(args)
  return list && { dialect: list.dialect, tool: list.tool, input: mounted === undefined ? input : content }
}

const deviceTool = "write"

const device = /^xd:\/\/(?<tool>[\w.-]+)\/?$/

/** The result of a list tool, also of one called as a device. A refusal does not name the device. */
const listResult = (name: unknown, details: unknown): { list: Fields | undefined } | undefined => {
  const { tool = name, inner = details } = name === deviceTool ? fieldsOf(fieldsOf(details).xdev) : {}
  const list = listTool(tool)
  if (!list) return name === deviceTool ? { list: undefined } : undefined
  return { list: list.hasDetails ? detailsOf(inner) : undefined }
}

/** The details of a result if they contain the list: `{ phases: [{ name, tasks: [{ content, status }] }], … }`. */
const detailsOf = (value: unknown): Fields | undefined => {
  const details = fieldsOf(value)
  return Array.isArray(details.phases) ? details : undefined
}
