/** Checks that Headway runs itself, and the evidence they make. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Evidence } from "../../src/evidence/index.ts"
import type { Entry } from "../../src/plan/index.ts"
import { claudeLines } from "../evidence/claude-session.ts"
import { atHome } from "./run-cli.ts"

const env = { PATH: process.env.PATH ?? "" }

/** A repository with a plan of two todos, the first of which is done. */
const begun = async () => {
  const { home, run } = atHome({ env })
  const cwd = join(home, "shop")
  mkdirSync(cwd)
  execFileSync("git", ["init", "-q"], { cwd })
  const headway = (...words: string[]) => run(words, { cwd })
  const todos = [
    { content: "Fix login", status: "completed" },
    { content: "Write docs", status: "pending" },
  ]
  await run(["write", "--new", "--session", "s"], { cwd, input: JSON.stringify({ todos }) })
  const wordsNow = async (): Promise<string[]> => {
    const { evidence } = JSON.parse((await headway("show", "--json")).out) as { evidence: Evidence }
    return evidence.todos.map(({ word }) => word)
  }
  return { home, cwd, run, headway, wordsNow }
}

describe("N7 headway check", () => {
  test("a todo whose check has passed is verified until a file changes", async () => {
    const { cwd, headway, wordsNow } = await begun()
    await headway("check", "set", "1", "echo fine")
    expect(await headway("check")).toMatchObject({ code: 0, out: expect.stringContaining("passed") })
    expect(await wordsNow()).toEqual(["verified", "not-started"])
    expect((await headway("show")).out).toContain("✓☒ 1 Fix login\n ☐ 2 Write docs")
    writeFileSync(join(cwd, "a.txt"), "changed")
    expect((await headway("show")).out).toContain("~☒ 1 Fix login")
    expect((await headway("check", "list")).out).toContain("stale: files have changed since")
    expect(await wordsNow()).toEqual(["nothing-seen", "not-started"])
  })

  test("a check is nothing the agent is to be told about, unlike an edit", async () => {
    const { headway } = await begun()
    await headway("check", "set", "1", "true")
    await headway("check")
    await headway("todo", "add", "Ask Ada")
    const { entries } = JSON.parse((await headway("history", "--json")).out) as { entries: { told?: boolean }[] }
    expect(entries.map(({ told }) => told)).toEqual([undefined, undefined, undefined, false])
  })

  test("a command that would never be run is not set", async () => {
    const { headway } = await begun()
    for (const command of ["true\ntrue", "true \u202e", `echo ${"a".repeat(2_000)}`])
      expect(await headway("check", "set", command)).toMatchObject({
        code: 2,
        err: expect.stringContaining("Put it into a script"),
      })
    expect((await headway("check", "list")).err).toContain("there are no checks yet")
  })

  test("a todo is verified from any folder as it is from its own", async () => {
    const { home, cwd, headway } = await begun()
    await headway("check", "set", "1", "true")
    await headway("check")
    const elsewhere = atHome({ env, home, cwd: join(home, "elsewhere") }).run
    mkdirSync(join(home, "elsewhere"))
    expect((await elsewhere(["show", "s"])).out).toContain("✓☒ 1 Fix login")
    expect((await elsewhere(["check", "list", "--session", "s"])).out).not.toContain("stale")
    expect((await elsewhere(["evidence", "--session", "s"])).out).not.toContain("stale")
    writeFileSync(join(cwd, "a.txt"), "changed")
    expect((await elsewhere(["show", "s"])).out).toContain("~☒ 1 Fix login")
  })

  test("where the project of a plan is gone, it is not known whether files have changed", async () => {
    const { home, cwd, headway } = await begun()
    await headway("check", "set", "1", "true")
    await headway("check")
    renameSync(cwd, `${cwd}-2`)
    const elsewhere = atHome({ env, home, cwd: home }).run
    const unknown = "whether files have changed since is not known from here"
    expect((await elsewhere(["check", "list", "--session", "s"])).out).toContain(unknown)
    expect((await elsewhere(["evidence", "--session", "s"])).out.replace(/\s+/g, " ")).toContain(unknown)
  })

  test("a list that an agent has finished is checked as it is shown", async () => {
    const { cwd, run } = await begun()
    const headway = (...words: string[]) => run([...words, "--session", "f"], { cwd })
    const write = (first: string, second: string) => {
      const todos = [
        { content: "Fix login", status: first, activeForm: "Fixing login" },
        { content: "Write docs", status: second, activeForm: "Writing docs" },
      ]
      const input = JSON.stringify({ todos })
      return run(["write", "--new", "--dialect", "claude-todos", "--session", "f"], { cwd, input })
    }
    await write("in_progress", "pending")
    await headway("check", "set", "1", "exit 3")
    await write("completed", "in_progress")
    await write("completed", "completed")
    expect((await headway("check", "list")).out).not.toContain("replaced")
    expect(await headway("check", "1")).toMatchObject({ code: 1, out: expect.stringContaining("failed") })
    expect((await headway("check", "set", "Write docs", "true")).out).toContain("Check added: true (todo 2)")
    expect(await headway("check", "2")).toMatchObject({ code: 0, out: expect.stringContaining("passed") })
    expect((await headway("show")).out).toContain("!☒ 1 Fix login\n✓☒ 2 Write docs")
    expect((await headway("check", "remove", "1", "exit 3")).code).toBe(0)
    expect((await headway("check", "list")).out).not.toContain("exit 3")
    const { entries } = JSON.parse((await headway("history", "--json")).out) as { entries: Entry[] }
    const ran = entries.filter(({ events }) => events.some(({ type }) => type === "check-ran"))
    expect(ran.map(({ names }) => names)).toEqual([{ 1: "Fix login" }, { 2: "Write docs" }])
  })

  test("a commit of what was checked leaves it verified", async () => {
    const { cwd, headway, wordsNow } = await begun()
    writeFileSync(join(cwd, "a.txt"), "changed")
    await headway("check", "set", "true")
    await headway("check")
    execFileSync("git", ["add", "."], { cwd })
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], { cwd })
    expect(await wordsNow()).toEqual(["verified", "not-started"])
  })

  test("a check that fails ends with 1, shows its last lines and is kept as an entry", async () => {
    const { headway, wordsNow } = await begun()
    await headway("check", "set", "echo broken; exit 3")
    expect(await headway("check")).toMatchObject({ code: 1, out: expect.stringContaining("broken") })
    expect((await headway("history")).out).toContain('ran check "echo broken; exit 3": failed')
    expect(await wordsNow()).toEqual(["nothing-seen", "not-started"])
  })

  test("a failed check of the whole plan is shown, and contradicts what is done once nothing is left open", async () => {
    const { cwd, headway, wordsNow } = await begun()
    const failOn = async () => (await headway("evidence", "--fail-on", "contradicted")).code
    const failure = 'Check of the whole plan: "exit 3" failed when Headway checked it.'
    await headway("check", "set", "exit 3")
    await headway("check")
    expect((await headway("show")).out).toContain(`·☒ 1 Fix login\n ☐ 2 Write docs\n\n${failure}\n`)
    expect((await headway("evidence")).out).toContain("a check of the whole plan fails")
    expect([await wordsNow(), await failOn()]).toEqual([["nothing-seen", "not-started"], 0])
    await headway("todo", "done", "2")
    const { out } = await headway("show")
    expect(out).toContain(`!☒ 1 Fix login\n!☒ 2 Write docs\n\n2 done? The last check failed`)
    expect(out).toContain(failure)
    expect(JSON.parse((await headway("show", "--json")).out)).toMatchObject({
      evidence: { list: { failing: [{ command: "exit 3", outcome: "failed" }] } },
    })
    expect([await wordsNow(), await failOn()]).toEqual([["contradicted", "contradicted"], 1])
    writeFileSync(join(cwd, "a.txt"), "changed")
    expect([await wordsNow(), await failOn()]).toEqual([["nothing-seen", "nothing-seen"], 0])
    expect((await headway("show")).out).not.toContain("done?")
  })

  test("a failed check of the whole plan leaves a todo verified that has a check of its own", async () => {
    const { headway, wordsNow } = await begun()
    await headway("todo", "done", "2")
    await headway("check", "set", "exit 3")
    await headway("check", "set", "1", "true")
    await headway("check")
    expect(await wordsNow()).toEqual(["verified", "contradicted"])
  })

  test.each([
    ["one todo", ["1"]],
    ["the whole plan", []],
  ])("a check of %s whose program is missing contradicts nothing", async (_, todo) => {
    const { headway, wordsNow } = await begun()
    await headway("todo", "done", "2")
    await headway("check", "set", ...todo, "no-such-program --all")
    expect(await headway("check")).toMatchObject({ code: 1, out: expect.stringMatching(/^could not run {2}no-such/) })
    expect(await wordsNow()).toEqual(["nothing-seen", "nothing-seen"])
    expect((await headway("show")).out).toContain("·☒ 1 Fix login")
    expect((await headway("evidence")).out).toContain(
      '"no-such-program --all" could not be run when Headway checked it',
    )
    expect((await headway("evidence", "--fail-on", "contradicted")).code).toBe(0)
    expect((await headway("check", "list")).out).toContain("could not run 0s ago")
  })

  test("a check that takes too long is ended with all it has started", async () => {
    const { headway } = await begun()
    await headway("check", "set", "sleep 60 & wait")
    expect(await headway("check", "--timeout", "1s")).toMatchObject({
      code: 1,
      out: expect.stringContaining("timed out  sleep 60"),
    })
  })

  test("a required file is searched in the project only", async () => {
    const { cwd, headway } = await begun()
    await headway("check", "set", "--file", "dist/app.js")
    expect(await headway("check")).toMatchObject({
      code: 1,
      out: expect.stringContaining("There is no file dist/app.js"),
    })
    mkdirSync(join(cwd, "dist"))
    writeFileSync(join(cwd, "dist/app.js"), "1")
    expect((await headway("check")).code).toBe(0)
    await headway("check", "set", "--file", "../../etc/passwd")
    expect((await headway("check")).out).toContain("outside of the project")
  })

  test("a command proposed by the project's file or an agent runs only when a person has allowed exactly that, here", async () => {
    const { home, cwd, headway } = await begun()
    const [byProject, byAgent] = [`touch ${join(home, "project")}`, `touch ${join(home, "agent")}`]
    mkdirSync(join(cwd, ".headway"), { recursive: true })
    writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify({ plan: [byProject] }))
    const todos = [{ content: "Fix login", status: "completed", check: byAgent }]
    await atHome({ home, env }).run(["write", "--session", "s"], { cwd, input: JSON.stringify({ todos }) })
    const refused = await headway("check")
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("headway check allow") })
    expect(refused.err).toContain("came from the agent")
    expect([existsSync(join(home, "project")), existsSync(join(home, "agent"))]).toEqual([false, false])
    await headway("check", "allow", byProject)
    await headway("check")
    expect([existsSync(join(home, "project")), existsSync(join(home, "agent"))]).toEqual([true, false])
    expect(readFileSync(join(home, ".headway/allowed-checks.json"), "utf8")).toContain(byProject)
  })

  describe("what was only proposed for a todo", () => {
    const propose = async ({ home, cwd }: { home: string; cwd: string }, check: string) => {
      const todos = [
        { content: "Fix login", status: "completed" },
        { content: "Write docs", status: "completed", check },
      ]
      await atHome({ home, env }).run(["write", "--session", "s"], { cwd, input: JSON.stringify({ todos }) })
    }

    test("by an agent does not verify it, though the person set the same command for another todo", async () => {
      const begin = await begun()
      const { headway, wordsNow } = begin
      await headway("check", "set", "1", "test -d .git")
      await propose(begin, "test -d .git")
      const { code, out } = await headway("check")
      expect([code, out]).toEqual([0, expect.stringMatching(/test -d \.git \(todo 2\) .*\(proposed by the agent\)/)])
      expect(await wordsNow()).toEqual(["verified", "backed"])
      expect((await headway("show")).out).toContain("✓☒ 1 Fix login\n+☒ 2 Write docs")
      await headway("check", "set", "2", "test -d .git")
      expect(await wordsNow()).toEqual(["verified", "verified"])
    })

    test("by the project's file does not verify it either", async () => {
      const { cwd, headway, wordsNow } = await begun()
      mkdirSync(join(cwd, ".headway"), { recursive: true })
      const checks = { plan: ["test -d .git"], todos: { "Fix login": "test -d .git" } }
      writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify(checks))
      const { code, err } = await headway("check", "allow", "test -d .git")
      expect([code, err]).toEqual([0, expect.stringContaining("this verifies no todo by itself")])
      expect((await headway("check")).code).toBe(0)
      expect(await wordsNow()).toEqual(["backed", "not-started"])
    })

    test("contradicts it where it fails, and a check of the whole plan that the person set verifies it", async () => {
      const begin = await begun()
      const { cwd, headway, wordsNow } = begin
      await headway("check", "set", "true")
      await headway("check", "allow", "test -e a.txt")
      await propose(begin, "test -e a.txt")
      await headway("check")
      expect(await wordsNow()).toEqual(["verified", "contradicted"])
      writeFileSync(join(cwd, "a.txt"), "one")
      await headway("check")
      expect(await wordsNow()).toEqual(["verified", "verified"])
    })

    test("does not verify it through the gate", async () => {
      const { home, cwd, headway, wordsNow } = await begun()
      await headway("check", "set", "1", "test -d .git")
      const write = (status: string) => {
        const todos = [
          { content: "Fix login", status: "completed" },
          { content: "Write docs", status, check: "test -d .git" },
        ]
        const options = { cwd, input: JSON.stringify({ todos }) }
        return atHome({ home, env }).run(["write", "--session", "s", "--gate"], options)
      }
      await write("in_progress")
      await write("completed")
      expect((await headway("check", "list")).out).toMatch(/todo 2\) .*passed/)
      expect((await wordsNow())[1]).toBe("backed")
    })
  })

  test("a command that cannot be allowed, as from an older Headway, is not set either", async () => {
    const { home, headway } = await begun()
    const file = join(home, ".headway/allowed-checks.json")
    writeFileSync(file, '{"v": 2, "allowed": [], "later": 1}')
    expect(await headway("check", "set", "true")).toMatchObject({
      code: 1,
      err: expect.stringContaining("newer Headway"),
    })
    expect(readFileSync(file, "utf8")).toBe('{"v": 2, "allowed": [], "later": 1}')
    expect((await headway("check", "list")).err).toContain("there are no checks yet")
  })

  test("the printed command that allows a proposal runs nothing else in a shell, fish included", async () => {
    const { home, cwd, headway } = await begun()
    mkdirSync(join(cwd, ".headway"), { recursive: true })
    const command = String.raw`true \'; touch pwned; '$(touch pwned)`
    writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify({ plan: [command] }))
    const [, word = ""] = /headway check allow (.*)\n/.exec((await headway("check")).err) ?? []
    for (const shell of ["sh", "fish"]) {
      const { stdout, error } = spawnSync(shell, ["-c", `printf '%s' ${word}`], { cwd: home, encoding: "utf8" })
      // It may not be installed.
      if (!error) expect(stdout).toBe(command)
    }
    expect(existsSync(join(home, "pwned"))).toBe(false)
  })

  test("a check says nothing about a todo that an agent puts in the place of the one it was set for", async () => {
    const { home, run } = atHome({ env })
    const cwd = join(home, "shop")
    mkdirSync(cwd)
    const headway = (...words: string[]) => run(words, { cwd })
    const plan = (...steps: string[]) =>
      run(["write", "--new", "--session", "s", "--dialect", "codex"], {
        cwd,
        input: JSON.stringify({ plan: steps.map((step) => ({ step, status: "completed" })) }),
      })
    await plan("Fix the login bug", "Add tests for login")
    await headway("check", "set", "2", "true")
    expect((await headway("check")).code).toBe(0)
    const wordOf = async (): Promise<unknown> =>
      (JSON.parse((await headway("show", "--json")).out) as { evidence?: Evidence }).evidence?.todos[1]?.word
    expect(await wordOf()).toBe("verified")
    await plan("Fix the login bug", "Add tests for logout")
    const shown = (await headway("show", "--json")).out
    expect(shown).toContain("Add tests for logout")
    expect(await wordOf()).not.toBe("verified")
    const again = await headway("check")
    expect(again.code).toBe(1)
    expect(again.err).toContain('It was set for "Add tests for login"')
    expect((await headway("check", "list")).out).toContain('set for "Add tests for login"')
  })

  test("a check of one of several todos with the same text verifies that one alone", async () => {
    const { headway, wordsNow } = await begun()
    for (const text of ["Run the tests", "Run the tests.", "run the tests"]) await headway("todo", "add", text)
    for (const id of ["3", "4", "5"]) await headway("todo", "done", id)
    await headway("check", "set", "4", "true")
    await headway("check")
    expect((await wordsNow()).slice(2)).toEqual(["nothing-seen", "verified", "nothing-seen"])
    expect((await headway("show")).out).toContain("✓☒ 4 Run the tests.\n")
    expect((await headway("show")).out).not.toContain("✓☒ 3")
  })

  test("a check goes on to count for a todo that the person rewords", async () => {
    const { headway, wordsNow } = await begun()
    await headway("check", "set", "1", "true")
    await headway("check")
    await headway("todo", "edit", "1", "Repair the login page")
    await headway("todo", "edit", "1", "Repair the whole page")
    expect(await wordsNow()).toEqual(["verified", "not-started"])
  })

  test("a check that is removed is no longer run", async () => {
    const { headway } = await begun()
    await headway("check", "set", "false")
    await headway("check", "remove", "false")
    expect(await headway("check")).toMatchObject({ code: 1, err: expect.stringContaining("There are no checks yet") })
  })

  test("a word that is no action and no todo is refused with how to add a check", async () => {
    const { headway } = await begun()
    const { code, err } = await headway("check", "add", "npm test")
    expect([code, err]).toEqual([1, expect.stringContaining('To add a check: headway check set [TODO] "COMMAND".')])
  })

  test("a check that was never set is not reported as removed", async () => {
    const { headway } = await begun()
    await headway("check", "set", "1", "false")
    const refused = { code: 1, out: "", err: expect.stringContaining("You have set no check false. See") }
    expect(await headway("check", "remove", "false")).toMatchObject(refused)
    expect((await headway("check", "list")).out).toContain("false (todo 1)")
  })
})

