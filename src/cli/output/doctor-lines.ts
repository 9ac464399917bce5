/** The doctor's report for people: plain text with optional colour, in one layout at any width. */

import type { AgentReport, Switch } from "../../bridges/doctor/examine.ts"
import type { Part, Parts } from "../../bridges/doctor/inspect.ts"
import type { Finding } from "../../bridges/doctor/store-health.ts"
import type { Scope } from "../../bridges/setup/agent-settings.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Line, Span, Style } from "../../views/text/span.ts"
import { wrapLine } from "./wrap.ts"

export type Findings = { shown: readonly AgentReport[]; others: readonly AgentReport[]; store: readonly Finding[] }

export const doctorLines = ({ shown, others, store }: Findings, columns = Number.POSITIVE_INFINITY): Line[] => {
  const linesOf: LinesOf = (spans, indent = 2) =>
    wrapLine([{ text: " ".repeat(indent) }, ...spans], columns, " ".repeat(indent + 2))
  const missing = others.map(({ title }) => title)
  const parts = [
    ...shown.map((report) => agentLines(report, linesOf)),
    ...(missing.length > 0 ? [wrapLine([{ text: `Not found here: ${missing.join(", ")}.` }], columns, "  ")] : []),
    [[{ text: "Headway", style: titleStyle }], ...store.flatMap((finding) => linesOf(findingSpans(finding)))],
  ]
  return parts.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]))
}

/** The lines that a text takes, moved to the right. */
type LinesOf = (spans: readonly Span[], indent?: number) => Line[]

const titleStyle: Style = { bold: true }
const goodStyle: Style = { colour: "green" }
const careStyle: Style = { colour: "yellow" }
const badStyle: Style = { bold: true, colour: "red" }
const quietStyle: Style = { dim: true }
/** What can be typed as it is. */
const commandStyle: Style = { colour: "cyan" }

const findingSpans = ({ name, ok, note }: Finding): Span[] => [
  { text: `${name}: ` },
  ...(ok ? [] : [{ text: "BROKEN", style: badStyle }, { text: ", " }]),
  { text: sanitise(note) },
]

const agentLines = (report: AgentReport, linesOf: LinesOf): Line[] => {
  const { title, isFound, program, version, model, native, parts } = report
  const unknown = isFound ? "version unknown" : "not found here"
  const { text, style } = nativeWords[native.state]
  return [
    ...linesOf([{ text: title, style: titleStyle }, { text: ` ${sanitise(version ?? `(${unknown})`)}` }], 0),
    ...(isFound && program === undefined
      ? linesOf([{ text: "program: " }, { text: "not found in your PATH", style: careStyle }])
      : []),
    ...(model ? linesOf([{ text: `model: ${sanitise(model)}` }]) : []),
    ...linesOf([{ text: "own list: " }, { text, style }, { text: ` (${native.tools.join(", ")})` }]),
    ...nativeAdvice(report, linesOf),
    ...connectionLines(report, linesOf),
    ...scopeOrder.flatMap((scope) => partLines(parts[scope], scope, linesOf)),
    ...(isFound && report.connected !== "plugin" && isUnconnected(parts)
      ? linesOf(adviceSpans("to connect", `headway setup ${report.agent}`))
      : []),
  ]
}

/** Said only where there is a plugin: without one it is what set-up put there. */
const connectionLines = ({ connected, plugin }: AgentReport, linesOf: LinesOf): Line[] => {
  if (!plugin || plugin.state === "absent") return []
  const note = plugin.note === undefined ? "" : `, ${sanitise(plugin.note)}`
  return [
    ...linesOf([{ text: "plugin: " }, pluginWords[plugin.state], { text: note }]),
    ...linesOf([{ text: `connected by: ${connectionWords[connected]}` }]),
  ]
}

const pluginWords: Record<NonNullable<AgentReport["plugin"]>["state"], Required<Pick<Span, "text" | "style">>> = {
  on: { text: "installed", style: goodStyle },
  off: { text: "switched off", style: careStyle },
  absent: { text: "not installed", style: quietStyle },
  broken: { text: "BROKEN", style: badStyle },
}

const connectionWords: Record<AgentReport["connected"], string> = {
  "set-up": "set-up",
  plugin: "plugin",
  both: "set-up and plugin; the plugin stays silent while set-up's parts are there",
  no: "nothing",
}

const scopeOrder: readonly Scope[] = ["user", "project"]

const nativeWords: Record<AgentReport["native"]["state"], Required<Pick<Span, "text" | "style">>> = {
  present: { text: "on", style: goodStyle },
  deferred: { text: "on, but hidden behind tool search", style: careStyle },
  off: { text: "off", style: careStyle },
  unknown: { text: "not known", style: quietStyle },
}

const adviceSpans = (what: string, command: string): Span[] => [
  { text: `${what}: ` },
  { text: command, style: commandStyle },
]

const nativeAdvice = ({ native }: AgentReport, linesOf: LinesOf): Line[] => {
  const advice = native.advice ? linesOf([{ text: native.advice }], 4) : []
  const isOn = native.state === "present" || native.state === "deferred"
  const to = isOn ? "off" : "on"
  const way = native[to]
  if (!way) return advice
  const byHand = isOn ? [] : way.switches.flatMap((own) => switchLines(own, linesOf))
  return [...advice, ...linesOf(adviceSpans(`to turn it ${to}`, way.command), 4), ...byHand]
}

/** Text to copy exactly, so it is never wrapped or cut. */
const switchLines = ({ file, text }: Switch, linesOf: LinesOf): Line[] => [
  ...linesOf([{ text: `or by hand, in ${sanitise(file)}:` }], 4),
  ...text.split("\n").map((own): Line => [{ text: `      ${own}`, style: commandStyle }]),
]

const partLines = (parts: Parts | undefined, scope: Scope, linesOf: LinesOf): Line[] => {
  if (!parts) return []
  const where = scope === "project" ? " in this project" : ""
  const named: [string, Part | undefined][] = [
    ["tool", parts.mcp],
    ["hooks", parts.hooks],
    ["status line", parts.statusLine],
  ]
  return named.flatMap(([name, part]) => (part ? linesOf([{ text: `${name}${where}: ` }, ...partSpans(part)]) : []))
}

const partWords: Record<Part["state"], Required<Pick<Span, "text" | "style">>> = {
  connected: { text: "connected", style: goodStyle },
  incomplete: { text: "incomplete", style: careStyle },
  off: { text: "switched off", style: careStyle },
  absent: { text: "not set up", style: quietStyle },
  broken: { text: "BROKEN", style: badStyle },
  foreign: { text: "NOT HEADWAY'S", style: badStyle },
}

const partSpans = ({ state, note }: Part): Span[] => [
  partWords[state],
  { text: note === undefined ? "" : `, ${sanitise(note)}` },
]

const isUnconnected = (parts: AgentReport["parts"]): boolean =>
  scopeOrder.every((scope) => ["absent", "foreign"].includes(parts[scope]?.mcp.state ?? "absent"))
