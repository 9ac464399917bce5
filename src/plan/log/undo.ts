/** Undo as new events: the inverse of an entry's effects. */
import type { PlanEvent } from "../event.ts"

/** The events that take a plan back, in the order to apply them. Events that change no list have no inverse. */
export const inverse = (events: readonly PlanEvent[]): PlanEvent[] => events.toReversed().flatMap(inverseOf)

const inverseOf = (event: PlanEvent): PlanEvent[] => {
  switch (event.type) {
    case "todo-added":
      return [{ type: "todo-removed", todo: event.todo }]
    case "todo-changed":
      return [{ type: "todo-changed", id: event.id, from: event.to, to: event.from }]
    case "todo-removed":
      return [
        {
          type: "todo-added",
          todo: event.todo,
          restores: true,
          ...(event.was === undefined ? {} : { after: event.was }),
        },
      ]
    case "todo-moved":
      return [{ type: "todo-moved", id: event.id, ...(event.was === undefined ? {} : { after: event.was }) }]
    case "todo-claimed":
      // What was claimed before stays claimed.
      if (event.was?.owner === event.owner) return []
      return [{ type: "todo-released", id: event.id, owner: event.owner }]
    case "phase-added":
      return event.was === undefined
        ? [{ type: "phase-removed", name: event.name }]
        : [{ type: "phase-added", name: event.name, after: event.was }]
    case "phase-removed":
      return [{ type: "phase-added", name: event.name, ...(event.was === undefined ? {} : { after: event.was }) }]
    case "plan-cleared":
      return [
        ...(event.phases ?? []).map((name): PlanEvent => ({ type: "phase-added", name })),
        ...event.todos.map(
          (todo, index): PlanEvent => ({
            type: "todo-added",
            todo,
            after: event.todos[index - 1]?.id ?? "",
            restores: true,
          }),
        ),
      ]
    default:
      return []
  }
}
