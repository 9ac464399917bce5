/** Every call of the corpus, through the command line: the list after it, whether it was taken, and what is said. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { PlanEvent, Todo } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { atHome } from "./run-cli.ts"

type Call = {
  name: string
  dialect: string
  tool: string
  input?: unknown
  /** The input as it came, where it is not JSON. */
  raw?: string
  before?: Partial<Todo>[]
  ok: boolean
  after: Partial<Todo>[]
  /** What the model must be told, among other things. */
  says?: string[]
}

const calls = readFileSync(new URL("../fixtures/calls.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Call)

const key = { session: "s", agent: "main" }

describe("write --json", () => {
  test.each(calls)("$dialect: $name (N2)", async ({ dialect, tool, input, raw, before = [], ok, after, says = [] }) => {
    const { home, run } = atHome()
    if (before.length > 0) {
      const added = before.map(
        (todo, index): PlanEvent => ({
          type: "todo-added",
          todo: { id: String(index + 1), content: "", status: "pending", ...todo },
        }),
      )
      await createFileStore({ home: join(home, ".headway") }).append(key, {
        v: 1,
        id: "before",
        at: "2029-12-31T00:00:00Z",
        by: { kind: "system", id: "test" },
        events: [{ type: "plan-opened", ...key }, ...added],
      })
    }
    const argv = ["write", "--new", "--json", "--session", "s", "--dialect", dialect, "--tool", tool]
    const { code, out } = await run(argv, { input: raw ?? JSON.stringify(input) })
    const written = JSON.parse(out)
    expect(written.plan.todos).toMatchObject(after)
    expect([written.ok, code]).toEqual([ok, ok ? 0 : 1])
    for (const words of says) expect(written.text.toLowerCase()).toContain(words.toLowerCase())
  })
})
