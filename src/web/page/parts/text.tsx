/** Untrusted text on the page: never HTML, without hidden characters, with its own text direction, and shortened. */
import { memo } from "react"
import { sanitise, sanitiseBlock } from "../../../plan/text/sanitise.ts"
import { makeVisible } from "../../../plan/text/visible.ts"

type TextProps = {
  of: string
  /** In characters. @default 10,000 */
  most?: number
  /** `lines` keeps line breaks. `exact` also shows hidden characters, for a permission. @default "line" */
  as?: "line" | "lines" | "exact"
  className?: string
}

export const Text = memo(({ of, most = 10_000, as = "line", className }: TextProps) => (
  <span dir="auto" className={as === "line" ? className : `lines ${className ?? ""}`}>
    {shownText(of, most, as)}
  </span>
))

export const shownText = (text: string, most: number, as: TextProps["as"] = "line"): string => {
  const cut = text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
  return makers[as](cut)
}

const makers = { line: sanitise, lines: sanitiseBlock, exact: makeVisible } as const

/** Texts with unique keys for a list; some texts may be equal. */
export const keyed = (texts: readonly string[]): [key: string, text: string][] => {
  const counts = new Map<string, number>()
  return texts.map((text) => {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return [`${count} ${text}`, text]
  })
}
