import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ToolName, tools } from "../../../src/reference-agent/tools/index.ts"
import { describeTool, type ToolUnderTest } from "../../contracts/tool.ts"

const longLines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${"word ".repeat(10)}`).join("\n")
const oneLine = "word ".repeat(200_000)

const large: Record<ToolName, ToolUnderTest["large"]> = {
  Read: async ({ cwd }) => {
    writeFileSync(join(cwd, "long.txt"), longLines)
    writeFileSync(join(cwd, "wide.txt"), oneLine)
    return ["long.txt", "wide.txt"].flatMap((file_path) => [{ file_path }, { file_path, offset: 1, limit: 1_000_000 }])
  },
  Write: async () => [{ file_path: "long.txt", content: longLines }],
  Edit: async ({ cwd, run }) => {
    writeFileSync(join(cwd, "long.txt"), longLines)
    writeFileSync(join(cwd, "wide.txt"), oneLine)
    await run("Read", { file_path: "long.txt" })
    await run("Read", { file_path: "wide.txt" })
    return [
      { file_path: "long.txt", old_string: "word", new_string: "other" },
      { file_path: "long.txt", old_string: "wrod ".repeat(5000), new_string: "other" },
      { file_path: "long.txt", old_string: longLines, new_string: `${longLines}\n${longLines}` },
      { file_path: "wide.txt", old_string: "word", new_string: "longer word", replace_all: true },
    ]
  },
  Bash: async ({ cwd }) => {
    writeFileSync(join(cwd, "long.txt"), longLines)
    return [
      { command: "cat long.txt long.txt" },
      { command: "cat long.txt >&2; exit 3" },
      { command: "yes | head -c 5000000" },
    ]
  },
  Glob: async ({ cwd }) => {
    for (let folder = 0; folder < 20; folder += 1) {
      mkdirSync(join(cwd, `folder-${folder}`))
      for (let file = 0; file < 200; file += 1)
        writeFileSync(join(cwd, `folder-${folder}`, `a-file-of-some-name-${file}`), "")
    }
    return [{ pattern: "**" }, { pattern: "**/*" }]
  },
  Grep: async ({ cwd }) => {
    writeFileSync(join(cwd, "long.txt"), longLines)
    writeFileSync(join(cwd, "wide.txt"), oneLine)
    return [{ pattern: "word" }, { pattern: "word", context: 20 }, { pattern: "word", output_mode: "count" }]
  },
}

for (const [name, tool] of Object.entries(tools)) {
  describeTool(name as ToolName, tool, { large: large[name as ToolName] })
}
