/** The change of a file as people know it, a unified diff; what looks like a secret is not shown. */
import { createTwoFilesPatch } from "diff"
import { sanitiseShown } from "../../plan/sanitise.ts"
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
  return lines.map((line) => sanitiseShown(withoutSecrets(line.replace(/\r$/, "")))).join("\n")
}

/** A key and its value, in JSON and in TOML. It begins where a word does, so that a long one is looked at once. */
const pair = /(?<![\w.-])([\w.-]+)("?\s*[:=]\s*)("(?:\\.|[^"\\])*"|'[^']*')/g

const soundsSecret = /key|token|secret|password|passwd|credential|authorization|cookie/i

const withoutSecrets = (line: string): string =>
  line.replace(pair, (all, key: string, between: string) => (soundsSecret.test(key) ? `${key}${between}"***"` : all))
