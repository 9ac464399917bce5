/** A person's own changes: by id or by words, in an editor, from a file, and back again. */
import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { atHome, type CliOptions, type CliResult } from "./run-cli.ts"

const list = JSON.stringify({
  todos: [
    { content: "Read the code", status: "in_progress" },
    { content: "Fix the parser" },
    { content: "Fix the printer" },
    { content: "Publish" },
  ],
})

const withPlan = async () => {
  const person = atHome()
  await person.run(["write", "--new", "--session", "s"], { input: list })
  const todo = (...words: string[]): Promise<CliResult> => person.run(["todo", ...words, "--session", "s"])
  const shown = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse((await person.run(["show", "--session", "s", "--json"])).out).todos
  const markdown = async (): Promise<string> =>
    (await person.run(["show", "--session", "s", "--format", "markdown"])).out
  const edit = (env: Record<string, string>, more: CliOptions = {}): Promise<CliResult> =>
    person.run(["todo", "edit", "--session", "s"], { env, ...more })
  return { ...person, todo, shown, markdown, edit }
}

/** An editor that does one thing with the file it is given. */
const editorDoing = (script: string): string => {
  const path = join(temporaryFolder(), "an editor")
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return `"${path}"`
}

describe("one todo", () => {
  test("every verb does what it says and prints the result (O15)", async () => {
    const { todo, shown } = await withPlan()
    expect((await todo("add", "Ask", "Ada")).out).toBe('added 5 "Ask Ada"\n')
    expect((await todo("start", "2")).out).toBe('2 "Fix the parser": now in_progress\n')
    expect((await todo("done", "#1")).out).toBe('1 "Read the code": now completed\n')
    expect((await todo("reopen", "Read the code")).out).toContain("now pending")
    expect((await todo("drop", "printer", "--reason", "not ours")).out).toContain("now cancelled")
    expect((await todo("block", "4", "--reason", "no key", "--waits-for", "Ada")).out).toContain("now blocked")
    expect((await todo("note", "ask", "see issue 14")).out).toContain('note "see issue 14"')
    expect((await todo("edit", "5", "Ask", "Bob")).out).toContain('reworded to "Ask Bob"')
    expect(await shown()).toMatchObject([
      { id: "1", status: "pending" },
      { id: "2", status: "in_progress" },
      { id: "3", status: "cancelled", reason: "not ours" },
      { id: "4", status: "blocked", reason: "no key", waitsFor: "Ada" },
      { id: "5", content: "Ask Bob", notes: ["see issue 14"] },
    ])
    await todo("unblock", "4")
    await todo("rm", "ask bob")
    expect(await shown()).toMatchObject([{}, {}, {}, { id: "4", status: "pending" }])
  })

  test("a note keeps its indentation, and the history and the agent get its text (O15)", async () => {
    const { todo, shown, markdown, run } = await withPlan()
    await todo("note", "2", "  if ok:\n    go  ")
    expect(await shown()).toMatchObject([{}, { notes: ["  if ok:\n    go"] }, {}, {}])
    expect(await markdown()).toContain("- [ ] Fix the parser\n  >   if ok:\n  >     go\n")
    const line = String.raw`2 "Fix the parser": note "  if ok:\n    go"`
    expect((await run(["history", "--session", "s"])).out).toContain(line)
    expect((await run(["write", "--new", "--session", "s"], { input: "{}" })).out).toContain(line)
  })

  test("is added to its phase, or after another", async () => {
    const { todo, markdown } = await withPlan()
    await todo("add", "Look around", "--after", "1")
    await todo("add", "Tell people", "--phase", "Ship")
    expect(await markdown()).toMatch(/Read the code\n- \[ \] Look around\n[\s\S]*# Ship\n- \[ \] Tell people\n$/)
  })

  test("an ambiguous target lists the candidates and changes nothing, exit code 1", async () => {
    const { todo, shown } = await withPlan()
    const { code, out, err } = await todo("done", "fix the")
    expect([code, out]).toEqual([1, ""])
    expect(err).toContain('Several todos match "fix the"')
    expect(err).toContain("\n  2  Fix the parser\n  3  Fix the printer")
    expect((await shown()).map(({ status }) => status)).toEqual(["in_progress", "pending", "pending", "pending"])
  })

  test("a missing target lists similar todos, exit code 1", async () => {
    const { todo } = await withPlan()
    const { code, err } = await todo("done", "Fix the parsers")
    expect(code).toBe(1)
    expect(err).toContain('There is no todo "Fix the parsers"')
    expect(err).toContain("2  Fix the parser")
    expect((await todo("done", "zzz")).err).toContain("headway show")
  })

  test("a reason typed without --reason changes nothing, and the message shows how to give it", async () => {
    const { todo, shown } = await withPlan()
    for (const verb of ["block", "drop"]) {
      const { code, err } = await todo(verb, "2", "no access to staging")
      expect(code).toBe(1)
      expect(err).toContain(`headway todo ${verb} 2 --reason "no access to staging"`)
    }
    expect((await todo("block", "2", "no", "access")).err).toContain('todo block 2 --reason "no access"')
    expect((await shown()).map(({ status }) => status)).toEqual(["in_progress", "pending", "pending", "pending"])
    expect(await todo("block", "2", "3")).toMatchObject({ code: 0 })
  })

  test("a change without effect is reported as one", async () => {
    const { todo } = await withPlan()
    expect(await todo("start", "1")).toEqual({ code: 0, out: "unchanged\n", err: "" })
  })

  test("as JSON has the events and the plan", async () => {
    const { todo } = await withPlan()
    const { out } = await todo("done", "1", "--json")
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      events: [{ type: "todo-changed", id: "1", from: { status: "in_progress" }, to: { status: "completed" } }],
      plan: { session: "s", progress: { completed: 1, total: 4 } },
    })
  })

  test("text with escapes and controls is stored without them", async () => {
    const { todo, shown } = await withPlan()
    await todo("add", "Red \u001b[31malert\u0007", "\u202eevil")
    expect((await shown()).at(-1)?.content).toBe("Red alert evil")
  })

  test("the agent is told with its next call, once (O15)", async () => {
    const { run, todo } = await withPlan()
    await todo("rm", "publish")
    const call = () =>
      run(["write", "--new", "--session", "s"], { input: '{"todos":[{"id":"1","status":"completed"}]}' })
    expect((await call()).out).toContain('removed 4 "Publish"')
    expect((await call()).out).not.toContain("Publish")
  })
})

