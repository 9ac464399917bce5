/** What the doctor says about agents and the store, on real files and with real programs. */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import type { AgentReport } from "../../src/bridges/doctor/examine.ts"
import { knownOf } from "../../src/bridges/doctor/inspect.ts"
import { runProgram } from "../../src/bridges/programs/run-program.ts"
import type { Agent } from "../../src/bridges/setup/agent-settings.ts"
import { connectedAgents as agents } from "../agents/loaded.ts"
import { atHome, type CliOptions } from "../cli/run-cli.ts"
import { contentsUnder, namesIn, temporaryFolder } from "../stores/temporary.ts"
import { script } from "./launched.ts"
import { programOnPath } from "./on-path.ts"

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

type Diagnosis = { ok: boolean; agents: AgentReport[]; store: { name: string; ok: boolean; note: string }[] }

/** A machine with programs on its PATH and files in its home. */
const machine = (files: Record<string, string> = {}, options: CliOptions = {}) => {
  const home = temporaryFolder()
  const PATH = join(home, "bin")
  mkdirSync(PATH)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const { run } = atHome({ home, env: { PATH }, ...options })
  const doctor = async (...words: string[]): Promise<Diagnosis & { code: number }> => {
    const { code, out } = await run(["doctor", "--json", ...words])
    return { code, ...(JSON.parse(out) as Diagnosis) }
  }
  /** A headway that answers as a server and runs as a hook. */
  const installHeadway = (hook = "exit 0"): void => {
    const server = `exec "${process.execPath}" "${fixture("answering-server.mjs")}"`
    programOnPath(PATH, "headway", `case "$1" in --version) echo 0.0.0-source;; mcp) ${server};; hook) ${hook};; esac`)
  }
  return {
    home,
    PATH,
    run,
    doctor,
    installHeadway,
    install: (name: string, line: string) => programOnPath(PATH, name, line),
  }
}

const only = ({ agents: [report] }: Diagnosis): AgentReport => {
  if (!report) throw new Error("no agent was found")
  return report
}

describe("the version of an agent", () => {
  test("is asked of the program", async () => {
    const { doctor, install } = machine()
    install("claude", "echo '2.1.197 (Claude Code)'")
    expect(only(await doctor())).toMatchObject({ agent: "claude-code", version: "2.1.197" })
  })

  test("is read from its package, and then nothing runs", async () => {
    const { home, PATH, doctor } = machine()
    const folder = join(home, "lib/node_modules/@openai/codex")
    mkdirSync(join(folder, "bin"), { recursive: true })
    writeFileSync(join(folder, "package.json"), '{"name": "@openai/codex", "version": "0.166.0"}')
    programOnPath(join(folder, "bin"), "codex", `: > "${join(home, "it-ran")}"`)
    symlinkSync(join(folder, "bin/codex"), join(PATH, "codex"))
    expect(only(await doctor())).toMatchObject({ agent: "openai-codex", version: "0.166.0" })
    expect(namesIn(home)).not.toContain("it-ran")
  })

  test("and the model are those of the newest session where no program reports them", async () => {
    const { home, doctor } = machine()
    cpSync(fixture("configs/claude-code"), home, { recursive: true })
    const folder = join(home, ".claude/projects/-home-ada-shop")
    mkdirSync(folder, { recursive: true })
    const line = (model: string, version: string, at: string): string =>
      `${JSON.stringify({ type: "assistant", uuid: at, sessionId: at, cwd: "/home/ada/shop", version, timestamp: at, message: { role: "assistant", model, content: [{ type: "text", text: "Hi" }] } })}\n`
    writeFileSync(join(folder, "old.jsonl"), line("claude-opus-4-6", "2.1.197", "2029-12-01T00:00:00Z"))
    writeFileSync(join(folder, "new.jsonl"), line("claude-opus-5-5", "2.1.325", "2029-12-30T00:00:00Z"))
    expect(only(await doctor("claude"))).toMatchObject({
      version: "2.1.325",
      model: "claude-opus-5-5",
      native: { state: "off" },
    })
  })

  test("that is not reported is not made up", async () => {
    const { run, install } = machine()
    install("qwen", "echo no idea")
    const { out } = await run(["doctor", "qwen"])
    expect(out).toContain("Qwen Code (version unknown)")
  })
})

