/** `headway run` where output is not a terminal: real agents' recordings, printed by a real process. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test, vi } from "vitest"
import type { Printed } from "../../src/cli/io.ts"
import { createRunEvents } from "../../src/cli/run/lines.ts"
import { type Entry, fold } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import type { StreamEvent } from "../../src/streams/index.ts"
import { type ExpectedList, withoutEmpty } from "../contracts/stream.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { captures } from "../streams/samples.ts"
import { fakeAgent, linesOf, recordingOf, remoteAgent } from "./fake-agent.ts"
import { runCli } from "./run-cli.ts"
import { silentIo } from "./silent-io.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
})

type Started = {
  home: string
  child: ChildProcess
  seen: { out: string; err: string }
  ended: Promise<{ code: number | null; out: string; err: string }>
}

type Options = { home?: string; env?: NodeJS.ProcessEnv; input?: string | Buffer }

/** Starts `headway` with these words in a home of its own. */
const headway = (words: readonly string[], { home = temporaryFolder(), env = {}, input }: Options = {}): Started => {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  })
  children.push(child)
  child.stdin?.end(input)
  const seen = { out: "", err: "" }
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    seen.out += chunk
  })
  child.stderr?.setEncoding("utf8").on("data", (chunk) => {
    seen.err += chunk
  })
  const ended = once(child, "close").then(([code]) => ({ code, ...seen }))
  return { home, child, seen, ended }
}

const run = (words: readonly string[], options: Options = {}) => headway(["run", ...words], options)

/** Another command in that home, in this process. */
const asked = (words: readonly string[], options: { home: string; input?: string }) =>
  runCli(words, { ...options, now: new Date().toISOString() })

/** All plans that were kept, in the shape of the expected ones. */
const kept = async (home: string): Promise<ExpectedList[]> => {
  const store = createFileStore({ home: join(home, ".headway") })
  const { plans } = await store.list()
  const lists = plans.map(async ({ session, agent }) => {
    const { todos } = fold((await store.load({ session, agent })).entries as Entry[]).plan
    return { agent, todos: todos.map(({ content, status }) => ({ content, status })) }
  })
  return Promise.all(lists)
}

const byAgent = (lists: readonly ExpectedList[]) =>
  Object.fromEntries(
    withoutEmpty(lists).map(({ agent, todos }) => [agent, todos.map(({ content, status }) => [content, status])]),
  )

const recordings = readdirSync(captures).flatMap((client) =>
  readdirSync(join(captures, client))
    .map((name) => `${client}/${name}`)
    .filter((name) => existsSync(recordingOf(name))),
)

