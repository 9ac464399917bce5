/** Every example runs as it stands, against the built package and a model that follows a script; the docs quote it truly. */
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { createLoopback, readScript } from "../src/scripted/index.ts"
import { temporaryFolder } from "./stores/temporary.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const run = promisify(execFile)

type Example = {
  /** What it says, in this order. */
  says: readonly string[]
  /** What the model says to it, where it has one; and what it must have been sent. */
  model?: readonly unknown[]
  hears?: readonly string[]
}

const todo = (...todos: object[]) => ({ tool: "todo", input: { todos } })

const expected: Record<string, Example> = {
  "01-todo-tool-in-ten-lines.ts": {
    says: [
      "[ 'TodoWrite' ]",
      "The list is saved.",
      "{ id: '1', content: 'Run the tests', status: 'in_progress' }",
      "{ id: '2', content: 'Fix what fails', status: 'pending' }",
    ],
  },
  "02-an-agent-loop.ts": {
    says: ["1 tool", "▶ Running the tests", "✓ Run the tests", "result for the model: + 2 Publish"],
  },
  "03-a-terminal-app.tsx": { says: ["Todos", "☒ Run the tests", "☒ Publish", "ctrl+t hide todos"] },
  "04-every-component.tsx": {
    says: ["TodoList", "☒ Read the order form", "TaskPanel", "┌─ Tasks", "AgentDetail", "Tasks (1/4)"],
  },
  "05-your-own-loop.ts": {
    model: [
      { calls: [todo({ content: "Write the notes", status: "in_progress" }, { content: "Publish" })] },
      { calls: [{ tool: "todo", input: "{'todos': [{'id': 1, 'status': 'done'}]" }] },
      { text: "The notes are written." },
    ],
    says: ["The notes are written.", "1 completed Write the notes", "2 pending Publish"],
    hears: ["+ 1 Write the notes"],
  },
  "06-ai-sdk.ts": {
    model: [
      { calls: [todo({ content: "Run the tests", status: "in_progress" }, { content: "Publish" })] },
      { calls: [{ tool: "runTests" }] },
      { text: "All pass. Maria has to be asked first." },
    ],
    says: ["▶ Running the tests", "○ Ask Maria before publishing", "Maria has to be asked first."],
    hears: ["The person changed the plan by hand"],
  },
  "07-anthropic-sdk.ts": {
    model: [
      {
        text: "Two steps.",
        calls: [
          {
            tool: "TodoWrite",
            input: {
              todos: [
                { content: "Find the cause", status: "in_progress", activeForm: "Finding the cause" },
                { content: "Repair it", status: "pending", activeForm: "Repairing it" },
              ],
            },
          },
        ],
      },
      { text: "Shall I begin?" },
    ],
    says: ["Two steps.", "Shall I begin?", "in_progress Find the cause", "pending Repair it"],
    hears: ["The list is saved."],
  },
  "08-openai-sdk.ts": {
    model: [
      { calls: [todo({ content: "Measure", status: "in_progress" }, { content: "Find the slowest step" })] },
      { text: "I measure now." },
    ],
    says: ["I measure now.", "1 in_progress Measure", "2 pending Find the slowest step"],
    hears: ["+ 1 Measure"],
  },
  "09-sub-agents.ts": {
    model: [
      { calls: [todo({ content: "Search src", status: "in_progress" })] },
      { calls: [{ tool: "delegate", input: { name: "searcher", todo: "1", task: "Search src for it" } }] },
      { calls: [todo({ id: "1", status: "completed" })] },
      { text: "Three uses, all replaced." },
      { thread: "searcher", when: { prompt: "Search src for it" } },
      { calls: [todo({ content: "Look in forms", status: "completed" }, { content: "Look in views" })] },
      { text: "Two in forms, one in views." },
    ],
    says: ["Three uses, all replaced.", "main: completed Search src", "searcher: 1/2, for todo 1"],
    hears: ["Two in forms, one in views."],
  },
  "10-start-your-own-agent.ts": {
    model: [
      { calls: [todo({ content: "Write the notes", status: "in_progress" }, { content: "Deploy" })] },
      { calls: [{ tool: "Write", input: { file_path: "NOTES.md", content: "# 1.4\n" } }] },
      { calls: [{ tool: "Deploy" }] },
      { text: "The notes are there. When may I deploy?" },
    ],
    says: [
      "in_progress Write the notes",
      "asked: Write NOTES.md?",
      "Write: Created NOTES.md: 1 line",
      "asked: Deploy to staging?",
      "Deploy: Not allowed: Deploy to staging? Only on weekdays.",
      "notice: Stopped with 2 todos open: the agent waits for your answer.",
      "done: The notes are there. When may I deploy?",
    ],
    hears: ["Only on weekdays."],
  },
  "11-read-any-agents-stream.ts": {
    says: [
      "turn started",
      "openai-codex: 0 of 2 done",
      "openai-codex: 1 of 2 done",
      "turn ended",
      "openai-codex: 1 of 2 done, its turn ended with 1 open",
      "pushed: turn",
      "pushed: todo_list",
      "rebuilt: 1/2",
      "completed Run the tests",
      "pending Fix what fails",
    ],
  },
  "12-in-your-own-words.ts": {
    model: [
      {
        calls: [{ tool: "plan", input: { ops: [{ op: "init", list: [{ phase: "Spring", items: ["Dig", "Sow"] }] }] } }],
      },
      { text: "Planned." },
    ],
    says: ["Spring [", "{ content: 'Dig', status: 'completed' }", "{ content: 'Sow', status: 'completed' }"],
    hears: ["No roses, please.", "beds.txt has changed", "2 beds."],
  },
  "13-a-list-in-memory.ts": {
    says: [
      "Running the tests { completed: 0, total: 2, percent: 0 }",
      "Only one todo may be in_progress, but 2 are",
      "true [x] Run the tests",
      "(1/1 completed)",
      "[]",
    ],
  },
  "14-a-list-on-your-own-screen.ts": {
    says: [
      "  Compile\n> Running the tests\n  Publish\n",
      "> Running the tests\n  Publish\n",
      "# Build\n- [x] Compile\n- [/] Run the tests\n  > On Node 20 too.\n\n# Release\n- [ ] Publish\n",
      "[ 'Build', 'Release' ] 3 []",
      "true\nfalse\ntuesday 3",
    ],
  },
  "15-script-an-agent.ts": {
    says: ["Two callers.", "completed Search", "for todo 1: 1/1", "main 3\nsearcher 1\nsearcher 3\nmain 5"],
  },
  "16-onto-the-board.ts": {
    says: [
      '{"type":"todo_list","agentId":"main","items":[{"text":"Fetch the orders","status":"in_progress"}',
      '{"type":"todo_list","agentId":"main","items":[{"text":"Fetch the orders","status":"completed"}',
    ],
  },
}

