/** What the doctor found, for people: plain words, no colour, readable in forty columns. */

import type { AgentReport, Switch } from "../../bridges/doctor/examine.ts"
import type { Part, Parts } from "../../bridges/doctor/inspect.ts"
import type { Finding } from "../../bridges/doctor/store-health.ts"
import type { Scope } from "../../bridges/setup/agent-settings.ts"
import { sanitise } from "../../plan/sanitise.ts"
import { wrap } from "./wrap.ts"

export type Findings = { shown: readonly AgentReport[]; others: readonly AgentReport[]; store: readonly Finding[] }

export const doctorText = ({ shown, others, store }: Findings, columns = Number.POSITIVE_INFINITY): string => {
  const line = (text: string, indent = 2): string =>
    wrap(`${" ".repeat(indent)}${text}`, columns, " ".repeat(indent + 2))
  const agents = shown.map((report) => agentLines(report, line).join("\n"))
  const missing = others.map(({ title }) => title)
  return `${[
    ...agents,
    ...(missing.length > 0 ? [wrap(`Not found here: ${missing.join(", ")}.`, columns, "  ")] : []),
    ["Headway", ...store.map(({ name, ok, note }) => line(`${name}: ${ok ? "" : "BROKEN, "}${sanitise(note)}`))].join(
      "\n",
    ),
  ].join("\n\n")}\n`
}

type Line = (text: string, indent?: number) => string

const agentLines = (report: AgentReport, line: Line): string[] => {
  const { title, isFound, version, model, native, parts } = report
  const unknown = isFound ? "version unknown" : "not found here"
  return [
    `${title} ${sanitise(version ?? `(${unknown})`)}`,
    ...(model ? [line(`model: ${sanitise(model)}`)] : []),
    line(`own list: ${stateWords[native.state]} (${native.tools.join(", ")})`),
    ...nativeAdvice(report, line),
    ...scopeOrder.flatMap((scope) => partLines(parts[scope], scope, line)),
    ...(isFound && isUnconnected(parts) ? [line(`to connect: headway setup ${report.agent}`)] : []),
  ]
}

const scopeOrder: readonly Scope[] = ["user", "project"]

const stateWords: Record<AgentReport["native"]["state"], string> = {
  present: "on",
  deferred: "on, but hidden behind tool search",
  off: "off",
  unknown: "not known",
}

const nativeAdvice = ({ native }: AgentReport, line: Line): string[] => {
  const advice = native.advice ? [line(native.advice, 4)] : []
  const isOn = native.state === "present" || native.state === "deferred"
  const to = isOn ? "off" : "on"
  const way = native[to]
  if (!way) return advice
  const byHand = isOn ? [] : way.switches.flatMap((own) => switchLines(own, line))
  return [...advice, line(`to turn it ${to}: ${way.command}`, 4), ...byHand]
}

/** Exactly what to write, so it is never broken or cut. */
const switchLines = ({ file, text }: Switch, line: Line): string[] => [
  line(`or by hand, in ${sanitise(file)}:`, 4),
  ...text.split("\n").map((own) => `      ${own}`),
]

const partLines = (parts: Parts | undefined, scope: Scope, line: Line): string[] => {
  if (!parts) return []
  const where = scope === "project" ? " in this project" : ""
  const named: [string, Part | undefined][] = [
    ["tool", parts.mcp],
    ["hooks", parts.hooks],
    ["status line", parts.statusLine],
  ]
  return named.flatMap(([name, part]) => (part ? [line(`${name}${where}: ${partText(part)}`)] : []))
}

const partWords: Record<Part["state"], string> = {
  connected: "connected",
  incomplete: "incomplete",
  off: "switched off",
  absent: "not set up",
  broken: "BROKEN",
}

const partText = ({ state, note }: Part): string =>
  `${partWords[state]}${note === undefined ? "" : `, ${sanitise(note)}`}`

const isUnconnected = (parts: AgentReport["parts"]): boolean =>
  scopeOrder.every((scope) => (parts[scope]?.mcp.state ?? "absent") === "absent")
