/** Every example runs as it stands, against the built package, and the docs quote it truly. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const run = promisify(execFile)

/** What each example says, in this order. */
const expected: Record<string, readonly string[]> = {
  "01-todo-tool-in-ten-lines.ts": [
    "The list is saved.",
    "{ id: '1', content: 'Run the tests', status: 'in_progress' }",
    "{ id: '2', content: 'Fix what fails', status: 'pending' }",
  ],
  "02-an-agent-loop.ts": ["1 tool", "▶ Running the tests", "✓ Run the tests", "result for the model: + 2 Publish"],
  "03-a-terminal-app.tsx": ["Todos", "☒ Run the tests", "☒ Publish", "ctrl+t hide todos"],
  "04-every-component.tsx": [
    "TodoList",
    "☒ Read the order form",
    "TaskPanel",
    "╭─ Tasks",
    "AgentDetail",
    "Tasks (1/4)",
  ],
}

const examples = readdirSync(`${root}/examples`).filter((name) => /\.tsx?$/.test(name))

describe("examples", () => {
  test("each example has its expected output here", () => {
    expect(Object.keys(expected).toSorted()).toEqual(examples.toSorted())
  })

  test.each(examples)("%s runs", async (name) => {
    const { stdout } = await run(process.execPath, ["--import", "tsx", `examples/${name}`], { cwd: root })
    let at = 0
    for (const part of expected[name] ?? []) {
      expect(stdout.slice(at)).toContain(part)
      at = stdout.indexOf(part, at) + part.length
    }
  })

  test("the README shows the first example, word for word", () => {
    const code = readFileSync(`${root}/examples/01-todo-tool-in-ten-lines.ts`, "utf8").replace(/^\/\*\*.*\n/, "")
    expect(readFileSync(`${root}/README.md`, "utf8")).toContain(`\`\`\`ts\n${code}\`\`\``)
  })
})
