/** `headway open`: the command of each client, what is refused, and where it runs. */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"
import { agents } from "../../src/agents/index.ts"
import { planFileName } from "../../src/home/paths/file-names.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayIn, openTerminal } from "../terminal.ts"
import { claudeSession, codexSession } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
const session = "11111111-2222-4333-8444-555555555555"
const at = "2030-01-01T10:00:00Z"

/** A session in a folder of this name, and a program in place of Claude Code that says what it was called with. */
const withSession = (name = "shop", id = session) => {
  const home = temporaryFolder()
  const folder = join(home, name)
  mkdirSync(folder, { recursive: true })
  claudeSession(home, { session: id, cwd: folder, at, todos: ["Read"] })
  const programs = join(home, "programs")
  mkdirSync(programs)
  const claude = join(programs, "claude")
  const says = `console.log("Claude Code in", process.cwd(), JSON.stringify(process.argv.slice(2)))`
  writeFileSync(claude, `#!${process.execPath}\n${says}\nprocess.stdin.once("data", () => process.exit(7))\n`)
  chmodSync(claude, 0o755)
  const env = { HOME: home, PATH: `${programs}:${process.env.PATH}`, USER: "ada" }
  return { folder, env, ...atHome({ home, cwd: folder, now: "2030-01-01T13:00:00Z" }) }
}

describe("N10 without a terminal", () => {
  test("the command is printed, and each word of it is one word to a shell", async () => {
    const { run, folder } = withSession("it's $(touch here) #(touch there)")
    const { code, out } = await run(["open", "login"])
    expect(code).toBe(0)
    const shown = spawnSync("sh", ["-c", `claude() { printf '<%s>' "$PWD" "$@"; }; ${out}`], { encoding: "utf8" })
    expect(shown.stdout).toBe(`<${folder}><--resume><${session}>`)
  })

  test("fish, where a backslash in quotes has a meaning, reads the same words", async () => {
    const { run, folder } = withSession("a\\'; touch here #")
    const { out } = await run(["open", "login"])
    expect(out).toBe(
      `cd '${folder.slice(0, -"\\'; touch here #".length)}'\\\\''\\''; touch here #' && claude --resume ${session}\n`,
    )
    const shown = spawnSync("sh", ["-c", `claude() { printf '<%s>' "$PWD"; }; ${out}`], { encoding: "utf8" })
    expect(shown.stdout).toBe(`<${folder}>`)
  })

  test("as JSON the command is a list of words without quotes", async () => {
    const { run, folder } = withSession("it's here")
    const { out } = await run(["open", "1111", "--json"])
    const words = ["--resume", session]
    expect(JSON.parse(out)).toEqual({
      session,
      agent: "main",
      agentType: "claude-code",
      program: "claude",
      words,
      folder,
    })
  })

  test("without a name this project's newest session is opened", async () => {
    const { run, folder } = withSession()
    const { out, err } = await run(["open"])
    expect(out).toBe(`cd ${folder} && claude --resume ${session}\n`)
    expect(err).toBe('headway: the newest session of this project is "Repair the login" (Claude Code 11111111)\n')
  })

  test.each([
    ["claude-code", "claude --resume ID"],
    ["openai-codex", "codex resume ID"],
    ["google-gemini", "gemini --resume ID"],
    ["opencode", "opencode --session ID"],
    ["qwen-code", "qwen --resume ID"],
    ["oh-my-pi", "omp --resume ID"],
    ["github-copilot", "copilot --resume ID"],
    ["pi", "pi --session ID"],
    ["cline", "cline --id ID"],
    ["kimi-code", "kimi --session ID"],
    ["grok", "grok --resume ID"],
    ["kilo", "kilo --session ID"],
    ["continue-cli", "cn --fork ID"],
  ] as const)("%s is called as its own help says: %s", (agent, command) => {
    const { program, resume } = agents[agent]
    expect([program, ...(resume?.("ID") ?? [])].join(" ")).toBe(command)
  })

  test("a session of another client is opened with that client", async () => {
    const { home, run, folder } = withSession()
    codexSession(home, { session: "01a1e08b-9d72-7a13-b8f2-1d8b7c1f0a11", cwd: folder, at, steps: ["Look"] })
    expect((await run(["open", "01a1"])).out).toBe(
      `cd ${folder} && codex resume 01a1e08b-9d72-7a13-b8f2-1d8b7c1f0a11\n`,
    )
  })

  test("a client that can only continue with a copy of a session is opened so, and that is reported", async () => {
    const { home, run, folder } = withSession()
    const id = "305e1b81-51ba-4f29-9014-810cd4d4c7d4"
    const history = [{ message: { role: "user", content: "Sort the shelves" } }]
    mkdirSync(join(home, ".continue/sessions"), { recursive: true })
    writeFileSync(
      join(home, `.continue/sessions/${id}.json`),
      JSON.stringify({ sessionId: id, title: "Untitled Session", workspaceDirectory: folder, history }),
    )
    expect(await run(["open", "shelves"])).toMatchObject({
      out: `cd ${folder} && cn --fork ${id}\n`,
      err: "headway: Continue continues a copy of the session, under another id\n",
    })
  })

  test("our own agent's sessions are listed by its name and opened with it", async () => {
    const { run, folder } = withSession()
    await run(["agent", "--print", "--yes", "--model", "script:demo", "--new", "--session", "mine", "Build it"])
    expect((await run(["open", "mine"])).out).toBe(`cd ${folder} && headway agent --resume mine\n`)
    expect((await run(["list"])).out).toContain("Headway agent")
  })

  test("a plan that no client keeps cannot be opened", async () => {
    const { run } = withSession()
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":["Read"]}' })
    const { code, err } = await run(["open", "mine"])
    expect([code, err]).toEqual([
      1,
      'headway: This plan was not written in an agent\'s session, so there is none to open. "headway show" shows it.\n',
    ])
  })

  test("an id that begins with a hyphen is not taken for an option of a client", async () => {
    const { run } = withSession("shop", "--dangerously-skip-permissions")
    const { code, out, err } = await run(["open"])
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("could be taken for an option")])
  })

  test.each([
    ["./talk.jsonl", "pi", "could be taken for a file"],
    ["talk.jsonl", "pi", "could be taken for a file"],
    ["..\\talk", "pi", "could be taken for a file"],
    ["latest", "google-gemini", "could be taken for another session"],
    ["12", "google-gemini", "could be taken for another session"],
  ])("an id that a client reads as something else, %s for %s, is not passed on", async (id, agentType, why) => {
    const { run, env, folder } = withSession()
    const opened = { type: "plan-opened", session: id, agent: "main", project: folder, agentType }
    const entry = { v: 1, id: "e1", at, by: { kind: "agent", id: "main" }, events: [opened] }
    const journal = join(env.HOME, ".headway", "journal")
    mkdirSync(journal, { recursive: true })
    writeFileSync(join(journal, `${planFileName({ session: id, agent: "main" })}.jsonl`), `${JSON.stringify(entry)}\n`)
    const { code, out, err } = await run(["open", id])
    expect([code, out, err]).toEqual([1, "", expect.stringContaining(why)])
  })

  test("a folder that is gone is named, and nothing is printed", async () => {
    const { home, run } = withSession()
    claudeSession(home, { session: "22222222-2", cwd: join(home, "gone"), at, todos: ["Read"] })
    const { code, out, err } = await run(["open", "2222"])
    expect([code, out, err]).toEqual([
      1,
      "",
      `headway: The folder of this session does not exist: ${join(home, "gone")}.\n`,
    ])
  })
})

