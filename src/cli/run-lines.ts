/** A run where output is no terminal: lines that only ever grow, for people who read later and programs that read now. */
import type { Todo } from "../plan/index.ts"
import { sanitise } from "../plan/index.ts"
import type { TodoListEvent } from "../streams/index.ts"
import type { Look } from "../tui/look.tsx"
import { type Listed, type Member, type RunView, type Spoken, spokenText } from "../tui/run-view.ts"
import { transitionsOf } from "../views/transitions.ts"
import type { Io } from "./io.ts"
import { printJsonLine } from "./plan-json.ts"

/** Wide enough to be read, short enough for one glance. */
const workWidth = 120

/** What the agent says, and a line for each todo that changed, named by whose it is where that is not plain. */
export const createRunLines = (io: Io, look: Look): RunView => {
  const lists = new Map<string, readonly Todo[]>()
  let member: Member = {}
  return createView(io, {
    begin(next) {
      member = next
      lists.clear()
    },
    said: (spoken) => `${spokenText(spoken, look, workWidth)}\n`,
    listed({ agent, plan }) {
      const before = lists.get(agent) ?? []
      lists.set(agent, plan.todos)
      const whose = [member.name ?? [], agent === "main" ? [] : agent].flat().map(sanitise).join(" ")
      return transitionsOf(before, plan.todos)
        .map((line) => (whose === "" ? `${line}\n` : `${whose}: ${line}\n`))
        .join("")
    },
  })
}

/** Only the lists, as `headway events` prints them; what the agent says is a message then. */
export const createRunEvents = (io: Io, look: Look): RunView => {
  const view = createView(io, { told: printJsonLine })
  return { ...view, said: (spoken) => io.err(`${spokenText(spoken, look, workWidth)}\n`) }
}

/** What is printed of a run: texts with their line ends. */
type Printed = {
  begin?: RunView["begin"]
  said?: (spoken: Spoken) => string
  told?: (event: TodoListEvent) => string
  listed?: (list: Listed) => string
}

const createView = (io: Io, { begin, said, told, listed }: Printed): RunView => {
  let text = ""
  return {
    begin: (member) => begin?.(member),
    said(spoken) {
      text += said?.(spoken) ?? ""
    },
    told(event) {
      text += told?.(event) ?? ""
    },
    listed(list) {
      text += listed?.(list) ?? ""
    },
    complained: (message) => io.err(message),
    async flush() {
      const waiting = text
      text = ""
      return waiting === "" || io.pour(waiting)
    },
    // What is printed stays, and nothing of it is kept up to date.
    planned() {},
    worked() {},
    turnEnded() {},
    stopping() {},
    clear() {},
    close() {},
  }
}
