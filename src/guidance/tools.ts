/** The tool names of a host, which all messages and counters use. */
import { lineForModel } from "../plan/index.ts"

export type GuidanceTools = {
  /** The tools that change the list, in the order in which texts name them. Without any, texts do not mention them. */
  list?: string | readonly string[] | undefined
  /** Tools that only show the list. Calling them is neither an update of the list nor work on a todo. */
  reading?: readonly string[] | undefined
  /** The tool that starts a sub-agent, if there is one. */
  subagent?: string | undefined
}

export const listToolNames = ({ list = [] }: Pick<GuidanceTools, "list">): readonly string[] =>
  (typeof list === "string" ? [list] : list).filter((name) => name !== "")

/** The list tools in a sentence: "TodoWrite", or "TaskCreate and TaskUpdate". Empty if there are none. */
export const spokenListTools = (tools: Pick<GuidanceTools, "list">): string => {
  const names = listToolNames(tools).map(lineForModel)
  const last = names.at(-1) ?? ""
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`
}

/** The tool names for the definitions that a dialect offers, from `toolDefinitions`. */
export const toolsOf = (
  definitions: readonly { name: string; isReadOnly: () => boolean }[],
): { list: string[]; reading: string[] } => ({
  list: definitions.flatMap(({ name, isReadOnly }) => (isReadOnly() ? [] : [name])),
  reading: definitions.flatMap(({ name, isReadOnly }) => (isReadOnly() ? [name] : [])),
})
