/** The actions for the selected todo, as buttons that name their keys. */
import { isFinished, type Todo } from "../../../plan/todo.ts"
import type { EditAction } from "../../../views/board/edit.ts"

/** The board's edits of a single todo, and the answer that a blocked todo waits for. */
export type TodoAction = Exclude<EditAction, "add" | "undo" | "redo" | "text"> | "answer"

type Action = { action: TodoAction; says: string; key?: string; isOffered?: (todo: Todo) => boolean }

const actions: readonly Action[] = [
  { action: "answer", says: "Answer", isOffered: ({ status }) => status === "blocked" },
  { action: "start", says: "Start", key: "s", isOffered: ({ status }) => status === "pending" || status === "blocked" },
  { action: "note", says: "Note", key: "n" },
  { action: "reword", says: "Reword", key: "r" },
  { action: "block", says: "Block", key: "b", isOffered: ({ status }) => status !== "blocked" && !isFinished(status) },
  { action: "drop", says: "Drop", key: "d", isOffered: ({ status }) => !isFinished(status) },
  { action: "up", says: "Up", key: "K" },
  { action: "down", says: "Down", key: "J" },
  { action: "remove", says: "Remove", key: "x" },
]

export const TodoActions = ({ todo, onAction }: { todo: Todo; onAction: (action: TodoAction, todo: Todo) => void }) => (
  <fieldset className="actions small" aria-label="Actions for this todo">
    {actions
      .filter(({ isOffered }) => isOffered?.(todo) ?? true)
      .map(({ action, says, key }) => (
        <button
          key={action}
          type="button"
          className={action === "answer" ? "button main" : "button"}
          aria-keyshortcuts={key}
          onClick={() => onAction(action, todo)}
        >
          {says}
          {key && <kbd>{key}</kbd>}
        </button>
      ))}
  </fieldset>
)
