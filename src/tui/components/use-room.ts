/** The room a component may fill: what its host gives it, else what the terminal has. */
import type { ViewOptions } from "../../views/plan/row.ts"
import { useTerminalSize } from "../terminal/use-terminal-size.ts"
import { useAppearance } from "./appearance.tsx"

export type Room = Pick<ViewOptions, "marks"> & {
  /** Columns it may fill. @default the terminal's columns, else 80 */
  width?: number | undefined
  /**
   * Rows it may fill; of more, those around the todo in progress are shown and the others counted.
   * @default one less than the terminal has; without a terminal, as many as it takes
   */
  height?: number | undefined
}

/** Ink clears the whole screen for every frame as high as the terminal, so the default leaves it one row less. */
export const useRoom = ({ width, height, marks }: Room): ViewOptions => {
  const { ascii } = useAppearance()
  const { columns, rows } = useTerminalSize()
  const rowsLeft = rows === 0 ? Number.POSITIVE_INFINITY : rows - 1
  // A host may compute that no rows are left; that does not mean that it wants all of them.
  return { width: width ?? columns, height: Math.max(1, height ?? rowsLeft), ascii, marks }
}