describe("every client that prints a stream", () => {
  test.each(recordings)("%s: its last plan is kept, and no raw line is shown (A1)", async (name) => {
    const home = temporaryFolder()
    const env = { PATH: process.env.PATH ?? "" }
    const { code, out, err } = await runCli(["run", "--", ...fakeAgent(name)], { home, env })
    expect(code).toBe(0)
    const expected = JSON.parse(readFileSync(join(captures, name, "expected.json"), "utf8")) as {
      stdout: ExpectedList[]
    }
    expect(byAgent(await kept(home))).toEqual(byAgent(expected.stdout))
    expect(out + err).not.toMatch(/^\s*\{/m)
  })
})

describe("lines", () => {
  test("show what the agent says, what it works on, and a line for each change of a todo (G6)", async () => {
    const { out } = await run(["--", ...fakeAgent("claude-2.1.197/tasks")]).ended
    expect(out.split("\n").slice(0, 8)).toEqual([
      "I'll create tasks.",
      '[Todo: "Read the README" → pending]',
      '[Todo: "Run the smoke test" → pending]',
      '[Todo: "Summarise findings" → pending]',
      '[Todo: "Read the README" → in_progress]',
      "· Bash cat README.md",
      '[Todo: "Read the README" → completed]',
      '[Todo: "Run the smoke test twice" → in_progress]',
    ])
  })

  test("with more text than one write can hold are written in parts, in their order", async () => {
    const poured: Printed[] = []
    const pour = async (printed: Printed): Promise<boolean> => poured.push(printed) > 0
    const view = createRunEvents(silentIo(temporaryFolder(), { pour }), { colour: false, ascii: false })
    const text = "x".repeat(1 << 20)
    const numbers = [1, 2, 3, 4]
    const about = { type: "turn", state: "ended", agentId: "main", agentType: "a", timestamp: 0 } as const
    for (const number of numbers) view.event({ ...about, eventId: `${number}`, items: [{ text, status: "pending" }] })
    expect(view.isFull()).toBe(true)
    expect(await view.flush()).toBe(true)
    expect(view.isFull()).toBe(false)
    expect(poured.map((lines) => JSON.stringify(lines).match(/eventId\W+\d/g))).toEqual(
      numbers.map((number) => [expect.stringMatching(`${number}$`)]),
    )
  })

  test("do not show a list that its agent refuses", async () => {
    const { out, err } = await run(["--", ...fakeAgent("claude-2.1.197/todowrite")]).ended
    expect(out).not.toContain("bad item")
    expect(out.match(/"Read the README" → completed/g)).toHaveLength(1)
    expect(err).toBe("")
  })

  test("name the member or sub-agent of each todo (A8)", async () => {
    const { out } = await run(["--member", "Ada:green", "--", ...fakeAgent("claude-2.1.197/subagents-todowrite")]).ended
    expect(out).toContain('Ada: [Todo: "Delegate the survey" → completed]\n')
    expect(out).toContain('Ada a3b22d34f61719c9b: [Todo: "A: report" → completed]\n')
    expect(out).toContain("\n  · Bash ls\n")
  })

  test("of an unknown agent pass through as they are, without terminal escapes (G8)", async () => {
    const text = "first\n\n  indented\u001b[31m red\u001b[0m\n10%\r20%\rdone\n\u001b]0;title\u0007\u202eend"
    const { code, out, err } = await run(["--", "cat"], { input: text }).ended
    expect(out).toBe("first\n\n  indented red\ndone\nend\n")
    expect(code).toBe(0)
    expect(err).toBe(
      "headway: cat printed nothing that Headway recognises as an agent's output, so there was no plan to show.\n",
    )
  })

  test("with objects of an unknown format are text too", async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `{"level":"info","n":${index}}\n`).join("")
    expect((await run(["--", "cat"], { input: lines }).ended).out).toBe(lines)
  })

  test("between those of a stream are text; damaged lines are counted, not shown", async () => {
    const [first = "", ...rest] = linesOf("codex-0.166.0/plan")
    const input = [first, "(node) a warning", '{"type":"item.upd', ...rest].join("\n")
    const { out, err } = await run(["--", "cat"], { input }).ended
    expect(out.split("\n")[0]).toBe("(node) a warning")
    expect(out).not.toContain("item.upd")
    expect(err).toBe("headway: A line was damaged and skipped.\n")
  })

  test("of meaningless bytes do no harm", async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919 + (index >> 7)) % 256))
    const { code, out } = await run(["--", "cat"], { input: bytes }).ended
    expect(code).toBe(0)
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  test("of standard error pass through, without terminal escapes", async () => {
    const agent = remoteAgent("codex-0.166.0/plan")
    const { ended } = run(["--", ...agent.command])
    await agent.tell({ lines: 100, error: "warning \u001b[31mred\u001b[0m\n\nhalf" })
    await agent.tell({ exit: 0 })
    expect((await ended).err).toBe("warning red\n\nhalf\n")
  })

  test("are read by --from; an unknown format is wrong usage", async () => {
    const named = await run(["--from", "codex", "--", ...fakeAgent("codex-0.166.0/plan")]).ended
    expect(named.out).toContain('[Todo: "Two in progress" → pending]')
    const wrong = await run(["--from", "codec", "--", "cat"]).ended
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringMatching(/^headway: There is no stream "codec"\. Use auto/),
    ])
  })

  test("of --json are those of `headway events --confirmed`, and what is said is a message (A2)", async () => {
    const name = "gemini-0.61.0/write-todos"
    const { out, err } = await run(["--json", "--", ...fakeAgent(name)]).ended
    const events = await headway(["events", "--confirmed", recordingOf(name)]).ended
    expect(out).toBe(events.out)
    expect(out).not.toContain('"bad"')
    expect(err).toContain("I'll plan first.\n")
  })

  test("of --json have turns too, and name the member", async () => {
    const members = ["--member", "Ada", "--", ...fakeAgent("codex-0.166.0/plan"), "--then", "--member", "Bob", "--"]
    const { out } = await run(["--json", ...members, ...fakeAgent("gemini-0.61.0/write-todos")]).ended
    const events = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as StreamEvent]))
    const turns = events.flatMap((event) => (event.type === "turn" ? [`${event.member} ${event.state}`] : []))
    expect(turns).toEqual(["Ada started", "Ada ended", "Bob started", "Bob ended"])
    expect(events.filter(({ member }) => member === undefined)).toEqual([])
  })

  test("of --json end the turn of an agent that disappeared silently, as failed", async () => {
    const agent = remoteAgent("codex-0.166.0/plan")
    const { ended } = run(["--json", "--", ...agent.command])
    await agent.tell({ lines: 3 })
    await agent.tell({ exit: 3 })
    const { code, out } = await ended
    const events = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as StreamEvent]))
    expect(code).toBe(3)
    expect(events).toMatchObject([
      { type: "turn", state: "started" },
      { type: "turn", state: "failed", error: "The agent failed: exit code 3." },
    ])
  })
})

