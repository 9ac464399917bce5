/** What a program in plain JavaScript is told when it leaves out what the types require. */
import { describe, expect, test } from "vitest"
import { openTracker, toolDefinitions } from "../../src/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"

describe("a program without types", () => {
  const store = createMemoryStore()
  const opening = (options: object) => openTracker(options as Parameters<typeof openTracker>[0])

  test.each([
    ["no session", { store }, "needs the name of a session"],
    ["an empty session", { store, session: "" }, "needs the name of a session"],
    ["no store", { session: "s" }, "needs a store"],
    ["a store it did not wait for", { store: Promise.resolve(store), session: "s" }, "needs a store"],
  ])("that opens a tracker with %s is told what is missing", async (_what, options, says) => {
    await expect(opening(options)).rejects.toThrow(says)
  })

  test("that passes no dialect, or its name, is told to find it", async () => {
    const tracker = await opening({ store, session: "s" })
    const write = tracker.write as (call: object, dialect?: unknown) => Promise<unknown>
    await expect(write({ tool: "todo", input: {} })).rejects.toThrow('such as findDialect("headway")')
    await expect(write({ tool: "todo", input: {} }, "claude-todos")).rejects.toThrow('findDialect("claude-todos")')
    expect(() => toolDefinitions("claude-todos" as never)).toThrow("toolDefinitions needs a dialect")
  })
})
