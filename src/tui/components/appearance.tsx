/** How a screen may draw: with colour or without, with Unicode or ASCII. Set once by the host, read by every component. */
import { createContext, type ReactNode, useContext } from "react"

export type Appearance = {
  /** Styles of any kind: colour, bold, dim, struck through. @default true */
  colour: boolean
  /** Draw with ASCII only; the words of a plan stay as they are. @default false */
  ascii: boolean
}

const AppearanceContext = createContext<Appearance>({ colour: true, ascii: false })

/** Sets how everything inside is drawn. */
export const AppearanceProvider = ({
  colour = true,
  ascii = false,
  children,
}: Partial<Appearance> & { children: ReactNode }) => (
  <AppearanceContext.Provider value={{ colour, ascii }}>{children}</AppearanceContext.Provider>
)

export const useAppearance = (): Appearance => useContext(AppearanceContext)
