/** Describes what set-up will do, one line per choice, with the option that changes it. */

import { isFound, knownOf } from "../../bridges/doctor/inspect.ts"
import type { Agent, NativeState, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import type { Launcher } from "../../bridges/setup/launcher.ts"
import type { Choices } from "../../bridges/setup/wishes.ts"
import { defaultPushes, defaultPushesInAll } from "../../guidance/continuation.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { canAsk } from "../bridge/agent-setup.ts"
import { wrap } from "./wrap.ts"

export type Chosen = {
  agent: Agent
  scope: Scope
  where: Where
  /** What is known about the agent itself. */
  about: { version?: string; model?: string }
  launcher: Launcher
  choices: Choices
  /** Of the server the agent is to ask, where it is not to start one. */
  address?: string | undefined
}

export const choicesText = (chosen: Chosen, columns = Number.POSITIVE_INFINITY): string => {
  const { agent, scope, where } = chosen
  const here = isFound(agent, where) ? "" : " (not found here yet)"
  const rows = rowsOf(chosen)
  const width = Math.max(...rows.map(([what]) => what.length))
  const lines = rows.map(([what, about]) => wrap(`  ${what.padEnd(width)}  ${sanitise(about)}`, columns, "    "))
  return `${[wrap(`headway: ${agent.title}${here}, ${scopeText[scope]}:`, columns, "  "), ...lines].join("\n")}\n`
}

const scopeText: Record<Scope, string> = {
  user: "for you, in every project",
  project: "for everyone who works in this repository",
}

type Row = readonly [what: string, about: string]

const rowsOf = ({ agent, scope, where, about, launcher, choices, address }: Chosen): Row[] => {
  const rows: Row[] = [
    ["called", `${launcher.words.join(" ")}: ${launcher.reason}`],
    ["tool", toolText(choices, address)],
  ]
  if (choices.mcp === "set" && canAsk(agent, where, scope)) rows.push(["asking", askText(choices)])
  rows.push(["hooks", hooksText(agent, choices)])
  if (choices.hooks === "set") rows.push(["stopping", stopText(agent, choices)])
  if (choices.isGated) rows.push(["gate", gateText(agent)])
  if (agent.statusLine) rows.push(["status line", lineText(choices)])
  rows.push(["own list", nativeText(agent, choices, agent.native.state(knownOf(where, scope, about)))])
  if (scope === "project") rows.push(["others", "everyone here needs headway on their PATH"])
  return rows
}

const toolText = ({ mcp }: Choices, address: string | undefined): string => {
  if (mcp !== "set") return "removed"
  if (address === undefined) return "gives the model a todo tool, as an MCP server (--no-mcp: without)"
  return `gives the model the todo tool of the server at ${address}, with your token; the file is then yours alone`
}

const askText = ({ isTrusted }: Choices): string =>
  isTrusted ? "the agent may call it without asking (--ask: be asked)" : "the agent asks before it calls it"

const hooksText = (agent: Agent, { hooks }: Choices): string => {
  if (!agent.hooks) return "it has no hooks that call a command"
  if (hooks === "remove") return "removed"
  if (hooks === "set")
    return `${agent.hooksDo ?? "record its own list, restore the plan, pass on your edits"} (--no-hooks: without)`
  return "left alone"
}

const stopText = ({ isNeverHeld }: Agent, { letsStop }: Choices): string =>
  letsStop || isNeverHeld
    ? `the agent may stop with work left${isNeverHeld ? "; it cannot be sent back" : ""}`
    : `an agent that stops with work left is sent back to it: once if the agent itself allows only that, otherwise up to ${defaultPushes} times in a row if it does nothing and up to ${defaultPushesInAll} times for one request of yours (--let-stop: never)`

const gateText = ({ gateHooks }: Agent): string =>
  `a todo stays open while one of its allowed checks fails; a second attempt is accepted and marked${gateHooks ? "" : " (our tool only)"}`

const lineText = ({ statusLine }: Choices): string => {
  if (statusLine === "set") return "shows the plan; --undo restores the previous one"
  return statusLine === "remove" ? "removed" : "left alone (--status-line: show the plan there)"
}

const nativeText = ({ native: own }: Agent, { native, mcp, hooks }: Choices, state: NativeState): string => {
  const [first] = own.tools
  if (native !== "leave") return `${own.tools.join(", ")}: turned ${native}`
  const off = own.off ? "--native off" : own.byHand?.off
  if (mcp !== "set") return `${first} is left alone${off === undefined ? "" : ` (off: ${off})`}`
  if (state === "off") return `${first} is off, so ours is the only todo tool`
  const onlyOurs = off === undefined ? "" : `${off} leaves only Headway's; `
  const recorded = hooks === "set" ? ", which the hooks record" : ""
  return `${first} ${stateText[state]} and is left alone, so the agent has two todo tools, which may confuse a model: ${onlyOurs}--no-mcp leaves only its own${recorded}`
}

const stateText: Record<Exclude<NativeState, "off">, string> = {
  present: "is on",
  deferred: "is on, behind tool search,",
  unknown: "may be on",
}
