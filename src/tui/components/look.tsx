/** How a screen may draw: with colour or without, with Unicode or ASCII. Said once by the host, read by every component. */
import { createContext, type ReactNode, useContext } from "react"
import { drawsUnicode } from "../../views/unicode.ts"

export type Look = {
  /** Styles of any kind: colour, bold, dim, struck through. @default true */
  colour: boolean
  /** Draw with ASCII only; the words of a plan stay as they are. @default where the terminal can draw no more, by its environment */
  ascii: boolean
}

const usualLook: Look = { colour: true, ascii: !drawsUnicode(process.env) }

const LookContext = createContext<Look>(usualLook)

/** Sets the look of everything inside. */
export const LookProvider = ({ children, ...look }: Partial<Look> & { children: ReactNode }) => {
  const { colour = usualLook.colour, ascii = usualLook.ascii } = look
  return <LookContext.Provider value={{ colour, ascii }}>{children}</LookContext.Provider>
}

export const useLook = (): Look => useContext(LookContext)
