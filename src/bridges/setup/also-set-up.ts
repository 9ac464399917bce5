/** Whether set-up has connected an agent that also has our plugin: the plugin then stays silent. */
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { mostBytesOf } from "../config/config-bytes.ts"
import { type Agent, scopes, type Where } from "./agent-settings.ts"

export const isAlsoSetUp = async (agent: Agent, where: Where, part: "hooks" | "mcp"): Promise<boolean> => {
  if (part === "hooks" && !mentionsHook(agent, where)) return false
  // A file that only mentions such a call, as a cloned project's may, must not keep what a person changed from the agent.
  const { inspectParts } = await import("../doctor/inspect.ts")
  return scopes.some((scope) =>
    ["connected", "incomplete"].includes(inspectParts(agent, where, scope)[part]?.state ?? ""),
  )
}

/** Hooks ask at every step of the agent, so that the files are searched before they are understood. */
const mentionsHook = ({ id, hooks }: Agent, where: Where): boolean => {
  const files = scopes.flatMap((scope) => hooks?.("", where, scope).map(({ file }) => file.path) ?? [])
  const call = new RegExp(String.raw`\bhook ${id}\b`)
  return [...new Set(files)].some((path) => call.test(foreignTextIn(path, mostBytesOf(path, where)) ?? ""))
}