describe("at a terminal", () => {
  test("the client is run in the folder of the session, and its exit code is ours", async () => {
    const { env, home, folder } = withSession("the shop")
    const terminal = headwayIn(["open", "1111"], { env, cwd: home, columns: 200 })
    onTestFinished(() => terminal.kill())
    await terminal.waitFor(`Claude Code in ${folder} ["--resume","${session}"]`)
    expect(terminal.screen().join("\n")).toContain(
      `opening "Repair the login" (Claude Code 11111111) with claude in ${folder}`,
    )
    terminal.type("\r")
    expect(await terminal.exited).toBe(7)
  })

  test("the board names the folder before the client takes the terminal", async () => {
    const { env, home, folder } = withSession("the shop")
    const terminal = headwayIn(["watch", "--all"], { env, cwd: home, columns: 200 })
    onTestFinished(() => terminal.kill())
    await terminal.waitFor("Repair the login")
    terminal.type("o")
    await terminal.waitFor(`Claude Code in ${folder}`)
    expect(terminal.screen().join("\n")).toContain(
      `opening "Repair the login" (Claude Code 11111111) with claude in ${folder}`,
    )
  })

  test("a program that comes with the project is not taken for the client", async () => {
    const { env, folder } = withSession()
    mkdirSync(join(folder, ".git"))
    const own = join(folder, "claude")
    writeFileSync(own, "#!/bin/sh\ntouch ran\n", { mode: 0o755 })
    const terminal = headwayIn(["open", "1111"], { env: { ...env, PATH: `${folder}:/usr/bin:/bin` }, cwd: folder })
    onTestFinished(() => terminal.kill())
    expect(await terminal.exited).toBe(1)
    expect(terminal.screen().join(" ")).toContain('There is no command "claude"')
    expect(existsSync(join(folder, "ran"))).toBe(false)
  })
})

const tmux = spawnSync("tmux", ["-V"]).status === 0

describe.skipIf(!tmux)("inside tmux", () => {
  test("a window is opened, and selected the next time; a name that is a format runs nothing", async () => {
    const { env, home, folder } = withSession("#(touch ran) #{pane_id};")
    const socket = join(home, "tmux")
    const command = ["-S", socket, "-f", "/dev/null", "new-session", "-x", "160", "-y", "20", "sh"]
    const terminal = openTerminal("tmux", command, {
      env: { ...env, PS1: "ready> " },
      cwd: home,
      columns: 160,
      rows: 20,
    })
    onTestFinished(() => {
      spawnSync("tmux", ["-S", socket, "kill-server"])
      terminal.kill()
    })
    const windows = (): string[] =>
      spawnSync("tmux", ["-S", socket, "list-windows", "-F", "#{window_index} #{window_active}"], { encoding: "utf8" })
        .stdout.trim()
        .split("\n")
    await terminal.waitFor(/^\S*[#$]/)
    terminal.type(`'${process.execPath}' '${bin}' open 1111\r`)
    await terminal.waitFor(`Claude Code in ${folder} ["--resume","${session}"]`)
    expect(windows()).toEqual(["0 0", "1 1"])
    spawnSync("tmux", ["-S", socket, "select-window", "-t", ":0"])
    await terminal.waitFor("opening ")
    terminal.type(`clear; '${process.execPath}' '${bin}' open 1111\r`)
    await terminal.waitFor(`Claude Code in ${folder}`)
    expect(windows()).toEqual(["0 0", "1 1"])
    for (const place of [home, folder]) expect(existsSync(join(place, "ran"))).toBe(false)
  })
})
