/** Glob: finds files by a pattern of their paths. */
import { z } from "zod"
import { type FoundFiles, filesIn, nameIn } from "./_files.ts"
import { count } from "./_lines.ts"
import { defineTool, failed } from "./define.ts"
import { type Place, pathInput, permittedPlaceOf, placeOf, readingOf } from "./paths.ts"
import type { ToolContext, ToolResult } from "./tool.ts"

export const glob = defineTool({
  name: "Glob",
  description: `Finds files whose path matches a pattern, such as "src/**/*.ts" or "**/*.{json,yaml}". Folders named .git and
node_modules are left out, and links are not followed. Give "path" to look in another folder than the working one.`,
  input: z.strictObject({
    pattern: pathInput.describe("Relative to the folder"),
    path: pathInput.optional().describe("The folder to look in"),
  }),
  example: { pattern: "src/**/*.ts" },
  isReadOnly: true,
  needsPermission: async ({ path = "." }, { cwd }) => readingOf(await placeOf(path, cwd)),
  run: async ({ pattern, path = "." }, context) => {
    const folder = await permittedPlaceOf(path, context)
    const found = await filesIn(folder, pattern, context)
    if ("problem" in found) return failed(found.problem)
    return list(found, folder, context)
  },
})

const list = ({ paths, isPart }: FoundFiles, folder: Place, { limits }: ToolContext): ToolResult => {
  const part = isPart ? "\n(It took too long; there may be more. Use a narrower pattern.)" : ""
  if (paths.length === 0) return { text: `No file matches.${part}`, display: "No files" }
  const shown: string[] = []
  let length = 0
  for (const path of paths.slice(0, limits.listLength)) {
    const name = nameIn(folder, path)
    length += name.length + 1
    if (length > limits.outputLength) break
    shown.push(name)
  }
  const more = paths.length - shown.length
  return {
    text: `${shown.join("\n")}${more > 0 ? `\n(… and ${more} more. Use a narrower pattern.)` : ""}${part}`,
    display: count(paths.length, "file"),
  }
}
