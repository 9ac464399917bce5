/** The launcher in place of Node: silent while nothing can have to be said, and nothing lost, doubled or torn by it. */
import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runCli } from "../cli/run-cli.ts"
import { isFull, rounds } from "../rounds.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"
import { bash, hookWords, launchedHome, listCall, toolEvent } from "./launched.ts"

const killer = new URL("../fixtures/kill-at.mjs", import.meta.url).href

/** A session whose plan is known, and whose next events are put aside. Node was not started for it: the hook ran in this process. */
const withPlan = async (...contents: string[]) => {
  const place = launchedHome()
  const env = { HEADWAY_LAUNCHER: "1" }
  const now = new Date().toISOString()
  await runCli(hookWords, { home: place.home, input: listCall(...contents, "Read"), env, now })
  return { ...place, hook: (input: string | Buffer) => place.launch(hookWords, { input }) }
}

describe.runIf(process.platform !== "win32")("the launcher", () => {
  test("starts Node for a list call, and not for the tools in between", () => {
    const { launch, started, namesIn, counted, run } = launchedHome()
    launch(hookWords, { input: listCall("Read") })
    expect(started()).toBe(1)
    for (let call = 0; call < 5; call += 1) {
      expect(launch(hookWords, { input: bash })).toMatchObject({ code: 0, out: "", err: "" })
    }
    expect([started(), namesIn("aside", "events").length, counted()]).toEqual([1, 5, 1])
    run(["list"])
    expect([namesIn("aside", "events"), counted()]).toEqual([[], 6])
  })

  test("counts events from a folder whose name contains line ends", async () => {
    const { launch, home, run, namesIn, counted } = await withPlan()
    const cwd = join(home, "a\rb\u2028c")
    mkdirSync(cwd)
    launch(hookWords, { input: bash, cwd })
    expect(namesIn("aside", "events")).toHaveLength(1)
    run(["list"])
    expect([namesIn("aside", "events"), counted()]).toEqual([[], 2])
  })

  test.each([
    ["openai-codex", "codex-0.166.0/PostToolUse"],
    ["google-gemini", "gemini-0.61.0/AfterTool"],
  ])("does the same for genuine events of %s", (agent, file) => {
    const { launch, started, namesIn } = launchedHome()
    const events = readFileSync(new URL(`../fixtures/hooks/${file}.jsonl`, import.meta.url), "utf8").split("\n")
    for (const input of events.slice(0, 2)) launch(["hook", agent], { input })
    expect([started(), namesIn("aside", "events").length]).toEqual([1, 1])
  })

  test("does the same in a shell that is bash", async () => {
    const { launch, started, namesIn } = await withPlan()
    launch(hookWords, { input: bash, shell: ["/bin/bash", "--posix"] })
    expect([started(), namesIn("aside", "events").length]).toEqual([0, 1])
  })

  test("hands over a long prompt at once in a shell that scans slowly", async () => {
    const { launchBeside, run, started } = await withPlan()
    run(["todo", "add", "Buy milk", "--session", "s-1"])
    const event = { session_id: "s-1", cwd: "/", hook_event_name: "UserPromptSubmit", prompt: "grüße ".repeat(200_000) }
    // Agents end a hook after ten seconds.
    const given = { input: JSON.stringify(event), shell: ["/bin/bash", "--posix"], killAfter: 10_000 }
    const { code, out } = await launchBeside(hookWords, { ...given, env: { LC_ALL: "C.UTF-8" } })
    expect([code, started()]).toEqual([0, 1])
    expect(out).toContain("Buy milk")
  })

  test("keeps nothing of a session without a plan", () => {
    const { launch, started, namesIn } = launchedHome()
    for (let call = 0; call < 3; call += 1) launch(hookWords, { input: bash })
    expect([started(), namesIn("aside", "events")]).toEqual([1, []])
    launch(hookWords, { input: listCall("Read") })
    expect([started(), namesIn("journal")]).toEqual([2, ["s-1-agent-main.jsonl"]])
  })

  test("tells sub-agents apart", async () => {
    const { hook, started, namesIn } = await withPlan()
    const event = toolEvent("Read", {}, { agent: "a5dca4644d25367e1" })
    hook(event)
    hook(event)
    expect([started(), namesIn("aside", "silent").toSorted()]).toEqual([
      1,
      ["s-1-agent-a5dca4644d25367e1", "s-1-agent-main"],
    ])
    hook(toolEvent("Read", {}, { agent: "main" }))
    expect([started(), namesIn("aside", "events")]).toEqual([2, []])
  })

  test("reminds after as many calls as the hook would alone", async () => {
    const [launched, alone] = [await withPlan(), await withPlan()]
    for (const place of [launched, alone]) place.hook(listCall("Read").replace("pending", "in_progress"))
    const answers: [string, string][] = []
    for (let call = 0; call < 30; call += 1) {
      const { out } = await runCli(hookWords, { home: alone.home, input: bash, now: new Date().toISOString() })
      answers.push([launched.hook(bash).out, out])
    }
    expect(answers.map(([out]) => out)).toEqual(answers.map(([, out]) => out))
    expect(answers.filter(([out]) => out !== "").length).toBeGreaterThan(1)
    expect(launched.started()).toBeLessThan(10)
  })

  test("passes on what a person changed at the next call, and is silent again after it", async () => {
    const { hook, run, started } = await withPlan()
    hook(bash)
    run(["todo", "add", "Ask Ada", "--session", "s-1"])
    expect(hook(bash).out).toContain("Ask Ada")
    expect(hook(bash).out).toBe("")
    expect(started()).toBe(1)
  })

  test("does so for a plan in its repository, too", () => {
    const { home, launch, run, started } = launchedHome()
    const project = join(home, "project")
    mkdirSync(join(project, ".git"), { recursive: true })
    const inProject = (event: string) => JSON.stringify({ ...JSON.parse(event), cwd: project })
    const todo = (...words: string[]) => run(["todo", ...words, "--new", "--session", "s-1"], { cwd: project })
    todo("add", "Read", "--project")
    expect(launch(hookWords, { input: inProject(bash) }).out).toContain("Read")
    expect([launch(hookWords, { input: inProject(bash) }).out, started()]).toEqual(["", 1])
    todo("add", "Ask Ada")
    expect([launch(hookWords, { input: inProject(bash) }).out, started()]).toEqual([
      expect.stringContaining("Ask Ada"),
      2,
    ])
    expect(existsSync(join(project, ".headway", "aside"))).toBe(false)
  })

  test("notices a journal that another program changed silently", async () => {
    const { hook, started, inHome } = await withPlan()
    const journal = inHome("journal", "s-1-agent-main.jsonl")
    const later = new Date(Date.now() + 10_000)
    utimesSync(journal, later, later)
    hook(bash)
    expect(started()).toBe(1)
  })

  test.each([
    ["Stop", { hook_event_name: "Stop" }],
    ["UserPromptSubmit", { hook_event_name: "UserPromptSubmit", prompt: "go on" }],
    ["SessionStart", { hook_event_name: "SessionStart", source: "compact" }],
    ["the call of our own tool", { hook_event_name: "PostToolUse", tool_name: "mcp__headway__todo", tool_input: {} }],
    [
      "a tool with a name like no other",
      { hook_event_name: "PostToolUse", tool_name: "Todo\u0057rite é", tool_input: {} },
    ],
  ])("leaves %s to Node, which has read the earlier events", async (_, event) => {
    const { hook, started, namesIn } = await withPlan()
    hook(bash)
    hook(JSON.stringify({ session_id: "s-1", cwd: "/", ...event }))
    expect([started(), namesIn("aside", "events")]).toEqual([1, []])
  })

  test.each<[string, (place: Awaited<ReturnType<typeof withPlan>>) => void]>([
    ["no home", ({ inHome }) => rmSync(inHome(), { recursive: true })],
    [
      "a link in the place of its folder",
      ({ home, inHome }) => {
        renameSync(inHome("aside"), join(home, "elsewhere"))
        symlinkSync(join(home, "elsewhere"), inHome("aside"))
      },
    ],
    [
      "no folder to write to",
      ({ inHome }) => {
        rmSync(inHome("aside", "events"), { recursive: true })
        writeFileSync(inHome("aside", "events"), "")
      },
    ],
    [
      "links in the place of the files",
      ({ home, inHome }) => {
        for (let number = 1; number < 60; number += 1)
          symlinkSync(join(home, "elsewhere"), inHome("aside", "events", `s-1-agent-main.${number}`))
      },
    ],
    [
      "word of another version",
      ({ inHome }) => writeFileSync(inHome("aside", "silent", "s-1-agent-main"), "headway-2\n"),
    ],
    ["half a word", ({ inHome }) => writeFileSync(inHome("aside", "silent", "s-1-agent-main"), "headway-1 9 plan")],
  ])("starts Node where there is %s", async (_, spoil) => {
    const place = await withPlan()
    spoil(place)
    expect(place.hook(bash)).toMatchObject({ code: 0, out: "" })
    expect([
      place.started(),
      Object.keys(contentsUnder(place.home)).some((name) => name.endsWith("elsewhere")),
    ]).toEqual([1, false])
  })

  test.each([
    ["quotes and expansions", `"'\`touch made\` $(touch made) \${HOME} \\ ; touch made & | > made *`],
    ["new lines", "one\ntwo\nend\nthree"],
    ["characters of other scripts", "日本語 🎉 \u2028 é"],
    ["two hundred kilobytes", "x".repeat(100_000)],
  ])("keeps an event with %s as it came", async (_, content) => {
    const { home, hook, inHome, started } = await withPlan()
    const event = toolEvent("Bash", { command: content }, { response: content })
    expect(hook(event)).toMatchObject({ code: 0, out: "", err: "" })
    const kept = readFileSync(inHome("aside", "events", "s-1-agent-main.1"), "utf8")
    expect([kept, started()]).toEqual([`claude-code\n${home}\n${event}\nend\n`, 0])
    expect(Object.keys(contentsUnder(home)).filter((name) => name.endsWith("made"))).toEqual([])
  })

  test.each<[string, string | Buffer]>([
    ["ten megabytes", toolEvent("Bash", {}, { response: "x".repeat(10 << 20) })],
    ["no JSON", "$(touch made)"],
    ["nothing", ""],
    ["bytes that are no text", Buffer.from([0x7b, 0, 0xff, 0xfe, 0x22, 0, 0x0a])],
    ["an id that is a path", toolEvent("Bash", {}, { session: "../../made" })],
    ["an id with letters of a pattern", toolEvent("Bash", {}, { session: "s-*" })],
  ])("leaves an event of %s to Node", async (_, event) => {
    const { home, hook, started, namesIn } = await withPlan()
    expect(hook(event)).toMatchObject({ code: 0, out: "" })
    expect([started(), namesIn("aside", "events")]).toEqual([1, []])
    expect(Object.keys(contentsUnder(home)).filter((name) => name.endsWith("/made"))).toEqual([])
  })

  test("keeps nothing of sessions that ended long ago, once another begins", async () => {
    const { hook, inHome, namesIn } = await withPlan()
    const old = new Date(Date.now() - 8 * 24 * 60 * 60_000)
    utimesSync(inHome("aside", "silent", "s-1-agent-main"), old, old)
    hook(JSON.stringify({ session_id: "s-2", cwd: "/", hook_event_name: "SessionStart", source: "startup" }))
    expect(namesIn("aside", "silent")).toEqual(["s-2-agent-main"])
  })

  test("collects no more events than a reminder is away", async () => {
    const { hook, started, namesIn } = await withPlan()
    for (let call = 0; call < 9; call += 1) hook(bash)
    expect([started(), namesIn("aside", "events").length]).toEqual([0, 9])
    hook(bash)
    expect([started(), namesIn("aside", "events").length]).toEqual([1, 0])
  })
})

