/** The todos a plan ever had, from its journal: any other todo in a published list was added by hand. */
import type { Seal } from "../../home/trust/seal.ts"
import { createFold, type PlanEvent, sanitise, type Todo } from "../../plan/index.ts"
import { type JournalCursor, readJournal } from "./_journal.ts"

/** Whether a todo with this text ever had this status. Continues reading the journal with every call. */
export type PastTodos = (content: string, status: string) => boolean

export const readPastTodos = (journal: string, seal: Seal | undefined): PastTodos => {
  const past = new Set<string>()
  let fold = createFold()
  let todos = new Map<string, Pick<Todo, "content" | "status">>()
  let readTo: JournalCursor | undefined

  const keep = (id: string, { content, status }: Pick<Todo, "content" | "status">): void => {
    todos.set(id, { content, status })
    past.add(signatureOf(content, status))
  }

  const take = (event: PlanEvent): void => {
    if (event.type === "todo-added") keep(event.todo.id, event.todo)
    if (event.type !== "todo-changed") return
    const before = todos.get(event.id)
    const { content, status } = event.to
    if (before) keep(event.id, { content: content ?? before.content, status: status ?? before.status })
  }

  const readOn = (): void => {
    const { entries, cursor, restarted } = readJournal(journal, readTo, seal)
    if (restarted) {
      fold = createFold()
      todos = new Map()
    }
    readTo = cursor
    for (const entry of entries) for (const event of fold.add(entry)) take(event)
  }

  return (content, status) => {
    if (past.has(signatureOf(content, status))) return true
    readOn()
    return past.has(signatureOf(content, status))
  }
}

/** Without its id: merged journals number their todos again. */
const signatureOf = (content: string, status: string): string => JSON.stringify([sanitise(content), status])
