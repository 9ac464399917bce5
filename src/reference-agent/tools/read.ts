/** Read: reads a text file, with line numbers. */
import { z } from "zod"
import { count, linesOf, numbered } from "./_lines.ts"
import { defineTool, failed } from "./define.ts"
import { pathInput, permittedPlaceOf, placeOf, readingOf } from "./paths.ts"
import { digestOf, readTextFile, sayBytes, type TextFile } from "./text-file.ts"
import type { Limits, ToolResult } from "./tool.ts"

export const read = defineTool({
  name: "Read",
  description: `Reads a text file. Each line comes with its number and a tab in front, which are not part of the file.
Long files come in parts: give "offset" (the first line, from 1) and "limit" (how many lines) to see others.
A file must be read before Edit or Write may change it.`,
  input: z.strictObject({
    file_path: pathInput.describe("From the working folder, or absolute"),
    offset: z.coerce.number().int().min(1).optional().describe("First line, from 1"),
    limit: z.coerce.number().int().min(1).optional().describe("How many lines"),
  }),
  example: { file_path: "src/index.ts" },
  isReadOnly: true,
  needsPermission: async ({ file_path }, { cwd }) => readingOf(await placeOf(file_path, cwd)),
  run: async ({ file_path, offset = 1, limit }, context) => {
    const place = await permittedPlaceOf(file_path, context)
    const file = await readTextFile(place, context)
    if ("problem" in file) return failed(file.problem)
    if (!file.isCut) context.files.remember(place.real, digestOf(file.text))
    return show(file, { shown: place.shown, offset, limit, limits: context.limits })
  },
})

type Part = { shown: string; offset: number; limit: number | undefined; limits: Limits }

const show = (file: TextFile, { shown, offset, limit, limits }: Part): ToolResult => {
  const lines = linesOf(file.text.replace(/^\uFEFF/, ""))
  if (lines.length === 0) return { text: `${shown} is empty.`, display: `Read ${shown}: empty` }
  if (offset > lines.length) {
    return failed(`${shown} has only ${count(lines.length, "line")}${file.isCut ? " in the part that is read" : ""}.`)
  }
  const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit)
  const { text, count: taken } = numbered(wanted, { first: offset, limits })
  const last = offset + taken - 1
  const notes = [
    ...(last < lines.length
      ? [`Lines ${offset} to ${last} of ${lines.length}. Continue with "offset": ${last + 1}.`]
      : []),
    ...(file.isCut
      ? [`Only the first ${sayBytes(limits.fileSize)} of ${sayBytes(file.size)} can be read here; Bash can do more.`]
      : []),
    ...(file.isDamaged ? ["Not all of it is UTF-8; invalid bytes show as \ufffd."] : []),
  ]
  return {
    text: notes.length > 0 ? `${text}\n\n(${notes.join(" ")})` : text,
    display: `Read ${shown}: ${count(taken, "line")}`,
  }
}
