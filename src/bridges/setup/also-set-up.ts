/** Whether set-up has connected an agent that also has our plugin: then what the plugin starts stays silent. */
import { foreignTextIn } from "../../home/foreign-file.ts"
import { type Agent, scopes, type Where } from "./agent-settings.ts"

/** Asked at every step of the agent, so that the files are only searched, not understood. */
export const hasHooksSetUp = ({ id, hooks }: Agent, where: Where): boolean => {
  const files = scopes.flatMap((scope) => hooks?.("", where, scope).map(({ file }) => file.path) ?? [])
  const call = new RegExp(String.raw`\bhook ${id}\b`)
  return [...new Set(files)].some((path) => call.test(foreignTextIn(path) ?? ""))
}
