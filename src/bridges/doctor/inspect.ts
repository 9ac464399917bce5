/** Finds Headway's settings in an agent's configuration. Read-only: nothing is run or written. */
import { existsSync } from "node:fs"
import { isHeadwayError } from "../../plan/headway-error.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { textOfConfig } from "../config/config-bytes.ts"
import { formatOf, readConfig, unreadableFor } from "../config/config-file.ts"
import { isSame, settingNameOf, valueAt } from "../config/edit.ts"
import { findProgram } from "../programs/find-program.ts"
import type { Agent, ConfigFile, Known, Scope, Setting, Where } from "../setup/agent-settings.ts"
import { faultsIn, placeNamedIn, type Whose } from "../setup/entry-faults.ts"
import { wordsOf } from "../setup/launcher.ts"
import {
  eventNamedBy,
  isOurLine,
  ourHooks,
  placeOf,
  programWords,
  serverAddress,
  serverWords,
  withoutCalls,
} from "../setup/own-entries.ts"

/**
 * `connected`: it is all there. `incomplete`: a part of it. `off`: there, but switched off. `absent`: not there, or
 * another's setting in its place. `broken`: there, but it cannot work. `foreign`: it looks like ours, and set-up does not
 * write it like that.
 */
export type PartState = "connected" | "incomplete" | "off" | "absent" | "broken" | "foreign"

export type Part = {
  state: PartState
  /** A sentence for the person. */
  note?: string
  /** The words of the call that is there. */
  words?: readonly string[]
  files: string[]
}

export type Parts = {
  mcp: Part
  /** Absent where the agent has no such thing. */
  hooks?: Part
  statusLine?: Part
}

/** Whether the agent is used here: its program is on the PATH, or it has left something behind. */
export const isFound = (agent: Agent, where: Where): boolean =>
  findProgram(agent.program, where) !== undefined || agent.homes(where).some((path) => existsSync(path))

/** A reader of the agent's files that returns undefined where a file is not there or not readable. */
export const knownOf = (where: Where, scope: Scope, about: Known["about"], read: Reader = readerIn(where)): Known => ({
  about,
  where,
  scope,
  read: (file, ...path) => valueAt(read(file).root ?? {}, path),
  text: textOfConfig,
})

export const inspectParts = (agent: Agent, where: Where, scope: Scope): Parts => {
  const inspected: Inspected = { agent, where, scope, read: readerIn(where) }
  const hooks = agent.hooks && hooksPart(inspected)
  const line = agent.statusLine && linePart(inspected)
  return {
    mcp: serverPart(inspected),
    ...(hooks ? { hooks } : {}),
    ...(line ? { statusLine: line } : {}),
  }
}

type ReadSettings = { root?: Record<string, unknown>; problem?: string }

type Reader = (file: ConfigFile) => ReadSettings

/** Whose configuration is looked at. */
type Inspected = { agent: Agent; where: Where; scope: Scope; read: Reader }

/** Each file is read and parsed once, however many parts of ours are looked for in it. */
const readerIn = (where: Where): Reader => {
  const known = new Map<string, ReadSettings>()
  return (file) => {
    const settings = known.get(file.path) ?? readSettings(file, where)
    known.set(file.path, settings)
    return settings
  }
}

const readSettings = (file: ConfigFile, where: Where): ReadSettings => {
  try {
    const { text } = readConfig(file.path, where)
    const root = formatOf(file.reads).parse(text)
    const problem = unreadableFor(file.reads, text)
    return {
      root,
      ...(problem ? { problem: `${file.path}: ${problem} The agent ignores the file until that is fixed.` } : {}),
    }
  } catch (cause) {
    if (!isHeadwayError(cause) && !(cause instanceof Error && "syscall" in cause)) throw cause
    return { problem: cause.message.includes(file.path) ? cause.message : `${file.path}: ${cause.message}` }
  }
}

/** Settings in an unreadable file have no effect. */
const judged = (part: Part, problem: string | undefined): Part =>
  problem === undefined ? part : { ...part, state: "broken", note: problem }

/** The fault, and what removes it. */
const foreignPart = (fault: string, agent: Agent, scope: Scope, files: string[]): Part => {
  const command = `headway setup ${agent.id}${scope === "project" ? " --scope project" : ""}`
  return { state: "foreign", note: `${fault}; "${command}" replaces it`, files }
}

/** A repository may have plans kept anywhere. */
const placeNote = (words: readonly string[], scope: Scope): { note?: string } => {
  const note = scope === "project" ? placeNamedIn(words) : undefined
  return note === undefined ? {} : { note }
}

