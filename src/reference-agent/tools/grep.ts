/** Grep: finds lines that match a regular expression in the files of a folder. */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { filesIn, nameIn } from "./_files.ts"
import { count, cutLine, linesOf } from "./_lines.ts"
import { createSearch, readExpression, type Search } from "./_search.ts"
import { defineTool, failed } from "./define.ts"
import { type Place, pathInput, permittedPlaceOf, placeOf, readingOf } from "./paths.ts"
import { readTextFile } from "./text-file.ts"
import type { Limits, ToolContext, ToolResult } from "./tool.ts"

const modes = ["content", "files", "count"] as const

export const grep = defineTool({
  name: "Grep",
  description: `Finds lines that match a regular expression (of JavaScript, line by line). "glob" narrows the files, "path" gives
another folder or one file. "output_mode" is "content" for the lines with their numbers (the default), "files" for the
files that have any, "count" for how many each has. Binary files, .git and node_modules are left out.`,
  input: z.strictObject({
    pattern: z.string().min(1).max(2000).describe("A regular expression"),
    path: pathInput.optional().describe("A folder or a file"),
    glob: pathInput.optional().describe('Which files, such as "**/*.ts"'),
    output_mode: z.enum(modes).optional(),
    ignore_case: z.boolean().optional(),
    context: z.coerce.number().int().min(0).max(20).optional().describe("How many lines to show around each"),
    limit: z.coerce.number().int().min(1).optional().describe("How many matches, or files, at most"),
  }),
  example: { pattern: "function \\w+\\(", glob: "src/**/*.ts", output_mode: "content" },
  isReadOnly: true,
  needsPermission: async ({ path = "." }, { cwd }) => readingOf(await placeOf(path, cwd)),
  run: async (
    { pattern, path = ".", glob = "**/*", output_mode: mode = "content", context: around = 0, ...more },
    context,
  ) => {
    const expression = readExpression(pattern, more.ignore_case ?? false)
    if ("problem" in expression) return failed(expression.problem)
    const search = createSearch(expression)
    const place = await permittedPlaceOf(path, context)
    const files = (await isFile(place)) ? { paths: [""], isPart: false } : await filesIn(place, globOf(glob), context)
    if ("problem" in files) return failed(files.problem)
    const found = await searchFiles(files.paths, { place, search, mode, around }, context)
    if ("problem" in found) return failed(found.problem)
    return report({ ...found, isPart: found.isPart || files.isPart }, more.limit, context.limits)
  },
})

const isFile = ({ real }: Place): Promise<boolean> =>
  stat(real).then(
    (found) => found.isFile(),
    () => false,
  )

/** A pattern without a folder matches files at any depth, as in other search tools. */
const globOf = (pattern: string): string => (pattern.includes("/") ? pattern : `**/${pattern}`)

type Found = {
  /** The entries of the answer, in order. */
  entries: string[]
  matches: number
  files: number
  /** Whether some files were not searched. */
  isPart: boolean
  skipped: number
}

type Asked = { place: Place; search: Search; mode: (typeof modes)[number]; around: number }

const atOnce = 8

const searchFiles = async (
  paths: readonly string[],
  asked: Asked,
  context: ToolContext,
): Promise<Found | { problem: string }> => {
  const found: Found = { entries: [], matches: 0, files: 0, isPart: false, skipped: 0 }
  const time = AbortSignal.timeout(context.limits.searchTime)
  for (let at = 0; at < paths.length; at += atOnce) {
    context.signal.throwIfAborted()
    if (time.aborted || found.entries.length > context.limits.listLength) return { ...found, isPart: true }
    const some = paths.slice(at, at + atOnce)
    const texts = await Promise.all(some.map((path) => textOf(join(asked.place.real, path), context)))
    for (const [index, text] of texts.entries()) {
      const name = nameIn(asked.place, some[index] ?? "")
      if (text === undefined) found.skipped += 1
      else if (!searchText(text, name, asked, found, context.limits)) {
        return { problem: `The pattern takes too long on ${name}. Write it without repetitions in repetitions.` }
      }
    }
  }
  return found
}

/** The text of a file; undefined if it cannot be searched because it is too large, binary, missing or a link. */
const textOf = async (path: string, context: ToolContext): Promise<string | undefined> => {
  const file = await readTextFile({ real: path, shown: path }, context).catch(() => undefined)
  return file && "text" in file && !file.isCut ? file.text : undefined
}

/** Adds the matches of one file. Returns false if the pattern takes too long. */
const searchText = (
  text: string,
  name: string,
  { search, mode, around }: Asked,
  found: Found,
  limits: Limits,
): boolean => {
  const lines = linesOf(text)
  const matches = search(lines)
  if (!matches) return false
  if (matches.length === 0) return true
  found.matches += matches.length
  found.files += 1
  if (mode === "content") found.entries.push(...contentOf(lines, matches, { name, around, limits }))
  else found.entries.push(mode === "files" ? name : `${name}: ${matches.length}`)
  return true
}

/** One entry per match, with the lines around it that earlier matches have not shown. */
const contentOf = (
  lines: readonly string[],
  matches: readonly number[],
  { name, around, limits }: { name: string; around: number; limits: Limits },
): string[] => {
  const lineLength = Math.min(longestLine, limits.lineLength)
  const isMatch = new Set(matches)
  const entries: string[] = []
  let next = 0
  for (const at of matches.slice(0, limits.listLength + 1)) {
    const from = Math.max(next, at - around)
    const to = Math.max(from, Math.min(lines.length, at + around + 1))
    const shown = lines.slice(from, to).map((line, index) => {
      const separator = isMatch.has(from + index) ? ":" : "-"
      return `${name}${separator}${from + index + 1}${separator}${cutLine(line, { lineLength })}`
    })
    if (around > 0 && from > next && next > 0) shown.unshift("--")
    if (shown.length > 0) entries.push(shown.join("\n"))
    next = to
  }
  return entries
}

const longestLine = 300

const report = (found: Found, limit: number | undefined, limits: Limits): ToolResult => {
  const { entries, matches, files, isPart, skipped } = found
  const shown: string[] = []
  let length = 0
  for (const entry of entries.slice(0, Math.min(limit ?? limits.listLength, limits.listLength))) {
    length += entry.length + 1
    if (length > limits.outputLength) break
    shown.push(entry)
  }
  const notes = [
    ...(isPart || shown.length < entries.length ? ["There is more. Use a narrower pattern."] : []),
    ...(skipped > 0 ? [`Left out (binary, too large or unreadable): ${skipped}.`] : []),
  ]
  const text = shown.length > 0 ? shown.join("\n") : "No line matches."
  return {
    text: notes.length > 0 ? `${text}\n(${notes.join(" ")})` : text,
    display: matches === 0 ? "No matches" : `${count(matches, "match", "matches")} in ${count(files, "file")}`,
  }
}
