/** How a screen may draw: with colour or without, with Unicode or ASCII. Set once by the host, read by every component. */
import { createContext, type ReactNode, useContext } from "react"
import { drawsUnicode } from "../../views/text/unicode.ts"

export type Appearance = {
  /** Styles of any kind: colour, bold, dim, struck through. @default true */
  colour: boolean
  /** Draw with ASCII only; the words of a plan stay as they are. @default where the terminal can draw no more, by its environment */
  ascii: boolean
}

const usualAppearance: Appearance = { colour: true, ascii: !drawsUnicode(process.env) }

const AppearanceContext = createContext<Appearance>(usualAppearance)

/** Sets how everything inside is drawn. */
export const AppearanceProvider = ({ children, ...appearance }: Partial<Appearance> & { children: ReactNode }) => {
  const { colour = usualAppearance.colour, ascii = usualAppearance.ascii } = appearance
  return <AppearanceContext.Provider value={{ colour, ascii }}>{children}</AppearanceContext.Provider>
}

export const useAppearance = (): Appearance => useContext(AppearanceContext)
