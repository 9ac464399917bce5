/** Configuration files of any bytes and any kind: a sentence that names the file, and not one byte changed. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { diffText } from "../../src/bridges/setup/diff-text.ts"
import { runCli } from "../cli/run-cli.ts"
import { rounds } from "../rounds.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"

/** A person's home with a cloned repository in it. */
const machine = () => {
  const home = temporaryFolder()
  const cwd = join(home, "shop")
  mkdirSync(join(cwd, ".git"), { recursive: true })
  const place = (name: string): string => {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    return join(home, name)
  }
  return { home, place, run: (...words: string[]) => runCli(words, { home, cwd }) }
}

const levels = 20_000

const texts = {
  "lists in lists": "[".repeat(levels),
  "lists in lists, closed": `{"a": ${"[".repeat(levels)}${"]".repeat(levels)}}`,
  "objects in objects": `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
  "a NUL": '{"a": 1}\0',
  "half a string": '{"a": "',
  "no object": "[1, 2]",
}

const tomlTexts = {
  "lists in lists": `a = ${"[".repeat(levels)}${"]".repeat(levels)}`,
  "tables in tables": `a = ${"{a = ".repeat(levels)}1${"}".repeat(levels)}`,
  "a key with many dots": `${"a.".repeat(levels)}a = 1`,
  "a header with many dots": `[${"a.".repeat(levels)}a]\n`,
  "a NUL": 'a = "x"\0',
  "a key that stands twice": "a = 1\na = 2\n",
}

const yamlTexts = {
  "lists in lists": `a: ${"[".repeat(levels)}${"]".repeat(levels)}`,
  "wrong escapes without end": `a: "${"\\x".repeat(100_000)}"`,
  "tags without end": `a: ${"!<x> ".repeat(40_000)}`,
  "more keys than are read": Array.from({ length: 100_000 }, (_, at) => `k${at}: v\n`).join(""),
  "a key that stands twice": "a: 1\na: 2\n",
}

const textsOf = (name: string): Record<string, string> =>
  name.endsWith(".toml") ? tomlTexts : name.endsWith(".yaml") ? yamlTexts : texts

/** What may lie where a file should be; each is made at a path. */
const things: Record<string, (path: string) => void> = {
  "a folder": (path) => void mkdirSync(path),
  "a pipe nothing writes to": (path) => void execFileSync("mkfifo", [path]),
  "a device without end": (path) => symlinkSync("/dev/zero", path),
  "a link that leads nowhere": (path) => symlinkSync("/gone/away.json", path),
  "a link that leads to itself": (path) => symlinkSync(path, path),
  "a file that may not be read": (path) => {
    // Only the system itself can keep something from root.
    if (process.geteuid?.() === 0) return symlinkSync("/proc/self/mem", path)
    writeFileSync(path, "{}")
    chmodSync(path, 0)
  },
  "a hundred megabytes": (path) => {
    closeSync(openSync(path, "w"))
    truncateSync(path, 100_000_000)
  },
  "bytes that are not text": (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
}

const files = [
  ["claude", ".claude/settings.json", "user"],
  ["claude", "shop/.mcp.json", "project"],
  ["codex", ".codex/config.toml", "user"],
  ["codex", "shop/.codex/config.toml", "project"],
  ["continue", ".continue/config.yaml", "user"],
] as const

/** Both commands end with 1 and a sentence that names the file, and it is still as it was. */
const expectRefused = async (
  { home, run }: ReturnType<typeof machine>,
  [agent, name, scope]: (typeof files)[number],
): Promise<void> => {
  const path = join(home, name)
  const before = lstatSync(path)
  for (const more of [[], ["--dry-run"]]) {
    const { code, err } = await run("setup", agent, "--scope", scope, ...more)
    expect([more, code, err]).toEqual([more, 1, expect.stringContaining(path)])
    expect(err).toMatch(/\.\n$/)
  }
  const { code, out } = await run("doctor", agent)
  expect([code, out.replace(/\s+/g, "")]).toEqual([1, expect.stringContaining(path)])
  expect(lstatSync(path)).toMatchObject({ ino: before.ino, size: before.size, mtimeMs: before.mtimeMs })
}

describe.each(files)("for %s, in place of %s", (agent, name, scope) => {
  test.each(Object.keys(things))("%s is refused by name", async (kind) => {
    const here = machine()
    things[kind]?.(here.place(name))
    await expectRefused(here, [agent, name, scope] as (typeof files)[number])
  })

  test.each(Object.entries(textsOf(name)))("a text with %s is refused by name", async (_, text) => {
    const here = machine()
    writeFileSync(here.place(name), text)
    await expectRefused(here, [agent, name, scope] as (typeof files)[number])
    expect(readFileSync(here.place(name), "utf8")).toBe(text)
  })
})

describe("a duplicate key", () => {
  const doubled = {
    "the place of our server": '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}',
    "our server":
      '{"mcpServers": {"headway": {"command": "headway", "args": ["mcp"]}, "headway": {"command": "headway", "args": ["mcp"]}}}',
  }

  test.each(Object.entries(doubled))("on the way to %s is refused by name, and nothing is changed", async (_, text) => {
    const { home, place, run } = machine()
    writeFileSync(place(".qwen/settings.json"), text)
    const before = contentsUnder(home)
    const { code, err } = await run("setup", "qwen")
    expect([code, err]).toEqual([1, expect.stringMatching(/settings\.json: The key "\w+" appears more than once/)])
    expect(contentsUnder(home)).toEqual(before)
  })

  test("elsewhere does not hinder set-up, and --undo puts every byte back", async () => {
    const { place, run } = machine()
    const path = place(".qwen/settings.json")
    const text = '{"model": "one", "model": "two", "env": {"__proto__": {"a": 1}, "__proto__": 2}}'
    writeFileSync(path, text)
    expect((await run("setup", "qwen")).code).toBe(0)
    const { model, mcpServers, env } = JSON.parse(readFileSync(path, "utf8")) as Record<string, object>
    expect([model, Object.keys(mcpServers ?? {}), JSON.stringify(env)]).toEqual(["two", ["headway"], '{"__proto__":2}'])
    expect((await run("setup", "qwen", "--undo")).code).toBe(0)
    expect(readFileSync(path, "utf8")).toBe(text)
  })

  test("that a person made of ours later is named by --undo, which works once it is fixed", async () => {
    const { place, run } = machine()
    const path = place(".qwen/settings.json")
    writeFileSync(path, '{"model": "x"}')
    await run("setup", "qwen")
    const ours = readFileSync(path, "utf8")
    writeFileSync(path, ours.replace('"mcpServers"', '"mcpServers": {"mine": {}}, "mcpServers"'))
    const { code, err } = await run("setup", "qwen", "--undo")
    expect([code, err]).toEqual([1, expect.stringMatching(/"mcpServers" appears more than once.*Nothing was changed/)])
    writeFileSync(path, ours.replace('"mcpServers": {', '"mcpServers": {"mine": {}, '))
    expect((await run("setup", "qwen", "--undo")).code).toBe(0)
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ model: "x", mcpServers: { mine: {} } })
  })
})

test("a server that only a prototype would have does not exist", async () => {
  const { place, run } = machine()
  const path = place(".qwen/settings.json")
  writeFileSync(path, '{"mcpServers": {"headway": {"__proto__": {"command": "headway", "args": ["mcp"]}}}}')
  const { code, err } = await run("setup", "qwen")
  expect([code, err]).toEqual([1, expect.stringContaining("is not Headway's")])
})

test.each([
  ["codex", ".codex/config.toml", "mcp_servers = 9223372036854775807\n", /"mcp_servers" is 9223372036854775807/],
  ["codex", ".codex/config.toml", "[tools.update_plan]\nenabled = 2001-01-01\n", /holds a date/],
  ["codex", ".codex/config.toml", "[tools.update_plan]\nenabled = 9223372036854775807\n", /holds a date, or a number/],
  ["qwen", ".qwen/settings.json", `{"mcpServers": ${JSON.stringify("x".repeat(1_000_000))}}`, /is "x{100}" there/],
])("for %s, in %s, an unknown value is refused in a sentence", async (agent, name, text, message) => {
  const { place, run } = machine()
  writeFileSync(place(name), text)
  const { code, err } = await run("setup", agent, "--native", "on")
  expect([code, err]).toEqual([1, expect.stringMatching(message)])
  expect(readFileSync(place(name), "utf8")).toBe(text)
})

describe("input that would take for ever takes no time", () => {
  test("two hundred thousand blank lines before our table", async () => {
    const { place, run } = machine()
    const path = place(".codex/config.toml")
    await run("setup", "codex")
    writeFileSync(path, `model = "x"\n${"\n".repeat(200_000)}y = 1\n${readFileSync(path, "utf8")}`)
    expect((await run("setup", "codex", "--undo")).code).toBe(0)
    expect(readFileSync(path, "utf8")).not.toContain("headway")
  })

  test("a block of blank lines in settings we only look at", async () => {
    const { place, run } = machine()
    writeFileSync(place(".omp/agent/config.yml"), `todo:\n${`${" ".repeat(40)}\n`.repeat(40)}x`)
    expect((await run("doctor", "omp")).out).toContain("own list: on")
  })

  test("settings of millions of characters that are not plain JSON", async () => {
    const { place, run } = machine()
    const members = Array.from({ length: 300_000 }, (_, at) => `"${at}":{}`)
    writeFileSync(place(".gemini/settings.json"), `{/**/"mcpServers":{${members.join(",")}}}`)
    expect((await run("doctor", "gemini")).out).toContain("so it must be plain JSON")
  })

  const foreign = { hooks: [{ type: "command", command: "evil; headway hook claude-code" }] }
  test.each([
    [
      "claude-code",
      "shop/.claude/settings.json",
      JSON.stringify({ hooks: { PostToolUse: Array(2500).fill(foreign) } }),
    ],
    [
      "codex",
      "shop/.codex/config.toml",
      '[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ncommand="headway hook openai-codex --odd"\n'.repeat(1000),
    ],
  ])("thousands of hooks in a project that look like ours, for %s", async (agent, name, text) => {
    const { place, run } = machine()
    const path = place(name)
    writeFileSync(path, text)
    const { code, err } = await run("setup", agent, "--scope", "project", "--hooks")
    expect([code, err]).toEqual([1, expect.stringMatching(/that look like Headway's.*Nothing was changed/s)])
    expect(err).toContain(path)
    expect(readFileSync(path, "utf8") === text).toBe(true)
  })

  test("a line of a million words that sound secret", () => {
    const content = { path: "x", target: "x", bytes: Buffer.from(""), text: "", mode: 0 }
    const text = `{"${"key".repeat(1_000_000)}" "token": "abc", "${"a-".repeat(1_000_000)}": 1}`
    const shown = diffText({ content, bytes: Buffer.from(text), text })
    expect(shown).toContain('"token": "***"')
  })
})

describe("a file of any bytes", () => {
  const words = fc.constantFrom(
    ...'{}[]":,=#\n'.split(""),
    ...['"mcpServers"', '"headway"', '"hooks"', '"command"', '"__proto__"', "mcp_servers", "headway", ".", "[[", "]]"],
    ...[
      "//",
      "/*",
      "*/",
      "'''",
      '"""',
      "\\",
      "\ufeff",
      "\0",
      "1e999",
      "-0",
      "nan",
      "2001-01-01",
      "true",
      "null",
      " ",
      "\r\n",
    ],
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((given) => Buffer.from(given)),
    fc.array(words, { maxLength: 30 }).map((given) => Buffer.from(given.join(""))),
    fc.json().map((given) => Buffer.from(`{"x": ${given}}`)),
  )
  const where = fc.constantFrom(
    ...files,
    ["omp", ".omp/agent/mcp.json", "user"],
    ["opencode", "shop/opencode.jsonc", "project"],
  )

  test("is set up and taken back byte for byte, or refused by name and left alone", async () => {
    const { home, place, run } = machine()
    await fc.assert(
      fc.asyncProperty(where, bytes, async ([agent = "", name = "", scope = ""], given) => {
        const path = place(name)
        writeFileSync(path, given)
        const { code, err } = await run("setup", agent, "--scope", scope)
        if (code === 0) expect((await run("setup", agent, "--scope", scope, "--undo")).code).toBe(0)
        else expect([code, err]).toEqual([1, expect.stringContaining(path)])
        expect(readFileSync(path)).toEqual(given)
        expect([0, 1]).toContain((await run("doctor", agent, "--look")).code)
        rmSync(join(home, name), { force: true })
      }),
      { numRuns: rounds(50) },
    )
  })
})

test.each([
  ["letters", "x".repeat(1_500_000)],
  ["escapes", "\\n".repeat(750_000)],
])("a file of megabytes of %s, in a style of its own, is taken back byte for byte", async (_, history) => {
  const { place, run } = machine()
  const path = place(".claude.json")
  const given = `{"a" :  1,\n\n "history": "${history}","mcpServers" : { }   }`
  writeFileSync(path, given)
  expect((await run("setup", "claude-code")).code).toBe(0)
  expect(readFileSync(path, "utf8") === given).toBe(false)
  expect((await run("setup", "claude-code", "--undo")).err).toContain(`${path} is as it was before`)
  expect(readFileSync(path, "utf8") === given).toBe(true)
})
