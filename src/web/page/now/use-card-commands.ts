/** Keyboard commands of the focused card: resume its session, rename it, add a todo. */
import { promptLabels } from "../../../views/board/prompt.ts"
import type { Row } from "../../api.ts"
import { useCommands } from "../keys/keyboard.ts"
import { usePage } from "../page.ts"
import { askFor } from "../session/ask-for.ts"
import { editSession } from "../session/edit-session.ts"
import { openInAgent } from "./open-buttons.tsx"

export const useCardCommands = (): void => {
  const page = usePage()
  useCommands((command) => {
    const row = focusedRow(page.board.rows.value)
    if (!row) return false
    if (command.kind === "enter-agent") {
      void openInAgent(page, row)
      return true
    }
    if (command.kind !== "edit") return false
    const send = (edit: Parameters<typeof editSession>[2]): void => void editSession(page, row.key, edit)
    if (command.action === "reword") {
      page.prompts.ask({
        label: promptLabels.rename,
        text: row.title ?? "",
        does: "Rename",
        mayBeEmpty: true,
        answer: (title) => send({ kind: "rename", title }),
      })
      return true
    }
    if (!row.isEditable) {
      page.toasts.alert("This plan is read-only.")
      return true
    }
    if (command.action === "undo" || command.action === "redo") send({ kind: command.action })
    else if (command.action === "add") page.prompts.ask(askFor("add", (content) => send({ kind: "add", content })))
    else page.toasts.alert("Choose a todo first: enter goes to the plan.")
    return true
  })
}

/** The session of the focused card. */
const focusedRow = (rows: readonly Row[]): Row | undefined => {
  const key = document.activeElement?.closest("[data-key]")?.getAttribute("data-key")
  return rows.find((row) => row.key === key)
}
