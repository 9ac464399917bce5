/** The change of a file as people know it, a unified diff; what looks like a secret is not shown. */
import { formatPatch, type StructuredPatchHunk, structuredPatch } from "diff"
import { sanitiseShown } from "../../plan/sanitise.ts"
import type { ChangedFile } from "./prepare.ts"
import { withoutSecrets } from "./without-secrets.ts"

export const diffText = ({ content, bytes, text }: Pick<ChangedFile, "content" | "bytes" | "text">): string => {
  const { path, bytes: old } = content
  const patch = structuredPatch(
    old === undefined ? "/dev/null" : path,
    bytes === undefined ? "/dev/null" : path,
    content.text,
    text,
    "",
    "",
    { context: 3 },
  )
  // Compared as they are, shown from the whole files without secrets: what makes a line a secret may stand above the part shown.
  const [before, after] = [content.text, text].map((one) => withoutSecrets(one).split("\n"))
  const hunks = patch.hunks.map((hunk) => ({ ...hunk, lines: shownLines(hunk, before ?? [], after ?? []) }))
  const [, ...lines] = formatPatch({ ...patch, hunks }).split("\n")
  return lines.map((line) => sanitiseShown(line.replace(/\r$/, ""))).join("\n")
}

const shownLines = (hunk: StructuredPatchHunk, before: readonly string[], after: readonly string[]): string[] => {
  let [oldLine, newLine] = [hunk.oldStart - 1, hunk.newStart - 1]
  return hunk.lines.map((line) => {
    const sign = line.charAt(0)
    if (sign === "\\") return line
    const shown = sign === "-" ? before[oldLine] : after[newLine]
    if (sign !== "+") oldLine += 1
    if (sign !== "-") newLine += 1
    return `${sign}${shown ?? ""}`
  })
}
