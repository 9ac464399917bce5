/** Setting an agent up and taking it back, on real files: what is chosen, what is refused, what is never lost. */

import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { place } from "../../src/bridges/config/replace-config.ts"
import { commitChanges } from "../../src/bridges/setup/commit.ts"
import { prepareSetup } from "../../src/bridges/setup/prepare.ts"
import { wishesFor } from "../../src/bridges/setup/wishes.ts"
import { connectedAgents } from "../agents/loaded.ts"
import { atHome, type CliOptions, runCli } from "../cli/run-cli.ts"
import { parseLoosely } from "../contracts/agent-config.ts"
import { rounds } from "../rounds.ts"
import { contentsUnder, namesIn, temporaryFolder } from "../stores/temporary.ts"
import { script } from "./launched.ts"
import { headwayOnPath, ownBin, programOnPath } from "./on-path.ts"
import { jsonDocs, styles, tomlDocs, writeJson, writeToml } from "./written-configs.ts"

/** A home with files in it. */
const furnished = (files: Record<string, string>, options: CliOptions = {}) => {
  const { home, run } = atHome(options)
  const at = (name: string): string => join(home, name)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  const read = (name: string): string => readFileSync(at(name), "utf8")
  return { home, run, at, read, value: (name: string) => parseLoosely(at(name)) }
}

const byName = (options: CliOptions = {}) => {
  const home = temporaryFolder()
  return furnished({}, { home, env: { PATH: headwayOnPath(join(home, "bin")), ...options.env }, ...options })
}

