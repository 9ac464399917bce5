/** A change of a list shows when its result is in: what is refused never shows, not even for a moment. */
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createDiscovery, type Discovery } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const folder = temporaryFolder()
const start = Date.UTC(2026, 0, 1)
const timeOf = (second: number): Date => new Date(start + second * 1000)

const line = (second: number, fields: object): string =>
  `${JSON.stringify({
    parentUuid: "p",
    isSidechain: false,
    sessionId: "s1",
    cwd: "/p",
    version: "2.1.50",
    uuid: `u${second}`,
    timestamp: timeOf(second).toISOString(),
    ...fields,
  })}\n`

const prompt = { type: "user", message: { role: "user", content: "Go" } }

const call = (id: string, ...todos: string[]): object => ({
  type: "assistant",
  message: {
    role: "assistant",
    model: "m",
    content: [
      {
        type: "tool_use",
        id,
        name: "TodoWrite",
        input: {
          todos: todos.map((one) => {
            const [status, content] = one.split(" ")
            return { content, status, activeForm: content }
          }),
        },
      },
    ],
  },
})

const result = (id: string, isError = false): object => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "…", is_error: isError }] },
})

const open = (): { discovery: Discovery; write: (second: number, fields: object) => void } => {
  const home = mkdtempSync(join(folder, "home-"))
  const path = join(home, ".claude/projects/-p/s1.jsonl")
  mkdirSync(join(path, ".."), { recursive: true })
  writeFileSync(path, line(0, prompt))
  const discovery = createDiscovery({ sources, env: {}, home })
  return { discovery, write: (second, fields) => appendFileSync(path, line(second, fields)) }
}

/** What is shown: the list, and how far it is. */
const look = async ({ refresh }: Discovery, second: number, changed?: ReadonlySet<string>) => {
  const [session] = await refresh(timeOf(second), changed)
  const plan = session?.plan?.todos.map(({ status, content }) => `${status} ${content}`)
  const whole = (await session?.readPlan())?.todos.map(({ status, content }) => `${status} ${content}`)
  expect(whole).toEqual(plan)
  expect(session?.summary?.todos ?? 0).toBe(plan?.length ?? 0)
  return plan
}

describe("a list whose call has no result yet", () => {
  test("shows once it has its result", async () => {
    const { discovery, write } = open()
    write(1, call("c1", "pending Read"))
    expect(await look(discovery, 2)).toBeUndefined()
    write(2, result("c1"))
    expect(await look(discovery, 3)).toEqual(["pending Read"])
    write(3, call("c2", "completed Read"))
    expect(await look(discovery, 4)).toEqual(["pending Read"])
    write(4, result("c2"))
    expect(await look(discovery, 5)).toEqual(["completed Read"])
    discovery.close()
  })

  test("is never shown when it is refused", async () => {
    const { discovery, write } = open()
    write(1, call("c1", "pending Read"))
    write(2, result("c1"))
    write(3, call("c2", "completed Read"))
    expect(await look(discovery, 4)).toEqual(["pending Read"])
    write(4, result("c2", true))
    expect(await look(discovery, 5)).toEqual(["pending Read"])
    discovery.close()
  })

  test("counts where one before it has its result, when that of another is missing", async () => {
    const { discovery, write } = open()
    write(1, call("c1", "pending Read"))
    write(2, call("c2", "pending Read", "pending Run"))
    write(3, result("c2"))
    expect(await look(discovery, 4)).toEqual(["pending Read", "pending Run"])
    discovery.close()
  })

  test.each([
    ["the turn has ended", { type: "assistant", message: { role: "assistant", content: [], stop_reason: "end_turn" } }],
    ["something else is asked", prompt],
  ])("counts once %s: no result will come", async (_, after) => {
    const { discovery, write } = open()
    write(1, call("c1", "pending Read"))
    write(2, after)
    expect(await look(discovery, 3)).toEqual(["pending Read"])
    discovery.close()
  })

  test("counts when nothing has come for as long as an agent is taken to be working", async () => {
    const { discovery, write } = open()
    write(1, call("c1", "pending Read"))
    expect(await look(discovery, 2)).toBeUndefined()
    expect(await look(discovery, 300)).toBeUndefined()
    expect(await look(discovery, 301)).toEqual(["pending Read"])
    expect(await look(discovery, 302, new Set())).toEqual(["pending Read"])
    discovery.close()
  })

  test("counts where no line has a time, as in an excerpt", async () => {
    const { discovery, write } = open()
    write(1, { ...call("c1", "pending Read"), timestamp: undefined })
    expect(await look(discovery, 2)).toEqual(["pending Read"])
    discovery.close()
  })

  test("counts in a session that was written long ago or is dated ahead", async () => {
    for (const second of [10_000_000, -10_000_000]) {
      const { discovery, write } = open()
      write(1, call("c1", "pending Read"))
      expect(await look(discovery, second)).toEqual(["pending Read"])
      discovery.close()
    }
  })
})
