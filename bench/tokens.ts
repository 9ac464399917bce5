/** What a list costs a model: tokens it writes to take a plan from all pending to all completed, and tokens of each tool. */
import { encode } from "gpt-tokenizer"
import { toolDefinitions } from "../src/dialects/definition.ts"
import { dialects, findDialect, promptLevels } from "../src/dialects/index.ts"
import { createMemoryStore } from "../src/stores/memory.ts"
import { openTracker } from "../src/tracker/tracker.ts"
import type { Row } from "./measure.ts"

const count = (value: unknown): number => encode(typeof value === "string" ? value : JSON.stringify(value)).length

const steps = [
  "Read the failing test",
  "Find where the total is rounded",
  "Write a test for the half cent",
  "Fix the rounding",
  "Run the unit tests",
  "Look for the same mistake elsewhere",
  "Fix the invoice module",
  "Fix the refund module",
  "Run the integration tests",
  "Update the changelog",
  "Describe the change in the docs",
  "Add an example",
  "Check the types",
  "Run the linter",
  "Measure the slow path",
  "Cache the exchange rates",
  "Measure again",
  "Ask for a review",
  "Answer the review",
  "Merge and tag the release",
]

/** The calls a model makes, one status step at a time: start the next todo, finish it, go on. */
const outputTokens = async (dialectId: "headway" | "claude-todos"): Promise<number> => {
  const dialect = findDialect(dialectId)
  const tracker = await openTracker({ store: createMemoryStore(), session: "bench" })
  const tool = dialect.toolNames[0]
  const statuses = steps.map((): string => "pending")
  const whole = () => ({
    todos: steps.map((content, index) => ({ content, status: statuses[index], activeForm: `${content}, now` })),
  })
  const first = dialectId === "headway" ? { todos: steps.map((content) => ({ content })) } : whole()
  let tokens = 0
  const send = async (input: unknown) => {
    tokens += count(input)
    const { ok } = await tracker.write({ tool, input }, dialect)
    if (!ok) throw new Error(`${dialectId} refused its own call`)
  }
  await send(first)
  for (const index of steps.keys()) {
    for (const status of ["in_progress", "completed"]) {
      statuses[index] = status
      await send(dialectId === "headway" ? { todos: [{ id: String(index + 1), status }] } : whole())
    }
  }
  return tokens
}

export const tokens = async (): Promise<Row[]> => {
  const whole = await outputTokens("claude-todos")
  const patches = await outputTokens("headway")
  const definitions = Object.values(dialects)
    .filter(({ tools }) => tools.length > 0)
    .flatMap((dialect) =>
      promptLevels.map((level): Row => {
        const definition = toolDefinitions(dialect, { level })
        const sizes = definition.map(({ name, description, inputSchema }) =>
          count({ name, description, input_schema: inputSchema }),
        )
        const total = sizes.reduce((sum, size) => sum + size, 0)
        const parts =
          sizes.length > 1 ? ` (${definition.map(({ name }, index) => `${name} ${sizes[index]}`).join(", ")})` : ""
        return {
          what: `definition of ${dialect.id}, ${level}`,
          figure: `${total} tokens${parts}`,
          ...(level === "quiet" ? { ratio: Math.max(...sizes), limit: 350 } : {}),
        }
      }),
    )
  return [
    { what: "20 todos to completion, claude-todos", figure: `${whole} output tokens` },
    { what: "20 todos to completion, headway", figure: `${patches} output tokens`, ratio: patches / whole, limit: 0.1 },
    ...definitions,
  ]
}
