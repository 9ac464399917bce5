/** The tool names of this host, on which all messages and counters depend. */
import { lineForModel } from "../plan/index.ts"

export type GuidanceTools = {
  /** The tools that change the list, in the order to be named. Without one nothing is said about them. */
  list?: string | readonly string[] | undefined
  /** Tools that only show the list: calling them neither updates it nor is work on a todo. */
  reading?: readonly string[] | undefined
  /** The tool that hands work to a sub-agent, where there is one. */
  subagent?: string | undefined
}

export const listToolNames = ({ list = [] }: Pick<GuidanceTools, "list">): readonly string[] =>
  (typeof list === "string" ? [list] : list).filter((name) => name !== "")

/** The list tools in a sentence: "TodoWrite", or "TaskCreate and TaskUpdate". Empty when there are none. */
export const spokenListTools = (tools: Pick<GuidanceTools, "list">): string => {
  const names = listToolNames(tools).map(lineForModel)
  const last = names.at(-1) ?? ""
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`
}

/** The names to give here for the tools a dialect offers, as `toolDefinitions` describes them. */
export const toolsOf = (
  definitions: readonly { name: string; isReadOnly: () => boolean }[],
): { list: string[]; reading: string[] } => ({
  list: definitions.flatMap(({ name, isReadOnly }) => (isReadOnly() ? [] : [name])),
  reading: definitions.flatMap(({ name, isReadOnly }) => (isReadOnly() ? [name] : [])),
})