describe("the agent's own list", () => {
  const stateOf = (
    agent: Agent,
    about: { version?: string; model?: string },
    files: Record<string, string> = {},
  ): string => {
    const { home } = machine(files)
    return agent.native.state(knownOf({ env: {}, home, project: home }, "user", about))
  }
  const claude = ".claude/settings.json"

  test.each([
    ["claude-code", { version: "2.1.197" }, {}, "present"],
    ["claude-code", { version: "2.1.325", model: "claude-opus-5-5" }, {}, "off"],
    ["claude-code", { version: "2.1.325", model: "claude-haiku-4-5" }, {}, "deferred"],
    ["claude-code", { version: "2.1.120", model: "claude-opus-4-8" }, {}, "present"],
    ["claude-code", { version: "2.1.325", model: "claude-opus-4-8" }, {}, "off"],
    ["claude-code", { version: "2.1.325", model: "claude-sonnet-5" }, {}, "off"],
    ["claude-code", { version: "2.1.325", model: "claude-haiku-4-5-20251001" }, {}, "deferred"],
    ["claude-code", { version: "2.1.325", model: "claude-opus-4-20250514" }, {}, "deferred"],
    ["claude-code", { version: "2.1.325", model: "claude-sonnet-4-6" }, {}, "deferred"],
    ["claude-code", { version: "2.1.325" }, {}, "unknown"],
    ["claude-code", {}, {}, "unknown"],
    [
      "claude-code",
      { version: "2.1.325", model: "claude-opus-5-5" },
      { [claude]: '{"env": {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}}' },
      "deferred",
    ],
    [
      "claude-code",
      { version: "2.1.325" },
      { [claude]: '{"env": {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1", "ENABLE_TOOL_SEARCH": "0"}}' },
      "present",
    ],
    ["claude-code", { version: "2.1.197" }, { [claude]: '{"permissions": {"deny": ["TaskCreate"]}}' }, "off"],
    ["openai-codex", { version: "0.151.0" }, {}, "present"],
    ["openai-codex", { version: "0.166.0" }, {}, "off"],
    [
      "openai-codex",
      { version: "0.166.0" },
      { ".codex/config.toml": "[tools.update_plan]\nenabled = true\n" },
      "present",
    ],
    ["openai-codex", {}, {}, "unknown"],
    ["google-gemini", { model: "gemini-2.5-pro" }, {}, "present"],
    ["google-gemini", { model: "gemini-3.1-pro" }, {}, "off"],
    ["google-gemini", {}, {}, "unknown"],
    ["google-gemini", {}, { ".gemini/settings.json": '{"experimental": {"taskTracker": true}}' }, "present"],
    ["google-gemini", { model: "gemini-2.5-pro" }, { ".gemini/settings.json": '{"useWriteTodos": false}' }, "off"],
    ["qwen-code", { version: "0.24.4" }, {}, "off"],
    ["qwen-code", {}, { ".qwen/settings.json": '{"tools": {"todoWrite": {"enabled": true}}}' }, "present"],
    ["opencode", { version: "1.18.33" }, {}, "present"],
    ["opencode", { version: "2.0.1" }, {}, "off"],
    ["opencode", {}, { ".config/opencode/opencode.json": '{"permission": {"todowrite": "deny"}}' }, "off"],
    ["oh-my-pi", {}, {}, "present"],
    ["cline", {}, {}, "unknown"],
    ["oh-my-pi", {}, { ".omp/agent/config.yml": "theme: x\ntodo:\n  reminders: true\n  enabled: false\n" }, "off"],
    ["oh-my-pi", {}, { ".omp/agent/config.yml": "todo:\n  enabled: true\nother:\n  enabled: false\n" }, "present"],
  ] as const)("of %s with %j and %j is %s", (id, about, files, state) => {
    expect(stateOf(agents[id], about, files)).toBe(state)
  })

  test("that is off comes with the text that turns it on, and the text works", async () => {
    const { home, doctor, install, run } = machine({ ".codex/config.toml": "" })
    install("codex", "echo codex-cli 0.166.0")
    const { native } = only(await doctor())
    expect(native).toMatchObject({ state: "off", on: { switches: [{ text: "[tools.update_plan]\nenabled = true" }] } })
    writeFileSync(join(home, ".codex/config.toml"), native.on?.switches[0]?.text ?? "")
    expect(only(await doctor()).native.state).toBe("present")
    const { out } = await run(["doctor"])
    expect(out).toContain("own list: on (update_plan)")
  })

  test("is not switched by asking about it", async () => {
    const { home, doctor, install } = machine({ ".codex/config.toml": "model = 'x'\n", ".claude/settings.json": "{}" })
    install("codex", "echo 0.166.0")
    const before = readFileSync(join(home, ".codex/config.toml"), "utf8")
    await doctor()
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe(before)
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}")
  })
})

