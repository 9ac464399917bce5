/**
 * How a screen may draw: with or without colour, in Unicode or ASCII. The host sets it once, and every component reads
 * it.
 */
import { createContext, type ReactNode, useContext } from "react"
import { drawsUnicode } from "../../views/text/unicode.ts"

export type Appearance = {
  /** Styles of any kind: colour, bold, dim, struck through. @default true */
  colour: boolean
  /**
   * Draws with ASCII only. A plan's own text stays as it is. @default whether the environment says that the terminal
   * can draw only ASCII
   */
  ascii: boolean
}

const usualAppearance: Appearance = { colour: true, ascii: !drawsUnicode(process.env) }

const AppearanceContext = createContext<Appearance>(usualAppearance)

/** Sets the appearance of all components inside. */
export const AppearanceProvider = ({ children, ...appearance }: Partial<Appearance> & { children: ReactNode }) => {
  const { colour = usualAppearance.colour, ascii = usualAppearance.ascii } = appearance
  return <AppearanceContext.Provider value={{ colour, ascii }}>{children}</AppearanceContext.Provider>
}

export const useAppearance = (): Appearance => useContext(AppearanceContext)