describe("N7 headway evidence", () => {
  const steps = [
    { todos: { "Fix login": "in_progress" } },
    { edit: "src/login.ts" },
    { run: "npm test", prints: "Tests  1 failed (1)", fails: true },
    { todos: { "Fix login": "completed" } },
  ] as const

  test("a file is printed as a story, and as data", async () => {
    const { home, run } = atHome()
    writeFileSync(join(home, "session.jsonl"), claudeLines(steps).join("\n"))
    const { out, code } = await run(["evidence", "session.jsonl"])
    expect(code).toBe(0)
    expect(out).toContain("! Fix login (done?, contradicted)")
    expect(out).toContain('"npm test" failed after the last edit (line 5): Tests 1 failed (1).')
    const data = JSON.parse((await run(["evidence", "session.jsonl", "--json"])).out) as Evidence
    expect(data).toMatchObject({
      session: "s1",
      todos: [{ content: "Fix login", status: "completed", word: "contradicted" }],
      list: { lastCheck: "failed", dropped: [], open: 0, bursts: 0 },
    })
  })

  test("--fail-on ends with 1 where a completed todo has the word, and only there", async () => {
    const { home, run } = atHome()
    writeFileSync(join(home, "session.jsonl"), claudeLines(steps).join("\n"))
    expect((await run(["evidence", "session.jsonl", "--fail-on", "contradicted"])).code).toBe(1)
    expect((await run(["evidence", "session.jsonl", "--fail-on", "unchecked"])).code).toBe(0)
    expect((await run(["evidence", "session.jsonl", "--fail-on", "wrong"])).code).toBe(2)
  })

  test("it is about the plan as the person has corrected it", async () => {
    const { home, run } = atHome({ env, now: "2030-01-01T00:00:00Z" })
    const cwd = join(home, "shop")
    mkdirSync(cwd)
    execFileSync("git", ["init", "-q"], { cwd })
    mkdirSync(join(home, ".claude/projects/-shop"), { recursive: true })
    const lines = claudeLines([
      { todos: { Explore: "completed", "Fix login": "in_progress", "Run tests": "pending" } },
      { edit: "/shop/login.js" },
      { todos: { Explore: "completed", "Fix login": "completed", "Run tests": "in_progress" } },
      { run: "npm test", prints: "Tests  1 failed (1)", fails: true },
      { todos: { Explore: "completed", "Fix login": "completed", "Run tests": "completed" } },
    ]).map((line) => line.replaceAll('"/shop"', JSON.stringify(cwd)))
    writeFileSync(join(home, ".claude/projects/-shop/s1.jsonl"), lines.join("\n"))
    const headway = (...words: string[]) => run([...words, "--session", "s1"], { cwd })
    const failOn = async () => (await headway("evidence", "--fail-on", "contradicted")).code
    const shown = async () => {
      const { evidence } = JSON.parse((await headway("show", "--json")).out) as { evidence: Evidence }
      return [evidence.list.open, ...evidence.todos.map(({ content, status }) => `${status} ${content}`)]
    }
    const ofAll = async (...more: string[]) => run(["evidence", "--all", "--since", "9999d", ...more], { cwd })
    const before = [await failOn(), ...(await shown())]
    expect(before).toEqual([1, 0, "completed Explore", "completed Fix login", "completed Run tests"])
    await headway("todo", "start", "Run tests")
    await headway("todo", "rm", "Explore")
    await headway("todo", "add", "One more")
    await headway("todo", "edit", "Fix login", "Fix redirect")
    expect(await shown()).toEqual([2, "completed Fix redirect", "in_progress Run tests", "pending One more"])
    const { out } = await headway("evidence")
    expect(out).toContain("? Fix redirect (done, unchecked)")
    expect(out).toContain("Run tests (in progress)")
    expect([out.includes("Explore"), await failOn()]).toEqual([false, 0])
    const [row] = JSON.parse((await ofAll("--json")).out) as Evidence[]
    expect(row?.todos).toEqual((JSON.parse((await headway("evidence", "--json")).out) as Evidence).todos)
    expect((await ofAll("--fail-on", "contradicted")).code).toBe(0)
    await headway("check", "set", "Fix redirect", "exit 3")
    await headway("check")
    expect((await headway("evidence")).out).toContain("! Fix redirect (done?, contradicted)")
    expect([await failOn(), (await ofAll("--fail-on", "contradicted")).code]).toEqual([1, 1])
  })

  test("checks that a person set on a sub-agent's own plan count for its todos, and not for its parent's", async () => {
    const { home, run } = atHome({ env, now: "2030-01-01T00:00:00Z" })
    const cwd = join(home, "shop")
    mkdirSync(cwd)
    execFileSync("git", ["init", "-q"], { cwd })
    const done = { todos: { "Fix login": "completed" } } as const
    const lines = claudeLines([done, { delegates: "Fix it", agent: "abc", does: [done] }]).map((line) =>
      line.replaceAll('"/shop"', JSON.stringify(cwd)),
    )
    const isOfHelper = (line: string): boolean => line.includes('"isSidechain":true')
    const folder = join(home, ".claude/projects/-shop")
    mkdirSync(join(folder, "s1/subagents"), { recursive: true })
    writeFileSync(join(folder, "s1.jsonl"), lines.filter((line) => !isOfHelper(line)).join("\n"))
    writeFileSync(join(folder, "s1/subagents/agent-abc.jsonl"), lines.filter(isOfHelper).join("\n"))
    const headway = (...words: string[]) => run([...words, "--session", "s1"], { cwd })
    const wordsOf = async (...words: string[]) => {
      const { todos } = JSON.parse((await headway("evidence", "--json", ...words)).out) as Evidence
      return todos.map(({ agent, word }) => [agent, word])
    }
    await headway("check", "set", "true", "--agent", "abc")
    await headway("check", "--agent", "abc")
    expect(await wordsOf("--agent", "abc")).toContainEqual(["abc", "verified"])
    expect((await headway("show", "--agent", "abc", "--json")).out).toContain('"verified"')
    expect((await wordsOf()).filter(([, word]) => word === "verified")).toEqual([])
  })

  test("sessions of this machine are read with the files of their sub-agents, and printed in one line each", async () => {
    const { home, run } = atHome({ now: "2030-01-01T00:00:00Z" })
    const folder = join(home, ".claude/projects/-shop")
    const delegated = [
      { todos: { "Fix login": "in_progress" } },
      {
        delegates: "Fix it",
        agent: "abc",
        does: [{ edit: "src/login.ts" }, { run: "npm test", prints: "Tests  1 passed (1)" }],
      },
      { todos: { "Fix login": "completed" } },
    ] as const
    const lines = claudeLines(delegated)
    mkdirSync(join(folder, "s1/subagents"), { recursive: true })
    writeFileSync(join(folder, "s1.jsonl"), lines.filter((line) => !line.includes('"isSidechain":true')).join("\n"))
    writeFileSync(
      join(folder, "s1/subagents/agent-abc.jsonl"),
      lines.filter((line) => line.includes('"isSidechain":true')).join("\n"),
    )
    const read = await run(["evidence", "--session", "s1", "--json"])
    expect(JSON.parse(read.out)).toMatchObject({ todos: [{ word: "backed", facts: { checks: [{ agent: "abc" }] } }] })
    const all = await run(["evidence", "--all", "--since", "9999d"])
    expect(all.out).toContain("1 backed, last check passed")
    const shown = JSON.parse((await run(["show", "--session", "s1", "--json"])).out) as { evidence: Evidence }
    expect(shown.evidence.todos[0]?.word).toBe("backed")
  })

  test("a file that no agent wrote has no evidence", async () => {
    const { home, run } = atHome()
    writeFileSync(join(home, "a.txt"), "hello\n")
    expect(await run(["evidence", "a.txt"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("No known agent's output"),
    })
  })
})

test("events carry one word for each completed todo on request", async () => {
  const { home, run } = atHome()
  const steps = [
    { todos: { "Fix login": "in_progress" } },
    { edit: "src/login.ts" },
    { run: "npm test", prints: "Tests  1 passed (1)" },
    { todos: { "Fix login": "completed" } },
  ] as const
  writeFileSync(join(home, "session.jsonl"), claudeLines(steps).join("\n"))
  const itemsOf = async (...words: string[]) => {
    const { out } = await run(["events", "session.jsonl", ...words])
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { items: object[] })
    return events.at(-1)?.items
  }
  expect(await itemsOf("--evidence")).toEqual([{ text: "Fix login", status: "completed", evidence: "backed" }])
  expect(await itemsOf()).toEqual([{ text: "Fix login", status: "completed" }])
})