describe("the whole plan", () => {
  test("clear removes every todo, undo brings them back, a second undo goes further back", async () => {
    const { todo, shown } = await withPlan()
    await todo("done", "1")
    await todo("clear")
    expect(await shown()).toEqual([])
    await todo("undo")
    expect((await shown()).map(({ status }) => status)).toEqual(["completed", "pending", "pending", "pending"])
    await todo("undo")
    expect((await shown())[0]?.status).toBe("in_progress")
    const nothing = await todo("undo")
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining("You have no change to undo")])
    expect(await shown()).toHaveLength(4)
  })

  test("undo says what it leaves because the agent has changed it since", async () => {
    const { run, todo, shown } = await withPlan()
    await todo("done", "2", "3")
    const write = ["write", "--session", "s"]
    await run(write, { input: '{"todos":[]}' })
    await run(write, { input: '{"todos":[{"id":"2","status":"in_progress"}]}' })
    const { out } = await todo("undo")
    expect(out).toMatch(/^left 2 ".+" as it is: status changed since$/m)
    expect((await shown()).map(({ status }) => status)).toEqual(["in_progress", "in_progress", "pending", "pending"])
  })

  test("undo of a change that the agent has replaced is refused with the reason, and the log stays as it is", async () => {
    const { run, todo, shown } = await withPlan()
    await todo("start", "2")
    const write = ["write", "--session", "s"]
    await run(write, { input: '{"todos":[]}' })
    await run(write, { input: '{"todos":[{"id":"2","status":"completed"}]}' })
    const history = await run(["history", "--session", "s", "--json"])
    const { code, out, err } = await todo("undo")
    expect([code, out]).toEqual([1, ""])
    expect(err).toMatch(/Nothing to undo is left of that change: left 2 ".+" as it is: status changed since\./)
    expect(err).toContain("headway todo undo ENTRY")
    expect((await shown())[1]?.status).toBe("completed")
    expect((await run(["history", "--session", "s", "--json"])).out).toBe(history.out)
  })

  test("undo takes the id of an entry of the history", async () => {
    const { run, todo, shown } = await withPlan()
    await todo("done", "1")
    await todo("done", "2")
    const { out } = await run(["history", "--session", "s", "--json"])
    await todo("undo", JSON.parse(out).entries[1].id)
    expect((await shown()).map(({ status }) => status)).toEqual(["in_progress", "completed", "pending", "pending"])
  })

  test("undo takes exactly the named entry, and nothing where a prefix fits several", async () => {
    const { home, run, todo, shown } = await withPlan()
    await todo("done", "1")
    await todo("done", "2")
    const { out } = await run(["history", "--session", "s", "--json"])
    const { id, v, at, by } = JSON.parse(out).entries[1]
    const dropped = { type: "todo-changed", id: "3", from: { status: "pending" }, to: { status: "cancelled" } }
    const journal = join(home, ".headway", "journal", "s-agent-main.jsonl")
    appendFileSync(journal, `${JSON.stringify({ v, id: `${id}x`, at, by, events: [dropped] })}\n`)
    await todo("undo", id)
    expect((await shown()).map(({ status }) => status)).toEqual(["in_progress", "completed", "cancelled", "pending"])
    for (const beginning of ["", id.slice(0, 1)]) {
      const { code, err } = await todo("undo", beginning)
      expect([code, err]).toEqual([1, expect.stringContaining("does not name exactly one change")])
    }
    expect((await shown()).map(({ status }) => status)).toEqual(["in_progress", "completed", "cancelled", "pending"])
  })

  test("edit opens the editor on the markdown and applies the difference (O15)", async () => {
    const { edit, shown } = await withPlan()
    const editor = editorDoing(
      `sed -e 's/\\[ \\] Fix the parser/[x] Fix the parser/' -e '/printer/d' "$1" > "$1.new"; printf -- '- [!] Wait <!-- blocker: no key -->\\n' >> "$1.new"; mv "$1.new" "$1"`,
    )
    const { code, out } = await edit({ EDITOR: editor })
    expect(code).toBe(0)
    expect(out).toContain('removed 3 "Fix the printer"')
    expect(await shown()).toMatchObject([
      { id: "1", status: "in_progress" },
      { id: "2", status: "completed" },
      { id: "4", content: "Publish" },
      { id: "5", content: "Wait", status: "blocked", reason: "no key" },
    ])
  })

  test("an editor that saves no change changes nothing, VISUAL comes before EDITOR", async () => {
    const { edit } = await withPlan()
    expect(await edit({ EDITOR: "false", VISUAL: "true" })).toEqual({ code: 0, out: "unchanged\n", err: "" })
  })

  test("an editor that fails, does not exist, or loses the file changes nothing, exit code 1", async () => {
    const { edit, markdown } = await withPlan()
    const before = await markdown()
    for (const editor of ["false", "/nowhere/editor 2> /dev/null", editorDoing('rm "$1"')]) {
      const { code, out, err } = await edit({ EDITOR: editor })
      expect([code, out]).toEqual([1, ""])
      expect(err).toMatch(/^headway: /)
    }
    expect(await markdown()).toBe(before)
  })

  test("a text saved before an editor failed, or that cannot be read, is kept, and nothing is changed", async () => {
    const { edit, markdown } = await withPlan()
    const before = await markdown()
    const save = `printf -- '- [ ] Wait for Ada\\n' >> "$1"`
    for (const script of [`${save}; kill -9 $$`, `${save}; truncate -s 17M "$1"`]) {
      const { code, err } = await edit({ EDITOR: editorDoing(script) })
      expect(code).toBe(1)
      const kept = /is kept in (\S+plan\.md)/.exec(err)?.[1] ?? ""
      expect(readFileSync(kept, "utf8")).toContain("- [ ] Wait for Ada")
      rmSync(dirname(kept), { recursive: true })
    }
    expect(await markdown()).toBe(before)
  })

  test("changes of the agent while the editor was open stay", async () => {
    const { home, edit, markdown } = await withPlan()
    const journal = join(home, ".headway", "journal", "s-agent-main.jsonl")
    const todo = { id: "9", content: "Came meanwhile", status: "pending" }
    const events = [
      { type: "todo-added", todo },
      { type: "todo-changed", id: "1", from: {}, to: { status: "completed" } },
    ]
    const entry = JSON.stringify({
      v: 1,
      id: "x",
      at: "2030-01-01T00:00:00Z",
      by: { kind: "agent", id: "main" },
      events,
    })
    const script = `printf '%s\\n' '${entry}' >> '${journal}'; sed -e '/printer/d' "$1" > "$1.new"; mv "$1.new" "$1"`
    await edit({ EDITOR: editorDoing(script) })
    expect(await markdown()).toBe("- [x] Read the code\n- [ ] Fix the parser\n- [ ] Publish\n- [ ] Came meanwhile\n")
  })

  test("a todo that took the number of one in the editor, as in another branch, is not changed; the text is kept", async () => {
    const { home, edit, markdown } = await withPlan()
    const journal = join(home, ".headway", "journal", "s-agent-main.jsonl")
    const event = { type: "todo-added", todo: { id: "2", content: "Delete the data", status: "pending" } }
    const [v, at, by] = [1, "2030-01-01T00:00:00Z", { kind: "agent", id: "main" }]
    const entry = JSON.stringify({ v, id: "other", at, by, events: [event] })
    const script = `printf '%s\\n' '${entry}' > '${journal}'; sed -i -e 's/\\[ \\] Fix the parser/[x] Fix the parser/' "$1"`
    const { code, err } = await edit({ EDITOR: editorDoing(script) })
    expect(code).toBe(1)
    expect(err).toContain("nothing was changed")
    const kept = /is kept in (\S+plan\.md)/.exec(err)?.[1] ?? ""
    expect(readFileSync(kept, "utf8")).toContain("- [x] Fix the parser")
    rmSync(dirname(kept), { recursive: true })
    expect(await markdown()).toBe("- [ ] Delete the data\n")
  })

  test("import reads what export writes: the same plan", async () => {
    const { home, run, todo, markdown } = await withPlan()
    await todo("block", "4", "--reason", "no key", "--waits-for", "Ada")
    await todo("note", "2", "two places")
    await todo("add", "Tell people", "--phase", "Ship")
    await todo("drop", "3")
    const exported = await run(["todo", "export", "--session", "s"])
    expect(exported).toEqual({ code: 0, out: await markdown(), err: "" })
    await todo("export", "plan.md")
    expect(readFileSync(join(home, "plan.md"), "utf8")).toBe(exported.out)
    await run(["todo", "import", "plan.md", "--new", "--session", "t"])
    expect((await run(["todo", "export", "--session", "t"])).out).toBe(exported.out)
    await run(["todo", "import", "-", "--new", "--session", "u"], { input: exported.out })
    expect((await run(["todo", "export", "--session", "u"])).out).toBe(exported.out)
    expect((await run(["todo", "import", "plan.md", "--new", "--session", "t"])).out).toBe("unchanged\n")
  })

  test("more than 64 MiB are not imported, from a file or from standard input", async () => {
    const { home, run } = await withPlan()
    const large = `${"x".repeat(64 << 20)}\n`
    writeFileSync(join(home, "large.md"), large)
    for (const [file, says] of [
      ["large.md", /large\.md could not be read: it is larger than 64 MiB/],
      ["-", /What came on standard input is larger than 64 MiB and was not imported\./],
    ] as const) {
      const { code, err } = await run(["todo", "import", file, "--new", "--session", "t"], { input: large })
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(says) })
    }
  })

  test("editing one line of a plan in phases leaves the order of the others (O10)", async () => {
    const { run, edit, shown } = await withPlan()
    const todos = [
      { content: "Publish", phase: "Ship" },
      { content: "Read" },
      { content: "Tell people", phase: "Ship" },
      { content: "# Rest, 1. sleep" },
    ]
    await run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos, replace: true }) })
    const before = (await shown()).map(({ id }) => id)
    const { out } = await edit({ EDITOR: editorDoing(`sed -i -e 's/\\[ \\] Read/[x] Read/' "$1"`) })
    expect(out).toMatch(/^\S+ .*Read.*\n$/)
    expect((await shown()).map(({ id }) => id)).toEqual(before)
    await run(["todo", "export", "plan.md", "--session", "s"])
    expect((await run(["todo", "import", "plan.md", "--session", "s"])).out).toBe("unchanged\n")
  })

  test("export follows a link, keeps the permissions of the file, and does not replace a folder", async () => {
    const { home, todo, markdown } = await withPlan()
    mkdirSync(join(home, "notes"))
    writeFileSync(join(home, "notes", "plan.md"), "old", { mode: 0o640 })
    symlinkSync("notes/plan.md", join(home, "there.md"))
    symlinkSync("notes/new.md", join(home, "to-come.md"))
    symlinkSync("notes", join(home, "linked"))
    symlinkSync("linked/../round", join(home, "round"))
    expect(await todo("export", "linked/plan.md")).toMatchObject({ code: 0, err: "" })
    expect(readFileSync(join(home, "notes", "plan.md"), "utf8")).toBe(await markdown())
    expect((await todo("export", "round")).err).toMatch(/leads through too many links\.\n$/)
    for (const name of ["there.md", "to-come.md"]) {
      expect((await todo("export", name)).code).toBe(0)
      expect(lstatSync(join(home, name)).isSymbolicLink()).toBe(true)
      expect(readFileSync(join(home, name), "utf8")).toBe(await markdown())
    }
    expect(statSync(join(home, "notes", "plan.md")).mode & 0o777).toBe(0o640)
    expect(await todo("export", "notes")).toMatchObject({ code: 1, err: expect.stringContaining("EISDIR") })
    expect(readdirSync(join(home, "notes")).toSorted()).toEqual(["new.md", "plan.md"])
  })

  test.skipIf(process.getuid?.() !== 0)(
    "export follows no link of another user, in whatever folder of the path",
    async () => {
      const { home, todo } = await withPlan()
      const shared = join(home, "shared")
      mkdirSync(shared)
      chmodSync(shared, 0o1777)
      writeFileSync(join(home, "mine"), "mine")
      symlinkSync(join(home, "mine"), join(shared, "plan.md"))
      symlinkSync(join(shared, "plan.md"), join(home, "own-link.md"))
      lchownSync(join(shared, "plan.md"), 12_345, 12_345)
      symlinkSync(home, join(shared, "folder"))
      lchownSync(join(shared, "folder"), 12_345, 12_345)
      mkdirSync(join(home, "own"))
      writeFileSync(join(home, "own", "mine"), "mine")
      for (const name of ["shared/plan.md", "own-link.md", "shared/folder/mine", "shared/folder/own/mine"]) {
        expect(await todo("export", name)).toMatchObject({ code: 1, err: expect.stringContaining("another user") })
      }
      // Who owns a folder can lay out links in it too.
      lchownSync(shared, 12_345, 12_345)
      expect(await todo("export", "shared/plan.md")).toMatchObject({
        code: 1,
        err: expect.stringContaining("another user"),
      })
      expect(readFileSync(join(home, "own", "mine"), "utf8")).toBe("mine")
      expect(readFileSync(join(home, "mine"), "utf8")).toBe("mine")
    },
  )

  test.skipIf(process.getuid?.() !== 0)(
    "export writes nothing to a pipe or file of another user, and takes over no permissions of one",
    async () => {
      const { home, todo } = await withPlan()
      const [pipe, file] = [join(home, "pipe.md"), join(home, "file.md")]
      execFileSync("mkfifo", [pipe])
      // So that writing to it would not wait.
      const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
      writeFileSync(file, "theirs")
      chmodSync(file, 0o666)
      for (const path of [pipe, file]) chownSync(path, 12_345, 12_345)
      expect(await todo("export", pipe)).toMatchObject({ code: 1, err: expect.stringContaining("another user") })
      expect(() => readSync(reader, Buffer.alloc(1))).toThrow("EAGAIN")
      closeSync(reader)
      expect(await todo("export", file)).toMatchObject({ code: 0 })
      expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask())
      const shared = join(home, "shared")
      mkdirSync(shared)
      chmodSync(shared, 0o1777)
      const theirs = join(shared, "plan.md")
      writeFileSync(theirs, "theirs")
      chmodSync(theirs, 0o666)
      chownSync(theirs, 12_345, 12_345)
      expect(await todo("export", theirs)).toMatchObject({ code: 1, err: expect.stringContaining("another user") })
      expect(readFileSync(theirs, "utf8")).toBe("theirs")
    },
  )

  test.skipIf(!existsSync("/dev/shm"))(
    "export replaces a file below /dev like any other: whole, or not at all",
    async () => {
      const { todo, markdown } = await withPlan()
      const folder = mkdtempSync("/dev/shm/headway-test-")
      try {
        const [file, otherName] = [join(folder, "plan.md"), join(folder, "other.md")]
        writeFileSync(file, "old")
        linkSync(file, otherName)
        expect(await todo("export", file)).toMatchObject({ code: 0 })
        expect(readFileSync(file, "utf8")).toBe(await markdown())
        expect(readFileSync(otherName, "utf8")).toBe("old")
        expect(await todo("export", "/dev/null")).toMatchObject({ code: 0 })
        expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  test.skipIf(process.platform === "win32")("import reads no device, also through a link", async () => {
    const { home, todo } = await withPlan()
    symlinkSync("/dev/null", join(home, "TODO.md"))
    expect(await todo("import", "TODO.md")).toMatchObject({ code: 1, err: expect.stringContaining("it is a device") })
  })

  test("import makes the plan equal to the file, and keeps the ids of matching todos", async () => {
    const { run, shown } = await withPlan()
    const input = "- [x] Read the code\n- [ ] Something new\n"
    await run(["todo", "import", "-", "--session", "s"], { input })
    expect(await shown()).toMatchObject([
      { id: "1", content: "Read the code", status: "completed" },
      { id: "5", content: "Something new" },
    ])
  })

  test("a file that cannot be read or written is reported, exit code 1", async () => {
    const { home, todo } = await withPlan()
    for (const words of [
      ["import", "nowhere.md", "ENOENT"],
      ["export", "no/such/folder.md", `There is no folder ${join(home, "no/such")}`],
    ] as const) {
      const [verb, file, says] = words
      const { code, out, err } = await todo(verb, file)
      expect([code, out]).toEqual([1, ""])
      expect(err).toContain(says)
    }
    expect(existsSync(join(home, "no"))).toBe(false)
  })

  test("importing text that is not a checklist changes nothing, exit code 1", async () => {
    const { run, markdown } = await withPlan()
    const before = await markdown()
    const { code } = await run(["todo", "import", "-", "--session", "s"], { input: "\u0000\u0001 just prose" })
    expect(code).toBe(1)
    expect(await markdown()).toBe(before)
  })
})

test("an unknown session is begun with --new only", async () => {
  const { run } = atHome()
  for (const words of [["todo", "add", "Read"], ["todo", "import", "-"], ["write"], ["run", "--", "true"]]) {
    const [command = "", ...rest] = words
    const refused = await run([command, "--session", "mine", ...rest], { input: "- [ ] Read" })
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: 'headway: There is no session "mine". Add --new to begin one under that id.\n',
    })
  }
  expect(await run(["todo", "add", "Read", "--session", "mine", "--new"])).toEqual({
    code: 0,
    out: 'added 1 "Read"\n',
    err: "",
  })
  expect((await run(["todo", "add", "Write", "--session", "mine", "--new"])).out).toBe('added 2 "Write"\n')
  expect((await run(["todo", "add", "Rest", "--session", "mine"])).out).toBe('added 3 "Rest"\n')
})

