/** The command line as people and programs use it: formats, exit codes, and what is said when it goes wrong. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { commandNames } from "../../src/cli/commands/index.ts"
import { dialectIds } from "../../src/dialects/index.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { atHome, runCli } from "./run-cli.ts"

const list = JSON.stringify({
  todos: [
    { content: "Read the code", status: "completed" },
    { content: "Fix the parser", status: "in_progress" },
    { content: "Publish", status: "pending" },
  ],
})

/** A person with one plan, session `s`. */
const withPlan = async () => {
  const person = atHome()
  await person.run(["write", "--new", "--session", "s"], { input: list })
  return person
}

describe("wrong usage", () => {
  test("an unknown command ends with 2 and lists the commands", async () => {
    const { code, out, err } = await runCli(["shwo"])
    expect([code, out]).toEqual([2, ""])
    for (const name of commandNames) expect(err).toContain(name)
    expect((await runCli(["help", "shwo"])).code).toBe(2)
    expect((await runCli(["constructor"])).code).toBe(2)
  })

  test("an unknown option ends with 2 and lists the options", async () => {
    const { code, err } = await runCli(["show", "--fromat", "tree"])
    expect(code).toBe(2)
    expect(err).toContain("--fromat")
    for (const name of ["--format", "--width", "--session", "--home"]) expect(err).toContain(name)
    expect((await runCli(["show", "--format"])).code).toBe(2)
    expect((await runCli(["--nonsense"])).code).toBe(2)
  })

  test("an unknown dialect ends with 2 and lists the dialects", async () => {
    const { code, err } = await runCli(["write", "--dialect", "clod"], { input: list })
    expect(code).toBe(2)
    for (const id of dialectIds) expect(err).toContain(id)
  })

  test("an unknown tool, format, verb or store ends with 2 and lists the known ones", async () => {
    const person = await withPlan()
    const cases: [string[], string][] = [
      [["write", "--dialect", "codex", "--tool", "plan"], "update_plan"],
      [["show", "--session", "s", "--format", "xml"], "text, panel, tree, plan, markdown, json"],
      [["todo", "finish", "1"], "add, start, done"],
      [["todo"], "add, start, done"],
      [["list", "--store", "redis://x"], "file:[FOLDER], root:FOLDER, memory:"],
      [["show", "--session", "s", "--width", "wide"], "--width takes a number from 1"],
      [["show", "--session", "s", "--width", "0"], "--width takes a number from 1"],
      [["gc"], "--older-than 30d"],
      [["gc", "--older-than", "soon"], "30d, 12h, 45m"],
      [["todo", "add", "--session", "s"], "add needs text"],
      [["todo", "note", "1", "--session", "s"], "note needs a todo and a text"],
      [["todo", "edit", "1", "--session", "s"], "edit needs a todo and its new text"],
      [["todo", "import", "--session", "s"], "import needs a file"],
      [["todo", "done", "--session", "s"], "Name a todo"],
    ]
    for (const [argv, message] of cases) {
      const { code, out, err } = await person.run(argv, { input: list })
      expect([argv, code, out]).toEqual([argv, 2, ""])
      expect(err).toContain(message)
      expect(err.startsWith("headway: ")).toBe(true)
    }
  })
})