describe("the end of a run", () => {
  test("has the exit code of the agent, whatever its plan is", async () => {
    expect((await run(["--", ...fakeAgent("codex-0.166.0/plan", "--exit", "7")]).ended).code).toBe(7)
    expect((await run(["--", "sh", "-c", "kill -TERM $$"]).ended).code).toBe(143)
  })

  test("is 127 for an unknown command and 126 for one that cannot be run, as in a shell", async () => {
    const home = temporaryFolder()
    const missing = await run(["--", "no-such-agent"], { home }).ended
    expect([missing.code, missing.out, missing.err]).toEqual([
      127,
      "",
      'headway: There is no command "no-such-agent". Is it installed, and is it in the PATH?\n',
    ])
    writeFileSync(join(home, "agent"), "no program", { mode: 0o600 })
    const closed = await run(["--", join(home, "agent")], { home }).ended
    expect([closed.code, closed.err]).toEqual([
      126,
      expect.stringMatching(/^headway: ".*agent" could not be started: you may not run it. Is it executable\?$/m),
    ])
  })

  test("in the middle of a line loses only that line", async () => {
    const agent = remoteAgent("claude-2.1.197/tasks")
    const { home, ended } = run(["--", ...agent.command])
    await agent.tell({ lines: 4, text: '{"type":"assistant","message":{"content":[{"type":"te' })
    await agent.tell({ exit: 9 })
    expect(await ended).toMatchObject({ code: 9, err: "headway: A line was damaged and skipped.\n" })
    expect(await kept(home)).toHaveLength(1)
  })

  test("does not wait for what the agent leaves behind", async () => {
    const agent = remoteAgent(undefined)
    const { ended } = run(["--", ...agent.command])
    const [left] = await agent.tell({ leave: 600, text: "bye\n" })
    await agent.tell({ exit: 0 })
    expect(await ended).toMatchObject({ code: 0, out: "bye\n" })
    process.kill(Number(left))
  })

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("comes after %s is passed on", async (signal) => {
    const agent = remoteAgent("codex-0.166.0/plan")
    const { child, ended } = run(["--", ...agent.command, "--then", "--", ...fakeAgent("codex-0.166.0/plan")])
    await agent.tell({ lines: 6 })
    child.kill(signal)
    await agent.gone()
    expect((await ended).code).toBe({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal])
  })

  test("comes with the next signal for an agent that ignores one", async () => {
    const agent = remoteAgent("codex-0.166.0/plan", "--ignore", "SIGINT,SIGTERM", "--aloud")
    const { child, ended, seen } = run(["--", ...agent.command])
    await agent.tell({ lines: 6 })
    for (const signal of ["SIGINT", "SIGTERM"]) {
      child.kill("SIGINT")
      // One is dealt with before the next one comes: else two of them would count as one.
      await vi.waitFor(() => expect(seen.err).toContain(`ignores ${signal}`), { timeout: 20_000 })
    }
    child.kill("SIGINT")
    expect((await ended).code).toBe(137)
  })

  test("comes when a reader closes the pipe", async () => {
    const home = temporaryFolder()
    const script = `'${process.execPath}' '${bin}' run -- yes | head -n 2; echo "\${PIPESTATUS[0]}"`
    const { stdout } = spawnSync("bash", ["-c", script], {
      encoding: "utf8",
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
    })
    expect(stdout).toBe("y\ny\n130\n")
  })
})

