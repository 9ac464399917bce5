/** The actions for the selected todo, as buttons that name their keys. */
import { isFinished, type Todo } from "../../../plan/todo.ts"
import type { BoardWish } from "../../../views/board/edit.ts"

/** What the keys of the board do to one todo, and the answer that a blocked one waits for. */
export type TodoWish = Exclude<BoardWish, "add" | "undo" | "redo" | "text"> | "answer"

type Action = { wish: TodoWish; says: string; key?: string; isOffered?: (todo: Todo) => boolean }

const actions: readonly Action[] = [
  { wish: "answer", says: "Answer", isOffered: ({ status }) => status === "blocked" },
  { wish: "start", says: "Start", key: "s", isOffered: ({ status }) => status === "pending" || status === "blocked" },
  { wish: "note", says: "Note", key: "n" },
  { wish: "reword", says: "Reword", key: "r" },
  { wish: "block", says: "Block", key: "b", isOffered: ({ status }) => status !== "blocked" && !isFinished(status) },
  { wish: "drop", says: "Drop", key: "d", isOffered: ({ status }) => !isFinished(status) },
  { wish: "up", says: "Up", key: "K" },
  { wish: "down", says: "Down", key: "J" },
  { wish: "remove", says: "Remove", key: "x" },
]

export const TodoActions = ({ todo, onWish }: { todo: Todo; onWish: (wish: TodoWish, todo: Todo) => void }) => (
  <fieldset className="actions small" aria-label="Actions for this todo">
    {actions
      .filter(({ isOffered }) => isOffered?.(todo) ?? true)
      .map(({ wish, says, key }) => (
        <button
          key={wish}
          type="button"
          className={wish === "answer" ? "button main" : "button"}
          aria-keyshortcuts={key}
          onClick={() => onWish(wish, todo)}
        >
          {says}
          {key && <kbd>{key}</kbd>}
        </button>
      ))}
  </fieldset>
)