describe("help and version", () => {
  test("the help names every command and its first lines say what this is", async () => {
    for (const argv of [["--help"], ["-h"], ["help"]]) {
      const { code, out, err } = await runCli(argv)
      expect([code, err]).toEqual([0, ""])
      for (const name of commandNames) expect(out).toContain(`  ${name}`)
    }
  })

  test("it has the options of the board, and an option before --help changes nothing", async () => {
    const { out } = await runCli(["--help"])
    for (const option of ["--all", "--own", "--notify bell|COMMAND"]) expect(out).toContain(`\n  ${option} `)
    for (const argv of [
      ["--all", "--help"],
      ["--notify", "bell", "-h"],
    ])
      expect(await runCli(argv)).toEqual({ code: 0, out, err: "" })
  })

  test.each(commandNames)("headway %s --help shows its options and examples", async (name) => {
    const { code, out } = await runCli([name, "--help"])
    expect(code).toBe(0)
    expect(out).toContain(`Usage: headway ${name}`)
    expect(out).toContain("Examples:\n  ")
    expect(await runCli(["help", name])).toEqual({ code, out, err: "" })
  })

  test("a word after -- that looks like an option is not one", async () => {
    const person = await withPlan()
    await person.run(["todo", "add", "--session", "s", "--", "-h"])
    expect((await person.run(["show", "--session", "s", "--format", "markdown"])).out).toContain("- [ ] -h")
  })

  test("the version is one line", async () => {
    for (const argv of [["--version"], ["-V"]]) {
      const { code, out } = await runCli(argv)
      expect(code).toBe(0)
      expect(out).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
    }
  })
})

describe("write", () => {
  test("prints the reply for the model, and only that, on standard output", async () => {
    const person = atHome()
    const { code, out, err } = await person.run(["write", "--new", "--session", "s"], { input: list })
    expect([code, err]).toEqual([0, ""])
    expect(out).toContain("+ 2 Fix the parser [in_progress]\n")
    expect(out.endsWith("\n")).toBe(true)
  })

  test("as JSON prints ok, text, events, problems and the plan", async () => {
    const { code, out } = await atHome().run(["write", "--new", "--session", "s", "--json"], { input: list })
    expect(code).toBe(0)
    const printed = JSON.parse(out)
    expect(printed).toMatchObject({ ok: true, text: expect.any(String), events: expect.any(Array), problems: [] })
    expect(printed.plan).toMatchObject({
      session: "s",
      agent: "main",
      revision: 1,
      phases: [],
      todos: [{ id: "1", content: "Read the code", status: "completed" }, { id: "2" }, { id: "3" }],
      progress: { completed: 1, total: 3, percent: 33 },
    })
  })

  test("a refused call ends with 1, changes nothing and prints what would be right", async () => {
    const person = await withPlan()
    const { code, out } = await person.run(["write", "--new", "--session", "s", "--json"], { input: '{"todos":42}' })
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ ok: false, events: [], problems: [{ severity: "error" }] })
    expect(JSON.parse(out).plan.todos).toHaveLength(3)
    const plain = await person.run(["write", "--new", "--session", "s", "--dialect", "gencode"], {
      input: JSON.stringify({
        todos: ["in_progress", "in_progress"].map((status, n) => ({ content: `${n}`, status })),
      }),
    })
    expect(plain.code).toBe(1)
    expect(plain.err).toBe("")
  })

  test("an empty input and {} read the plan", async () => {
    const person = await withPlan()
    for (const input of ["", "  \n", "{}"]) {
      const { code, out } = await person.run(["write", "--new", "--session", "s"], { input })
      expect(code).toBe(0)
      expect(out).toContain("Fix the parser")
    }
    expect(JSON.parse((await person.run(["show", "--session", "s", "--json"])).out).revision).toBe(1)
  })

  test("the same call id is applied once", async () => {
    const person = atHome()
    const argv = ["write", "--new", "--session", "s", "--call-id", "c1", "--json"]
    await person.run(argv, { input: '{"todos":[{"content":"Read"}]}' })
    const { out } = await person.run(argv, { input: '{"todos":[{"content":"Something else"}]}' })
    expect(JSON.parse(out)).toMatchObject({ ok: true, events: [], plan: { todos: [{ content: "Read" }] } })
  })

  test("with --strict nothing is repaired", async () => {
    const person = atHome()
    const argv = ["write", "--new", "--session", "s", "--dialect", "claude-todos", "--json"]
    const input = '{"todos":[{"content":"Read","status":"done"}]}'
    const refused = await person.run([...argv, "--strict"], { input })
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({ ok: false, events: [], plan: { todos: [] } })
    expect((await person.run(argv, { input })).code).toBe(0)
    expect((await person.run(["write", "--dialect", "markdown", "--strict"], { input })).code).toBe(2)
  })

  test("with a memory store nothing is kept", async () => {
    const person = atHome()
    const { code } = await person.run(["write", "--new", "--store", "memory:", "--session", "s"], { input: list })
    expect(code).toBe(0)
    expect(namesIn(person.home)).toEqual([])
  })

  test("ten megabytes in one todo are refused with a sentence, exit code 1", async () => {
    const person = atHome()
    const input = JSON.stringify({ todos: [{ content: "ä".repeat(5_000_000) }] })
    const { code, out } = await person.run(["write", "--new", "--session", "s"], { input })
    expect(code).toBe(1)
    expect(out).toMatch(/at most \d+ characters/)
    expect(out.length).toBeLessThan(1_000)
  })

  test("three megabytes of text and twelve thousand todos are kept whole", async () => {
    const person = atHome()
    const long = Array.from({ length: 300 }, (_, index) => ({ content: `${index} ${"ä".repeat(5_000)} end` }))
    await person.run(["write", "--new", "--session", "text"], { input: JSON.stringify({ todos: long }) })
    const text = JSON.parse((await person.run(["show", "--session", "text", "--json"])).out)
    expect(text.todos.map(({ content }: { content: string }) => ({ content }))).toEqual(long)

    const todos = Array.from({ length: 12_000 }, (_, index) => ({ content: `Todo ${index}`, status: "pending" }))
    const { code } = await person.run(["write", "--new", "--session", "many"], { input: JSON.stringify({ todos }) })
    expect(code).toBe(0)
    const many = JSON.parse((await person.run(["show", "--session", "many", "--json"])).out)
    expect(many.todos).toHaveLength(12_000)
    expect(many.todos.at(-1)).toMatchObject({ id: "12000", content: "Todo 11999" })
  })
})