describe.runIf(process.platform !== "win32")("no event is lost, doubled or torn", () => {
  test("by many launchers at once, several times each", { timeout: 180_000 }, async () => {
    const [launchers, calls] = [rounds(16, 8), rounds(5, 3)]
    const { launchBeside, run, counted, namesIn } = await withPlan()
    const codes: (number | null)[] = []
    const one = async () => {
      for (let call = 0; call < calls; call += 1) codes.push((await launchBeside(hookWords, { input: bash })).code)
    }
    await Promise.all(Array.from({ length: launchers }, one))
    run(["list"])
    expect([codes.length, codes.every((code) => code === 0), counted(), namesIn("aside", "events")]).toEqual([
      launchers * calls,
      true,
      1 + launchers * calls,
      [],
    ])
  })

  test("by launchers that are killed at any moment", { timeout: 120_000 }, async () => {
    const { launchBeside, home, run, counted, inHome, namesIn } = await withPlan()
    let acknowledged = 0
    const times = rounds(50, 13)
    for (let round = 0; round < times; round += 1) {
      const { code } = await launchBeside(hookWords, { input: bash, killAfter: (round * 13) / times })
      if (code === 0) acknowledged += 1
    }
    run(["list"])
    const now = new Date(Date.now() + 3_600_000).toISOString()
    await runCli(["list"], { home, now })
    expect(namesIn("aside", "events")).toEqual([])
    expect(counted()).toBeGreaterThanOrEqual(1 + acknowledged)
    expect(counted()).toBeLessThanOrEqual(1 + times)
    expect(namesIn("cache", "turns").filter((name) => name.includes("."))).toEqual([])
    expect(() => JSON.parse(readFileSync(inHome("cache", "hooks", "s-1-agent-main.json"), "utf8"))).not.toThrow()
  })

  test("by a reader that is killed at any step of reading", { timeout: 180_000 }, async () => {
    const { home, hook, run, counted, namesIn } = await withPlan()
    let expected = counted()
    let killed = 0
    // Every step there is: before it and after it, or one of the two.
    const steps = rounds(34, 17)
    for (let step = 1; step <= steps; step += 1) {
      for (let call = 0; call < 2; call += 1) hook(bash)
      const aside = namesIn("aside", "events").length
      const env = { KILL_AT: String(1 + (step % 17)), KILL_HOW: step % 2 === 0 ? "before" : "after" }
      const { signal } = run(["list"], { nodeOptions: ["--import", killer], env })
      if (signal === "SIGKILL") killed += 1
      await runCli(["list"], { home, now: new Date().toISOString() })
      expected += 2
      expect([step, aside > 0, namesIn("aside", "events"), counted()]).toEqual([step, aside > 0, [], expected])
    }
    expect(killed).toBeGreaterThan(steps / 3)
  })

  test("when reading a collected list call is killed again and again", async () => {
    const { hook, run, inHome, home } = await withPlan()
    hook(bash)
    const content = `claude-code\n${home}\n${listCall("Read", "Report")}\nend\n`
    writeFileSync(inHome("aside", "events", "s-1-agent-main.2"), content)
    for (let step = 1; step < 20; step += isFull ? 1 : 2)
      run(["list"], { nodeOptions: ["--import", killer], env: { KILL_AT: String(step), KILL_HOW: "after" } })
    const { todos } = JSON.parse(run(["show", "--session", "s-1", "--json"]).stdout)
    expect(todos.map((todo: { content: string }) => todo.content)).toEqual(["Read", "Report"])
    const entries = readFileSync(inHome("journal", "s-1-agent-main.jsonl"), "utf8")
    expect(entries.match(/"content":"Report"/g)).toHaveLength(1)
  })

  test("when a file is half written: it waits, and is removed once its writer must be dead", async () => {
    const { home, hook, inHome, namesIn, run, counted } = await withPlan()
    hook(bash)
    writeFileSync(inHome("aside", "events", "s-1-agent-main.2"), `claude-code\n${home}\n${bash.slice(0, 50)}`)
    hook(bash)
    run(["list"])
    expect([namesIn("aside", "events"), counted()]).toEqual([["s-1-agent-main.2"], 3])
    await runCli(["list"], { home, now: new Date(Date.now() + 61_000).toISOString() })
    expect([namesIn("aside", "events"), counted()]).toEqual([[], 3])
  })
})

