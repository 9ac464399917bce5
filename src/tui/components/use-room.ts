/** The room for a component: what its host gives it, otherwise what the terminal has. */
import type { ViewOptions } from "../../views/plan/row.ts"
import { useTerminalSize } from "../terminal/use-terminal-size.ts"
import { useAppearance } from "./appearance.tsx"

export type Room = Pick<ViewOptions, "marks"> & {
  /** The columns it may fill. @default the terminal's columns, otherwise 80 */
  width?: number | undefined
  /**
   * The rows it may fill. Of a longer plan, the todos around the current one are shown and the others counted.
   * @default one less than the terminal has; without a terminal, as many as needed
   */
  height?: number | undefined
}

/** The default leaves one row free, because Ink clears the whole screen for every frame as high as the terminal. */
export const useRoom = ({ width, height, marks }: Room): ViewOptions => {
  const { ascii } = useAppearance()
  const { columns, rows } = useTerminalSize()
  const rowsLeft = rows === 0 ? Number.POSITIVE_INFINITY : rows - 1
  // A host that computes zero rows does not want the whole plan, so at least one row is used.
  return { width: width ?? columns, height: Math.max(1, height ?? rowsLeft), ascii, marks }
}