describe("show", () => {
  test("prints every format, exit code 0", async () => {
    const person = await withPlan()
    const shown = async (...argv: string[]): Promise<string> => {
      const { code, out, err } = await person.run(["show", "--session", "s", ...argv])
      expect([code, err]).toEqual([0, ""])
      return out
    }
    expect(await shown()).toContain("Fix the parser")
    expect(await shown()).toBe(await shown("--format", "text"))
    expect(await shown("-f", "panel")).toContain("Progress: 1/3 (33%)")
    expect(await shown("-f", "tree")).toContain("Publish")
    expect(await shown("-f", "plan")).toContain("📋 Plan (main):")
    expect(await shown("-f", "markdown")).toBe("- [x] Read the code\n- [/] Fix the parser\n- [ ] Publish\n")
    expect(await shown("-f", "json")).toBe(await shown("--json"))
    expect(await shown("--ascii")).toContain("[x] 1 Read the code\n[>] 2 Fix the parser\n")
    const widths = (await shown("-f", "panel", "--width", "30"))
      .trimEnd()
      .split("\n")
      .map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(30)
  })

  test("as JSON has the shape other programs build on", async () => {
    const person = await withPlan()
    const { out } = await person.run(["show", "--session", "s", "--json"])
    expect(JSON.parse(out)).toEqual({
      session: "s",
      agent: "main",
      revision: 1,
      phases: [],
      todos: [
        { id: "1", content: "Read the code", status: "completed", activeForm: "Reading the code" },
        { id: "2", content: "Fix the parser", status: "in_progress", activeForm: "Fixing the parser" },
        { id: "3", content: "Publish", status: "pending", activeForm: "Publishing" },
      ],
      progress: { completed: 1, total: 3, percent: 33 },
    })
  })

  test("of an unknown plan is refused, exit code 1", async () => {
    for (const argv of [["show"], ["show", "--session", "x"], ["history"], ["todo", "done", "1"], ["todo", "undo"]]) {
      const { code, out, err } = await runCli(argv)
      expect([code, out]).toEqual([1, ""])
      expect(err).toMatch(/There is no (?:plan in this project|session "x")/)
    }
  })
})