describe("what is written", () => {
  test("calls headway in full, though it is on the PATH, with the options that were chosen", async () => {
    const { run, value } = byName()
    await run(["setup", "codex", "--dialect", "codex", "--level", "full"])
    expect(value(".codex/config.toml").mcp_servers).toEqual({
      headway: { command: process.execPath, args: [ownBin, "mcp", "--dialect", "codex", "--level", "full"] },
    })
  })

  test("leads to the same plans as this call: home, store, project", async () => {
    const { home, run, value } = byName()
    await run(["setup", "omp", "--home", "plans here"])
    const args = [ownBin, "mcp", "--home", join(home, "plans here")]
    expect(value(".omp/agent/mcp.json")).toEqual({
      mcpServers: { headway: { type: "stdio", command: process.execPath, args } },
    })
    const other = byName()
    await other.run(["setup", "claude", "--project"])
    expect(JSON.stringify(other.value(".claude/settings.json"))).toContain("headway.js hook claude-code --project")
  })

  test("quotes what a shell would break", async () => {
    const { home, run, value } = byName()
    await run(["setup", "claude", "--home", "it's mine"])
    const { hooks } = value(".claude/settings.json") as { hooks: { Stop: { hooks: { command: string }[] }[] } }
    const command = hooks.Stop[0]?.hooks[0]?.command ?? ""
    const words = execFileSync("/bin/sh", ["-c", `for w in ${command}; do echo "$w"; done`], { encoding: "utf8" })
    const call = [script, process.execPath, ownBin, "hook", "claude-code", "--home", join(home, "it's mine")]
    expect(words.trim().split("\n")).toEqual(call)
  })

  describe("lets newer Codex models see our tool", () => {
    const withCodex = (version: string, config = "") => {
      const home = temporaryFolder()
      const PATH = `${headwayOnPath(join(home, "bin"))}:${programOnPath(join(home, "bin"), "codex", `echo codex-cli ${version}`)}`
      return furnished(config === "" ? {} : { ".codex/config.toml": config }, { home, env: { PATH } })
    }
    const list = ["mcp__headway"]

    test("beside what else is switched there, and takes it back byte for byte", async () => {
      const before = '[features.code_mode]\nexcluded_tool_namespaces = ["mcp__big"] # too long\n'
      const { run, read, value } = withCodex("0.166.0", before)
      await run(["setup", "codex"])
      expect(value(".codex/config.toml").features).toEqual({
        code_mode: { excluded_tool_namespaces: ["mcp__big"], direct_only_tool_namespaces: list },
      })
      expect(read(".codex/config.toml")).toContain("# too long\n")
      await run(["setup", "codex", "--undo"])
      expect(read(".codex/config.toml")).toBe(before)
    })

    test("after the tools of others, and goes with the server", async () => {
      const { run, value } = withCodex("0.142.0", 'features.code_mode.direct_only_tool_namespaces = ["mcp__db"]\n')
      await run(["setup", "codex"])
      expect(value(".codex/config.toml").features).toEqual({
        code_mode: { direct_only_tool_namespaces: ["mcp__db", ...list] },
      })
      await run(["setup", "codex", "--no-mcp"])
      expect(value(".codex/config.toml").features).toEqual({ code_mode: { direct_only_tool_namespaces: ["mcp__db"] } })
    })

    test.each([
      ["a version that would not start with it", "0.136.0", ""],
      ["no version at all", "unknown", ""],
      ["a plain word in its place", "0.166.0", "[features]\ncode_mode = true\n"],
    ])("but not with %s", async (_, version, config) => {
      const { run, read } = withCodex(version, config)
      expect(await run(["setup", "codex"])).toMatchObject({ code: 0 })
      expect(read(".codex/config.toml")).toContain("mcp_servers.headway")
      expect(read(".codex/config.toml")).not.toContain("direct_only")
    })
  })

  test("goes into the hooks file of Codex where it exists, and nowhere twice", async () => {
    const hooks = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] } }\n'
    const { run, read, value } = furnished({ ".codex/hooks.json": hooks })
    await run(["setup", "codex"])
    expect(Object.keys(value(".codex/hooks.json").hooks as object)).toEqual([
      "Stop",
      "SessionStart",
      "UserPromptSubmit",
      "PostToolUse",
    ])
    expect(read(".codex/config.toml")).not.toContain("hooks")
    await run(["setup", "codex", "--undo"])
    expect(read(".codex/hooks.json")).toBe(hooks)
  })

  test.each(["opencode.json", "opencode.jsonc", "config.json"])(
    "goes into the %s of opencode that is there",
    async (name) => {
      const path = `.config/opencode/${name}`
      const { home, run, value } = furnished({ [path]: "{ // mine\n}" })
      await run(["setup", "opencode"])
      expect(value(path).mcp).toMatchObject({ headway: { type: "local", enabled: true } })
      expect(namesIn(join(home, ".config/opencode"))).toEqual([name, "plugin"].toSorted())
    },
  )

  test.each([
    ["claude", { CLAUDE_CONFIG_DIR: "cfg" }, "cfg/.claude.json"],
    ["codex", { CODEX_HOME: "cfg" }, "cfg/config.toml"],
    ["opencode", { XDG_CONFIG_HOME: "cfg" }, "cfg/opencode/opencode.json"],
    ["omp", { PI_CODING_AGENT_DIR: "cfg" }, "cfg/mcp.json"],
    ["cline", { CLINE_DIR: "cfg" }, "cfg/data/settings/cline_mcp_settings.json"],
    ["cline", { CLINE_DATA_DIR: "cfg" }, "cfg/settings/cline_mcp_settings.json"],
    ["cline", { CLINE_MCP_SETTINGS_PATH: "cfg/mcp.json" }, "cfg/mcp.json"],
  ] as [string, Record<string, string>, string][])("for %s goes where %j says", async (agent, moved, file) => {
    const home = temporaryFolder()
    const env = Object.fromEntries(Object.entries(moved).map(([name, folder]) => [name, join(home, folder)]))
    await runCli(["setup", agent], { home, env })
    expect(existsSync(join(home, file))).toBe(true)
    await runCli(["setup", agent, "--undo"], { home, env })
    expect(namesIn(home)).toEqual([".headway"])
  })

  test("of a project calls headway by its name, also where there is none on the PATH, and never through npx", async () => {
    const { home, run, value } = furnished({ "shop/.git/HEAD": "" })
    const { err } = await run(["setup", "claude", "--scope", "project"], { cwd: join(home, "shop") })
    expect(err).toContain('there is no "headway" on your PATH yet')
    const written = JSON.stringify([value("shop/.mcp.json"), value("shop/.claude/settings.json")])
    expect(written).toContain('"command":"headway hook claude-code')
    expect(written).not.toContain("npx")
  })
})

