/** The change of a file as people know it, a unified diff; what looks like a secret is not shown. */
import { formatPatch, structuredPatch } from "diff"
import { sanitiseShown } from "../../plan/sanitise.ts"
import { type Line, plainLine, type Style } from "../../views/span.ts"
import type { ChangedFile } from "./prepare.ts"

type Change = Pick<ChangedFile, "content" | "bytes" | "text">

export const diffText = (change: Change): string => `${diffLines(change).map(plainLine).join("\n")}\n`

/** What is taken away in red, what is put in in green. */
export const diffLines = ({ content, bytes, text }: Change): Line[] => {
  const { path, bytes: old } = content
  const names = [old === undefined ? noFile : path, bytes === undefined ? noFile : path] as const
  const patch = structuredPatch(...names, content.text, text, "", "", { context: 3 })
  const styles = [
    ...[titleStyle, titleStyle],
    ...patch.hunks.flatMap(({ lines }) => [placeStyle, ...lines.map((line) => lineStyles[line.charAt(0)])]),
  ]
  // The first line is only a rule, and behind the last break there is nothing.
  const lines = formatPatch(patch).split("\n").slice(1, -1)
  return lines.map((line, index) => [
    { text: sanitiseShown(withoutSecrets(line.replace(/\r$/, ""))), style: styles[index] },
  ])
}

const noFile = "/dev/null"

const titleStyle: Style = { bold: true }
const placeStyle: Style = { colour: "cyan" }
/** By the sign in the first column. */
const lineStyles: Readonly<Record<string, Style>> = { "+": { colour: "green" }, "-": { colour: "red" } }

/** A key and its value, in JSON and in TOML. It begins where a word does, so that a long one is looked at once. */
const pair = /(?<![\w.-])([\w.-]+)("?\s*[:=]\s*)("(?:\\.|[^"\\])*"|'[^']*')/g

const soundsSecret = /key|token|secret|password|passwd|credential|authorization|cookie/i

const withoutSecrets = (line: string): string =>
  line.replace(pair, (all, key: string, between: string) => (soundsSecret.test(key) ? `${key}${between}"***"` : all))