describe("the plan that is meant", () => {
  test("is the newest of this project without --session; the first write begins one and reports it", async () => {
    const { home, run } = atHome()
    const project = join(home, "code", "parser")
    mkdirSync(join(project, ".git"), { recursive: true })
    mkdirSync(join(project, "src"))
    const first = await run(["write"], { input: list, cwd: project })
    expect(first.err).toBe("headway: no plan in this project yet; started session parser-1\n")
    const again = await run(["write"], { input: "{}", cwd: join(project, "src"), now: "2030-01-02T00:00:00Z" })
    expect(again.err).toBe("")
    await run(["write", "--new", "--session", "newer"], { input: list, cwd: project, now: "2030-01-03T00:00:00Z" })
    const shownAt = async (now: string) =>
      JSON.parse((await run(["show", "--json"], { cwd: project, now })).out).session
    expect(await shownAt("2030-01-03T00:00:00Z")).toBe("newer")
    const elsewhere = await run(["show"], { cwd: home })
    expect([elsewhere.code, elsewhere.out]).toEqual([1, ""])
  })

  test("is not one dated years ahead by a wrong clock", async () => {
    const { run } = await withPlan()
    await run(["write", "--new", "--session", "t"], { input: list, now: "2099-01-01T00:00:00Z" })
    expect(JSON.parse((await run(["show", "--json"])).out).session).toBe("s")
  })

  test("has the next free number for a new session, also beside another project of the same name", async () => {
    const { home, run } = atHome()
    const cwd = ["one", "two"].map((name) => join(home, name, "app"))
    for (const folder of cwd) mkdirSync(folder, { recursive: true })
    await run(["write"], { input: list, cwd: cwd[0] ?? "" })
    expect((await run(["todo", "add", "Read"], { cwd: cwd[1] ?? "" })).err).toContain("started session app-2")
  })

  test("is that of --session, then of HEADWAY_SESSION, then the newest", async () => {
    const { run } = await withPlan()
    await run(["write", "--new", "--session", "t"], {
      input: '{"todos":[{"content":"Other"}]}',
      now: "2030-01-02T00:00:00Z",
    })
    const session = async (argv: string[], env = {}) =>
      JSON.parse((await run([...argv, "--json"], { env })).out).session
    expect(await session(["show"])).toBe("t")
    expect(await session(["show"], { HEADWAY_SESSION: "s" })).toBe("s")
    expect(await session(["show", "--session", "t"], { HEADWAY_SESSION: "s" })).toBe("t")
  })

  test("is one for each agent of a session (C10)", async () => {
    const { run } = await withPlan()
    await run(["write", "--new", "--session", "s", "--agent", "helper"], { input: '{"todos":[{"content":"Help"}]}' })
    expect((await run(["show", "--session", "s", "--agent", "helper"])).out).not.toContain("Publish")
    expect((await run(["show", "--session", "s"])).out).not.toContain("Help")
  })

  test("is in --home, then in HEADWAY_HOME, then in ~/.headway", async () => {
    const { home, run } = atHome()
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    await run(["write", "--new", "--home", one, "--session", "s"], { input: list, env: { HEADWAY_HOME: two } })
    await run(["write", "--new", "--session", "s"], { input: list, env: { HEADWAY_HOME: two } })
    await run(["write", "--new", "--session", "s"], { input: list })
    for (const folder of [one, two, join(home, ".headway")]) expect(existsSync(join(folder, "journal"))).toBe(true)
    await run(["write", "--new", "--home", "relative", "--session", "s"], { input: list, cwd: one })
    expect(existsSync(join(one, "relative", "journal"))).toBe(true)
  })

  test("is in the repository with --project, where worktrees share it, and private files are ignored", async () => {
    const { home, run } = atHome()
    const repository = join(home, "repository")
    const worktree = join(home, "worktree")
    mkdirSync(join(repository, ".git", "worktrees", "w"), { recursive: true })
    mkdirSync(join(worktree, "src"), { recursive: true })
    writeFileSync(join(worktree, ".git"), `gitdir: ${join(repository, ".git", "worktrees", "w")}\n`)
    writeFileSync(join(repository, ".git", "worktrees", "w", "gitdir"), `${join(worktree, ".git")}\n`)
    await run(["write", "--project"], { input: list, cwd: join(worktree, "src") })
    expect(namesIn(join(repository, ".headway"))).toEqual([".gitattributes", ".gitignore", "journal", "tmp", "todos"])
    expect(readFileSync(join(repository, ".headway", ".gitignore"), "utf8")).toBe("tmp/\n")
    expect(existsSync(join(home, ".headway", "journal"))).toBe(false)
    const shown = await run(["show", "--project", "--json"], { cwd: repository })
    expect(JSON.parse(shown.out)).toMatchObject({ session: "repository-1", todos: { length: 3 } })
    expect(
      readFileSync(join(repository, ".headway", "journal", "repository-1-agent-main.jsonl"), "utf8"),
    ).not.toContain(home)
  })

  test("is found again in a repository without the option", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, "repository", ".git"), { recursive: true })
    await run(["write", "--project"], { input: list, cwd: join(home, "repository") })
    const shown = await run(["show", "--json"], { cwd: join(home, "repository") })
    expect(JSON.parse(shown.out)).toMatchObject({ session: "repository-1", todos: { length: 3 } })
  })

  test("is not written where a link in a repository leads", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, "repository", ".git"), { recursive: true })
    mkdirSync(join(home, "elsewhere"))
    symlinkSync(join(home, "elsewhere"), join(home, "repository", ".headway"))
    const { code, err } = await run(["write", "--project"], { input: list, cwd: join(home, "repository") })
    expect([code, err]).toEqual([1, expect.stringContaining("points outside the project")])
    expect(namesIn(join(home, "elsewhere"))).toEqual([])
  })

  test("is that of the file's own project where a file only claims to be a worktree", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, "victim", ".git", "worktrees", "w"), { recursive: true })
    mkdirSync(join(home, "forged"))
    writeFileSync(join(home, "forged", ".git"), `gitdir: ${join(home, "victim", ".git", "worktrees", "w")}\n`)
    await run(["write", "--project"], { input: list, cwd: join(home, "forged") })
    expect(existsSync(join(home, "victim", ".headway"))).toBe(false)
  })

  test("is not that of another repository because of the name of a folder", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, "victim", ".git"), { recursive: true })
    const forged = join(home, "forged")
    const listed = "link\\.git\\worktrees\\w"
    mkdirSync(join(forged, listed), { recursive: true })
    symlinkSync(join(home, "victim"), join(forged, "link"))
    writeFileSync(join(forged, ".git"), `gitdir: ${listed}\n`)
    writeFileSync(join(forged, listed, "gitdir"), "../.git\n")
    await run(["write", "--project"], { input: list, cwd: forged })
    expect(existsSync(join(home, "victim", ".headway"))).toBe(false)
  })

  test("is in the project with the setting keepPlansInProject, too", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, ".headway"))
    writeFileSync(join(home, ".headway", "settings.json"), '{"keepPlansInProject":true}')
    mkdirSync(join(home, "repository", ".git"), { recursive: true })
    await run(["write"], { input: list, cwd: join(home, "repository") })
    expect(existsSync(join(home, "repository", ".headway", "journal"))).toBe(true)
  })

  test("stays inside the home for hostile ids", async () => {
    const { home, run } = atHome()
    const argv = ["--session", "../../x", "--agent", "../y"]
    expect((await run(["write", "--new", ...argv], { input: list })).code).toBe(0)
    expect(JSON.parse((await run(["show", ...argv, "--json"])).out)).toMatchObject({
      session: "../../x",
      agent: "../y",
    })
    expect(namesIn(home)).toEqual([".headway"])
    expect(namesIn(join(home, ".headway", "todos"))).toEqual([
      "..%2F..%2Fx-agent-..%2Fy.json".replace("..", "%2E.").replace("agent-..", "agent-%2E."),
    ])
  })
})