describe("the permission question", () => {
  test.each([
    ["gemini", ".gemini/settings.json", ["mcpServers", "headway", "trust"]],
    ["qwen", ".qwen/settings.json", ["mcpServers", "headway", "trust"]],
    ["claude", ".claude/settings.json", ["permissions", "allow"]],
  ])("%s does not ask, and with --ask it does", async (agent, file, path) => {
    const { run, value } = furnished({})
    const at = (): unknown =>
      path.reduce<unknown>((one, key) => (one as Record<string, unknown> | undefined)?.[key], value(file))
    await run(["setup", agent])
    expect(at()).toBeTruthy()
    await run(["setup", agent, "--ask"])
    expect(at()).toBeUndefined()
  })

  test("a permission the person gave themselves is not taken back", async () => {
    const own = '{\n  "permissions": { "allow": ["mcp__headway"] }\n}\n'
    const { run, value } = furnished({ ".claude/settings.json": own })
    await run(["setup", "claude"])
    await run(["setup", "claude", "--ask"])
    expect(value(".claude/settings.json").permissions).toEqual({ allow: ["mcp__headway"] })
  })
})

describe("the status line", () => {
  const theirs = '{\n  "statusLine": { "type": "command", "command": "~/line.sh", "padding": 1 }\n}\n'

  test("is left alone unless it is asked for", async () => {
    const { run, value } = furnished({ ".claude/settings.json": theirs })
    await run(["setup", "claude"])
    expect(value(".claude/settings.json").statusLine).toMatchObject({ command: "~/line.sh" })
  })

  test("that was there before comes back, even into a file that was edited since", async () => {
    const { run, read, value, at } = furnished({ ".claude/settings.json": theirs })
    await run(["setup", "claude", "--status-line"])
    expect((value(".claude/settings.json").statusLine as { command: string }).command).toMatch(
      /headway\.js statusline$/,
    )
    writeFileSync(at(".claude/settings.json"), read(".claude/settings.json").replace("{", '{ "model": "opus",'))
    await run(["setup", "claude", "--undo"])
    expect(value(".claude/settings.json")).toEqual({
      model: "opus",
      statusLine: { type: "command", command: "~/line.sh", padding: 1 },
    })
  })

  test("is removed with --no-status-line", async () => {
    const { run, value } = furnished({})
    await run(["setup", "claude", "--status-line"])
    await run(["setup", "claude", "--no-status-line"])
    expect(value(".claude/settings.json")).not.toHaveProperty("statusLine")
  })
})