const examples = readdirSync(`${root}/examples`).filter((name) => /\.tsx?$/.test(name))

/** They are compiled once, in a folder that has the package and its peers installed. */
const compileAll = async (): Promise<string> => {
  const folder = temporaryFolder()
  const installed = join(folder, "node_modules")
  mkdirSync(installed)
  for (const name of readdirSync(`${root}/node_modules`))
    symlinkSync(`${root}/node_modules/${name}`, join(installed, name))
  symlinkSync(root, join(installed, "headway"))
  await build({
    entryPoints: examples.map((name) => `${root}/examples/${name}`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    format: "esm",
    target: "node20",
    jsx: "automatic",
    logLevel: "warning",
  })
  return folder
}

const compiled = await compileAll()
const fileOf = (name: string): string => join(compiled, name.replace(/\.tsx?$/, ".mjs"))

/** As the SDKs read it: who adds the version to an address differs. */
const surroundings = (url: string, name: string): NodeJS.ProcessEnv => ({
  ...process.env,
  HEADWAY_HOME: temporaryFolder(),
  TMPDIR: temporaryFolder(),
  ANTHROPIC_API_KEY: "none",
  ANTHROPIC_BASE_URL: name.includes("anthropic-sdk") ? url : `${url}/v1`,
  OPENAI_API_KEY: "none",
  OPENAI_BASE_URL: `${url}/v1`,
})

describe("examples", () => {
  test("each example has its expected output in this test", () => {
    expect(Object.keys(expected).toSorted()).toEqual(examples.toSorted())
  })

  test.each(examples)("%s runs", async (name) => {
    const { says, model = [], hears = [] } = expected[name] ?? { says: [] }
    const loopback = await createLoopback(readScript(JSON.stringify([...model, { text: "No more." }])))
    try {
      const env = surroundings(loopback.url, name)
      const { stdout } = await run(process.execPath, [fileOf(name)], { cwd: temporaryFolder(), env })
      let at = 0
      for (const part of says) {
        expect(stdout.slice(at)).toContain(part)
        at = stdout.indexOf(part, at) + part.length
      }
      const last = JSON.stringify(loopback.requests.at(-1)?.neutral.messages ?? "")
      for (const words of hears) expect(last).toContain(words)
      expect(loopback.requests.every(({ played }) => "turn" in played)).toBe(true)
    } finally {
      await loopback.close()
    }
  })

  const needy = examples.filter((name) => expected[name]?.model)

  test.each(needy)("%s without its variables names the one it needs in one sentence", async (name) => {
    const { ANTHROPIC_API_KEY: _, OPENAI_API_KEY: __, OPENAI_BASE_URL: ___, ...env } = surroundings("", name)
    const ended = await run(process.execPath, [fileOf(name)], { cwd: temporaryFolder(), env }).catch(
      (cause: unknown) => cause,
    )
    expect(ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^Set [A-Z_]+ to [^\n]+\.\n$/) })
  })

  test("they are part of the package, and their own page lists each with the variable it needs", () => {
    const { files } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as { files: string[] }
    expect(files).toContain("examples")
    const page = readFileSync(`${root}/docs/examples.md`, "utf8")
    const listed = [...page.matchAll(/^\| \[([\w-]+\.tsx?)\]\(\.\.\/examples\/\1\) +\|.*?\| +(?:`(\w+)` +)?\|$/gm)]
    const wanted = examples.map((name) => {
      const [, variable] = /console\.error\("Set (\w+) /.exec(readFileSync(`${root}/examples/${name}`, "utf8")) ?? []
      return [name, variable]
    })
    expect(listed.map(([, name, variable]) => [name, variable])).toEqual(wanted)
  })

  test("the README shows the first example, word for word", () => {
    const code = readFileSync(`${root}/examples/01-todo-tool-in-ten-lines.ts`, "utf8").replace(/^\/\*\*.*\n/, "")
    expect(readFileSync(`${root}/README.md`, "utf8")).toContain(`\`\`\`ts\n${code}\`\`\``)
  })

  const quoting = [
    "06-run-an-agent-under-headway.md",
    "08-the-reference-agent.md",
    "09-plug-into-your-agent.md",
    "11-what-a-host-can-change.md",
  ]

  test.each(quoting)("%s quotes the examples truly", (page) => {
    const all = examples.map((name) => readFileSync(`${root}/examples/${name}`, "utf8"))
    const text = readFileSync(`${root}/docs/guide/${page}`, "utf8")
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)
    // Three doors are shown in a line or two that no example has.
    const quoted = blocks.filter((code) => !/headway\/(?:langchain|acp|mcp)/.test(code))
    expect(quoted.length).toBeGreaterThan(1)
    expect(quoted.filter((code) => !all.some((example) => example.includes(code)))).toEqual([])
  })
})
