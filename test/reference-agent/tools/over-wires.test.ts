import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText, type LanguageModel, stepCountIs, type ToolSet } from "ai"
import { expect, test } from "vitest"
import { tools } from "../../../src/reference-agent/tools/index.ts"
import { createLoopback } from "../../../src/scripted/loopback.ts"
import { readScript } from "../../../src/scripted/script.ts"
import { openWorkshop } from "./workshop.ts"

const ways: [string, (url: string) => LanguageModel][] = [
  ["@ai-sdk/anthropic", (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: "k" })("claude-sonnet-5")],
  ["@ai-sdk/openai", (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: "k" })("gpt-5.1")],
  ["@ai-sdk/openai, chat", (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: "k" }).chat("gpt-4.1")],
  ["@ai-sdk/openai-compatible", (url) => createOpenAICompatible({ baseURL: `${url}/v1`, name: "local" })("qwen")],
  ["@ai-sdk/google", (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: "k" })("gemini-2.5-pro")],
]

const task = readScript(
  JSON.stringify([
    {
      calls: [
        { tool: "Glob", input: { pattern: "**/*.js" } },
        { tool: "Grep", input: { pattern: "- b" } },
      ],
    },
    { text: "A minus.", calls: [{ tool: "Read", input: { file_path: "add.js", offset: "1" } }] },
    { calls: [{ tool: "Edit", input: { file_path: "add.js", old_string: "a - b", new_string: "a + b" } }] },
    { calls: [{ tool: "Write", input: { file_path: "try.sh", content: "node add.js\n" } }] },
    {
      calls: [
        { tool: "Bash", input: { command: 'node -p "($(cat add.js))(2, 3)"' } },
        { tool: "Read", input: {} },
      ],
    },
    { text: "It adds now." },
  ]),
)

test.each(ways)("%s gets the tools, and completes a small task", async (_, connect) => {
  const loopback = await createLoopback(task)
  const { cwd, run } = openWorkshop({ "add.js": "(a, b) => a - b" })
  const offered = Object.fromEntries(
    Object.entries(tools).map(([name, { description, input }]) => {
      const execute = async (given: unknown) => (await run(name as keyof typeof tools, given)).text
      return [name, { description, inputSchema: input, execute }]
    }),
  ) as unknown as ToolSet
  const { text } = await generateText({
    model: connect(loopback.url),
    tools: offered,
    prompt: "Mend add.js.",
    stopWhen: stepCountIs(20),
  })
  await loopback.close()

  expect(text).toBe("It adds now.")
  expect(readFileSync(join(cwd, "add.js"), "utf8")).toBe("(a, b) => a + b")
  const [first, last] = [loopback.requests[0]?.neutral, loopback.requests.at(-1)?.neutral]
  expect(first?.tools.map(({ name }) => name)).toEqual(Object.keys(tools))
  expect(JSON.stringify(first?.tools.find(({ name }) => name === "Read")?.schema)).toMatch(/"offset":\{[^}]*"integer"/i)
  const results = last?.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "result" ? [part.text] : [])),
  )
  expect(results).toEqual([
    "add.js",
    "add.js:1:(a, b) => a - b",
    "1\t(a, b) => a - b",
    "Edited add.js:\n1\t(a, b) => a + b",
    "Created try.sh, 1 line.",
    "5",
    expect.stringMatching(/file_path/),
  ])
})