describe("our parts", () => {
  const serversByName = JSON.stringify({ mcpServers: { headway: { command: "headway", args: ["mcp"] } } })

  test("that are set up and answer are connected", async () => {
    const { doctor, installHeadway, run } = machine()
    installHeadway()
    await run(["setup", "claude", "--status-line"])
    const diagnosis = await doctor()
    expect([diagnosis.code, diagnosis.ok]).toEqual([0, true])
    expect(only(diagnosis).parts.user).toMatchObject({
      mcp: { state: "connected", note: "responds, tool: todo" },
      hooks: { state: "connected", note: "runs" },
      statusLine: { state: "connected" },
    })
  })

  test("that start Node at every call work, with the advice to set up again", async () => {
    const { home, doctor, run } = machine()
    await run(["setup", "claude", "--status-line"])
    const file = join(home, ".claude", "settings.json")
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(`${script} `, ""))
    const note = "starts Node at every call; set it up again for a quicker call"
    expect(only(await doctor()).parts.user).toMatchObject({
      hooks: { state: "connected", note },
      statusLine: { state: "connected", note },
    })
    await run(["setup", "claude", "--status-line"])
    expect(only(await doctor()).parts.user?.hooks).toMatchObject({ state: "connected", note: "runs" })
    await run(["setup", "claude", "--undo"])
    expect(readFileSync(file, "utf8")).not.toContain("headway")
  })

  test("that are absent are not a fault", async () => {
    const { doctor } = machine({ ".claude/settings.json": "{}" })
    const diagnosis = await doctor()
    expect([diagnosis.code, only(diagnosis).parts.user?.mcp.state]).toEqual([0, "absent"])
  })

  test("whose program is gone are broken", async () => {
    const server = { command: "/gone/bin/node", args: ["/gone/headway.js", "mcp"] }
    const { doctor, run } = machine({ ".qwen/settings.json": JSON.stringify({ mcpServers: { headway: server } }) })
    const diagnosis = await doctor()
    expect([diagnosis.code, diagnosis.ok]).toEqual([1, false])
    expect(only(diagnosis).parts.user?.mcp).toMatchObject({ state: "broken", note: "/gone/bin/node is not there" })
    expect((await run(["doctor"])).out).toContain("tool: BROKEN, /gone/bin/node is not there")
  })

  test.each([
    ["ends at once", "exit 3", "it ended with code 3"],
    ["says something else", "echo hello", "it ended"],
  ])("whose server %s are broken", async (_, line, note) => {
    const { doctor, install } = machine({ ".omp/agent/mcp.json": serversByName })
    install("headway", line)
    expect(only(await doctor("omp")).parts.user?.mcp).toMatchObject({
      state: "broken",
      note: expect.stringContaining(note),
    })
  })

  test("whose hook fails are broken, and --look does not run it", async () => {
    const hooks = [{ hooks: [{ type: "command", command: "headway hook google-gemini" }] }]
    const names = ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "Notification", "SessionEnd"]
    const events = Object.fromEntries(names.map((name) => [name, hooks]))
    const { doctor, installHeadway } = machine({ ".gemini/settings.json": JSON.stringify({ hooks: events }) })
    installHeadway("exit 2")
    expect(only(await doctor()).parts.user?.hooks).toMatchObject({ state: "broken" })
    expect(only(await doctor("--look")).parts.user?.hooks).toMatchObject({ state: "connected" })
  })

  test("that are incomplete or switched off are reported so", async () => {
    const { home, doctor, installHeadway, run } = machine()
    installHeadway()
    await run(["setup", "claude"])
    const path = join(home, ".claude/settings.json")
    const { hooks, ...rest } = JSON.parse(readFileSync(path, "utf8")) as { hooks: Record<string, unknown> }
    writeFileSync(path, JSON.stringify({ ...rest, hooks: { Stop: hooks.Stop } }))
    expect(only(await doctor()).parts.user?.hooks).toMatchObject({
      state: "incomplete",
      note: expect.stringMatching(/SessionStart/),
    })
    writeFileSync(path, JSON.stringify({ ...rest, hooks, disableAllHooks: true }))
    expect(only(await doctor()).parts.user?.hooks).toMatchObject({
      state: "off",
      note: expect.stringMatching(/disableAllHooks/),
    })
  })

  test("that are switched off in this project are reported with the file that does it", async () => {
    const project = temporaryFolder()
    const { doctor, installHeadway, run } = machine({}, { cwd: project })
    installHeadway()
    await run(["setup", "claude"])
    mkdirSync(join(project, ".claude"))
    const [shared, own] = ["settings.json", "settings.local.json"].map((name) => join(project, ".claude", name))
    const userParts = async (path = "", settings: object = {}) => {
      writeFileSync(path, JSON.stringify(settings))
      return only(await doctor()).parts.user
    }
    const off = (path = "") => ({ state: "off", note: expect.stringContaining(path) })
    expect((await userParts(shared, { disableAllHooks: true }))?.hooks).toMatchObject(off(shared))
    expect((await userParts(own, { disableAllHooks: false }))?.hooks).toMatchObject({ state: "connected" })
    expect((await userParts(own, { disableAllHooks: true }))?.hooks).toMatchObject(off(own))
    const denied = await userParts(own, { permissions: { deny: ["mcp__headway"] } })
    expect(denied?.mcp).toMatchObject(off(own))
    const other = await userParts(own, { permissions: { deny: ["mcp__other"] } })
    expect(other?.mcp).toMatchObject({ state: "connected" })
  })

  test("that a person switched off in Claude Code for this project are reported so", async () => {
    const project = temporaryFolder()
    const { home, doctor, installHeadway, run } = machine({}, { cwd: project })
    installHeadway()
    await run(["setup", "claude"])
    const state = join(home, ".claude.json")
    const disable = (folder: string, server: string): void => {
      const projects = { [folder]: { disabledMcpServers: [server] } }
      writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), projects }))
    }
    const mcp = async () => only(await doctor()).parts.user?.mcp
    disable(project, "other")
    expect(await mcp()).toMatchObject({ state: "connected" })
    disable(`${project}-2`, "headway")
    expect(await mcp()).toMatchObject({ state: "connected" })
    disable(project, "headway")
    expect(await mcp()).toMatchObject({
      state: "off",
      note: expect.stringMatching(/disabledMcpServers" in .*\.claude\.json/),
    })
  })

  test("of a project are switched off where a person has rejected its server, and their own are not", async () => {
    const project = temporaryFolder()
    const { doctor, installHeadway, run } = machine({}, { cwd: project })
    installHeadway()
    await run(["setup", "claude"])
    await run(["setup", "claude", "--scope", "project"])
    const own = join(project, ".claude/settings.local.json")
    writeFileSync(own, JSON.stringify({ disabledMcpjsonServers: ["headway"] }))
    const { parts } = only(await doctor())
    expect(parts.project?.mcp).toMatchObject({ state: "off", note: `by "disabledMcpjsonServers" in ${own}` })
    expect(parts.user?.mcp).toMatchObject({ state: "connected" })
  })

  test.each([
    ["gemini", ".gemini/settings.json"],
    ["qwen", ".qwen/settings.json"],
  ])("of %s are switched off by its lists of servers", async (name, path) => {
    const { home, doctor, installHeadway, run } = machine()
    installHeadway()
    await run(["setup", name])
    const file = join(home, path)
    const settings = JSON.parse(readFileSync(file, "utf8"))
    const stateWith = async (mcp: object) => {
      writeFileSync(file, JSON.stringify({ ...settings, mcp }))
      return only(await doctor()).parts.user?.mcp
    }
    expect(await stateWith({ excluded: ["other"], allowed: ["headway"] })).toMatchObject({ state: "connected" })
    expect(await stateWith({ excluded: ["headway"] })).toMatchObject({
      state: "off",
      note: `by "mcp.excluded" in ${file}`,
    })
    expect(await stateWith({ allowed: ["other"] })).toMatchObject({ state: "off", note: `by "mcp.allowed" in ${file}` })
  })

  test("that are called through npx are not ours, are not run, and are replaced by set-up", async () => {
    const { home, doctor, install, run } = machine()
    const settings = { mcpServers: { headway: { command: "npx", args: ["--yes", "headway", "mcp"] } } }
    mkdirSync(join(home, ".gemini"), { recursive: true })
    writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings))
    install("npx", `touch ${join(home, "ran")}`)
    const mcp = async () => only(await doctor()).parts.user?.mcp
    expect(await mcp()).toMatchObject({ state: "foreign", note: expect.stringContaining("another program") })
    expect(existsSync(join(home, "ran"))).toBe(false)
    await run(["setup", "gemini"])
    expect(await mcp()).toMatchObject({ state: "connected" })
  })

  test("are outdated where a newer agent would not show our tool, until it is set up again", async () => {
    const { doctor, install, installHeadway, run } = machine()
    installHeadway()
    await run(["setup", "codex"])
    expect(only(await doctor()).parts.user?.mcp).toMatchObject({ state: "connected" })
    install("codex", "echo codex-cli 0.166.0")
    expect(only(await doctor()).parts.user?.mcp).toMatchObject({ state: "incomplete" })
    await run(["setup", "codex"])
    expect(only(await doctor()).parts.user?.mcp).toMatchObject({ state: "connected" })
  })

  test("wait for the person's trust where the agent asks for it", async () => {
    const { home, doctor, installHeadway, run } = machine()
    installHeadway()
    await run(["setup", "codex"])
    expect(only(await doctor()).parts.user?.hooks).toMatchObject({
      state: "off",
      note: expect.stringMatching(/not trusted yet/),
    })
    const path = join(home, ".codex/config.toml")
    const trust = ["session_start", "user_prompt_submit", "post_tool_use", "stop"].map(
      (event) => `\n[hooks.state."${path}:${event}:0:0"]\ntrusted_hash = "sha256:x"\n`,
    )
    writeFileSync(path, `${readFileSync(path, "utf8")}${trust.join("")}`)
    expect(only(await doctor()).parts.user?.hooks).toMatchObject({ state: "connected" })
  })

  test("in a file the agent cannot read are broken", async () => {
    const { doctor, installHeadway, run } = machine({ ".claude/settings.json": "{\n  // mine\n}" })
    installHeadway()
    await run(["setup", "claude"])
    const diagnosis = await doctor()
    expect(diagnosis.code).toBe(1)
    expect(only(diagnosis).parts.user?.hooks).toMatchObject({
      state: "broken",
      note: expect.stringMatching(/comments \(line 2\)/),
    })
  })

  test("in an invalid file are broken, and the position is named", async () => {
    const { doctor } = machine({ ".gemini/settings.json": '{ "a": }' })
    expect(only(await doctor()).parts.user?.mcp).toMatchObject({
      state: "broken",
      note: expect.stringMatching(/line 1, column 8/),
    })
  })

  test("in a project are reported too, and no program that a project names is run", async () => {
    const { home, run, install } = machine()
    const cwd = join(home, "shop")
    mkdirSync(join(cwd, ".git"), { recursive: true })
    install("claude", "echo 2.1.197")
    const evil = programOnPath(join(home, "evil"), "headway", `: > "${join(home, "it-ran")}"`)
    const server = { command: join(evil, "headway"), args: ["mcp"] }
    writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { headway: server } }))
    const { out } = await run(["doctor", "--json"], { cwd })
    expect(only(JSON.parse(out) as Diagnosis).parts.project?.mcp).toMatchObject({ state: "foreign" })
    expect(namesIn(home)).not.toContain("it-ran")
  })

  describe("that other users could have put there are named and not run", () => {
    const placed = (run: (file: string, program: string) => void) => {
      const { home, doctor } = machine()
      const program = join(programOnPath(join(home, "other"), "headway", `: > "${join(home, "it-ran")}"`), "headway")
      const file = join(home, ".claude.json")
      writeFileSync(file, JSON.stringify({ mcpServers: { headway: { command: program, args: ["mcp"] } } }))
      run(file, program)
      return { home, doctor }
    }

    test.each([
      ["a configuration that all can write to", (file: string) => chmodSync(file, 0o666), "other users can change"],
      ["a program that all can write to", (_: string, program: string) => chmodSync(program, 0o777), "can replace it"],
      [
        "a program in a folder that all can write to",
        (_: string, program: string) => chmodSync(dirname(program), 0o777),
        "can replace it",
      ],
    ])("%s", async (_, open, note) => {
      const { home, doctor } = placed(open)
      const diagnosis = await doctor("claude")
      expect([diagnosis.code, only(diagnosis).parts.user?.mcp]).toMatchObject([
        1,
        { state: "broken", note: expect.stringContaining(note) },
      ])
      expect(namesIn(home)).not.toContain("it-ran")
    })

    test("and what is the person's alone is run", async () => {
      const { home, doctor } = placed(() => {})
      await doctor("claude")
      expect(namesIn(home)).toContain("it-ran")
    })
  })

  test("of another program by the same name are not ours", async () => {
    const { doctor } = machine({ ".omp/agent/mcp.json": '{"mcpServers": {"headway": {"command": "docker"}}}' })
    expect(only(await doctor()).parts.user?.mcp).toMatchObject({
      state: "absent",
      note: expect.stringMatching(/another server/),
    })
  })
})