describe("an existing configuration", () => {
  test("a server of the same name that is not ours is refused", async () => {
    const config = '[mcp_servers.headway]\ncommand = "docker"\nargs = ["run", "headwayd"]\n'
    const { run, read } = furnished({ ".codex/config.toml": config })
    const { code, err } = await run(["setup", "codex"])
    expect([code, err]).toEqual([1, expect.stringContaining("is not Headway's")])
    expect(read(".codex/config.toml")).toBe(config)
    expect((await run(["setup", "codex", "--no-mcp"])).code).toBe(0)
    expect(read(".codex/config.toml").startsWith(config)).toBe(true)
  })

  test("a call of an older Headway is brought up to date, and what the person added stays", async () => {
    const old = {
      mcpServers: { headway: { command: "/gone/node", args: ["/gone/headway.js", "mcp"], env: { A: "b" } } },
    }
    const hook = { type: "command", command: "/gone/node /gone/headway.js hook google-gemini", timeout: 1 }
    const hooks = { AfterAgent: [{ matcher: "x", hooks: [hook, { type: "command", command: "mine" }] }] }
    const { run, value } = furnished({ ".gemini/settings.json": JSON.stringify({ ...old, hooks }) })
    await run(["setup", "gemini"])
    const text = JSON.stringify(value(".gemini/settings.json"))
    expect(text).not.toContain("/gone/")
    expect(value(".gemini/settings.json")).toMatchObject({
      mcpServers: { headway: { env: { A: "b" } } },
      hooks: { AfterAgent: [{ matcher: "x", hooks: [{ timeout: 1 }, { command: "mine" }] }] },
    })
    expect(text.match(/hook google-gemini/g)).toHaveLength(7)
  })

  test("a file the agent cannot read is reported, and its comments stay", async () => {
    const { run, read } = furnished({ ".claude/settings.json": '{\n  // mine\n  "model": "opus",\n}\n' })
    const { code, err } = await run(["setup", "claude"])
    expect([code, err]).toEqual([0, expect.stringMatching(/comments \(line 2\).*plain JSON/)])
    expect(read(".claude/settings.json")).toContain("// mine")
  })

  test.each([
    ['{ "hooks": "none" }', /"hooks".*expected/],
    ['{ "hooks": { "Stop": {} } }', /"hooks\.Stop" is not a list/],
    ['{ "permissions": { "allow": "all" } }', /"permissions\.allow" is not a list/],
  ])("%s is refused by name", async (text, message) => {
    const { home, run } = furnished({ ".claude/settings.json": text })
    const before = contentsUnder(home)
    const { code, err } = await run(["setup", "claude"])
    expect([code, err]).toEqual([1, expect.stringMatching(message)])
    expect(contentsUnder(home)).toEqual(before)
  })

  test("a link to nothing, a folder and other encodings are refused", async () => {
    const { home, run, at } = furnished({})
    mkdirSync(at(".codex"))
    symlinkSync(at("gone.toml"), at(".codex/config.toml"))
    expect((await run(["setup", "codex"])).err).toContain("does not exist")
    mkdirSync(at(".qwen/settings.json"), { recursive: true })
    expect((await run(["setup", "qwen"])).err).toContain("is not a file")
    mkdirSync(at(".gemini"))
    writeFileSync(at(".gemini/settings.json"), Buffer.from("{}", "utf16le"))
    expect((await run(["setup", "gemini"])).code).toBe(1)
    expect(existsSync(join(home, ".headway", "setup.json"))).toBe(false)
  })
})

