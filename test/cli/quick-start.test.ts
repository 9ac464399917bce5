/** The quick commands as they are built: what V8 made of them is kept beside the program, and nothing depends on it. */
import { spawnSync } from "node:child_process"
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { claudeSession } from "./agent-sessions.ts"

const parts = ["headway.js", "package.json", "packs"]

/** The program at a place of its own. A file in the place of a folder stands for one that may not be made. */
const installed = ({ canKeep = true } = {}) => {
  const folder = temporaryFolder()
  for (const part of parts) cpSync(resolve("dist/bin", part), join(folder, part), { recursive: true })
  if (!canKeep) writeFileSync(join(folder, "cache"), "")
  const home = temporaryFolder()
  const { NODE_OPTIONS: _, ...env } = process.env
  const run = (words: readonly string[], { input = "", options = [] as string[] } = {}) => {
    const all = [...options, join(folder, "headway.js"), ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, all, {
      env: { ...env, HOME: home, HEADWAY_HOME: home },
      input,
      encoding: "utf8",
    })
    return { status, stdout, stderr }
  }
  const kept = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /^cache.*\.(?:write|show)$/.test(path))
  run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos: [{ content: "Read" }] }) })
  const keptByWrite = kept()
  const keptByShow = () => join(folder, kept().find((path) => !keptByWrite.includes(path)) ?? "")
  return { folder, home, run, kept, keptByShow }
}

const show = ["show", "--session", "s"]
const shown = { status: 0, stdout: expect.stringContaining("Read"), stderr: "" }

describe.skipIf(process.platform === "win32")("a quick command", () => {
  test("caches compiled code for its next start, and prints the same with it", () => {
    const { folder, run, kept } = installed()
    expect(run(show)).toEqual(shown)
    // One by the command that wrote the plan, and one by this.
    expect(kept()).toHaveLength(2)
    const before = kept().map((path) => lstatSync(join(folder, path)).ino)
    expect(run(show)).toEqual(shown)
    expect(kept().map((path) => lstatSync(join(folder, path)).ino)).toEqual(before)
  })

  test("rebuilds a cut or damaged cache, and caches nothing from a call that failed", () => {
    const { run, kept, keptByShow } = installed()
    expect(run(["show", "--session", "none"]).status).toBe(1)
    expect(kept()).toHaveLength(1)
    run(show)
    const path = keptByShow()
    truncateSync(path, 1_000)
    expect(run(show)).toEqual(shown)
    const whole = readFileSync(path)
    expect(whole.length).toBeGreaterThan(1_000)
    // Given to V8, this would end the process.
    writeFileSync(path, Buffer.concat([whole.subarray(0, 150_000), Buffer.alloc(4_096, 0xee), whole.subarray(154_096)]))
    expect(run(show)).toEqual(shown)
    expect(readFileSync(path).includes(Buffer.alloc(4_096, 0xee))).toBe(false)
    // As some file systems leave it where the power failed.
    writeFileSync(path, Buffer.alloc(whole.length))
    expect(run(show)).toEqual(shown)
    expect(readFileSync(path).equals(Buffer.alloc(whole.length))).toBe(false)
  })

  test("names the option that was meant, with and without a cache", () => {
    const { run } = installed()
    const misspelt = () => run([...show, "--jsn"])
    const refused = { status: 2, stdout: "", stderr: expect.stringMatching(/^headway: .*Did you mean "--json"\?/) }
    expect(misspelt()).toEqual(refused)
    expect(run(show)).toEqual(shown)
    expect(misspelt()).toEqual(refused)
  })

  test("caches more once it has run more of a pack, and then leaves the cache alone", () => {
    const { folder, run } = installed()
    const kept = () =>
      readdirSync(join(folder, "cache"), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".quick"))
        .map((path) => lstatSync(join(folder, "cache", path)).ino)
    const hookOf = (agent: string) => {
      expect(run(["hook", agent], { input: "{}" }).status).toBe(0)
      return kept()
    }
    const first = hookOf("claude-code")
    expect(first).toHaveLength(1)
    const second = hookOf("openai-codex")
    expect(second).toHaveLength(1)
    expect(second).not.toEqual(first)
    expect(hookOf("claude-code")).toEqual(second)
  })

  test("opens no pack of other commands for a list of an agent's sessions", () => {
    const { folder, home, run } = installed()
    const at = "2030-01-01T10:00:00Z"
    claudeSession(home, { session: "11111111-2222-4333-8444-555555555555", cwd: home, at, todos: ["Write"] })
    expect(run(["list", "--all"]).stdout).toContain("Repair the login")
    const packs = readdirSync(join(folder, "cache"), { recursive: true, encoding: "utf8" }).flatMap(
      (path) => /list\.(\w+)$/.exec(path)?.[1] ?? [],
    )
    expect(packs.toSorted()).toEqual(["board", "main", "other", "quick"])
  })

  test("reports that it has been replaced while it ran", () => {
    const { folder, run } = installed()
    const pack = join(folder, "packs", "show.js")
    writeFileSync(pack, readFileSync(pack, "utf8").replace(/define\("[^"]+"/, 'define("another"'))
    const { status, stderr } = run(show)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^headway: .*Start it again\.\n$/) })
  })

  test("leaves the cache alone when V8 has other flags", () => {
    const { folder, run, kept } = installed()
    run(show)
    const before = kept().map((path) => lstatSync(join(folder, path)).ino)
    expect(run(show, { options: ["--no-opt"] })).toEqual(shown)
    expect(kept().map((path) => lstatSync(join(folder, path)).ino)).toEqual(before)
  })

  test("works where the cache cannot be read", () => {
    const { run, keptByShow } = installed()
    run(show)
    const path = keptByShow()
    rmSync(path)
    // For a user of any rights what a file of another user is for most: reading it fails.
    mkdirSync(path)
    expect(run(show)).toEqual(shown)
  })

  test("works where nothing can be cached", () => {
    const { run, kept } = installed({ canKeep: false })
    expect(run(show)).toEqual(shown)
    expect(kept()).toEqual([])
  })
})