describe("the store", () => {
  const found = ({ store }: Diagnosis, name: string) => store.find((one) => one.name === name)

  test("that is healthy is reported so, after a call there and back", async () => {
    const { doctor } = machine()
    const diagnosis = await doctor()
    expect(diagnosis.store.map(({ ok }) => ok)).toEqual([true, true, true, true])
    expect(found(diagnosis, "sample call")?.note).toBe("written, kept, read back")
    expect(found(diagnosis, "home")?.note).toContain("created when it is first needed")
  })

  test("in a home to which nothing can be written is broken, though its folder is writable", async () => {
    const { home, doctor } = machine({ ".headway/tmp": "in the way" })
    const diagnosis = await doctor()
    expect([diagnosis.code, found(diagnosis, "home")?.ok]).toEqual([1, false])
    expect(found(diagnosis, "home")?.note).toContain(`nothing can be written to ${join(home, ".headway")}`)
  })

  test("is tried without a trace", async () => {
    const { home, doctor, run } = machine()
    await run(["write", "--new", "--session", "one"], { input: '{"todos":[{"content":"Read"}]}' })
    expect((await doctor()).store.map(({ ok }) => ok)).toEqual([true, true, true, true])
    expect(readdirSync(join(home, ".headway/tmp"))).toEqual([])
  })

  test("with a damaged journal is broken, and the journal is named", async () => {
    const { home, doctor, run } = machine()
    await run(["write", "--new", "--session", "one"], { input: '{"todos":[{"content":"Read"}]}' })
    const path = join(home, ".headway/journal/one-agent-main.jsonl")
    writeFileSync(path, `${readFileSync(path, "utf8")}{"v":1,"broken\n`)
    const diagnosis = await doctor()
    expect([diagnosis.code, found(diagnosis, "plans")?.ok]).toEqual([1, false])
  })

  test("whose recent errors are reported is not broken by them", async () => {
    const log =
      "[2029-12-31T00:00:00.000Z] Error: disk was full\n    at x\n[2029-01-01T00:00:00.000Z] Error: long ago\n"
    const { doctor } = machine({ ".headway/errors.log": log })
    expect(found(await doctor(), "errors")).toMatchObject({
      ok: true,
      note: expect.stringMatching(/^1 in the last week.*disk was full/),
    })
  })
})

