/** Our plugins: made from the rows of set-up, silent where set-up is used too, and seen by the doctor. */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { pluginFiles, stalePlugins } from "../../scripts/plugins.ts"
import { runCli } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayOnPath, ownBin } from "./on-path.ts"

describe("the files in the repository", () => {
  test('are up to date; "npm run plugins" makes them again', async () => {
    expect(Object.keys(await stalePlugins())).toEqual([])
  })

  test("call headway by its name, with the right agent, and contain nothing specific to a machine", async () => {
    for (const [path, text] of Object.entries(await pluginFiles())) {
      expect([path, text]).not.toEqual([path, expect.stringContaining(dirname(ownBin))])
      for (const [call] of text.matchAll(/headway hook [^"]*/g))
        expect(call).toMatch(/^headway hook (?:opencode|[\w-]+ --plugin)$/)
    }
  })

  test("allow exactly the call that a command makes, and not the same with further words", async () => {
    for (const [path, text] of Object.entries(await pluginFiles())) {
      const [, allowed] = /^allowed-tools: (.*)$/m.exec(text) ?? []
      const [, call] = /!`(.*)`/.exec(text) ?? []
      expect([path, allowed]).toEqual([path, call && `Bash(${call})`])
    }
  })
})

const person = (files: Record<string, string> = {}) => {
  const home = temporaryFolder()
  const project = join(home, "shop")
  mkdirSync(project)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const PATH = headwayOnPath(join(home, "bin"))
  const run = (words: readonly string[], more: { input?: string; PATH?: string } = {}) =>
    runCli(words, { home, cwd: project, env: { PATH: more.PATH ?? PATH }, input: more.input ?? "" })
  return { home, project, run, PATH }
}

/** How each agent notes that our plugin is installed, as seen after its own install command. */
const installed: Record<string, Record<string, string>> = {
  "claude-code": { ".claude/settings.json": '{ "enabledPlugins": { "headway@headway": true } }' },
  "openai-codex": { ".codex/config.toml": '[plugins."headway@headway"]\nenabled = true\n' },
  "google-gemini": { ".gemini/extensions/headway/gemini-extension.json": "{}" },
  "qwen-code": { ".qwen/extensions/headway/qwen-extension.json": "{}" },
  opencode: { ".config/opencode/opencode.json": '{ "plugin": ["headway-opencode@0.1.0"] }' },
}

const reportOf = async ({ run }: ReturnType<typeof person>, agent: string, PATH?: string) => {
  const { out } = await run(["doctor", agent, "--json", "--look"], PATH === undefined ? {} : { PATH })
  return JSON.parse(out).agents[0]
}

describe.each(Object.entries(installed))("%s", (agent, files) => {
  test("the doctor says whether it is connected by the plugin, by set-up or by both", async () => {
    expect((await reportOf(person(), agent)).connected).toBe("no")
    const other = person()
    await other.run(["setup", agent])
    expect((await reportOf(other, agent)).connected).toBe("set-up")
    const own = person(files)
    expect(await reportOf(own, agent)).toMatchObject({ connected: "plugin", plugin: { state: "on" } })
    const { err } = await own.run(["setup", agent])
    expect(err).toContain("also has Headway's plugin, which stays silent")
    expect((await reportOf(own, agent)).connected).toBe("both")
    await own.run(["setup", agent, "--undo"])
    expect((await reportOf(own, agent)).connected).toBe("plugin")
  })

  test("the doctor says what to install where the plugin's command is missing", async () => {
    const report = await reportOf(person(files), agent, "/nowhere")
    expect([report.plugin, report.isBroken]).toEqual([
      { state: "broken", note: expect.stringContaining("npm install --global .") },
      true,
    ])
  })
})

test("a plugin that is switched off does not count", async () => {
  const off: Record<string, Record<string, string>> = {
    "claude-code": { ".claude/settings.json": '{ "enabledPlugins": { "headway@headway": false } }' },
    "openai-codex": { ".codex/config.toml": '[plugins."headway@headway"]\nenabled = false\n' },
  }
  for (const [agent, files] of Object.entries(off))
    expect(await reportOf(person(files), agent)).toMatchObject({ connected: "no", plugin: { state: "off" } })
  const own = person(installed["google-gemini"])
  const rules = { headway: { overrides: [`${own.home}/*`, `!${own.home}/*`] } }
  writeFileSync(join(own.home, ".gemini/extensions/extension-enablement.json"), JSON.stringify(rules))
  expect((await reportOf(own, "google-gemini")).connected).toBe("no")
})

describe("where set-up is used too", () => {
  const todoWrite = (cwd: string) =>
    JSON.stringify({
      session_id: "c-1",
      cwd,
      hook_event_name: "PostToolUse",
      tool_name: "TodoWrite",
      tool_use_id: "call-1",
      tool_input: { todos: [{ content: "Read", status: "pending", activeForm: "Reading" }] },
    })

  test.each(["user", "project"])("the plugin's hooks leave an event to those of set-up (scope %s)", async (scope) => {
    const { project, run } = person()
    mkdirSync(join(project, ".git"))
    await run(["setup", "claude-code", "--scope", scope])
    await run(["hook", "claude-code", "--plugin"], { input: todoWrite(project) })
    expect((await run(["show", "--session", "c-1"])).code).not.toBe(0)
    await run(["setup", "claude-code", "--scope", scope, "--undo"])
    await run(["hook", "claude-code", "--plugin"], { input: todoWrite(project) })
    expect((await run(["show", "--session", "c-1"])).out).toContain("Read")
  })

  test("the plugin's hooks are not silenced by a project whose configuration only mentions such a call", async () => {
    const { project, run } = person()
    mkdirSync(join(project, ".claude"))
    writeFileSync(join(project, ".claude", "settings.json"), '{ "env": { "NOTE": "headway hook claude-code" } }')
    await run(["hook", "claude-code", "--plugin"], { input: todoWrite(project) })
    expect((await run(["show", "--session", "c-1"])).out).toContain("Read")
  })

  test("the plugin's server offers no tool, and offers it again without set-up", async () => {
    const { home, project, run, PATH } = person()
    const capabilities = (): string[] => {
      const params = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "claude-code", version: "2" },
      }
      const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`
      const words = [ownBin, "mcp", "--plugin", "claude-code"]
      const { stdout } = spawnSync(process.execPath, words, {
        cwd: project,
        env: { HOME: home, PATH },
        input,
        encoding: "utf8",
      })
      return Object.keys(JSON.parse(stdout).result.capabilities)
    }
    expect(capabilities()).toContain("tools")
    await run(["setup", "claude-code"])
    expect(capabilities()).toEqual([])
    await run(["setup", "claude-code", "--no-mcp"])
    expect(capabilities()).toContain("tools")
  })
})
