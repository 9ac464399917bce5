/** The pages of the guide, cut into sections, and what a section tells its reader to type. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./guide-shell.ts"

export type Section = { page: string; heading: string; text: string }

/** A heading inside of a block counts as one too, and only ends the section earlier. */
export const sectionsOf = (page: string): Section[] =>
  `\n${readFileSync(join(root, page), "utf8")}`
    .split(/^#+ (?=[A-Z0-9])/m)
    .map((text) => ({ page, heading: text.slice(0, text.indexOf("\n")), text }))

export const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${language})\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, block = ""]) => block)

export type Typed = { command: string; printed: string | undefined }

/** What is typed in a section, in order. Throws when there is none, so that a heading that changed is noticed. */
export const typedAt = (page: string, heading: string): Typed[] => {
  const section = sectionsOf(page).find((each) => each.heading === heading)
  const typed = blocksIn(section?.text ?? "", "console|sh").flatMap(typedIn)
  if (typed.length === 0) throw new Error(`${page} tells its reader to type nothing under "${heading}"`)
  return typed
}

/** A prompt and what follows it, up to the next; all of a block without one is typed, and nothing is said of what it prints. */
const typedIn = (block: string): Typed[] => {
  const [before = "", ...parts] = block.split(/^\$ /m)
  if (parts.length === 0) return [{ command: before, printed: undefined }]
  return parts.map((part) => {
    const end = part.indexOf("\n")
    return { command: part.slice(0, end), printed: part.slice(end + 1) }
  })
}
