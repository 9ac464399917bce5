/** Draws a component as a string, in a look and a width. */
import { renderToString } from "ink"
import type { ReactElement } from "react"
import { type Look, LookProvider } from "../../src/tui/index.ts"

/** In Unicode whatever the machine of the tests says of itself. */
export const draw = (
  element: ReactElement,
  { columns = 80, ascii = false, ...look }: Partial<Look> & { columns?: number } = {},
) =>
  renderToString(
    <LookProvider {...look} ascii={ascii}>
      {element}
    </LookProvider>,
    { columns },
  )

/** What a terminal would show of it. */
export const unstyled = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, "").replace(/ +$/gm, "")
