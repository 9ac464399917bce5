/** Set-up for a server that already runs: the token goes into the person's own files, and nowhere else. */

import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parse as parseToml } from "smol-toml"
import { describe, expect, test } from "vitest"
import { parse as parseYaml } from "yaml"
import { readToken } from "../../src/home/serve/token.ts"
import { connectedAgents as agents } from "../agents/loaded.ts"
import { atHome } from "../cli/run-cli.ts"
import { contentsUnder } from "../stores/temporary.ts"

const url = "http://127.0.0.1:4774/mcp"

type Row = { agent: keyof typeof agents; file: string; at: string[]; before: string; server: (auth: object) => object }

const rows: Row[] = [
  {
    agent: "claude-code",
    file: ".claude.json",
    at: ["mcpServers"],
    before: '{\n    "theme": "dark"\n}',
    server: (headers) => ({ type: "http", url, headers }),
  },
  {
    agent: "openai-codex",
    file: ".codex/config.toml",
    at: ["mcp_servers"],
    before: '# mine\nmodel = "x"\n',
    server: (headers) => ({ url, http_headers: headers }),
  },
  {
    agent: "google-gemini",
    file: ".gemini/settings.json",
    at: ["mcpServers"],
    before: '{ "ui": { "theme": "x" } }\n',
    server: (headers) => ({ httpUrl: url, headers, trust: true }),
  },
  {
    agent: "opencode",
    file: ".config/opencode/opencode.json",
    at: ["mcp"],
    before: '{\n\t"theme": "x"\n}\n',
    server: (headers) => ({ type: "remote", url, headers, enabled: true, oauth: false }),
  },
  {
    agent: "qwen-code",
    file: ".qwen/settings.json",
    at: ["mcpServers"],
    before: "{}\n",
    server: (headers) => ({ httpUrl: url, headers, trust: true, alwaysLoadTools: true }),
  },
  {
    agent: "oh-my-pi",
    file: ".omp/agent/mcp.json",
    at: ["mcpServers"],
    before: '{"mcpServers": {}}',
    server: (headers) => ({ type: "http", url, headers }),
  },
  {
    agent: "cline",
    file: ".cline/data/settings/cline_mcp_settings.json",
    at: ["mcpServers"],
    before: '{\n  "mcpServers": {}\n}\n',
    server: (headers) => ({ type: "streamableHttp", url, headers }),
  },
  {
    agent: "kilo",
    file: ".config/kilo/kilo.jsonc",
    at: ["mcp"],
    before: '{ "model": "x" }\n',
    server: (headers) => ({ type: "remote", url, headers, enabled: true, oauth: false }),
  },
  {
    agent: "github-copilot",
    file: ".copilot/mcp-config.json",
    at: ["mcpServers"],
    before: "{}\n",
    server: (headers) => ({ type: "http", url, headers, tools: ["*"] }),
  },
  {
    agent: "kimi-code",
    file: ".kimi-code/mcp.json",
    at: ["mcpServers"],
    before: '{"mcpServers": {}}',
    server: (headers) => ({ url, headers }),
  },
  {
    agent: "grok",
    file: ".grok/config.toml",
    at: ["mcp_servers"],
    before: '[ui]\ntheme = "x"\n',
    server: (headers) => ({ url, headers }),
  },
  {
    agent: "continue-cli",
    file: ".continue/config.yaml",
    at: ["mcpServers"],
    before: "# mine\nname: x\nversion: 1.0.0\nmcpServers:\n  - name: other\n    command: y\n",
    server: (headers) => ({ name: "headway", type: "streamable-http", url, requestOptions: { headers } }),
  },
]

const modeOf = (path: string): number => statSync(path).mode & 0o777

const serverIn = ({ file, at }: Row, home: string): unknown => {
  const text = readFileSync(join(home, file), "utf8")
  const root = file.endsWith(".toml") ? parseToml(text) : file.endsWith(".yaml") ? parseYaml(text) : JSON.parse(text)
  const servers = at.reduce((value, key) => value?.[key], root)
  return Array.isArray(servers) ? servers.find(({ name }) => name === "headway") : servers?.headway
}

/** A person with a file of their own that everybody can read. */
const withFile = ({ file, before }: Row) => {
  const person = atHome()
  const path = join(person.home, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, before)
  chmodSync(path, 0o644)
  return { ...person, path }
}

