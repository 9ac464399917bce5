/** Prints a run for a person at a shell: progress on standard error, the answer on standard output. */

import type { Evidence } from "../../evidence/index.ts"
import {
  activeFormOf,
  activeTodo,
  type Plan,
  progressOf,
  sanitise,
  sanitiseBlock,
  sanitiseOutput,
} from "../../plan/index.ts"
import { makeLineVisible } from "../../plan/text/visible.ts"
import type { AgentEvent } from "../../reference-agent/index.ts"
import {
  changeNoticeLines,
  cut,
  framedLines,
  type Line,
  listLines,
  type PlanView,
  plainLine,
  type ViewOptions,
} from "../../views/index.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import { wrap } from "../../views/text/wrap.ts"
import { type EvidenceLayout, evidenceLines } from "../output/evidence-lines.ts"
import { say } from "../output/say.ts"
import type { Printer, PrinterOptions, Run } from "./printer.ts"

export const createTextPrinter = ({ io, ascii, view }: PrinterOptions): Printer => {
  const lines = createProgressLines({ ascii, view, width: Math.min(io.columns ?? 100, 100) })
  let session = ""
  return {
    begin(run: Run) {
      session = run.session
      say(io, `${run.isResumed ? "resuming session" : "session"} ${session} (${run.model})`)
    },
    onEvent(event) {
      if (event.type === "notice-given") say(io, event.message)
      else for (const line of lines(event)) io.err(`${line}\n`)
    },
    end({ ending, text, evidence }) {
      if (evidence) io.err(closingLines(evidence, { ascii, columns: Math.min(io.columns ?? 100, 100) }))
      if (text.trim() !== "") io.out(`${sanitiseOutput(text).trim()}\n`)
      if (ending === "interrupted") say(io, "interrupted")
      if (ending !== "done") say(io, `continue with: headway agent --resume ${shellWord(session)} "Go on"`)
    },
  }
}

/** A word for each done todo. The positions of its facts are useful only if the lines they refer to are kept. */
const closingLines = (evidence: Evidence, look: EvidenceLayout): Line[] => {
  const todos = evidence.todos.filter(({ status }) => status === "completed")
  const lines = evidenceLines({ ...evidence, todos }, look)
  return todos.length === 0 ? [] : [[], ...lines.filter((line) => !plainLine(line).startsWith("    "))]
}

type LineOptions = { ascii: boolean; width: number; view?: PlanView | undefined }

/** The sanitised lines for an event. An agent's words are shown before its actions. */
export const createProgressLines = ({
  ascii,
  width,
  view = "list",
}: LineOptions): ((event: AgentEvent) => string[]) => {
  const texts = new Map<string, string>()
  const labels = new Map<string, string>()
  const lists = new Map<string, string>()
  const bullet = ascii ? "*" : "●"

  const words = (agent: string): string[] => {
    const text = sanitiseBlock(texts.get(agent) ?? "")
    texts.delete(agent)
    return text === "" ? [] : text.split("\n")
  }

  const planLines = (agent: string, plan: Plan): string[] => {
    const names = JSON.stringify(plan.todos.map(({ id, content }) => [id, content]))
    const isSame = lists.get(agent) === names
    lists.set(agent, names)
    if (plan.todos.length === 0) return []
    if (!isSame) return wholeViews[view](plan, { ascii, width: width - 2 }).map((line) => `  ${plainLine(line)}`)
    const { completed, total } = progressOf(plan)
    const current = activeTodo(plan)
    return [`  ${completed}/${total}${current ? ` ${sanitise(activeFormOf(current))}` : ""}`]
  }

  const linesOf = (event: AgentEvent): string[] => {
    const { agent } = event
    switch (event.type) {
      case "text-said":
        texts.set(agent, `${texts.get(agent) ?? ""}${event.text}`)
        return []
      case "turn-failed":
        texts.delete(agent)
        return [`${event.message.replace(/(?<![.!?…])$/, ".")}${event.willRetry ? " Trying again." : ""}`]
      case "turn-started":
        texts.delete(agent)
        return []
      case "tool-called":
        labels.set(event.id, labelOf(event.input))
        return words(agent)
      case "tool-ended":
        return event.isSilent ? [] : [`${bullet} ${sayEnded(event, labels.get(event.id) ?? "")}`]
      case "plan-changed":
        return planLines(agent, event.plan)
      case "agent-started":
        return [`${bullet} agent ${agent}: ${sanitise(event.description)}`]
      case "compacted":
        return ["The conversation was summarised to make room."]
      case "mode-changed":
        return [event.isPlanMode ? "Plan mode on: nothing is changed." : "Plan mode off."]
      default:
        return []
    }
  }

  return (event) => {
    const indent = "  ".repeat(event.depth)
    // A question may be at the end of what an agent says; what it does and plans is shown in one line each.
    if (isInWords(event)) return linesOf(event).flatMap((line) => wrapped(line, width, indent))
    return linesOf(event).map((line) => cut(`${indent}${line}`, width))
  }
}

const isInWords = ({ type }: AgentEvent): boolean => type === "tool-called" || type === "turn-failed"

/** All of it, also in a terminal too narrow for the indent. */
const wrapped = (line: string, width: number, indent: string): string[] =>
  line === "" ? [""] : wrap(line, Math.max(1, width - indent.length)).lines.map((part) => `${indent}${part}`)

/** A changed list, shown as the agent's dialect prefers. */
const wholeViews: Readonly<Record<PlanView, (plan: Plan, options: ViewOptions) => Line[]>> = {
  list: listLines,
  panel: changeNoticeLines,
  tree: (plan, options) => framedLines("tree", plan, options),
}

/** So that there is room for what came of it. */
const longestLabel = 60
/** A command may be very long, and only its beginning is shown here. */
const longestInput = 500

/** What a call is about, in one line: a command, a path, a pattern. */
const labelOf = (input: unknown): string => {
  if (typeof input !== "object" || input === null) return ""
  const fields = input as Record<string, unknown>
  const label = fields.command ?? fields.file_path ?? fields.pattern ?? fields.description
  return typeof label === "string"
    ? cut(makeLineVisible(label.slice(0, longestInput).toWellFormed()), longestLabel)
    : ""
}

const sayEnded = (
  { tool, text, isError, isHeldBack, display }: Extract<AgentEvent, { type: "tool-ended" }>,
  label: string,
): string => {
  const outcome = isHeldBack
    ? "not in plan mode"
    : sanitise(display ?? (isError ? (text.split("\n")[0] ?? "") : "done"))
  if (label !== "" && outcome.includes(label)) return outcome
  return `${sanitise(tool)}${label === "" ? "" : ` ${label}`}: ${outcome}`
}
