/** A run whose output is not a terminal: lines that are only ever added, for people who read later and programs that read now. */
import type { Todo } from "../../plan/index.ts"
import { sanitise } from "../../plan/index.ts"
import type { StreamEvent } from "../../streams/index.ts"
import type { Appearance } from "../../tui/components/appearance.tsx"
import { type AgentList, type AgentMessage, type Member, messageLine, type RunView } from "../../tui/run/view.ts"
import { transitionsOf } from "../../views/plan/transitions.ts"
import type { Line } from "../../views/text/span.ts"
import type { Io } from "../io.ts"
import { printJsonLine } from "../output/plan-json.ts"

/** Wide enough to be read, short enough for one glance. */
const workWidth = 120

/** What the agent says, and a line for each todo that changed, named by whose it is where that is not plain. */
export const createRunLines = (io: Io, appearance: Appearance): RunView => {
  const lists = new Map<string, readonly Todo[]>()
  let member: Member = {}
  return createView(io, {
    begin(next) {
      member = next
      lists.clear()
    },
    message: (message) => messageLine(message, appearance, workWidth),
    list({ agent, plan }) {
      const before = lists.get(agent) ?? []
      lists.set(agent, plan.todos)
      const whose = [member.name ?? [], agent === "main" ? [] : agent].flat().map(sanitise).join(" ")
      return transitionsOf(before, plan.todos).map((line) => [{ text: whose === "" ? line : `${whose}: ${line}` }])
    },
  })
}

/** Only lists and turns, as `headway events` prints them; what the agent says is a message then. */
export const createRunEvents = (io: Io, appearance: Appearance): RunView => {
  const view = createView(io, { event: (event) => [{ text: printJsonLine(event).trimEnd() }] })
  return { ...view, message: (message) => io.err([messageLine(message, appearance, workWidth)]) }
}

/** What is printed of a run. */
type Printed = {
  begin?: RunView["begin"]
  message?: (message: AgentMessage) => Line
  event?: (event: StreamEvent) => Line
  list?: (list: AgentList) => Line[]
}

const createView = (io: Io, { begin, ...linesOf }: Printed): RunView => {
  let lines: Line[] = []
  return {
    begin: (member) => begin?.(member),
    message(message) {
      if (linesOf.message) lines.push(linesOf.message(message))
    },
    event(event) {
      if (linesOf.event) lines.push(linesOf.event(event))
    },
    list(list) {
      lines = lines.concat(linesOf.list?.(list) ?? [])
    },
    complained: (message) => io.err(message),
    isFull: () => lengthOf(lines) > longestBatch,
    async flush() {
      const waiting = lines
      lines = []
      // In one write, so that lines of the next flush come after these.
      const taken = await Promise.all(batchesOf(waiting).map((batch) => io.pour(batch)))
      return taken.every(Boolean)
    },
    // Printed lines stay and are not updated.
    planned() {},
    turned() {},
    stopping() {},
    clear() {},
    close() {},
  }
}

/** In characters. Each event says a whole list, so that a few short calls may say more than one text can hold. */
const longestBatch = 1 << 20

const batchesOf = (lines: readonly Line[]): Line[][] => {
  const batches: Line[][] = []
  let room = 0
  for (const line of lines) {
    if (room <= 0) {
      batches.push([])
      room = longestBatch
    }
    batches.at(-1)?.push(line)
    room -= lengthOf([line])
  }
  return batches
}

const lengthOf = (lines: readonly Line[]): number => {
  let length = 0
  for (const line of lines) for (const { text } of line) length += text.length
  return length
}