describe("members in turn (A8)", () => {
  const [codex, gemini] = [fakeAgent("codex-0.166.0/plan"), fakeAgent("gemini-0.61.0/write-todos")]

  test("each starts when the one before has ended", async () => {
    const words = [
      "--member",
      "Ada:green",
      "--",
      ...codex,
      "--then",
      "--member=Bob B.:magenta",
      "--from",
      "gemini",
      "--",
    ]
    const { home, ended } = run([...words, ...gemini, "--then", "--", "echo", "--then", "all"])
    const { code, out } = await ended
    expect(code).toBe(0)
    const order = [
      'Ada: [Todo: "Two in progress" → pending]',
      'Bob B.: [Todo: "Read the README" → in_progress]',
      "--then all",
    ]
    expect(order.map((text) => out.indexOf(text)).every((at, index, all) => at > (all[index - 1] ?? -1))).toBe(true)
    expect(await kept(home)).toHaveLength(2)
  })

  test("a --then that starts no member is passed to the agent, and that is reported", async () => {
    const { code, out, err } = await run(["--", "echo", "--then", "cat"]).ended
    expect([code, out]).toEqual([0, "--then cat\n"])
    expect(err).toContain('"--then" is passed on to echo. Another agent begins with: --then -- COMMAND…\n')
  })

  test("when one fails, the next is not started, and that is reported", async () => {
    const others = ["--then", "--member", "Bob", "--", ...gemini]
    const { code, out, err } = await run(["--member", "Ada", "--", ...codex, "--exit", "3", ...others]).ended
    expect(code).toBe(3)
    expect(out).not.toContain("Found one more thing.")
    expect(err).toBe("headway: Bob was not started, because Ada failed (exit code 3).\n")
  })

  test("when one cannot be started, nor are those after it, and that is reported", async () => {
    const { code, err } = await run(["--", "no-such-agent", "--then", "--", "cat", "--then", "--", "wc"]).ended
    expect([code, err.split("\n")[1]]).toEqual([
      127,
      "headway: cat and wc were not started, because no-such-agent could not be started.",
    ])
  })

  test.each([
    [["--member", "Ada:pink", "--", "cat"], '"pink" is not a colour a member can have. The colours are: red, green,'],
    [["--", "cat", "--then", "--member", "Ada:pink", "--", "cat"], '"pink" is not a colour'],
    [["--member", ":red", "--", "cat"], "--member takes NAME or NAME:COLOUR"],
    [[], 'Which agent? Put its command after "--"'],
    [["--", "cat", "--then", "--"], "Which agent?"],
    [["claude"], '"claude" is not expected here. Put "--" before the command to run: headway run -- claude\n'],
    [
      ["claude", "-p", "Do it"],
      " is not expected here. Put \"--\" before the command to run: headway run -- claude -p 'Do it'\n",
    ],
    [["--member", "Ada", "sh", "-c", "ls"], "to run: headway run --member Ada -- sh -c ls\n"],
  ])("%j is wrong usage", async (words, message) => {
    const { code, out, err } = await run(words).ended
    expect([code, out]).toEqual([2, ""])
    expect(err).toContain(message)
  })
})

describe("missing requirements of a command", () => {
  const withProgram = (name: string): NodeJS.ProcessEnv => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, name), "#!/bin/sh\necho hello\n")
    chmodSync(join(folder, name), 0o700)
    return { PATH: `${folder}${delimiter}${process.env.PATH}` }
  }

  test.each([
    ["claude", ["-p", "Do it"], "--output-format stream-json --verbose"],
    ["claude", ["Do it"], "-p --output-format stream-json --verbose"],
    ["codex", ["exec", "Do it"], "--json"],
    ["gemini", ["-p", "Do it"], "--output-format stream-json"],
    ["opencode", ["run", "Do it"], "--format json"],
    ["qwen", ["-p", "Do it"], "--output-format stream-json"],
    ["omp", ["-p", "Do it"], "--mode json"],
    ["cursor-agent", ["--print"], "--output-format stream-json"],
  ])("%s %j: reported on standard error, in one line", async (name, words, missing) => {
    const { code, out, err } = await run(["--", name, ...words], { env: withProgram(name) }).ended
    expect([code, out, err]).toEqual([
      0,
      "hello\n",
      `headway: ${name} shows a plan only with these options: ${missing}\n`,
    ])
  })

  test("are not reported where nothing is missing", async () => {
    const words = ["--output-format=stream-json", "--verbose", "--print"]
    const { err } = await run(["--", "claude", ...words], { env: withProgram("claude") }).ended
    expect(err).not.toContain("only when")
  })
})

