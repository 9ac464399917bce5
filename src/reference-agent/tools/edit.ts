/** Edit: replaces an exact text in a file, once or everywhere. */
import { z } from "zod"
import { similarity } from "../../plan/index.ts"
import { count, linesOf, numbered, textInput } from "./_lines.ts"
import { occurrences } from "./_occurrences.ts"
import { defineTool, failed } from "./define.ts"
import { pathInput, permittedPlaceOf, placeOf, writingOf } from "./paths.ts"
import { digestOf, readToChange, sayBytes, writeTextFile } from "./text-file.ts"
import type { Limits, ToolResult } from "./tool.ts"

export const edit = defineTool({
  name: "Edit",
  description: `Replaces text in a file that was read. "old_string" must appear in the file exactly, with its spaces and
line ends and without line numbers, and only once: take more lines around it if it occurs again, or set "replace_all".`,
  input: z.strictObject({
    file_path: pathInput.describe("From the working folder, or absolute"),
    old_string: textInput.describe("The text to replace"),
    new_string: textInput.describe("The text in its place"),
    replace_all: z.boolean().optional().describe("Replace it everywhere in the file"),
  }),
  example: { file_path: "src/index.ts", old_string: "const a = 1", new_string: "const a = 2" },
  needsPermission: async ({ file_path, old_string, new_string, replace_all = false }, context) => {
    const place = await placeOf(file_path, context.cwd)
    const file = await readToChange(place, context)
    const given = { old: old_string, new: new_string }
    const change = "problem" in file ? given : inLineEndsOf(file.text, given)
    return writingOf(place, {
      act: "Edit",
      extent: replace_all ? ", everywhere this appears in it" : "",
      detail: [...prefixed("-", change.old), ...prefixed("+", change.new)].join("\n"),
    })
  },
  run: async ({ file_path, old_string, new_string, replace_all = false }, context) => {
    if (old_string === "") return failed('"old_string" is empty. To create or rewrite a file, use Write.')
    if (old_string === new_string) return failed('"old_string" and "new_string" are the same: nothing would change.')
    const place = await permittedPlaceOf(file_path, context)
    const file = await readToChange(place, context)
    if ("problem" in file) return failed(file.problem)
    const change = inLineEndsOf(file.text, { old: old_string, new: new_string })
    const places = occurrences(file.text, change.old)
    if (places.length === 0) return failed(sayNearest(file.text, old_string, place.shown, context.limits))
    if (places.length > 1 && !replace_all) return failed(saySeveral(file.text, places, place.shown))
    const length = file.text.length + places.length * (change.new.length - change.old.length)
    if (length > context.limits.fileSize) return failed(sayTooLarge(place.shown, context.limits))
    const text = replaced(file.text, places, change)
    await writeTextFile(place.real, text)
    context.files.remember(place.real, digestOf(text))
    return sayDone({ text, at: places[0] ?? 0, change, times: places.length }, place.shown, context.limits)
  },
})

type Change = { old: string; new: string }

/**
 * Every line with a prefix, even the empty one after a final line break. Without it, removing the line break would be
 * invisible.
 */
const prefixed = (prefix: string, text: string): string[] =>
  text === "" ? [] : text.split("\n").map((line) => `${prefix} ${line}`)

/** Adapts a change to a file's line breaks, because models write plain ones. */
const inLineEndsOf = (text: string, change: Change): Change => {
  if (!text.includes("\r\n") || occurrences(text, change.old, 1).length > 0) return change
  const adapt = (part: string): string => part.replace(/\r?\n/g, "\r\n")
  return { old: adapt(change.old), new: adapt(change.new) }
}

const replaced = (text: string, places: readonly number[], change: Change): string => {
  const parts: string[] = []
  let from = 0
  for (const at of places) {
    parts.push(text.slice(from, at), change.new)
    from = at + change.old.length
  }
  return [...parts, text.slice(from)].join("")
}

const sayTooLarge = (shown: string, { fileSize }: Limits): string =>
  `${shown} would become larger than ${sayBytes(fileSize)}, the most that is edited here. Replace less at once, or use Bash.`

const lineAt = (text: string, at: number): number => linesOf(`${text.slice(0, at)}.`).length

const saySeveral = (text: string, places: readonly number[], shown: string): string => {
  const lines = places.slice(0, 10).map((at) => lineAt(text, at))
  return (
    `"old_string" appears ${places.length} times in ${shown} (line ${lines.join(", ")}${places.length > 10 ? ", …" : ""}). ` +
    'Take more lines around the one you mean, or set "replace_all".'
  )
}

const sayNearest = (text: string, old: string, shown: string, limits: Limits): string => {
  const [lines, wanted] = [linesOf(text), linesOf(old)]
  const sayLines = (from: number, to: number): string =>
    numbered(lines.slice(from, to), { first: from + 1, limits: { ...limits, outputLength: 2000, lineLength: 300 } })
      .text
  const missing = `"old_string" does not appear in ${shown}.`

  const squeezedLines = lines.map(squeezed)
  const [loose] = occurrences(squeezedLines, wanted.map(squeezed), 1)
  if (loose !== undefined) {
    return `${missing} These lines differ from it only in white space:\n${sayLines(loose, loose + wanted.length)}`
  }
  const unnumbered = wanted.map((line) => line.replace(/^\s*\d+\t/, ""))
  if (occurrences(squeezedLines, unnumbered.map(squeezed), 1).length > 0) {
    return `${missing} It would match without the line numbers, which are not part of the file.`
  }
  const near = nearestLine(lines, wanted)
  return near < 0 ? missing : `${missing} The nearest is:\n${sayLines(Math.max(0, near - 2), near + wanted.length + 2)}`
}

const squeezed = (line: string): string => line.replace(/\s+/g, " ").trim()

/** The line that is most similar to the first informative line of `wanted`. */
const nearestLine = (lines: readonly string[], wanted: readonly string[]): number => {
  const first = wanted.find((line) => /\w{2}/.test(line))
  if (first === undefined) return -1
  let best = { at: -1, likeness: 0.4 }
  for (const [at, line] of lines.slice(0, 5000).entries()) {
    const likeness = similarity(first.slice(0, 500), line.slice(0, 500))
    if (likeness > best.likeness) best = { at, likeness }
  }
  return best.at
}

type Done = { text: string; at: number; change: Change; times: number }

const sayDone = ({ text, at, change, times }: Done, shown: string, limits: Limits): ToolResult => {
  const [removed, added] = [linesOf(change.old).length, linesOf(change.new).length]
  const lines = linesOf(text)
  const start = Math.max(0, lineAt(text, at) - 3)
  const around = lines.slice(start, Math.min(start + added + 4, start + 30))
  const more = times > 1 ? ` in ${times} places; the first is` : ""
  return {
    text: `Edited ${shown}${more}:\n${numbered(around, { first: start + 1, limits: { ...limits, outputLength: 4000 } }).text}`,
    display: `Edited ${shown}: ${count(added * times, "line")} in place of ${removed * times}`,
  }
}
