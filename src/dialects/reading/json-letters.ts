/** The letters that mean something in broken JSON: brackets, white space, and quotes of all kinds. */

export type Opening = "{" | "[" | "("

/** The bracket that each closing bracket closes. */
export const partners: Record<string, Opening> = { "}": "{", "]": "[", ")": "(" }

export const isSpace = (letter: string): boolean => letter !== "" && letter.trim() === ""

export const afterSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && isSpace(text[at] ?? "")) at += 1
  return at
}

export const isComment = (text: string, at: number): boolean => text.startsWith("//", at) || text.startsWith("/*", at)

const doubleQuotes = '"“”'
const singleQuotes = "'‘’`´"

export const isDoubleQuote = (letter: string): boolean => letter !== "" && doubleQuotes.includes(letter)

export const isQuote = (letter: string): boolean =>
  isDoubleQuote(letter) || (letter !== "" && singleQuotes.includes(letter))

/** A plain quote ends with another plain quote; a typographic one also ends with its variants. */
export const quotesLike = (quote: string): string =>
  quote === '"' || quote === "'" ? quote : isDoubleQuote(quote) ? doubleQuotes : singleQuotes