describe("the plan while it runs", () => {
  test("keeps a person's edit through the agent's next list (N3)", async () => {
    const agent = remoteAgent("claude-2.1.197/todowrite")
    const { home, seen, ended } = run(["--", ...agent.command])
    await agent.tell({ lines: 4 })
    const session = await vi.waitFor(async () => {
      const { plans } = await createFileStore({ home: join(home, ".headway") }).list()
      expect(plans).toHaveLength(1)
      return plans[0]?.session ?? ""
    })
    const added = await asked(["todo", "add", "Ask Ada", "--session", session], { home })
    expect(added.code).toBe(0)
    await agent.tell({ lines: 4, exit: 0 })
    await ended
    const [list] = await kept(home)
    expect(list?.todos).toContainEqual({ content: "Ask Ada", status: "pending" })
    expect(list?.todos[0]).toEqual({ content: "Read the README", status: "completed" })
    expect(seen.err).toBe("")
    const history = await asked(["history", "--session", session], { home })
    expect(history.out).toContain("now completed")
    const listed = await asked(["list", "--own", "--json"], { home })
    expect(JSON.parse(listed.out)).toMatchObject([{ session, agentType: "claude-code", project: home }])
  })

  test("an agent that has exited is over, until the next run in its session", async () => {
    const home = temporaryFolder()
    const list = { type: "todo_list", agentId: "main", items: [{ text: "Send", status: "in_progress" }] }
    writeFileSync(join(home, "agent.sh"), `echo '${JSON.stringify(list)}'; ${process.execPath} "$@"; exit 3\n`)
    const words = (script: string) => ["--from", "headway-events", "--", "sh", "agent.sh", "-e", script]
    const states = async () => {
      const { out } = await asked(["list", "--json"], { home })
      return (JSON.parse(out) as { state: string }[]).map(({ state }) => state)
    }
    expect((await run(["--session", "r1", "--new", ...words("")], { home }).ended).code).toBe(3)
    expect(await states()).toEqual(["ended"])
    // The run records that it has begun while its agent goes on.
    const looks = `const look = () => require("node:child_process").execFileSync(process.execPath, ${JSON.stringify([bin, "list", "--json"])}).toString()
      let seen = look()
      for (let more = 50; more > 0 && !seen.includes("working"); more -= 1) seen = look()
      console.log(seen.replace(/\\s+/g, " "))`
    const again = await run(["--session", "r1", ...words(looks)], { home }).ended
    expect(again.out).toContain('"state": "working"')
    expect(await states()).toEqual(["ended"])
  })

  test("is kept under --session", async () => {
    const { home, ended } = run(["--session", "mine", "--new", "--", ...fakeAgent("codex-0.166.0/plan")])
    await ended
    expect(JSON.parse((await asked(["show", "--session", "mine", "--json"], { home })).out).todos).toHaveLength(2)
  })

  test("does not change another agent's or project's plan whose session a stream names", async () => {
    const input = linesOf("codex-0.166.0/plan").join("\n")
    const session = String((JSON.parse(input.split("\n")[0] ?? "") as { thread_id: string }).thread_id)
    const home = temporaryFolder()
    const list = JSON.stringify({ todos: [{ content: "Stay", status: "pending" }] })
    await asked(["write", "--new", "--session", session], { home, input: list })
    const { code, err } = await run(["--", "cat"], { home, input }).ended
    expect([code, err]).toEqual([0, expect.stringContaining("holds the plan of another agent or project")])
    const shown = await asked(["show", "--session", session, "--json"], { home })
    expect(JSON.parse(shown.out).todos).toMatchObject([{ content: "Stay", status: "pending" }])
    expect(await kept(home)).toHaveLength(2)
  })

  test("is continued when a session is run again", async () => {
    const { home, ended } = run(["--", ...fakeAgent("codex-0.166.0/plan")])
    await ended
    await run(["--", ...fakeAgent("codex-0.166.0/plan")], { home }).ended
    expect(await kept(home)).toHaveLength(1)
  })

  test("has a session named after the project where a stream names none", async () => {
    const [, ...nameless] = linesOf("codex-0.166.0/plan")
    const { home, ended } = run(["--", "cat"], { input: nameless.join("\n") })
    expect((await ended).code).toBe(0)
    const list = await asked(["list", "--own", "--json"], { home })
    expect(JSON.parse(list.out)).toMatchObject([{ session: expect.stringMatching(/-1$/), todos: 2 }])
  })

  test("is not needed for the run: a store that cannot be written is reported once", async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, "file"), "precious")
    const { code, out, err } = await run(
      ["--home", join(home, "file", "x"), "--", ...fakeAgent("claude-2.1.197/tasks")],
      {
        home,
      },
    ).ended
    expect([code, out.match(/→/g)?.length]).toEqual([0, 10])
    expect(err).toMatch(/^headway: The run continues, but its plan is not saved: .*ENOTDIR.*\n$/)
  })
})
