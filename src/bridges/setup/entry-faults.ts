/**
 * What is wrong with an entry that looks like ours. Only calls in the forms that set-up writes are ours. A project's files may
 * be anyone's: there an entry is ours only if there is nothing in it that set-up would not write.
 */
import { isAbsolute } from "node:path"
import { isRecord } from "../../plan/log/shape.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { isSame, valueAt } from "../config/edit.ts"
import { isInside } from "../programs/find-program.ts"
import type { Scope, Setting } from "./agent-settings.ts"
import { isFetched, isForOthers, ourLauncher, shellLine, wordsOf } from "./launcher.ts"
import {
  eventNamedBy,
  isOurLine,
  type OurHook,
  ourHooks,
  placeOf,
  programCall,
  programWords,
  serverAddress,
  serverWords,
  withoutCalls,
} from "./own-entries.ts"

/** Whose files are looked at. */
export type Whose = { scope: Scope; project: string }

type Root = Record<string, unknown>
type Of<Kind extends Setting["kind"]> = Setting & { kind: Kind }

/** What is wrong with each entry that has the place of a setting and only looks like ours. */
export const faultsIn = (setting: Setting, root: Root, whose: Whose): string[] => {
  const there = valueAt(root, placeOf(setting, root))
  switch (setting.kind) {
    case "server":
      return [serverFault(there, setting, whose)].filter((one) => one !== undefined)
    case "hook":
      return ourHooks(there, eventNamedBy(setting)).flatMap((hook) => hookFault(hook, setting, whose) ?? [])
    case "program":
      return [programFault(there, setting, whose)].filter((one) => one !== undefined)
    case "line":
      return [lineFault(there, setting, whose)].filter((one) => one !== undefined)
    default:
      return []
  }
}

export const serverFault = (server: unknown, { value }: Of<"server">, whose: Whose): string | undefined => {
  if (!isRecord(server)) return undefined
  const words = serverWords(server)
  const address = serverAddress(server)
  if (!words && address === undefined) return undefined
  const isShared = whose.scope === "project"
  if (!words) return isShared ? `it names the address ${address}, which set-up writes into no project` : undefined
  const isText = [server.command, server.args ?? []].flat().every((word) => typeof word === "string")
  // The call that set-up is about to write is what the person chose.
  const fault = isSame(words, serverWords(value)) ? undefined : callFault(words, "mcp", whose)
  if (fault !== undefined || !isShared) return fault
  return (
    (isText ? undefined : "its call is not a list of texts") ??
    keysFault(server, [...Object.keys(value), ...choiceKeys]) ??
    typeFault(server, value.type)
  )
}

/** Choices about a server that set-up writes or the doctor reports. */
const choiceKeys = ["trust", "enabled", "disabled"]

export const hookFault = (
  { command, entry, holder }: OurHook,
  { value }: Of<"hook">,
  whose: Whose,
): string | undefined => {
  const written = "event" in value ? value : value.hooks[0]
  const fault = lineCallFault(command, "hook", whose, written?.command)
  if (fault !== undefined || whose.scope === "user") return fault
  return (
    keysFault(entry, [...Object.keys(written ?? {}), "matcher"]) ??
    (holder && keysFault(holder, ["matcher", "hooks"])) ??
    typeFault(entry, written && "type" in written ? written.type : undefined)
  )
}

const programFault = (text: unknown, { value }: Of<"program">, whose: Whose): string | undefined => {
  if (programWords(text) === undefined) return undefined
  const fault = lineCallFault(programCall(text) ?? "", "hook", whose, programCall(value))
  if (fault !== undefined || whose.scope === "user") return fault
  return withoutCalls(text) === withoutCalls(value) ? undefined : "its code is not that of this version's plugin"
}

const lineFault = (line: unknown, { value }: Of<"line">, whose: Whose): string | undefined => {
  if (!isRecord(line) || !isOurLine(line)) return undefined
  const fault = lineCallFault(String(line.command), "statusline", whose, value.command)
  if (fault !== undefined || whose.scope === "user") return fault
  return keysFault(line, ["type", "command", "padding"]) ?? typeFault(line, "command")
}

/** Where a call in a project's file has plans kept, for the person: a repository can name any place. */
export const placeNamedIn = (words: readonly string[]): string | undefined => {
  const named = words.filter((word) => placeOptions.includes(word))
  return named.length === 0 ? undefined : `it names where plans are kept (${[...new Set(named)].join(", ")})`
}

const placeOptions = ["--home", "--store"]

/** What set-up and our plugins write after the command, and what a team may add there: none of it runs anything. */
const callOptions = [
  ...placeOptions,
  "--project",
  "--dialect",
  "--level",
  "--gate",
  "--let-stop",
  "--plugin",
  "--profile",
  "--tool",
  "--share",
]

const callFault = (words: readonly string[], command: string, { scope, project }: Whose): string | undefined => {
  if (isFetched(words)) return "it calls npx, which runs the package that has this name on npm: that is another program"
  const launcher = ourLauncher(words, command)
  const isOurs = launcher !== undefined && (scope === "user" || isForOthers(launcher))
  if (!isOurs) return `its call, which begins with ${quoted(words[0] ?? "")}, is not one that set-up writes`
  if (scope === "user") return undefined
  const rest = words.slice(launcher.length + 1)
  const odd = rest.find((word) => word.startsWith("-") && !callOptions.includes(word))
  if (odd !== undefined) return `its call has ${quoted(odd)}, which set-up does not write`
  const homes = rest.flatMap((word, index) => (word === "--home" ? [rest[index + 1] ?? ""] : []))
  const inProject = homes.find((home) => !isAbsolute(home) || isInside(home, project))
  return inProject === undefined ? undefined : `its call names a home in the project (${quoted(inProject)})`
}

/** In a project the line must be one that a shell takes for these words and nothing else. `written` is what set-up would write. */
const lineCallFault = (
  line: string,
  command: string,
  whose: Whose,
  written: string | undefined,
): string | undefined => {
  if (line === written) return undefined
  const words = wordsOf(line)
  // Each shell runs what the quotation marks of the other one do not protect.
  const isPlain = shellLine(words, process.platform === "win32" ? "win32" : "linux") === line
  const fault = callFault(words, command, whose)
  if (fault !== undefined || whose.scope === "user" || isPlain) return fault
  return "a shell would run more in its line than the call that set-up writes"
}

const keysFault = (entry: Root, known: readonly string[]): string | undefined => {
  const more = Object.keys(entry).filter((key) => !known.includes(key))
  if (more.length === 0) return undefined
  const named = more.slice(0, mostNamed).map(quoted).join(", ")
  return `it also sets ${named}${more.length > mostNamed ? ` and ${more.length - mostNamed} more` : ""}`
}

const typeFault = ({ type }: Root, written: unknown): string | undefined =>
  type === undefined || written === undefined || type === written ? undefined : `its "type" is not ${quoted(written)}`

const [mostNamed, longestName] = [5, 60]

const quoted = (value: unknown): string => {
  const text = sanitise(String(value))
  return `"${text.length > longestName ? `${text.slice(0, longestName)}…` : text}"`
}
