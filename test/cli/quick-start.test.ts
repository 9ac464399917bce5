/** The quick commands as they are built: what V8 made of them is kept beside the program, and nothing depends on it. */
import { spawnSync } from "node:child_process"
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"

const parts = ["headway.js", "package.json", "commands", "cli", "bridge", "dialects"]

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
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /^cache.*js$/.test(path))
  run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos: [{ content: "Read" }] }) })
  return { folder, run, kept }
}

const show = ["show", "--session", "s"]
const shown = { status: 0, stdout: expect.stringContaining("Read"), stderr: "" }

describe.skipIf(process.platform === "win32")("a quick command", () => {
  test("keeps what was compiled for its next start, and says the same with it", () => {
    const { folder, run, kept } = installed()
    expect(run(show)).toEqual(shown)
    expect(kept().map((path) => path.replace(/^.*[\\/]/, ""))).toEqual(["commands.show.js", "commands.write.js"])
    const before = kept().map((path) => lstatSync(join(folder, path)).ino)
    expect(run(show)).toEqual(shown)
    expect(kept().map((path) => lstatSync(join(folder, path)).ino)).toEqual(before)
  })

  test("makes anew what was cut off or damaged, and keeps nothing of a call that failed", () => {
    const { folder, run, kept } = installed()
    expect(run(["show", "--session", "none"]).status).toBe(1)
    expect(kept().some((path) => path.endsWith("commands.show.js"))).toBe(false)
    run(show)
    const path = join(folder, kept().find((one) => one.endsWith("commands.show.js")) ?? "")
    truncateSync(path, 1_000)
    expect(run(show)).toEqual(shown)
    const whole = readFileSync(path)
    expect(whole.length).toBeGreaterThan(1_000)
    // Given to V8, this would end the process.
    writeFileSync(path, Buffer.concat([whole.subarray(0, 150_000), Buffer.alloc(4_096, 0xee), whole.subarray(154_096)]))
    expect(run(show)).toEqual(shown)
    expect(readFileSync(path).includes(Buffer.alloc(4_096, 0xee))).toBe(false)
  })

  test("says which option was meant, before and after it was kept", () => {
    const { run } = installed()
    const misspelt = () => run([...show, "--jsn"])
    const refused = { status: 2, stdout: "", stderr: expect.stringMatching(/^headway: .*Did you mean "--json"\?/) }
    expect(misspelt()).toEqual(refused)
    expect(run(show)).toEqual(shown)
    expect(misspelt()).toEqual(refused)
  })

  test("leaves what is kept alone when V8 has other flags", () => {
    const { folder, run, kept } = installed()
    run(show)
    const before = kept().map((path) => lstatSync(join(folder, path)).ino)
    expect(run(show, { options: ["--no-opt"] })).toEqual(shown)
    expect(kept().map((path) => lstatSync(join(folder, path)).ino)).toEqual(before)
  })

  test("works where what is kept cannot be read", () => {
    const { folder, run, kept } = installed()
    run(show)
    const path = join(folder, kept().find((one) => one.endsWith("commands.show.js")) ?? "")
    rmSync(path)
    // For a user of any rights what a file of another user is for most: reading it fails.
    mkdirSync(path)
    expect(run(show)).toEqual(shown)
  })

  test("works where nothing can be kept", () => {
    const { run, kept } = installed({ canKeep: false })
    expect(run(show)).toEqual(shown)
    expect(kept()).toEqual([])
  })
})