test("every agent has its row in this test", () => {
  expect(rows.map(({ agent }) => agent).toSorted()).toEqual(Object.keys(agents).toSorted())
})

describe.each(rows)("$agent", (row) => {
  test("gets the address and the token, in a file for its owner alone, and gives them back byte for byte", async () => {
    const { run, home, path } = withFile(row)
    const before = contentsUnder(home)
    const done = await run(["setup", row.agent, "--http"])
    expect(done.code).toBe(0)
    const token = readToken(join(home, ".headway")) ?? ""
    expect(token).toHaveLength(43)
    expect(serverIn(row, home)).toEqual(row.server({ Authorization: `Bearer ${token}` }))
    expect(modeOf(path)).toBe(0o600)
    expect(done.err).toContain('Start the server with "headway serve"')
    const doctor = [await run(["doctor"]), await run(["doctor", "--json"]), await run(["setup", row.agent, "--http"])]
    for (const { out, err } of [done, ...doctor]) expect(out + err).not.toContain(token)
    expect(doctor[1]?.out).toContain(`uses ${url}`)
    const holders = Object.entries(contentsUnder(home)).filter(([, text]) => text.includes(token))
    expect(holders.map(([name]) => name).toSorted()).toEqual([path, join(home, ".headway", "serve-token")].toSorted())
    expect((await run(["setup", row.agent, "--undo"])).code).toBe(0)
    // The token stays for other agents, and when it was undone is recorded.
    const own = [join(home, ".headway", "serve-token"), join(home, ".headway", "cache", "undone", `${row.agent}.json`)]
    const after = Object.entries(contentsUnder(home)).filter(([path]) => !own.includes(path))
    expect(Object.fromEntries(after)).toEqual(before)
    expect(modeOf(path)).toBe(0o644)
  })

  test("changes from one connection to the other and back, with no part of either left", async () => {
    const { run, home, path } = withFile(row)
    await run(["setup", row.agent])
    const started = serverIn(row, home)
    await run(["setup", row.agent, "--http"])
    const token = readToken(join(home, ".headway"))
    expect(serverIn(row, home)).toEqual(row.server({ Authorization: `Bearer ${token}` }))
    await run(["setup", row.agent])
    expect(serverIn(row, home)).toEqual(started)
    await run(["setup", row.agent, "--http", "--port", "5000"])
    expect(JSON.stringify(serverIn(row, home))).toContain("127.0.0.1:5000")
    await run(["setup", row.agent, "--undo"])
    expect(readFileSync(path, "utf8")).toBe(row.before)
  })

  test("gets no token into what others read, nor into the preview of a change", async () => {
    const { run, home, path } = withFile(row)
    const shared = join(home, "project")
    mkdirSync(join(shared, ".git"), { recursive: true })
    const before = contentsUnder(home)
    const refused = await run(["setup", row.agent, "--http", "--scope", "project"], { cwd: shared })
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toMatch(/a project's configuration is shared|has no project configuration/)
    expect((await run(["setup", row.agent, "--http", "--dry-run"])).code).toBe(0)
    expect(contentsUnder(home)).toEqual(before)
    const kept = join(shared, "kept")
    writeFileSync(kept, row.before)
    rmSync(path)
    symlinkSync(kept, path)
    const linked = await run(["setup", row.agent, "--http"])
    expect(linked.code).toBe(1)
    expect(linked.err).toContain("so your token is not written there")
    expect(readFileSync(kept, "utf8")).toBe(row.before)
  })
})

test("options of the server, or without meaning, are refused in a sentence", async () => {
  const { run } = atHome()
  const errorOutput = async (...argv: string[]): Promise<string> => (await run(["setup", "claude", ...argv])).err
  expect(await errorOutput("--http", "--dialect", "codex")).toContain('give --dialect to "headway serve"')
  expect(await errorOutput("--http", "--port", "0")).toContain("--port 0 picks another port each time")
  expect(await errorOutput("--port", "5000")).toContain("only works with --http")
  expect(await errorOutput("--http", "--no-mcp")).toContain("leave out --no-mcp")
  expect(await errorOutput("--undo", "--http")).toContain("leave out --http")
})