describe.runIf(process.platform !== "win32")("every reader reads the collected events first", () => {
  /** As it is where the launcher could not see that it is a list call. */
  const withListAside = async () => {
    const place = await withPlan()
    const content = `claude-code\n/\n${listCall("Read", "Report")}\nend\n`
    writeFileSync(place.inHome("aside", "events", "s-1-agent-main.1"), content)
    return place
  }

  test.each([
    [["list", "--json"]],
    [["show", "--session", "s-1"]],
    [["statusline", "--session", "s-1"]],
    [["history", "--session", "s-1"]],
    [["todo", "done", "2", "--session", "s-1"]],
    [["doctor", "--look"]],
    [["--json"]],
  ])("headway %j", async (words) => {
    const { run, namesIn } = await withListAside()
    const { stdout } = run(words)
    if (words[0] !== "doctor" && words[0] !== "statusline") expect(stdout).toMatch(/Report|"total": ?2|"todos": ?2/)
    if (words[0] === "statusline") expect(stdout).toContain("0/2")
    expect(namesIn("aside", "events")).toEqual([])
  })

  test("with the time at which each came", async () => {
    const { run, inHome } = await withListAside()
    const at = new Date("2026-03-04T05:06:07Z")
    utimesSync(inHome("aside", "events", "s-1-agent-main.1"), at, at)
    run(["list"])
    expect(readFileSync(inHome("journal", "s-1-agent-main.jsonl"), "utf8")).toContain("2026-03-04T05:06:07.000Z")
  })

  test("and a person's edit is passed on, though an event came from a folder that is gone", async () => {
    const { hook, run, namesIn } = await withPlan()
    hook(bash.replace('"cwd":"/"', `"cwd":"/${"a".repeat(300)}"`))
    hook(bash)
    expect(namesIn("aside", "events")).toHaveLength(2)
    run(["todo", "add", "Buy milk", "--session", "s-1"])
    expect(hook(bash).out).toContain("Buy milk")
    expect(namesIn("aside", "events")).toEqual([])
  })

  test("and a person's edit in the meantime is still passed on by the next hook", async () => {
    const { run, hook } = await withListAside()
    run(["todo", "add", "Ask Ada", "--session", "s-1"])
    run(["show", "--session", "s-1"])
    expect(hook(bash).out).toContain("Ask Ada")
  })
})