describe("the report", () => {
  const everything = async () => {
    const { install, installHeadway, run } = machine()
    installHeadway()
    for (const { program } of Object.values(agents)) install(program, "echo 9.9.9")
    for (const id of Object.keys(agents)) await run(["setup", id])
    return run
  }

  test("fits forty columns but for what must not be broken, in ASCII, without colour", async () => {
    const { out } = await (await everything())(["doctor"], { columns: 40, env: { PATH: "" } })
    const long = out.split("\n").filter((line) => line.length > 40)
    expect(long.filter((line) => !/^ +(?:\S+|["{}[\]].*)$/.test(line))).toEqual([])
    expect(out).toMatch(/^[\n\x20-\x7e]*$/)
  })

  test("has one layout in a pipe and in a terminal of any width, with lines broken only where they do not fit", async () => {
    const run = await everything()
    const piped = (await run(["doctor", "--look"])).out
    const lines = piped.split("\n")
    for (const columns of [40, 60, 80, 200]) {
      const { out } = await run(["doctor", "--look"], { columns })
      expect(out.split(/\s+/)).toEqual(piped.split(/\s+/))
      expect(out.split("\n")).toEqual(expect.arrayContaining(lines.filter((line) => line.length <= columns)))
    }
  })

  test("has every agent that is installed, and names those that are not", async () => {
    const { out } = await (await everything())(["doctor", "--look"])
    for (const { title } of Object.values(agents)) expect(out).toMatch(new RegExp(`^${title} 9\\.9\\.9$`, "m"))
    const none = await machine().run(["doctor"])
    expect([none.code, none.out]).toEqual([0, expect.stringContaining("Not found here: Claude Code, Codex,")])
  })

  test("about one agent has only that one, found or not", async () => {
    const { run } = machine()
    const { code, out } = await run(["doctor", "opencode"])
    expect([code, out]).toEqual([0, expect.stringMatching(/^opencode \(not found here\)/)])
    expect(out).not.toContain("Codex")
    expect((await run(["doctor", "emacs"])).code).toBe(2)
  })

  test("cannot be steered by what a program prints", async () => {
    const { run, install } = machine({
      ".qwen/settings.json": '{"mcpServers": {"headway": {"command": "\\u001b[31m/x/headway", "args": ["mcp"]}}}',
    })
    install("qwen", "printf '1.2.3-\\033[31mred'")
    const { out } = await run(["doctor"])
    expect(out).not.toContain("\u001b")
  })
})

describe("asking a program", () => {
  const env = { PATH: "/usr/bin:/bin" }

  test("ends when it takes too long", async () => {
    const folder = programOnPath(temporaryFolder(), "slow", "exec tail -f /dev/null")
    const ran = await runProgram([join(folder, "slow")], { env, timeLimit: 50 })
    expect(ran).toMatchObject({ problem: expect.stringContaining("did not respond") })
  })

  test("that is not there, or may not run, is a finding", async () => {
    const folder = programOnPath(temporaryFolder(), "plain", "exit 0")
    chmodSync(join(folder, "plain"), 0o644)
    for (const name of ["plain", "gone"]) {
      expect((await runProgram([join(folder, name)], { env })).problem).toMatch(/EACCES|ENOENT/)
    }
  })

  test("that floods us is read only up to a limit", async () => {
    const folder = programOnPath(temporaryFolder(), "loud", "head -c 3000000 /dev/zero | tr '\\0' x")
    const { code, out } = await runProgram([join(folder, "loud")], { env })
    expect([code, out.length < 400_000]).toEqual([0, true])
  })
})

test("examining all of this changes no file of an agent", async () => {
  const { home, run } = machine()
  for (const { id } of Object.values(agents)) cpSync(fixture(`configs/${id}`), home, { recursive: true })
  const before = contentsUnder(home)
  await run(["doctor"])
  for (const [path, text] of Object.entries(before)) expect(readFileSync(path, "latin1")).toBe(text)
})
