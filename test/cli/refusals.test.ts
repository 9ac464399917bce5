/** What is refused, and what is printed where there is nothing: strict calls, claims of others, folders that are not there. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { atHome } from "./run-cli.ts"

describe("write --strict", () => {
  test.each([
    ["a todo whose text is blank", "claude-todos", '{"todos":[{"content":" ","status":"pending","activeForm":"A"}]}'],
    ["a todo without text or id", "headway", '{"todos":[{"status":"completed"},{"content":"x"}]}'],
    ["no input at all", "claude-todos", ""],
    ["a comma too many", "headway", '{"todos":[{"content":"x"},]}'],
  ])("repairs nothing: %s is refused", async (_what, dialect, input) => {
    const { run } = atHome()
    const { code, out } = await run(["write", "--new", "--strict", "--dialect", dialect, "--session", "s"], { input })
    expect([code, out]).toEqual([1, expect.stringContaining("is not valid")])
    expect(await run(["show", "--session", "s"])).toMatchObject({ code: 1 })
  })

  test("accepts what the schema allows, as it is", async () => {
    const { run } = atHome()
    const input = '{"todos":[{"content":"Read"},{"content":"Write","status":"in_progress"}]}'
    expect(await run(["write", "--new", "--strict", "--session", "s"], { input })).toMatchObject({ code: 0 })
    expect(
      await run(["write", "--new", "--strict", "--session", "s"], {
        input: '{"todos":[{"id":"1","status":"completed"}]}',
      }),
    ).toMatchObject({ code: 0 })
  })
})

describe("an option without its value", () => {
  test.each([
    [["todo", "add", "x", "--phase"], "--phase needs a value: --phase NAME. Usage: headway todo"],
    [["show", "-f"], "--format needs a value: --format text|panel|tree|plan|markdown|json. Usage: headway show"],
    [
      ["todo", "block", "1", "--reason", "--json"],
      "--reason needs a value; one that begins with a dash is written as --reason=TEXT. Usage: headway todo",
    ],
  ])("of %j is refused with what to write", async (words, says) => {
    const { code, err } = await atHome().run(words)
    expect([code, err]).toEqual([2, expect.stringContaining(`headway: ${says}`)])
  })
})

test("an agent that is only read is not called unknown by set-up", async () => {
  const { code, err } = await atHome().run(["setup", "pi"])
  expect(code).toBe(2)
  expect(err).toContain("pi cannot be connected; the board shows its sessions without that.")
})

describe("a claim", () => {
  const claimed = async () => {
    const person = atHome()
    await person.run(["write", "--new", "--session", "s"], { input: '{"todos":[{"content":"Read"}]}' })
    const todo = (...words: string[]) => person.run(["todo", ...words, "--session", "s"])
    await todo("claim", "1", "--as", "worker-1")
    return todo
  }

  test("is not released in the name of another", async () => {
    const todo = await claimed()
    expect(await todo("release", "1", "--as", "worker-2")).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 "Read" is claimed by worker-1, not by worker-2, and was not released.'),
    })
    expect(await todo("claim", "1", "--as", "worker-2")).toMatchObject({ code: 1 })
  })

  test("is released by its owner, or by the person", async () => {
    const todo = await claimed()
    expect(await todo("release", "1", "--as", "worker-1")).toMatchObject({ code: 0 })
    await todo("claim", "1", "--as", "worker-2")
    expect((await todo("release", "1")).out).toContain("no longer taken by worker-2")
  })
})

describe("a length of time", () => {
  test.each([
    [["todo", "claim", "1", "--as", "a", "--lease", "0m"], "lease", "0m"],
    [["check", "--timeout", "0s"], "timeout", "0s"],
    [["check", "--timeout", "soon"], "timeout", "soon"],
    [["evidence", "--all", "--since", "0d"], "since", "0d"],
  ])("is more than nothing, and other words are refused: %j", async (argv, option, typed) => {
    expect(await atHome().run(argv)).toEqual({
      code: 2,
      out: "",
      err: `headway: --${option} takes a length of time such as 30d, 12h, 45m or 90s, not "${typed}".\n`,
    })
  })

  test("may be nothing for gc", async () => {
    expect((await atHome().run(["gc", "--older-than", "0d", "--dry-run"])).code).toBe(0)
  })
})

test("a database out of reach is named once, with the reason", async () => {
  const other = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => other.once("listening", resolve))
  const { port } = other.address() as AddressInfo
  await new Promise((resolve) => other.close(resolve))
  const url = `postgres://ada@127.0.0.1:${port}/plans`
  const { code, err } = await atHome().run(["list", "--store", url])
  const since = "2030-01-01T00:00:00.000Z"
  const why = `127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port})`
  expect(code).toBe(0)
  expect(err).toContain(`headway: ${url} has been unreachable since ${since}: ${why}.\n`)
})

test("blank words are no words to find", async () => {
  expect(await atHome().run(["find", "", " "])).toMatchObject({
    code: 2,
    err: "headway: Say what to find: headway find WORDS…\n",
  })
})

describe("what a person types for a todo", () => {
  const begun = async () => {
    const person = atHome()
    await person.run(["write", "--new", "--session", "s"], {
      input: '{"todos":[{"content":"Read"},{"content":"Write"}]}',
    })
    return (...words: string[]) => person.run(["todo", ...words, "--session", "s"])
  }

  test.each([
    [
      ["add", "Ask", "--reason", "no time"],
      '"todo add" does not take --reason: it is for "todo drop" and "todo block".',
    ],
    [["done", "1", "--phase", "Later"], '"todo done" does not take --phase: it is for "todo add".'],
    [["drop", "1", "--waits-for", "Ada"], '"todo drop" does not take --waits-for: it is for "todo block".'],
    [["release", "1", "--lease", "5m"], '"todo release" does not take --lease: it is for "todo claim".'],
  ])("is not lost in an option that the verb has no use for: %j", async (words, sentence) => {
    const todo = await begun()
    expect(await todo(...words)).toEqual({ code: 2, out: "", err: `headway: ${sentence}\n` })
    expect((await todo("export")).out).toBe("- [ ] Read\n- [ ] Write\n")
  })

  test("names the one of several ids that no todo has, and changes nothing", async () => {
    const todo = await begun()
    const { code, err } = await todo("done", "1", "99")
    expect([code, err]).toEqual([1, expect.stringContaining('There is no todo "99".')])
    expect((await todo("export")).out).toBe("- [ ] Read\n- [ ] Write\n")
  })

  test("is repeated in whole clauses, also where only the reason is new", async () => {
    const todo = await begun()
    expect((await todo("block", "1", "--reason", "offline")).out).toBe('1 "Read": now blocked, because offline\n')
    expect((await todo("block", "1", "--reason", "asleep")).out).toBe('1 "Read": reason asleep\n')
  })

  test("is read from a file, and a missing one is named in words", async () => {
    const todo = await begun()
    const { code, err } = await todo("import", "nowhere.md")
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^headway: This file or folder does not exist .*nowhere\.md\n$/),
    ])
  })
})

describe("missing folders and ports in use", () => {
  test("list --root names a folder that does not exist, or that has no plans", async () => {
    const { home, run } = atHome()
    expect(await run(["list", "--root", "nowhere"])).toMatchObject({
      code: 1,
      out: "",
      err: `headway: There is no folder ${join(home, "nowhere")}.\n`,
    })
    expect((await run(["list", "--root", "."])).err).toBe(`headway: There are no plans under ${home}.\n`)
  })

  test("serve reports that its port is in use, and how to choose another", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once("listening", resolve))
    const { port } = other.address() as AddressInfo
    const { code, err } = await atHome().run(["serve", "--port", String(port)])
    expect([code, err]).toEqual([1, expect.stringContaining(`Port ${port} is in use.`)])
    expect(err).toContain("choose a port with --port")
  })
})
