/** Draws a component as a string, in a look and a width. */
import { renderToString } from "ink"
import type { ReactElement } from "react"
import { type Appearance, AppearanceProvider } from "../../src/tui/index.ts"

/** In Unicode whatever the machine of the tests says of itself. */
export const draw = (
  element: ReactElement,
  { columns = 80, ascii = false, ...appearance }: Partial<Appearance> & { columns?: number } = {},
) =>
  renderToString(
    <AppearanceProvider {...appearance} ascii={ascii}>
      {element}
    </AppearanceProvider>,
    { columns },
  )

/** What a terminal would show of it. */
export const unstyled = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, "").replace(/ +$/gm, "")