describe("list", () => {
  test("shows all plans, the newest first, in columns", async () => {
    const { run } = await withPlan()
    await run(["write", "--new", "--session", "t"], {
      input: '{"todos":[{"content":"Rest","status":"completed"}]}',
      now: "2030-01-02T00:00:00Z",
    })
    const { code, out, err } = await run(["list"], { now: "2030-01-03T00:00:00Z" })
    expect([code, err]).toEqual([0, ""])
    const [head, , ...rows] = out
      .trimEnd()
      .split("\n")
      .map((row) => row.trim().split(/\s{2,}/))
    expect(head).toEqual(["SESSION", "AGENT", "STATE", "DONE", "AGE", "NOW"])
    expect(rows).toEqual([
      ["t", "Headway", "finished", "1/1", "1d", "finished"],
      ["s", "Headway", "idle", "1/3", "2d", "Fixing the parser"],
    ])
    expect(await run([], { now: "2030-01-03T00:00:00Z" })).toEqual({ code, out, err })
  })

  test("a plan that has been emptied is not called finished", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "s"], { input: '{"todos":[{"content":"Rest"}]}' })
    await run(["todo", "clear", "--session", "s"])
    expect((await run(["list"])).out).toMatch(/ - +0s +no plan yet\n$/)
  })

  test("fits the width of the screen", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "long ".repeat(30)], { input: list })
    const { out } = await run(["list"], { columns: 60 })
    expect(Math.max(...out.split("\n").map((row) => row.length))).toBeLessThanOrEqual(60)
  })

  test("as JSON is an array of plans, empty without any", async () => {
    const { run } = await withPlan()
    expect(JSON.parse((await run(["list", "--json"])).out)).toMatchObject([
      { session: "s", agent: "main", progress: { completed: 1, total: 3, percent: 33 }, isFinished: false, todos: 3 },
    ])
    const empty = atHome()
    expect(await empty.run(["list", "--json"])).toEqual({ code: 0, out: "[]\n", err: "" })
    expect(await empty.run(["list"])).toMatchObject({ code: 0, out: "", err: expect.stringContaining("no plans yet") })
    expect(namesIn(empty.home)).toEqual([])
  })

  test("--root reads another program's lists, there and in show (C11)", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, "agent", "todos"), { recursive: true })
    const items = [{ content: "Read", status: "completed", activeForm: "Reading" }]
    writeFileSync(join(home, "agent", "todos", "abc-agent-abc.json"), JSON.stringify(items))
    writeFileSync(join(home, "agent", "todos", "bad-agent-bad.json"), "{")
    const { code, out, err } = await run(["list", "--root", "agent"])
    expect(code).toBe(0)
    expect(out).toContain("abc")
    expect(err).toContain("bad-agent-bad.json")
    expect((await run(["show", "--root", "agent", "--session", "abc"])).out).toContain("Read")
    expect(namesIn(join(home, "agent", "todos"))).toEqual(["abc-agent-abc.json", "bad-agent-bad.json"])
  })
})

