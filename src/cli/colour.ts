/** Colour for people at a terminal: only where it is wanted, and never without the words saying the same. */

import type { Plan } from "../plan/todo.ts"
import { lineOf, listRows, type ViewOptions } from "../views/index.ts"
import type { Line, Style } from "../views/span.ts"
import type { Context } from "./command.ts"

/** Whether output may carry styles: `--no-color` and NO_COLOR forbid, FORCE_COLOR asks, else a terminal decides. */
export const wantsColour = ({ io, values }: Context): boolean => {
  if (values["no-color"] || io.env.NO_COLOR) return false
  if (io.env.FORCE_COLOR !== undefined) return io.env.FORCE_COLOR !== "0" && io.env.FORCE_COLOR !== "false"
  return io.isTerminal.out && io.env.TERM !== "dumb"
}

const styles: Partial<Record<string, Style>> = {
  completed: { dim: true, struck: true },
  cancelled: { dim: true, struck: true },
  in_progress: { bold: true },
}

/** The list as `todosText` prints it, finished rows dim and struck through, the one in progress bold. */
export const paintTodos = (text: string, plan: Plan, options: ViewOptions): Line[] => {
  const rows = listRows(plan, options)
  const lines = text.split("\n")
  const start = lines.length - rows.length
  return lines.map((line, index) => {
    const row = rows[index - start]
    return [{ text: line, style: row && lineOf(row) === line ? styles[row.status] : undefined }]
  })
}
