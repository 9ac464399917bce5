/** Set-up beside others: other set-ups, agents that write their own files, links and owners that lead elsewhere. */

import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { connectedAgents as agents } from "../agents/loaded.ts"
import { runCli } from "../cli/run-cli.ts"
import { rounds } from "../rounds.ts"
import { contentsUnder, namesIn, temporaryFolder } from "../stores/temporary.ts"
import { ownBin } from "./on-path.ts"

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url))

const withoutOurs = (home: string): Record<string, string> =>
  Object.fromEntries(Object.entries(contentsUnder(home)).filter(([path]) => !path.startsWith(join(home, ".headway"))))

const endOf = async (words: readonly string[], home: string): Promise<{ code: number; err: string }> => {
  const child = spawn(process.execPath, words, { env: { HOME: home }, cwd: home, stdio: ["ignore", "ignore", "pipe"] })
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")])
  return { code, err }
}

describe("several set-ups at once", () => {
  test("all set up, and each can be taken back byte for byte", async () => {
    const home = temporaryFolder()
    const ids = Object.keys(agents)
    for (const id of ids) cpSync(join(fixtures, "configs", id), home, { recursive: true })
    const before = withoutOurs(home)
    const ends = await Promise.all(
      [...ids, ...ids.slice(0, rounds(ids.length, 4))].map((id) => endOf([ownBin, "setup", id], home)),
    )
    expect(ends.filter(({ code }) => code !== 0)).toEqual([])
    expect(withoutOurs(home)).not.toEqual(before)
    for (const id of ids) {
      const { code, err } = await runCli(["setup", id, "--undo"], { home })
      expect([code, err]).toEqual([0, expect.not.stringContaining("changed since then")])
    }
    expect(withoutOurs(home)).toEqual(before)
    expect(namesIn(join(home, ".headway"))).not.toContain("setup.running")
  })

  const note = (pid: number, at: string) => JSON.stringify({ pid, at, agent: "claude-code", temporaries: [] })
  const { pid: gone } = spawnSync("true")

  test.each([
    ["is gone", note(gone, "2030-01-01T00:00:00Z")],
    ["has begun long ago, whatever has its number now", note(process.ppid, "2029-12-31T23:00:00Z")],
    ["was killed while it wrote its note", '{"pid":'],
    ["is none", note(-1, "2030-01-01T00:00:00Z")],
  ])("a set-up that %s does not hold up the next, which reports it and removes its note", async (_, text) => {
    const home = temporaryFolder()
    mkdirSync(join(home, ".headway"))
    writeFileSync(join(home, ".headway/setup.running"), text)
    const { code, err } = await runCli(["setup", "qwen"], { home })
    expect([code, err]).toEqual([0, expect.stringContaining("was interrupted")])
    expect(namesIn(join(home, ".headway"))).not.toContain("setup.running")
  })

  test("a note can name only our temporary files for removal", async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, ".headway"))
    const [ours, other] = [join(home, ".headway-12-ab.tmp"), join(home, "thesis.tmp")]
    for (const path of [ours, other]) writeFileSync(path, "")
    const left = { pid: gone, at: "2030-01-01T00:00:00Z", agent: "claude-code", temporaries: [ours, other, 5] }
    writeFileSync(join(home, ".headway/setup.running"), JSON.stringify(left))
    const { err } = await runCli(["doctor", "qwen"], { home })
    expect(err).toContain('"headway setup claude-code --undo" undoes it')
    expect([existsSync(ours), existsSync(other)]).toEqual([false, true])
  })
})

test("what the agent writes during its set-up is kept, at any moment", () => {
  const killer = new URL("../fixtures/kill-at.mjs", import.meta.url).href
  const moments = rounds(12, 7)
  const texts = Array.from({ length: moments }, (_, index) => {
    const home = temporaryFolder()
    const path = join(home, ".qwen/settings.json")
    mkdirSync(dirname(path))
    writeFileSync(path, '{ "model": "x" }\n')
    const env = { HOME: home, KILL_AT: String(Math.round((36 / moments) * index) + 1), CHANGED_FILE: path }
    const { status } = spawnSync(process.execPath, ["--import", killer, ownBin, "setup", "qwen"], { env, cwd: home })
    return { status, text: readFileSync(path, "utf8"), number: index }
  })
  for (const { status, text } of texts) {
    const ours = { mcpServers: { headway: expect.anything() }, hooks: expect.anything() }
    expect([status, JSON.parse(text)]).toEqual([0, { model: "x", ...ours }])
  }
  // The last ones come to no such step.
  expect(texts.filter(({ text }) => text.endsWith("\n ")).length).toBeGreaterThan(0.4 * moments)
})