describe("a list whose agent starts the next todo by itself", () => {
  const begun = async () => {
    const { run } = atHome()
    const input = JSON.stringify({ op: "init", list: [{ phase: "Build", items: ["a", "b", "c"] }] })
    await run(["write", "--new", "--dialect", "oh-my-pi", "--session", "s"], { input })
    return run
  }

  test("O6 a person's done starts no other, and the person is told once", async () => {
    const run = await begun()
    const { out, err } = await run(["todo", "done", "a"])
    expect(out).toBe('1 "a": now completed\n')
    expect(err).toContain("nothing is in progress now: the agent's next call starts the next todo")
    expect((await run(["todo", "note", "b", "see issue 14"])).err).not.toContain("in progress")
  })

  test("O6 with --next it starts the first pending one, in the same change", async () => {
    const run = await begun()
    const { out, err } = await run(["todo", "done", "a", "--next"])
    expect(out).toBe('1 "a": now completed\n2 "b": now in_progress\n')
    expect(err).not.toContain("in progress")
    const told = await run(["write", "--dialect", "oh-my-pi", "--tool", "todo"], { input: '{"op":"view"}' })
    expect(told.out).toContain('- 1 "a": now completed\n- 2 "b": now in_progress\n')
    await run(["todo", "undo"])
    expect((await run(["show", "--format", "markdown"])).out).toContain("- [/] a\n- [ ] b")
  })

  test("the lists of other agents get no such hint", async () => {
    const { run } = await withPlan()
    expect((await run(["todo", "done", "Read the code", "--session", "s"])).err).not.toContain("in progress")
  })
})