describe("history", () => {
  test("has who changed what, when and through which tool, the oldest first (N8)", async () => {
    const { run } = await withPlan()
    await run(["todo", "done", "parser", "--session", "s"], { now: "2030-01-01T01:00:00Z" })
    const { code, out } = await run(["history", "--session", "s"], { now: "2030-01-01T03:00:00Z" })
    expect(code).toBe(0)
    const local = (at: string): string => new Date(at).toLocaleString("sv-SE")
    const [first = "", ...others] = out.replace(/\[\w+\]/g, "[ID]").split(/\n(?! )/)
    expect(first).toMatch(
      `${local("2030-01-01T00:00:00Z")} (3h ago)  agent main through todo (headway)\n  [ID]\n  began the plan\n`,
    )
    expect(others).toEqual([
      `${local("2030-01-01T01:00:00Z")} (2h ago)  person ada  [ID]\n  2 "Fix the parser": now completed`,
      "",
    ])
  })

  test("stays within 80 columns, and within a narrower screen", async () => {
    const { run } = await withPlan()
    await run(["todo", "note", "2", `${"word ".repeat(30)}${"x".repeat(200)}`, "--session", "s"])
    for (const columns of [undefined, 200, 80, 30]) {
      const { out } = await run(["history", "--session", "s"], columns === undefined ? {} : { columns })
      expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(Math.min(columns ?? 80, 80))
    }
  })

  test("has how long each todo waited and was worked on (N8)", async () => {
    const { run } = await withPlan()
    await run(["todo", "done", "parser", "--session", "s"], { now: "2030-01-01T02:00:00Z" })
    const { out } = await run(["history", "--session", "s", "--times"], { now: "2030-01-01T05:00:00Z" })
    expect(out).toContain("2  Fix the parser: in_progress 2h, completed 3h\n")
    expect(out).toContain("3  Publish: pending 5h\n")
  })

  test("as JSON has entries with what really happened, and the times (N8)", async () => {
    const { run } = await withPlan()
    const history = JSON.parse(
      (await run(["history", "--session", "s", "--json"], { now: "2030-01-01T00:00:01Z" })).out,
    )
    expect(history).toMatchObject({
      session: "s",
      agent: "main",
      entries: [{ v: 1, by: { kind: "agent", id: "main" }, via: { dialect: "headway", tool: "todo" } }],
      todos: [{ id: "1", status: "completed", times: { completed: 1000 } }, {}, {}],
    })
    expect(history.entries[0].events.map(({ type }: { type: string }) => type)).toContain("todo-added")
  })
})