describe("a project's files", () => {
  const cloned = () => {
    const home = temporaryFolder()
    const project = join(home, "shop")
    mkdirSync(join(project, ".git"), { recursive: true })
    mkdirSync(join(home, ".claude"))
    const own = join(home, ".claude/settings.json")
    writeFileSync(own, '{ "mine": true }\n')
    const run = (...words: string[]) => runCli(["setup", ...words, "--scope", "project"], { home, cwd: project })
    return { home, project, own, run }
  }

  test.each([
    ["a file that is a link", (project: string, own: string) => symlinkSync(own, join(project, ".mcp.json"))],
    ["a folder that is a link", (project: string, own: string) => symlinkSync(dirname(own), join(project, ".claude"))],
  ])("are not written through %s that points outside it", async (_, link) => {
    const { home, project, own, run } = cloned()
    link(project, own)
    const before = contentsUnder(home)
    for (const more of [[], ["--dry-run"]]) {
      const { code, out, err } = await run("claude", ...more)
      expect([code, out, err]).toEqual([
        1,
        "",
        expect.stringMatching(/points outside the project.*Nothing was changed/),
      ])
    }
    expect(contentsUnder(home)).toEqual(before)
  })

  test("that were set up are not restored through a link that came since", async () => {
    const { home, project, own, run } = cloned()
    await run("qwen")
    const path = join(project, ".qwen/settings.json")
    cpSync(path, own)
    spawnSync("rm", [path])
    symlinkSync(own, path)
    const before = readFileSync(own, "utf8")
    expect(await run("qwen", "--undo")).toMatchObject({ code: 1, err: expect.stringContaining("points outside") })
    expect([readFileSync(own, "utf8"), home === project]).toEqual([before, false])
  })

  test.skipIf(process.geteuid?.() !== 0)("in a folder of another user are not written", async () => {
    const { home, project, run } = cloned()
    chownSync(project, 12345, 12345)
    const before = contentsUnder(home)
    expect(await run("claude")).toMatchObject({ code: 1, err: expect.stringContaining("belongs to another user") })
    expect(contentsUnder(home)).toEqual(before)
  })
})

describe("a person's own file that is a link", () => {
  const linked = () => {
    const home = temporaryFolder()
    const elsewhere = temporaryFolder()
    const target = join(elsewhere, "settings.json")
    writeFileSync(target, '{ "mine": true }\n')
    mkdirSync(join(home, ".qwen"))
    symlinkSync(target, join(home, ".qwen/settings.json"))
    return { home, target, elsewhere }
  }

  test("stays a link, and its target is changed and restored", async () => {
    const { home, target, elsewhere } = linked()
    expect((await runCli(["setup", "qwen"], { home })).code).toBe(0)
    expect(readFileSync(target, "utf8")).toContain("headway")
    await runCli(["setup", "qwen", "--undo"], { home })
    expect(lstatSync(join(home, ".qwen/settings.json")).isSymbolicLink()).toBe(true)
    expect(realpathSync(join(home, ".qwen/settings.json"))).toBe(target)
    expect([readFileSync(target, "utf8"), namesIn(elsewhere)]).toEqual(['{ "mine": true }\n', ["settings.json"]])
  })

  test.skipIf(process.geteuid?.() !== 0)("to a file of another user is refused by name", async () => {
    const { home, target } = linked()
    chownSync(target, 12345, 12345)
    const { code, err } = await runCli(["setup", "qwen"], { home })
    expect([code, err]).toEqual([1, expect.stringMatching(/belongs to another user.*Nothing was changed/)])
    expect(readFileSync(target, "utf8")).toBe('{ "mine": true }\n')
  })
})
