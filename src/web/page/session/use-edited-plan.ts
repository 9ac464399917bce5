/** A plan with the person's edits applied at once, before the server confirms them. */
import { useCallback, useMemo, useRef, useState } from "react"
import { eventsOf, type TodoEdit } from "../../../board/edit-events.ts"
import { apply } from "../../../plan/apply.ts"
import type { PlanEvent } from "../../../plan/event.ts"
import { messageOf } from "../../../plan/headway-error.ts"
import { todoById } from "../../../plan/lookup.ts"
import { normalise } from "../../../plan/text/wording.ts"
import { emptyPlan, type Plan } from "../../../plan/todo.ts"
import type { Edit, EditRequest, SessionReply } from "../../api.ts"
import type { Loaded } from "../live/use-loaded.ts"
import { usePage } from "../page.ts"
import { editSession } from "./edit-session.ts"

export type EditedPlan = {
  /** Undefined until it has been read, and if there is none. */
  plan: Plan | undefined
  /** How many edits the server has not confirmed. */
  pending: number
  act(edit: Edit): void
}

type Pending = {
  events: readonly PlanEvent[]
  /** The todos when the edit was made. A later todo with the text of an added one is the added one. */
  known: ReadonlySet<string>
}

export const useEditedPlan = (key: string, session: Loaded<SessionReply>): EditedPlan => {
  const page = usePage()
  const [pending, setPending] = useState<readonly Pending[]>([])
  const base = session.value?.plan as Plan | undefined
  const plan = useMemo(
    () => (pending.length === 0 ? base : pending.reduce(applied, base ?? emptyPlan)),
    [base, pending],
  )
  const inSight = useRef(plan)
  inSight.current = plan
  const { reload } = session

  const act = useCallback(
    (edit: Edit): void => {
      const shown = inSight.current ?? emptyPlan
      let own: Pending | undefined
      if (edit.kind !== "undo" && edit.kind !== "redo" && edit.kind !== "rename") {
        try {
          // The events are computed for the visible plan, so that they mean the same when applied to a newer one.
          const events = eventsOf(edit as TodoEdit, shown, undefined)
          own = { events, known: new Set(shown.todos.map(({ id }) => id)) }
        } catch (cause) {
          page.toasts.alert(`Not done: ${messageOf(cause)}`)
          return
        }
      }
      const change = own
      if (change) {
        inSight.current = applied(shown, change)
        setPending((all) => [...all, change])
      }
      void (async () => {
        await editSession(page, key, edit, seenOf(edit, shown))
        await reload()
        setPending((all) => all.filter((one) => one !== change))
      })()
    },
    [key, page, reload],
  )
  return { plan, pending: pending.length, act }
}

const applied = (plan: Plan, { events, known }: Pending): Plan => {
  // Skips edits that the plan already has, because the change arrived before the reply.
  const isNews = (event: PlanEvent): boolean => {
    if (event.type === "todo-added")
      return !plan.todos.some(
        ({ id, content }) => !known.has(id) && normalise(content) === normalise(event.todo.content),
      )
    if (event.type !== "todo-changed" || !event.to.notes) return true
    const before = event.from.notes?.length ?? 0
    const here = todoById(plan, event.id)?.notes?.slice(before) ?? []
    return !event.to.notes.slice(before).every((note) => here.includes(note))
  }
  try {
    return apply(plan, events.filter(isNews)).plan
  } catch {
    return plan
  }
}

/** The todos that an edit names, as they were shown. */
const seenOf = (edit: Edit, plan: Plan): NonNullable<EditRequest["seen"]> => {
  const ids = [
    ...("todo" in edit ? [edit.todo] : []),
    ...("after" in edit && edit.after !== undefined ? [edit.after] : []),
  ]
  return ids.flatMap((id) => {
    const todo = todoById(plan, id)
    return todo ? [{ id, content: todo.content, status: todo.status }] : []
  })
}
