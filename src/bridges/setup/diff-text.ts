/** The change of a file as people know it, a unified diff; what looks like a secret is not shown. */
import { createTwoFilesPatch } from "diff"
import { sanitise } from "../../plan/sanitise.ts"
import type { ChangedFile } from "./prepare.ts"

export const diffText = ({ content, bytes, text }: Pick<ChangedFile, "content" | "bytes" | "text">): string => {
  const { path, bytes: old } = content
  const patch = createTwoFilesPatch(
    old === undefined ? "/dev/null" : path,
    bytes === undefined ? "/dev/null" : path,
    content.text,
    text,
    "",
    "",
    { context: 3 },
  )
  const [, ...lines] = patch.split("\n")
  return lines.map((line) => visible(withoutSecrets(line.replace(/\r$/, "")))).join("\n")
}

/** A key and its value, in JSON and in TOML. It begins where a word does, so that a long one is looked at once. */
const pair = /(?<![\w.-])([\w.-]+)("?\s*[:=]\s*)("(?:\\.|[^"\\])*"|'[^']*')/g

const soundsSecret = /key|token|secret|password|passwd|credential|authorization|cookie/i

const withoutSecrets = (line: string): string =>
  line.replace(pair, (all, key: string, between: string) => (soundsSecret.test(key) ? `${key}${between}"***"` : all))

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/

/** Nothing in a file steers the terminal; indentation stays. */
const visible = (line: string): string => {
  if (!hidden.test(line)) return line
  const indent = /^.[ \t]*/.exec(line)?.[0] ?? ""
  return `${indent}${sanitise(line.slice(indent.length))}`
}
