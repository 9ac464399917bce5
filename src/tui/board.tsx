/** The board on a screen: paints its lines and hands it the keys. */
import { Transform, useInput, useStdin } from "ink"
import { useSyncExternalStore } from "react"
import type { BoardModel } from "./board-model.ts"
import { useLook } from "./look.tsx"
import { paint } from "./paint.ts"

/**
 * The lines are cut and measured already. They go in place of blank ones that never change, for Ink remembers every text it
 * has ever measured, and a board is open all day.
 */
export const Board = ({ model }: { model: BoardModel }) => {
  const { colour } = useLook()
  const { isRawModeSupported } = useStdin()
  useSyncExternalStore(model.subscribe, () => model.version)
  useInput(model.press, { isActive: isRawModeSupported })
  const lines = model.lines().map((line) => paint(line, colour))
  return <Transform transform={(_blank, row) => lines[row] ?? ""}>{blankRows(model.rows)}</Transform>
}

const blankRows = (rows: number): string => Array.from({ length: rows }, () => " ").join("\n")
