/** Write: writes a whole file, new or replacing one that was read. */
import { stat } from "node:fs/promises"
import { z } from "zod"
import { count, linesOf, textInput } from "./_lines.ts"
import { defineTool, failed } from "./define.ts"
import { pathInput, permittedPlaceOf, placeOf, writingOf } from "./paths.ts"
import { digestOf, readToChange, writeTextFile } from "./text-file.ts"

export const write = defineTool({
  name: "Write",
  description: `Writes a whole file and creates missing folders. To change a part of a file, use Edit.
A file that exists must have been read first.`,
  input: z.strictObject({
    file_path: pathInput.describe("From the working folder, or absolute"),
    content: textInput.describe("All of the file"),
  }),
  example: { file_path: "notes.txt", content: "First line\n" },
  needsPermission: async ({ file_path, content }, { cwd }) => {
    const place = await placeOf(file_path, cwd)
    const isThere = await stat(place.real).then(
      () => true,
      () => false,
    )
    const act = isThere ? "Write over" : "Write"
    return writingOf(place, { act, extent: content === "" ? ", empty" : "", detail: content })
  },
  run: async ({ file_path, content }, context) => {
    const place = await permittedPlaceOf(file_path, context)
    const before = await readToChange(place, context)
    if ("problem" in before && !before.isMissing) return failed(before.problem)
    await writeTextFile(place.real, content)
    context.files.remember(place.real, digestOf(content))
    const lines = count(linesOf(content).length, "line")
    const verb = "problem" in before ? "Created" : "Wrote"
    return { text: `${verb} ${place.shown}, ${lines}.`, display: `${verb} ${place.shown}: ${lines}` }
  },
})
