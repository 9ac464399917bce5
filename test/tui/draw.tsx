/** Draws a component as a string, in a look and a width. */
import { renderToString } from "ink"
import type { ReactElement } from "react"
import { type Appearance, AppearanceProvider } from "../../src/tui/index.ts"

export const draw = (
  element: ReactElement,
  { columns = 80, ...appearance }: Partial<Appearance> & { columns?: number } = {},
) => renderToString(<AppearanceProvider {...appearance}>{element}</AppearanceProvider>, { columns })

/** What a terminal would show of it. */
export const unstyled = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, "").replace(/ +$/gm, "")
