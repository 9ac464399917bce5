/** The board on a screen: hands it the keys, and hands on every frame it becomes. */
import { useInput, useStdin } from "ink"
import { useLayoutEffect, useSyncExternalStore } from "react"
import { useLook } from "../components/look.tsx"
import { type Painted, paintRows } from "../terminal/paint.ts"
import type { BoardModel } from "./model.ts"

type BoardProps = {
  model: BoardModel
  /** Takes a whole frame, its rows separated by line breaks. */
  onFrame(frame: Painted): void
}

/**
 * Draws nothing through Ink. Its lines are cut, measured and styled already; Ink would take them apart character by
 * character again, ten times the work of everything else, and remember every text it has ever measured.
 */
export const Board = ({ model, onFrame }: BoardProps) => {
  const { colour } = useLook()
  const { isRawModeSupported } = useStdin()
  const version = useSyncExternalStore(model.subscribe, () => model.version)
  useInput(model.press, { isActive: isRawModeSupported })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when there is something new to draw
  useLayoutEffect(() => {
    onFrame(paintRows(model.lines(), colour))
  }, [model, version, colour, onFrame])
  return null
}