describe("gc", () => {
  const old = async () => {
    const person = atHome()
    const done = '{"todos":[{"content":"Rest","status":"completed"}]}'
    await person.run(["write", "--new", "--session", "old-done"], { input: done, now: "2029-11-01T00:00:00Z" })
    await person.run(["write", "--new", "--session", "old-open"], { input: list, now: "2029-11-01T00:00:00Z" })
    await person.run(["write", "--new", "--session", "new-done"], { input: done, now: "2029-12-31T00:00:00Z" })
    const sessions = async (): Promise<string[]> =>
      JSON.parse((await person.run(["list", "--json"])).out)
        .map(({ session }: { session: string }) => session)
        .toSorted()
    return { ...person, sessions }
  }

  test("--dry-run only lists what would be removed", async () => {
    const { run, sessions } = await old()
    const { code, out, err } = await run(["gc", "--older-than", "30d", "--dry-run"])
    expect([code, out]).toEqual([0, "would remove old-done main (1/1, 61d old)\n"])
    expect(err).toContain("would remove 1 of 3 plans")
    expect(await sessions()).toHaveLength(3)
  })

  test("removes old finished plans with all their files, and no unfinished one", async () => {
    const { home, run, sessions } = await old()
    expect((await run(["gc", "--older-than", "30d"])).out).toContain("removed old-done")
    expect(await sessions()).toEqual(["new-done", "old-open"])
    for (const folder of ["journal", "todos"]) {
      expect(namesIn(join(home, ".headway", folder)).filter((name) => name.startsWith("old-done"))).toEqual([])
    }
  })

  test("removes unfinished ones only on request", async () => {
    const { run, sessions } = await old()
    const { out } = await run(["gc", "--older-than", "30d", "--unfinished", "--json"])
    expect(
      JSON.parse(out)
        .map(({ session }: { session: string }) => session)
        .toSorted(),
    ).toEqual(["old-done", "old-open"])
    expect(await sessions()).toEqual(["new-done"])
  })

  test("is the only command that removes a plan", async () => {
    const { run, sessions } = await old()
    for (const argv of [["list"], ["show", "--session", "old-done"], ["todo", "clear", "--session", "old-done"]])
      await run(argv)
    expect(await sessions()).toHaveLength(3)
  })
})
