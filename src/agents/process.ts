/** Recognises an agent's processes by their arguments. */
import { basename } from "node:path"
import type { Agent } from "./agent.ts"

type Known = Pick<Agent, "program" | "packages" | "process">

/** The agent's own program, or an interpreter that runs it. */
export const isProcessOf = ({ program, packages = [], process }: Known, words: readonly string[]): boolean => {
  const names = new Set([program, ...(process?.names ?? []), ...packages.map((name) => name.split("/").at(-1))])
  const isNamed = (path = ""): boolean => {
    const parts = path.split(/[\\/]/)
    return parts.some((name, index) => names.has(bareName(name)) && !isOtherPackage(packages, parts, index))
  }
  const [first = "", ...others] = words
  // A program may set its own title, which is in the first word, together with other text.
  if (names.has(bareName(basename(first.split(" ")[0] ?? "")))) return true
  return interpreters.has(bareName(basename(first))) && isNamed(others.find((word) => !word.startsWith("-")))
}

/** Whether a name in a path belongs to a package of another scope, because forks often keep an agent's name. */
const isOtherPackage = (packages: readonly string[], parts: readonly string[], index: number): boolean => {
  const scope = parts[index - 1] ?? ""
  return scope.startsWith("@") && !packages.includes(`${scope}/${parts[index]}`)
}

/** Whether the process may be working on a session of any folder: a server, which several clients share. */
export const servesAnyFolder = ({ process }: Known, words: readonly string[]): boolean =>
  words.some((word) => process?.serves?.includes(word))

const interpreters: ReadonlySet<string> = new Set(["node", "bun", "deno", "nodejs"])

const bareName = (name: string): string => name.replace(/\.(?:exe|js|mjs|cjs)$/, "")
