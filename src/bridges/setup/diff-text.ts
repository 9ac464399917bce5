/** The change of a file as a unified diff, with secrets hidden. */
import { formatPatch, type StructuredPatchHunk, structuredPatch } from "diff"
import { sanitiseShown } from "../../plan/text/sanitise.ts"
import { type Line, plainLine, type Style } from "../../views/text/span.ts"
import type { ChangedFile } from "./prepare.ts"
import { withoutSecrets } from "./without-secrets.ts"

type Change = Pick<ChangedFile, "content" | "bytes" | "text">

export const diffText = (change: Change): string => `${diffLines(change).map(plainLine).join("\n")}\n`

/** What is removed in red, what is put in in green. */
export const diffLines = ({ content, bytes, text }: Change): Line[] => {
  const { path, bytes: old } = content
  const names = [old === undefined ? noFile : path, bytes === undefined ? noFile : path] as const
  const patch = structuredPatch(...names, content.text, text, "", "", { context: 3 })
  const styles = [
    ...[titleStyle, titleStyle],
    ...patch.hunks.flatMap(({ lines }) => [placeStyle, ...lines.map((line) => lineStyles[line.charAt(0)])]),
  ]
  // Compared as they are, shown from the whole files without secrets: what makes a line a secret may be above the part shown.
  const [before, after] = [content.text, text].map((one) => withoutSecrets(one).split("\n"))
  const hunks = patch.hunks.map((hunk) => ({ ...hunk, lines: shownLines(hunk, before ?? [], after ?? []) }))
  // The first line is only a rule, and behind the last break there is nothing.
  const lines = formatPatch({ ...patch, hunks })
    .split("\n")
    .slice(1, -1)
  return lines.map((line, index) => [{ text: sanitiseShown(line.replace(/\r$/, "")), style: styles[index] }])
}

const noFile = "/dev/null"

const titleStyle: Style = { bold: true }
const placeStyle: Style = { colour: "cyan" }
/** By the sign in the first column. */
const lineStyles: Readonly<Record<string, Style>> = { "+": { colour: "green" }, "-": { colour: "red" } }

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
