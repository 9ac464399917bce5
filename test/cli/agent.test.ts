import { appendFileSync, existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { type CliOptions, type CliResult, runCli } from "./run-cli.ts"

type Line = Record<string, unknown>

const todos = (...items: [content: string, status: string][]) => ({
  tool: "TodoWrite",
  input: { todos: items.map(([content, status]) => ({ content, status, activeForm: `Doing ${content}` })) },
})

const write = (file_path: string, content = "x") => ({ tool: "Write", input: { file_path, content } })
const bash = (command: string) => ({ tool: "Bash", input: { command } })

/** A person with an empty home in an empty folder. */
const atDesk = () => {
  const home = temporaryFolder()
  const cwd = join(temporaryFolder())
  const agent = (argv: string[], lines?: Line[], options: CliOptions = {}): Promise<CliResult> => {
    if (lines) writeFileSync(join(home, "script.json"), JSON.stringify(lines))
    const model = lines ? ["--model", `script:${join(home, "script.json")}`] : []
    return runCli(["agent", ...argv, ...model], { home, cwd, ...options })
  }
  const sessions = join(home, ".headway", "sessions")
  const run = (argv: string[]): Promise<CliResult> => runCli(argv, { home, cwd })
  return { home, cwd, agent, run, sessions, session: () => namesIn(sessions)[0]?.replace(/\.jsonl$/, "") ?? "" }
}

const jsonLines = ({ out }: CliResult): Line[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

const open: Line[] = [{ calls: [todos(["Read", "in_progress"], ["Write", "pending"])] }, { text: "Shall I go on?" }]

describe("a slash command without a screen", () => {
  test("C34 /todos prints the list of the newest session, or of the one that is named, and asks no model", async () => {
    const { agent, session, sessions } = atDesk()
    expect(await agent(["--print", "/todos"])).toMatchObject({ code: 0, out: "No todos\n" })
    await agent(["--print", "Begin"], open)
    const before = readFileSync(join(sessions, `${session()}.jsonl`), "utf8")
    const listed = "2 todos:\n\n☐ Read\n☐ Write\n"
    expect(await agent(["--print", "/todos"])).toMatchObject({ code: 0, out: listed })
    expect(await agent(["--print", "--resume", session(), "/todos"])).toMatchObject({ code: 0, out: listed })
    const { out } = await agent(["--print", "/todos"], undefined, { env: { FORCE_COLOR: "1" } })
    expect(out).toContain("\u001b[1m2 todos\u001b[0m:\n\n\u001b[1m☐ Read\u001b[0m")
    expect(readFileSync(join(sessions, `${session()}.jsonl`), "utf8")).toBe(before)
    expect(namesIn(sessions)).toHaveLength(1)
  })

  test("/todo changes the list; an unknown command, or one that needs an agent, is refused", async () => {
    const { agent, run } = atDesk()
    await agent(["--print", "Begin"], open)
    const { out } = await agent(["--print", '/todo add "Ask Ada"'])
    expect(out).toMatch(/^added 3 "Ask Ada"\nheadway: Headway agent will see it/)
    expect((await run(["show"])).out).toContain("Ask Ada")
    expect(await agent(["--print", "/nonsense"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("no command"),
    })
    expect(await agent(["--print", "/compact"])).toMatchObject({ code: 1, out: "" })
    const json = await agent(["--json", "/todos"])
    expect(jsonLines(json)).toEqual([expect.objectContaining({ type: "command", command: "/todos", isError: false })])
  })
})

test.each(["oh-my-pi", "claude-tasks", "gencode", "headway"])(
  "script:demo speaks %s and finishes its list",
  async (dialect) => {
    const { agent, run, cwd } = atDesk()
    const { code, err } = await agent(["--model", "script:demo", "--dialect", dialect, "--yes", "--print", "Build it"])
    expect([code, existsSync(join(cwd, "slug.mjs"))]).toEqual([0, true])
    expect(err).toContain(dialect === "gencode" ? "📋 Todo list updated:" : "Write slug.mjs")
    expect((await run(["show", "--format", "markdown"])).out.match(/- \[x\] /g)).toHaveLength(4)
  },
)

describe("headway agent --print", () => {
  test("prints the answer on standard output and short progress on standard error", async () => {
    const { agent, cwd } = atDesk()
    const { code, out, err } = await agent(
      ["--print", "--yes", "Do it"],
      [
        { text: "First the plan.", calls: [todos(["Write a", "in_progress"], ["Run it", "pending"])] },
        { calls: [write("a.txt", "one\ntwo\n")] },
        { calls: [todos(["Write a", "completed"], ["Run it", "in_progress"]), bash("cat a.txt; exit 3")] },
        { calls: [todos(["Write a", "completed"], ["Run it", "completed"])] },
        { text: "All \u001b[31mdone\u001b[0m." },
      ],
    )
    expect(code).toBe(0)
    expect(out).toBe("All done.\n")
    expect(err.split("\n").slice(1)).toEqual([
      "First the plan.",
      "  ☐ Write a",
      "  ☐ Run it",
      "● Created a.txt: 2 lines",
      "  1/2 Doing Run it",
      "● Bash cat a.txt; exit 3: Exit code 3",
      "  2/2",
      "",
      "? Write a (done, unchecked)",
      "· Run it (done, nothing seen)",
      "2 of 2 done; no check was found after the last edit.",
      "",
    ])
    expect(err.split("\n")[0]).toMatch(/^headway: session \S+-1 \(script:.*\)$/)
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\n")
  })

  test("takes the task from standard input, and needs one", async () => {
    const { agent } = atDesk()
    const { out } = await agent([], [{ text: "Heard." }], { input: "Do this\n" })
    expect(out).toBe("Heard.\n")
    const none = await agent(["--print"], [{ text: "Heard." }], { input: " \n" })
    expect(none).toMatchObject({ code: 2, out: "", err: expect.stringContaining("Say what to do:") })
  })

  test("refuses what is too long for a task on standard input", async () => {
    const { agent } = atDesk()
    const { code, err } = await agent(["--print"], open, { input: "x".repeat((16 << 20) + 1) })
    expect([code, err]).toEqual([2, expect.stringContaining("more than 16 MiB")])
  })

  test("O18 --tool offers a former tool of the dialect", async () => {
    const init = { tool: "todo_write", input: { ops: [{ op: "init", list: [{ phase: "Build", items: ["Read"] }] }] } }
    const argv = ["--json", "--dialect", "oh-my-pi", "--tool", "todo_write", "Do it"]
    const lines = jsonLines(await atDesk().agent(argv, [{ calls: [init] }, { text: "Planned?" }]))
    expect(lines[0]).toMatchObject({ tools: expect.arrayContaining(["todo_write"]) })
    expect(lines[0]?.tools).not.toContain("todo")
    expect(lines).toContainEqual(expect.objectContaining({ items: [{ text: "Read", status: "in_progress" }] }))
  })

  test("draws with ASCII on request", async () => {
    const { agent } = atDesk()
    const { err } = await agent(["--ascii", "Do it"], open)
    expect(err).toContain("  [ ] Read")
    expect(err).not.toMatch(/[☐●]/)
  })

  test.each([
    ["fails", [{ error: { status: 401, message: "No." } }], [], "continue with: headway agent --resume"],
    ["takes too many turns", [{ calls: [bash("true")], repeat: true }], ["--max-turns", "2"], "Stopped after 2 turns"],
  ])("ends with 1 when it %s, and says how to go on", async (_, lines, argv, message) => {
    const { agent } = atDesk()
    const { code, err } = await agent([...argv, "--yes", "Do it"], lines)
    expect(code).toBe(1)
    expect(err).toContain(message)
  })

  test.each([
    [["--level", "loud"], "--level takes one of off, quiet, full"],
    [["--profile", "loud"], "--profile takes one of off, quiet, classic, gencode"],
    [["--dialect", "roo"], "only be read"],
    [["--dialect", "nope"], 'There is no dialect "nope"'],
    [["--tool", "todo_write"], 'The dialect "claude-todos" has no tool "todo_write"'],
    [["--output-format", "xml"], "--output-format takes one of text, stream-json"],
    [["--max-turns", "none"], "--max-turns takes a number"],
    [["--context", "0"], "--context takes a number"],
    [["--resume", "a", "--session", "b"], "leave out --session"],
    [["two", "words"], "is not expected here"],
  ])("%j is wrong usage, and prints what would be right", async (argv, message) => {
    const { agent } = atDesk()
    const { code, err, out } = await agent(["--print", "Do it", ...argv], [{ text: "No." }])
    expect([code, out]).toEqual([2, ""])
    expect(err).toContain(message)
  })

  test.each([
    [["--model", "nonsense"], {}, 2, "provider/name with one of anthropic, openai, google, local"],
    [["--model", "script:"], {}, 2, "script:FILE"],
    [["--model", "openai/gpt-5"], {}, 1, "OPENAI_API_KEY"],
    [["--model", "script:gone.json"], {}, 1, "There is no script"],
    [[], {}, 1, "--model script:demo"],
  ])("%j without a key prints what to do", async (argv, env, expected, message) => {
    const { agent } = atDesk()
    const { code, err } = await agent(["--print", "Do it", ...argv], undefined, { env })
    expect(code).toBe(expected)
    expect(err).toContain(message)
  })
})

describe("what needs permission, without a person", () => {
  test("is refused, to the model and to the person, with what would help", async () => {
    const { agent, cwd } = atDesk()
    const { code, err } = await agent(["Do it"], [{ calls: [write("a.txt"), bash("touch b")] }, { text: "Then not." }])
    expect(code).toBe(0)
    expect(err).toContain("Not allowed: Write a.txt? There is no one to ask. With --yes the user trusts this folder.")
    expect(namesIn(cwd)).toEqual([])
  })

  test("is shown whole and visible, on one line and to programs", async () => {
    const { agent } = atDesk()
    const command = `ls \u001b]0; touch x #\u0007\n${"echo more\n".repeat(100)}last`
    const calls = [{ calls: [bash(command)] }, { text: "Then not." }]
    const { err } = await agent(["--print", "Do it"], calls)
    expect(err).toContain("● Bash ls ⟨\\x1b⟩]0; touch x #⟨\\x07⟩⟨\\n⟩echo more")
    const line = jsonLines(await agent(["--json", "Do it"], calls)).find(({ type }) => type === "permission")
    const visible = "ls ⟨\\x1b⟩]0; touch x #⟨\\x07⟩"
    expect(line).toMatchObject({
      ...{ action: "run", allowed: false, question: "Run a command?" },
      detail: `${visible}\n${"echo more\n".repeat(100)}last`,
      target: `${visible}⟨\\n⟩${"echo more⟨\\n⟩".repeat(100)}last`,
    })
  })

  test("--yes trusts the folder, and nothing beyond it, however it is named", async () => {
    const { agent, cwd } = atDesk()
    const outside = temporaryFolder()
    writeFileSync(join(outside, "secret"), "theirs")
    symlinkSync(outside, join(cwd, "link"))
    const { out } = await agent(
      ["--yes", "--json", "Do it"],
      [
        {
          calls: [
            write("in.txt"),
            write(join(outside, "out.txt")),
            write("../out.txt"),
            write("link/out.txt"),
            { tool: "Read", input: { file_path: "link/secret" } },
          ],
        },
        { text: "Done." },
      ],
    )
    const results = jsonLines({ out } as CliResult).filter(({ type }) => type === "tool_result")
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true, true, true])
    expect(results[1]?.text).toContain("outside the working folder, which is all that --yes trusts")
    expect(out).not.toContain("theirs")
    expect(namesIn(outside)).toEqual(["secret"])
    expect(existsSync(join(cwd, "in.txt"))).toBe(true)
  })

  test("plan mode is entered and left with --yes only, and its plan kept in the home", async () => {
    const { agent, home, session } = atDesk()
    const lines = [
      { calls: [{ tool: "EnterPlanMode" }] },
      { calls: [bash("touch a")] },
      { calls: [{ tool: "ExitPlanMode", input: { plan: "1. Look" } }] },
      { text: "Done." },
    ]
    const { err } = await agent(["--yes", "Do it"], lines)
    expect(err).toContain("Plan mode on: nothing is changed.")
    expect(err).toContain("not in plan mode")
    expect(err).toContain("Plan mode off.")
    const file = join(home, ".headway", "plans", `${session()}.md`)
    expect(readFileSync(file, "utf8")).toBe("1. Look")
    expect(statSync(join(home, ".headway", "plans")).mode & 0o777).toBe(0o700)
    const refused = await agent(["Do it"], lines)
    expect(refused.err).toContain("The user does not want plan mode")
  })
})

describe("--output-format stream-json", () => {
  const lines = [
    { text: "First.", calls: [todos(["Read", "in_progress"], ["Write", "pending"])] },
    { calls: [{ tool: "Glob", input: { pattern: "*" } }] },
    { text: "half an answer that is lost", drop: 0 },
    { calls: [todos(["Read", "completed"], ["Write", "completed"])] },
    { text: "Done." },
  ]

  test("carries text, tools and results, and lists as unified events, which are not tools (A2, A3)", async () => {
    const { agent, session } = atDesk()
    const { code, out } = await agent(["--output-format", "stream-json", "Do it"], lines)
    expect(code).toBe(0)
    const printed = jsonLines({ out } as CliResult)
    expect(printed.map(({ type }) => type)).toEqual([
      "session_started",
      "text",
      "todo_list",
      "tool_call",
      "tool_result",
      "turn_failed",
      "todo_list",
      "todo_list",
      "text",
      "session_ended",
    ])
    const lists = printed.filter(({ type }) => type === "todo_list")
    expect(lists[0]).toEqual({
      type: "todo_list",
      eventId: expect.stringMatching(/^[0-9a-f]{24}$/),
      agentId: session(),
      agentType: "headway",
      timestamp: Date.parse("2030-01-01T00:00:00Z"),
      todoId: `${session()}/main/1`,
      items: [
        { text: "Read", status: "in_progress" },
        { text: "Write", status: "pending" },
      ],
    })
    // All ticked off first, then cleared (C3, A5).
    expect(lists[1]?.items).toEqual([
      { text: "Read", status: "completed" },
      { text: "Write", status: "completed" },
    ])
    expect(lists[2]).toMatchObject({ items: [], todoId: `${session()}/main/1` })
    expect(new Set(lists.map(({ eventId }) => eventId)).size).toBe(3)
    expect(out).not.toContain('TodoWrite","input')
    expect(out).not.toContain("half an answer")
    expect(printed.at(-1)).toMatchObject({ ending: "done", text: "Done.", turns: 4, session: session() })
    expect(printed.every(({ agentId }) => agentId === session())).toBe(true)
  })

  test("is read by headway events as it is printed", async () => {
    const { agent, home } = atDesk()
    const { out } = await agent(["--output-format", "stream-json", "Do it"], lines)
    const events = await runCli(["events"], { home, input: out })
    expect(events).toMatchObject({ code: 0, err: "" })
    expect(jsonLines(events).map(({ items }) => (items as unknown[]).length)).toEqual([2, 2, 0])
  })

  test("names sub-agents by their ids", async () => {
    const { agent, sessions } = atDesk()
    const { out } = await agent(
      ["--json", "Do it"],
      [
        { calls: [{ tool: "Task", input: { description: "Search", prompt: "Search it" } }] },
        { text: "Found." },
        { thread: "sub", when: { prompt: "Search it" } },
        { calls: [todos(["Look", "in_progress"])] },
        { text: "It is there. Is it?" },
      ],
    )
    const printed = jsonLines({ out } as CliResult)
    const id = printed.find(({ type }) => type === "agent_started")?.agentId
    expect(id).toEqual(expect.stringMatching(/^[0-9a-f]{8}$/))
    expect(printed.find(({ type }) => type === "todo_list")).toMatchObject({ agentId: id })
    expect(printed.find(({ type }) => type === "agent_ended")).toMatchObject({ agentId: id, ending: "done" })
    const session = printed[0]?.session
    expect(namesIn(sessions)).toEqual([`${session}-agent-${id}.jsonl`, `${session}.jsonl`].toSorted())
  })

  test("every line is one line, and no escape in it steers a terminal", async () => {
    const { agent } = atDesk()
    const { out } = await agent(
      ["--json", "--yes", "Do it"],
      [{ calls: [bash("printf '\\033[31mred\\033[0m\\n\\302\\233x'")] }, { text: "a\u2028b\u001b[2Jc" }],
    )
    expect(jsonLines({ out } as CliResult).length).toBeGreaterThan(3)
    expect(out).not.toMatch(/[\u001b\u009b\u2028]/)
  })
})

describe("sessions", () => {
  test("are kept in the home, readable by no other user, with a plan of the same name", async () => {
    const { agent, run, sessions, session, home } = atDesk()
    await agent(["Do it"], open)
    const path = join(sessions, `${session()}.jsonl`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(sessions).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "")).toMatchObject({ type: "session", v: 1 })
    expect(namesIn(join(home, ".headway", "journal"))).toEqual([`${session()}-agent-main.jsonl`])
    expect(JSON.parse((await run(["list", "--json"])).out)).toMatchObject([{ session: session(), title: "Do it" }])
    expect((await run(["show"])).out).toContain("2 todos:")
  })

  test("are new each time; a name in use is not used again", async () => {
    const { agent, sessions } = atDesk()
    await agent(["Do it"], open)
    await agent(["Do it"], open)
    expect(namesIn(sessions)).toHaveLength(2)
    const unknown = await agent(["--session", "mine", "Do it"], open)
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("Add --new to begin one under that id") })
    expect((await agent(["--session", "mine", "--new", "Do it"], open)).code).toBe(0)
    const taken = await agent(["--session", "mine", "--new", "Do it"], open)
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining("Leave out --new to continue it") })
    const again = await agent(["--session", "mine", "--json", "Go on"], [{ text: "And now?" }])
    expect(jsonLines(again)[0]).toMatchObject({ session: "mine", isResumed: true })
  })

  test("that begin at once get names of their own", async () => {
    const { agent, sessions } = atDesk()
    await Promise.all(Array.from({ length: 5 }, () => agent(["Do it"], open)))
    expect(namesIn(sessions)).toHaveLength(5)
  })

  test("--resume continues conversation and plan, by the beginning of the name", async () => {
    const { agent, run, session, sessions } = atDesk()
    await agent(["First words"], open)
    await run(["todo", "add", "Ask Ada"])
    const again = await agent(
      ["--resume", session().slice(0, -2), "--json", "Go on"],
      [
        { calls: [todos(["Read", "completed"], ["Write", "in_progress"], ["Ask Ada", "pending"])] },
        { text: "And now?" },
      ],
    )
    expect(again.code).toBe(0)
    expect(jsonLines(again)[0]).toMatchObject({ type: "session_started", isResumed: true, session: session() })
    expect((await run(["show", "--format", "markdown"])).out).toBe("- [x] Read\n- [/] Write\n- [ ] Ask Ada\n")
    const text = readFileSync(join(sessions, `${session()}.jsonl`), "utf8")
    expect(text).toContain("First words")
    expect(text).toContain("It is paused")
    expect(text).toContain("The person changed the plan by hand")
  })

  test("--resume of an unknown or ambiguous name lists those there are", async () => {
    const { agent } = atDesk()
    const none = await agent(["--resume", "zzz", "Go on"], open)
    // What is resumed cannot be begun.
    expect((await agent(["--session", "zzz", "Go on"], open)).err).toContain("Add --new to begin one")
    expect(none).toMatchObject({ code: 1, err: 'headway: There is no session "zzz".\n' })
    await agent(["--session", "shop-1", "--new", "Do it"], open)
    await agent(["--session", "shop-12", "--new", "Do it"], open)
    expect((await agent(["--resume", "zzz", "Go on"], open)).err).toContain("The newest are:\n")
    const several = await agent(["--resume", "sh", "Go on"], open)
    expect(several).toMatchObject({ code: 1, err: expect.stringContaining("Several sessions begin with") })
    expect((await agent(["--resume", "shop-1", "Go on"], open)).code).toBe(0)
  })

  test("--resume keeps the dialect, and warns when the folder is another", async () => {
    const { agent, home } = atDesk()
    await agent(
      ["--dialect", "headway", "--new", "--session", "s", "Do it"],
      [
        { calls: [{ tool: "todo", input: { todos: [{ content: "Read", status: "in_progress" }] } }] },
        { text: "Shall I?" },
      ],
    )
    const other = temporaryFolder()
    const { out, err } = await agent(["--resume", "s", "--json", "Go on"], [{ text: "Yes?" }], { cwd: other })
    expect(jsonLines({ out } as CliResult)[0]?.tools).toContain("todo")
    expect(err).toContain("this session was started in")
    expect(existsSync(join(home, ".headway", "sessions", "s.jsonl"))).toBe(true)
  })

  test("a transcript with a torn end and foreign lines still resumes, and nothing is glued to them", async () => {
    const { agent, sessions } = atDesk()
    await agent(["--new", "--session", "s", "First words"], open)
    const path = join(sessions, "s.jsonl")
    truncateSync(path, statSync(path).size - 20)
    expect((await agent(["--resume", "s", "Go on"], [{ text: "Here?" }])).out).toBe("Here?\n")
    appendFileSync(path, 'garbage\n{"type":"assistant","message":7}\nnull\n{"type":"user"')
    expect((await agent(["--resume", "s", "Once more"], [{ text: "Still here?" }])).out).toBe("Still here?\n")
    const kept = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.includes('"type":"user"') && line.endsWith("}"))
    expect(kept.map((line) => (JSON.parse(line) as Line).text)).toEqual(["First words", "Go on", "Once more"])
  })

  test("a home that cannot be written is reported, and nothing starts", async () => {
    const { agent, cwd } = atDesk()
    const file = join(cwd, "file")
    writeFileSync(file, "precious")
    const { code, err, out } = await agent(["--home", join(file, "x"), "Do it"], open)
    expect([code, out]).toEqual([1, ""])
    expect(err).toMatch(/^headway: .*ENOTDIR/m)
  })

  test("can be without a list for good (O17, C16)", async () => {
    const { agent, home } = atDesk()
    await agent(["Do it"], open)
    writeFileSync(join(home, ".headway", "settings.json"), '{"todoFeatureEnabled": false}')
    const { out } = await agent(["--json", "Do it"], [{ text: "Fine." }])
    expect(jsonLines({ out } as CliResult)[0]?.tools).not.toContain("TodoWrite")
  })
})