describe("the backup and the note", () => {
  const config = '# mine\nmodel = "x"\n'

  test("are for the owner's eyes only", async () => {
    const { home, run } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    const folder = join(home, ".headway", "backups", "openai-codex")
    const [backup = ""] = namesIn(folder)
    expect(backup).toBe("2030-01-01T00-00-00.000Z-config.toml")
    expect(readFileSync(join(folder, backup), "utf8")).toBe(config)
    for (const path of [join(folder, backup), join(home, ".headway", "setup.json")]) {
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
  })

  test("hold the first state, however often set-up runs", async () => {
    const { run, read } = furnished({ ".codex/config.toml": config })
    for (const more of [[], ["--native", "on"], ["--no-hooks"], ["--hooks", "--native", "off"]])
      await run(["setup", "codex", ...more])
    await run(["setup", "codex", "--undo"])
    expect(read(".codex/config.toml")).toBe(config)
  })

  test("do not undo what others wrote in between: our parts are removed and theirs stay", async () => {
    const { run, read, at } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    writeFileSync(at(".codex/config.toml"), `${read(".codex/config.toml")}\n[tui]\nx = 1\n`)
    await run(["setup", "codex", "--native", "on"])
    const { err } = await run(["setup", "codex", "--undo"])
    expect(err).toContain("changed since then")
    expect(read(".codex/config.toml")).toBe(`${config}\n[tui]\nx = 1\n`)
  })

  test("are not needed to remove recognisable parts", async () => {
    const { home, run, read } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    rmSync(join(home, ".headway"), { recursive: true })
    expect((await run(["setup", "codex", "--undo"])).code).toBe(0)
    expect(read(".codex/config.toml")).toBe(config)
  })

  test("are not trusted when they were tampered with", async () => {
    const { home, run, read } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    const folder = join(home, ".headway", "backups", "openai-codex")
    writeFileSync(join(folder, namesIn(folder)[0] ?? ""), "evil = true\n")
    await run(["setup", "codex", "--undo"])
    expect(read(".codex/config.toml")).toBe(config)
  })

  test("are ignored where the file is not a note", async () => {
    const { run, value } = furnished({ ".headway/setup.json": '{"files": [{"agent": 1}, null, "x"]}' })
    expect((await run(["setup", "qwen"])).code).toBe(0)
    expect(value(".qwen/settings.json")).toHaveProperty("mcpServers")
  })

  test("are removed with --undo, and a backup without a note with the next run", async () => {
    const { home, run, read, at } = furnished({ ".codex/config.toml": config })
    const folder = join(home, ".headway", "backups", "openai-codex")
    await run(["setup", "codex"])
    writeFileSync(join(folder, "stray"), "api_key = 1\n")
    await run(["doctor", "codex", "--look"])
    expect(namesIn(folder)).toHaveLength(1)
    writeFileSync(at(".codex/config.toml"), `${read(".codex/config.toml")}\n[tui]\nx = 1\n`)
    await run(["setup", "codex", "--native", "on"])
    expect(namesIn(folder)).toHaveLength(2)
    await run(["setup", "codex", "--undo"])
    expect(namesIn(folder)).toEqual([])
  })

  test("stay where the notes are of an unknown kind", async () => {
    const { home, run } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    const folder = join(home, ".headway", "backups", "openai-codex")
    for (const notes of ['{"v": 2, "sets": []}', "{oops", '{"v": 1, "files": [{}]}']) {
      writeFileSync(join(home, ".headway", "setup.json"), notes)
      await run(["doctor", "codex", "--look"])
      expect(namesIn(folder)).toHaveLength(1)
    }
  })

  test("of a newer Headway stay as they are, and so does the configuration", async () => {
    const { home, run, read } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    const [notes, before] = [join(home, ".headway", "setup.json"), read(".codex/config.toml")]
    writeFileSync(notes, '{"v": 2, "sets": []}')
    for (const words of [["--native", "on"], ["--undo"]])
      expect((await run(["setup", "codex", ...words])).err).toContain("newer Headway")
    expect([readFileSync(notes, "utf8"), read(".codex/config.toml")]).toEqual(['{"v": 2, "sets": []}', before])
  })

  test("are forgotten when the person has made the file their own again", async () => {
    const { home, run, read, at } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex", "--native", "on"])
    writeFileSync(at(".codex/config.toml"), "# all new\n")
    await run(["setup", "codex", "--native", "off"])
    await run(["setup", "codex", "--undo"])
    expect(read(".codex/config.toml")).toBe("# all new\n")
    await run(["setup", "codex"])
    writeFileSync(at(".codex/config.toml"), "# all new\n")
    expect((await run(["setup", "codex", "--undo"])).err).toContain("nothing from Headway")
    expect(existsSync(join(home, ".headway", "setup.json"))).toBe(false)
  })

  test("may name a file that the agent would no longer read", async () => {
    const { run, read, at } = furnished({ ".config/opencode/opencode.json": "{}\n" })
    await run(["setup", "opencode"])
    writeFileSync(
      at(".config/opencode/opencode.json"),
      read(".config/opencode/opencode.json").replace("{", '{ "theme": "x",'),
    )
    writeFileSync(at(".config/opencode/opencode.jsonc"), "{}\n")
    await run(["setup", "opencode", "--undo"])
    expect(JSON.parse(read(".config/opencode/opencode.json"))).toEqual({ theme: "x" })
  })

  test("hooks of ours stay where they are when Codex gets a file for hooks", async () => {
    const { run, read, at } = furnished({})
    await run(["setup", "codex"])
    writeFileSync(at(".codex/hooks.json"), "{}\n")
    expect((await run(["setup", "codex"])).err).toContain("already set up")
    await run(["setup", "codex", "--undo"])
    expect(existsSync(at(".codex/config.toml"))).toBe(false)
    expect(read(".codex/hooks.json")).toBe("{}\n")
  })

  test("the trust a person gave our hooks is removed with them", async () => {
    const { home, run, read, at } = furnished({ ".codex/config.toml": config })
    await run(["setup", "codex"])
    const trust = `\n[hooks.state."${join(home, ".codex/config.toml")}:session_start:0:0"]\ntrusted_hash = "sha256:x"\n`
    const other = '\n[hooks.state."/etc/other:stop:0:0"]\ntrusted_hash = "sha256:y"\n'
    writeFileSync(at(".codex/config.toml"), `${read(".codex/config.toml")}${trust}${other}`)
    await run(["setup", "codex", "--undo"])
    expect(read(".codex/config.toml")).toBe(`${config}${other}`)
  })
})

describe("all or nothing", () => {
  const prepared = (home: string) => {
    const where = { env: {}, home, project: home }
    const calls = { server: ["headway", "mcp"], hook: "headway hook claude-code", statusLine: "headway statusline" }
    const choices = {
      mcp: "set",
      hooks: "set",
      letsStop: false,
      isGated: false,
      statusLine: "set",
      native: "on",
      isTrusted: true,
    } as const
    const wishes = wishesFor(connectedAgents["claude-code"], choices, calls, where, "user")
    return prepareSetup({ agent: connectedAgents["claude-code"], scope: "user", where, records: [] }, wishes)
  }

  test("a write that fails in the middle leaves every file as it was", () => {
    const { home } = furnished({ ".claude.json": '{"a": 1}', ".claude/settings.json": "{}" })
    const before = contentsUnder(home)
    let writes = 0
    const put: typeof place = (change) => {
      writes += 1
      if (writes === 2) throw new Error("No space left on device.")
      place(change)
    }
    const options = { home: join(home, ".headway"), agent: "claude-code", now: new Date(0) }
    const commit = () => commitChanges(() => prepared(home), { ...options, put })
    expect(commit).toThrow(/No space left.*Nothing was changed/)
    for (const [path, text] of Object.entries(before)) expect(readFileSync(path, "latin1")).toBe(text)
    expect(existsSync(join(home, ".headway", "setup.json"))).toBe(false)
  })

  test("a file that another program changes in the meantime is not overwritten", () => {
    const { home, at, read } = furnished({ ".claude.json": "{}", ".claude/settings.json": "{}" })
    const files = prepared(home)
    writeFileSync(at(".claude/settings.json"), '{"theirs": true}')
    const options = { home: join(home, ".headway"), agent: "claude-code", now: new Date(0) }
    expect(() => commitChanges(() => files, options)).toThrow(/just changed/)
    expect([read(".claude.json"), read(".claude/settings.json")]).toEqual(["{}", '{"theirs": true}'])
  })
})

describe("any other content", () => {
  test("of a JSON file survives set-up, and --undo puts every byte back", async () => {
    const home = temporaryFolder()
    const path = join(home, ".gemini/settings.json")
    mkdirSync(dirname(path))
    await fc.assert(
      fc.asyncProperty(jsonDocs, styles, async (doc, style) => {
        const text = writeJson({ ...doc, mcpServers: { other: {} }, hooks: { AfterTool: [] } }, style)
        writeFileSync(path, text)
        expect((await runCli(["setup", "gemini", "--native", "on"], { home })).code).toBe(0)
        const { mcpServers, hooks, experimental, ...rest } = parseLoosely(path)
        const { mcpServers: _, hooks: __, experimental: ___, ...before } = doc
        expect(rest).toEqual(before)
        expect([mcpServers, hooks, experimental]).not.toContain(undefined)
        expect((await runCli(["setup", "gemini", "--undo"], { home })).code).toBe(0)
        expect(readFileSync(path, "utf8")).toBe(text)
      }),
      { numRuns: rounds(25) },
    )
  })

  test("of a TOML file survives set-up, and --undo puts every byte back", async () => {
    const home = temporaryFolder()
    const path = join(home, ".codex/config.toml")
    mkdirSync(dirname(path))
    await fc.assert(
      fc.asyncProperty(tomlDocs, styles, async ({ hooks: _, tools: __, ...doc }, style) => {
        const text = writeToml(doc, style)
        writeFileSync(path, text)
        expect((await runCli(["setup", "codex", "--native", "on"], { home })).code).toBe(0)
        expect(parseLoosely(path)).toMatchObject(doc)
        expect((await runCli(["setup", "codex", "--undo"], { home })).code).toBe(0)
        expect(readFileSync(path, "utf8")).toBe(text)
      }),
      { numRuns: rounds(25) },
    )
  })
})

describe("the output for a person", () => {
  test("has each choice in a line, the change, and how to undo it", async () => {
    const { run } = furnished({})
    const { out, err } = await run(["setup", "claude"])
    expect(err).toMatch(/ tool .* asking .* hooks .* status line .* own list .*--undo/s)
    expect(out).toContain('+      "type": "stdio",')
  })

  test("never contains a secret", async () => {
    const secrets =
      '{\n  "env": {\n    "ANTHROPIC_API_KEY": "sk-very-secret",\n    "GITHUB_TOKEN":"gh-secret"\n  }\n}\n'
    const { run, value } = furnished({ ".claude/settings.json": secrets })
    for (const more of [["--dry-run"], ["--json", "--dry-run"], []]) {
      const { out } = await run(["setup", "claude", "--native", "on", ...more])
      expect(out).not.toContain("secret")
      expect(out).toContain("***")
    }
    expect(value(".claude/settings.json").env).toMatchObject({ ANTHROPIC_API_KEY: "sk-very-secret" })
  })

  test.each([
    ["an option and its value in one list", '"args": ["--api-key", "VERY-SECRET"]'],
    ["an option and its value in two lines", '"args": [\n      "--api-key",\n      "VERY-SECRET"\n    ]'],
    ["a value whose option stands above what is shown", '"args": [\n  "--token",\n"VERY-SECRET"],\n"b": [\n1]'],
    ["an option with its value", '"args": ["--access-token=VERY-SECRET"]'],
    ["a header as one text", '"args": ["--header", "Authorization: Bearer VERY-SECRET"]'],
    ["a header of another name", '"args": ["-H", "X-Api-Key:VERY-SECRET"]'],
    ["a command in one text", '"command": "PGPASSWORD=VERY-SECRET run --token VERY-SECRET2 --verbose"'],
    ["a password in an address", '"url": "https://ada:VERY-SECRET@example.com/db"'],
    ["a token in the query of an address", '"url": "https://example.com/mcp?x=1&api_key=VERY-SECRET&y=2"'],
    ["a token that is all of a query", '"url": "https://example.com/mcp?token=VERY-SECRET"'],
    ["a token in an address behind a name", '"url": "server=https://example.com/mcp;password=VERY-SECRET"'],
    ["a value that looks like a key", '"args": ["sk-ant-api03-VERY-SECRET"]'],
    ["a word, a phrase and names that end like one", '"DB_PASS": "VERY-SECRET", "passphrase": "A SECRET"'],
    ["an access token by its short name", '"GITHUB_PAT": "VERY-SECRET", "_auth": "VERY-SECRET"'],
    ["a list of tokens", '"API_TOKENS": ["VERY-SECRET", "ANOTHER-SECRET"]'],
    ["a password with an at sign in an address", '"url": "https://ada:A@VERY-SECRET@example.com/db"'],
    ["a value with a quote in it", '"api_key": "VERY \\" SECRET"'],
  ])("contains no secret: %s", async (_name, secret) => {
    const text = `{\n  "mcpServers": { "other": {\n    ${secret}\n  } }\n}\n`
    const { run, read } = furnished({ ".qwen/settings.json": text })
    for (const more of [["--dry-run"], ["--json", "--dry-run"], []]) {
      const { out } = await run(["setup", "qwen", "--native", "on", ...more])
      expect(out).toContain("headway")
      expect(out).not.toContain("SECRET")
    }
    expect(read(".qwen/settings.json")).toContain(secret)
  })

  test("contains what only sounds like a secret", async () => {
    const text = '{\n  "max_tokens": 4000,\n  "args": ["--key-bindings", "--verbose", "run"]\n}\n'
    const { run } = furnished({ ".qwen/settings.json": text })
    const { out } = await run(["setup", "qwen", "--dry-run"])
    expect(out).toContain('"max_tokens": 4000')
    expect(out).toContain('["--key-bindings", "--verbose", "run"]')
  })

  test("cannot be steered by the content of a file", async () => {
    const { run } = furnished({ ".qwen/settings.json": '{ // \u001b[31mred\u202e\n  "a": 1\n}\n' })
    const { out } = await run(["setup", "qwen", "--dry-run"])
    expect(out).toContain("red")
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })

  test("fits forty columns", async () => {
    const { run } = byName()
    const { err } = await run(["setup", "claude", "--dry-run"], { columns: 40 })
    const lines = err.split("\n").filter((line) => line.startsWith("  "))
    const isOneWord = (line: string): boolean => /^ +\S+$/.test(line)
    expect(lines.filter((line) => line.length > 40 && !isOneWord(line))).toEqual([])
  })

  test("as JSON contains the changes", async () => {
    const { run, at } = furnished({})
    const { out, err } = await run(["setup", "qwen", "--json"])
    expect(JSON.parse(out)).toMatchObject({
      agent: "qwen-code",
      applied: true,
      changed: [{ path: at(".qwen/settings.json"), diff: expect.stringContaining("+++") }],
      warnings: [],
    })
    expect(err).not.toContain("own list")
  })

  test("without an agent lists the installed ones and their options", async () => {
    const { run } = furnished({ ".gemini/settings.json": "{}" })
    await run(["setup", "claude"])
    const { code, out } = await run(["setup"])
    expect(code).toBe(0)
    expect(out).toMatch(/claude-code +set up: tool, hooks +tool, hooks, status line/)
    expect(out).toMatch(/google-gemini +found, not set up +tool, hooks/)
    expect(out).toMatch(/opencode +not found +tool/)
    const listed = JSON.parse((await run(["setup", "--json"])).out) as { agent: string; connected: string[] }[]
    expect(listed[0]).toMatchObject({ agent: "claude-code", isFound: true, connected: ["mcp", "hooks"] })
  })
})

describe("wrong usage", () => {
  test.each([
    [["emacs"], /no agent "emacs".*claude-code \(claude\)/],
    [["claude", "codex"], /not expected/],
    [["omp", "--hooks"], /oh-my-pi has no hooks/],
    [["cline", "--scope", "project"], /Cline has no project configuration: leave out --scope project/],
    [["opencode", "--let-stop"], /opencode has no hooks that could/],
    [["codex", "--status-line"], /Codex has no status line/],
    [["codex", "--ask"], /Codex has no setting/],
    [["omp", "--native", "off"], /omp config set/],
    [["claude", "--mcp", "--no-mcp"], /not both/],
    [["claude", "--native", "maybe"], /on, off, leave/],
    [["claude", "--scope", "galaxy"], /user, project/],
    [["claude", "--scope", "project"], /your home, not a project/],
    [["claude", "--level", "loud"], /off, quiet, full/],
    [["claude", "--dialect", "roo"], /only be read/],
    [["claude", "--dialect", "latin"], /no dialect/],
    [["claude", "--undo", "--no-hooks"], /leave out --no-hooks/],
  ])("%j names the right usage and changes nothing", async (words, message) => {
    const { home, run } = furnished({})
    const { code, err } = await run(["setup", ...words])
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
    expect(namesIn(home)).toEqual([])
  })
})
