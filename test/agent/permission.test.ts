import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Permission } from "../../src/agent/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { bash, open, resultsIn, script, sent } from "./open.ts"

const write = (file_path: string) => ({ tool: "Write", input: { file_path, content: "mine" } })
const read = (file_path: string) => ({ tool: "Read", input: { file_path } })

const asked = (answer: boolean | { why: string }) => {
  const permissions: Permission[] = []
  const permit = async (permission: Permission) => {
    permissions.push(permission)
    return answer
  }
  return { permissions, permit }
}

describe("permission", () => {
  test("is asked for commands and writes, and for reading only outside the folder", async () => {
    const outside = temporaryFolder()
    writeFileSync(join(outside, "a.txt"), "theirs")
    const { permissions, permit } = asked(true)
    const model = script(
      { calls: [bash("echo hi"), write("a.txt"), read("a.txt"), read(join(outside, "a.txt"))] },
      { text: "Done." },
    )
    const { run, told } = await open(model, { permit })
    await run()
    expect(permissions.map(({ action, isOutside }) => [action, isOutside])).toEqual([
      ["run", false],
      ["write", false],
      ["read", true],
    ])
    expect(told("permission-asked").map(({ allowed }) => allowed)).toEqual([true, true, true])
  })

  test("that is refused is the result, and nothing happened", async () => {
    const { permit } = asked(false)
    const model = script({ calls: [bash("touch b"), write("a.txt")] }, { text: "Then not." })
    const { run, cwd } = await open(model, { permit })
    await run()
    expect(resultsIn(model, 1).map(({ text }) => text)).toEqual([
      "The user did not allow this: Run a command? Do not try it another way; ask.",
      "The user did not allow this: Write a.txt? Do not try it another way; ask.",
    ])
    expect(existsSync(join(cwd, "a.txt")) || existsSync(join(cwd, "b"))).toBe(false)
  })

  test("may be refused with a reason", async () => {
    const { permit } = asked({ why: "Nobody is there to ask." })
    const model = script({ calls: [bash("true")] }, { text: "Then not." })
    await (await open(model, { permit })).run()
    expect(resultsIn(model, 1)[0]?.text).toBe("Not allowed: Run a command? Nobody is there to ask.")
  })

  test.each(["file", "folder"])("sees where a link to a %s leads out of the working folder", async (kind) => {
    const outside = temporaryFolder()
    const target = join(outside, "a.txt")
    writeFileSync(target, "theirs")
    const { permissions, permit } = asked(false)
    const path = kind === "file" ? "link.txt" : "link/a.txt"
    const model = script({ calls: [read(path), write(path), write("link/new.txt")] }, { text: "Then not." })
    const cwd = temporaryFolder()
    symlinkSync(kind === "file" ? target : outside, join(cwd, kind === "file" ? "link.txt" : "link"))
    await (await open(model, { permit, cwd })).run()
    expect(permissions.slice(0, 2)).toMatchObject([
      { action: "read", isOutside: true, target },
      { action: "write", isOutside: true, target },
    ])
    expect(readFileSync(target, "utf8")).toBe("theirs")
    expect(existsSync(join(outside, "new.txt"))).toBe(false)
  })

  test("the list needs none", async () => {
    const { permissions, permit } = asked(false)
    const model = script({ calls: [{ tool: "TodoWrite", input: { todos: [] } }] }, { text: "Done." })
    await (await open(model, { permit })).run()
    expect(permissions).toEqual([])
  })
})

test("what a command prints is harmless to a screen and to the conversation", async () => {
  const model = script(
    { calls: [bash("printf 'red \\033[31mtext\\033]0;title\\007 and \\033[2J \\302\\233m end'")] },
    { text: "I see." },
  )
  const { run, told } = await open(model)
  await run()
  const [ended] = told("tool-ended")
  expect(ended?.text).toBe("red text and   end")
  for (const { text } of told("tool-progressed")) expect(text).not.toMatch(/[\u001b\u009b\u0007]/)
  expect(sent(model, 1)).not.toMatch(/\\u001b|\u001b/)
})