describe("script:demo", () => {
  test("finishes a small coding task in an empty folder, with its plan shown", async () => {
    const { agent, cwd } = atDesk()
    const { code, out, err } = await agent(["--model", "script:demo", "--yes", "--print", "Build it"])
    expect(code).toBe(0)
    expect(out).toMatch(/^Done\./)
    expect(namesIn(cwd)).toEqual(["slug.mjs", "slug.test.mjs"])
    const tests = err.split("\n").filter((line) => line.includes("Bash node slug.test.mjs"))
    expect(tests).toEqual(["● Bash node slug.test.mjs: Exit code 1", "● Bash node slug.test.mjs: Done"])
    expect(err.match(/^ {2}\d\/4/gm)).toEqual(["  1/4", "  2/4", "  3/4", "  4/4"])
    const { slug } = (await import(join(cwd, "slug.mjs"))) as { slug: (title: string) => string }
    expect(slug("Ça va? Très bien!")).toBe("ca-va-tres-bien")
  })

  test("reports the missing permission without --yes, and leaves its plan open", async () => {
    const { agent, cwd, run } = atDesk()
    const { code, out } = await agent(["--model", "script:demo", "--print", "Build it"])
    expect(code).toBe(0)
    expect(out).toContain("I am not allowed to do that")
    expect(namesIn(cwd)).toEqual([])
    expect((await run(["show"])).out).toContain("4 todos:")
  })

  test("reports that it was here before", async () => {
    const { agent } = atDesk()
    await agent(["--model", "script:demo", "--yes", "--print", "Build it"])
    const { out } = await agent(["--model", "script:demo", "--yes", "--print", "Build it"])
    expect(out).toContain("already exist")
  })
})
