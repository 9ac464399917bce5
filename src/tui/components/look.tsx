/** How a screen may draw: with colour or without, with Unicode or ASCII. Said once by the host, read by every component. */
import { createContext, type ReactNode, useContext } from "react"

export type Look = {
  /** Styles of any kind: colour, bold, dim, struck through. @default true */
  colour: boolean
  /** Draw with ASCII only; the words of a plan stay as they are. @default false */
  ascii: boolean
}

const LookContext = createContext<Look>({ colour: true, ascii: false })

/** Sets the look of everything inside. */
export const LookProvider = ({ colour = true, ascii = false, children }: Partial<Look> & { children: ReactNode }) => (
  <LookContext.Provider value={{ colour, ascii }}>{children}</LookContext.Provider>
)

export const useLook = (): Look => useContext(LookContext)