describe.runIf(process.platform !== "win32")("the status line", () => {
  const told = JSON.stringify({ hook_event_name: "Status", session_id: "s-1", cwd: "/", model: { id: "a-model" } })

  /** Makes the line count for longer than any machine takes for the next call. */
  const lasting = (inHome: (...path: string[]) => string, out: string): string => {
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(inHome("aside", "lines", "s-1-agent-main"), later, later)
    return out
  }

  test("is printed again without Node, until the plan is changed", async () => {
    const { launch, run, inHome, started } = await withPlan()
    const line = () => lasting(inHome, launch(["statusline"], { input: told }).out)
    const lines = [line(), line(), line()]
    expect([lines, started()]).toEqual([["○ Read · 0/1\n", "○ Read · 0/1\n", "○ Read · 0/1\n"], 1])
    run(["todo", "add", "Ask Ada", "--session", "s-1"])
    expect([line(), line(), started()]).toEqual(["○ Read · 0/2\n", "○ Read · 0/2\n", 2])
  })

  test("is asked for again after its time, for another width, and for another session", async () => {
    const { launch, inHome, started } = await withPlan()
    const line = (input = told, COLUMNS = "80") => launch(["statusline"], { input, env: { COLUMNS } }).out
    line()
    const past = new Date(Date.now() - 1_000)
    utimesSync(inHome("aside", "lines", "s-1-agent-main"), past, past)
    expect([line(), started()]).toEqual(["○ Read · 0/1\n", 2])
    expect([line(told, "10"), started()]).toEqual(["○ 0/1\n", 3])
    line(told.replace("s-1", "s-2"))
    expect(started()).toBe(4)
  })

  test("is asked of Node where its clock is a link or a pipe", async () => {
    const { launch, home, inHome, started } = await withPlan()
    const line = () => launch(["statusline"], { input: told }).out
    line()
    symlinkSync(join(home, "elsewhere"), inHome("aside", "now"))
    expect([line(), existsSync(join(home, "elsewhere"))]).toEqual(["○ Read · 0/1\n", false])
    rmSync(inHome("aside", "now"))
    execFileSync("mkfifo", [inHome("aside", "now")])
    expect([line(), started()]).toEqual(["○ Read · 0/1\n", 3])
  })

  test("prints no more terminal escapes than Node does", async () => {
    const { launch } = await withPlan("\u001b]0;title\u0007Wash")
    const lines = [1, 2].map(() => launch(["statusline"], { input: told }).out)
    expect(lines[1]).toBe(lines[0])
    expect(lines[1]).not.toContain("\u001b")
  })
})

test("with --home events are collected in that home", () => {
  const { launch, home, started } = launchedHome()
  const own = join(temporaryFolder(), "it's mine")
  mkdirSync(own)
  const hook = (input: string) => launch([...hookWords, "--home", own], { input })
  hook(listCall("Read"))
  hook(bash)
  expect(started()).toBe(1)
  expect(readFileSync(join(own, "aside", "events", "s-1-agent-main.1"), "utf8")).toContain(home)
})
