/** Calls made to hold us up, through the doors they come in by: the command, the hook, and another agent's transcript. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { dialectIds } from "../../src/dialects/index.ts"
import { atHome } from "./run-cli.ts"

/** Minutes for anything that takes the square of it. */
const inputs: [string, string][] = [
  ["back ticks", "`".repeat(200_000)],
  ["braces in a string", `[{'content': '${"{".repeat(200_000)}`],
]

const planOf = async ({ run }: ReturnType<typeof atHome>, session: string): Promise<string> =>
  (await run(["show", "--session", session, "--format", "markdown"])).out

describe.each(inputs)("%s", (_, text) => {
  test.each(dialectIds)("write --dialect %s describes a valid call, exit 1, and keeps the plan", async (dialect) => {
    const person = atHome()
    await person.run(["write", "--new", "--session", "s"], { input: '{"todos":[{"content":"Keep me"}]}' })
    const { code, out } = await person.run(["write", "--new", "--session", "s", "--dialect", dialect], { input: text })
    expect(code).toBe(1)
    expect(out).toContain("A valid input is: ")
    expect(await planOf(person, "s")).toBe("- [ ] Keep me\n")
  })

  test("the hook continues, and the plan stays", async () => {
    const person = atHome()
    const fire = (id: string, input: unknown) =>
      person.run(["hook", "claude-code"], {
        input: JSON.stringify({
          session_id: "c-1",
          cwd: person.home,
          hook_event_name: "PostToolUse",
          tool_name: "TodoWrite",
          tool_use_id: id,
          tool_input: input,
          tool_response: {},
        }),
      })
    await fire("1", { todos: [{ content: "Keep me", status: "pending", activeForm: "Keeping" }] })
    for (const [at, input] of [text, { todos: text }].entries()) {
      expect(await fire(`bad-${at}`, input)).toMatchObject({ code: 0 })
    }
    expect(await planOf(person, "c-1")).toBe("- [ ] Keep me\n")
  })

  test("list shows the other sessions, and the earlier content of this one", async () => {
    const person = atHome()
    const session = "11111111-1111-4111-8111-111111111111"
    const line = (role: string, block: object): string =>
      JSON.stringify({
        type: role,
        sessionId: session,
        cwd: person.home,
        uuid: role + JSON.stringify(block).slice(0, 60),
        timestamp: "2029-12-31T23:59:00Z",
        version: "2.1.0",
        message: { role, content: [block] },
      })
    const called = (id: number, input: unknown): string =>
      line("assistant", { type: "tool_use", id: `call-${id}`, name: "TodoWrite", input })
    const answered = (id: number): string =>
      line("user", { type: "tool_result", tool_use_id: `call-${id}`, content: "Todos have been modified" })
    const folder = join(person.home, ".claude", "projects", "-p")
    mkdirSync(folder, { recursive: true })
    const kept = { todos: [{ content: "Keep me", status: "in_progress", activeForm: "Keeping me" }] }
    writeFileSync(
      join(folder, `${session}.jsonl`),
      [kept, text, { todos: text }]
        .map((one, at) => `${called(at, one)}\n${at === 0 ? `${answered(at)}\n` : ""}`)
        .join(""),
    )
    await person.run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    const { code, out } = await person.run(["list"])
    expect(code).toBe(0)
    expect(out).toContain("Rest")
    expect(out).toContain("Keeping me")
  })
})