const serverPart = ({ agent, where, scope, read }: Inspected): Part => {
  const setting = agent.server({ words: [], isTrusted: true }, where, scope).find((one) => one.kind === "server")
  if (!setting) return { state: "absent", files: [] }
  const { file, path, nameKey = "" } = setting
  const { root, problem } = read(file)
  const files = [file.path]
  const server = valueAt(root, placeOf(setting, root ?? {}))
  const words = serverWords(server)
  const address = serverAddress(server)
  if (!words && address === undefined) {
    const note =
      server === undefined
        ? undefined
        : `another server has the name "${String(setting.value[nameKey] ?? path.at(-1))}"`
    return judged({ state: "absent", files, ...(note ? { note } : {}) }, problem)
  }
  const [fault] = faultsIn(setting, root ?? {}, { scope, project: where.project })
  if (fault !== undefined) return judged(foreignPart(fault, agent, scope, files), problem)
  const isOff = isRecord(server) && (server.enabled === false || server.disabled === true)
  const state = isOff ? { state: "off" as const, note: "it is switched off there" } : { state: "connected" as const }
  // The address without the header: what is secret there stays there.
  const how = words
    ? { words, ...placeNote(words, scope) }
    : { note: `uses ${address}, where "headway serve" must be running` }
  return judged({ ...how, ...state, files }, problem)
}

const hooksPart = (inspected: Inspected): Part => {
  const { agent, where, scope, read } = inspected
  const settings = agent.hooks?.("", where, scope) ?? []
  const known = knownOf(where, scope, {}, read)
  const files = [...new Set(settings.map(({ file }) => file.path))]
  const problem = settings[0] && read(settings[0].file).problem
  const [program] = settings
  if (program?.kind === "program") return programPart(program, inspected)
  const inspect = (setting: Setting) => {
    const { file, path } = setting
    const named = setting.kind === "hook" ? eventNamedBy(setting) : undefined
    const ours = ourHooks(known.read(file, ...path.map(String)), named)
    return { file, event: named ?? String(path.at(-1)), ours }
  }
  const found = settings.map(inspect)
  const whose: Whose = { scope, project: where.project }
  const gate = agent.gateHooks?.hooks("", where, scope) ?? []
  const lateSettings = agent.laterHooks?.hooks("", where, scope) ?? []
  const [fault] = [...settings, ...lateSettings, ...gate].flatMap((setting) => {
    const root = known.read(setting.file)
    const faults = isRecord(root) ? faultsIn(setting, root, whose) : []
    return faults.map((one) => `${settingNameOf(setting.path)}: ${one}`)
  })
  if (fault !== undefined) return judged(foreignPart(fault, agent, scope, files), problem)
  const missing = found.filter(({ ours }) => ours.length === 0).map(({ event }) => event)
  const command = found.flatMap(({ ours }) => ours)[0]?.command
  if (command === undefined) return judged({ state: "absent", files }, problem)
  const words = wordsOf(command)
  const part = { words, files, ...placeNote(words, scope) }
  const off = agent.hooksOff?.(where, scope)
  if (off && isSame(known.read(off.file, ...off.path), off.value)) {
    return judged({ ...part, state: "off", note: `"${off.path.join(".")}" is ${String(off.value)} there` }, problem)
  }
  const later = lateSettings.map(inspect)
  const isDistrusted = [...found, ...later].some(({ file, event, ours }) =>
    ours.some((own) => {
      const trust = agent.hookTrust?.(where, file, { event, ...own })
      return trust && known.read(trust.file, ...trust.path) === undefined
    }),
  )
  if (missing.length > 0) {
    return judged({ ...part, state: "incomplete", note: `missing: ${missing.join(", ")}; set it up again` }, problem)
  }
  if (isDistrusted) {
    return judged({ ...part, state: "off", note: "not trusted yet: the agent asks at its next start" }, problem)
  }
  return judged({ ...part, state: "connected" }, problem)
}

/** A plugin of ours that the agent loads in place of hooks. */
const programPart = (setting: Setting & { kind: "program" }, { agent, where, scope, read }: Inspected): Part => {
  const { file, path, value } = setting
  const { root, problem } = read(file)
  const files = [file.path]
  const there = valueAt(root, path)
  const words = programWords(there)
  if (!words) {
    const note = there === undefined ? {} : { note: "another file has its name" }
    return judged({ state: "absent", files, ...note }, problem)
  }
  const [fault] = faultsIn(setting, root ?? {}, { scope, project: where.project })
  if (fault !== undefined) return judged(foreignPart(fault, agent, scope, files), problem)
  if (withoutCalls(there) === withoutCalls(value)) return judged({ state: "connected", words, files }, problem)
  const note = "it is the plugin of another version; set it up again"
  return judged({ state: "incomplete", words, files, note }, problem)
}

const linePart = ({ agent, where, scope, read }: Inspected): Part => {
  const [setting] = agent.statusLine?.("", where, scope) ?? []
  if (!setting) return { state: "absent", files: [] }
  const { root, problem } = read(setting.file)
  const line = valueAt(root, setting.path)
  const files = [setting.file.path]
  const [fault] = faultsIn(setting, root ?? {}, { scope, project: where.project })
  if (fault !== undefined) return judged(foreignPart(fault, agent, scope, files), problem)
  if (isOurLine(line) && isRecord(line)) {
    return judged({ state: "connected", words: wordsOf(String(line.command)), files }, problem)
  }
  // A status line is optional; a file that cannot be read is reported by the parts that need it.
  return { state: "absent", files, ...(line === undefined ? {} : { note: "another one is set" }) }
}
