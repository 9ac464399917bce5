/** How Headway is called by others: what is written down works, and is known again. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  assertInstalled,
  findLauncher,
  type LauncherOptions,
  ourLauncher,
  shellLine,
  wordsOf,
} from "../../src/bridges/setup/launcher.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayOnPath, ownBin, programOnPath } from "./on-path.ts"

const options = (more: Partial<LauncherOptions> = {}): LauncherOptions => ({
  env: {},
  bin: ownBin,
  node: process.execPath,
  version: "0.0.0-source",
  platform: "linux",
  isForOthers: false,
  ...more,
})

describe("the call", () => {
  test.each([
    ["is not there", () => ""],
    ["is this one", (folder: string) => headwayOnPath(folder)],
    ["is another one", (folder: string) => programOnPath(folder, "headway", "echo 9.9.9")],
  ])("is spelled out in full, where the headway on the PATH %s", async (_, install) => {
    const PATH = install(join(temporaryFolder(), "bin"))
    const { kind, words } = await findLauncher(options({ env: { PATH } }))
    expect([kind, words]).toEqual(["file", [process.execPath, ownBin]])
  })

  test("names node and headway by links that outlive their versions, and those links work", async () => {
    const PATH = join(temporaryFolder(), "bin")
    mkdirSync(PATH)
    symlinkSync(process.execPath, join(PATH, "node"))
    symlinkSync(ownBin, join(PATH, "headway"))
    const { words } = await findLauncher(options({ env: { PATH } }))
    expect(words).toEqual([join(PATH, "node"), join(PATH, "headway")])
    const output = execFileSync("/bin/sh", ["-c", `${shellLine(words, "linux")} --version`], { encoding: "utf8" })
    expect(output).toMatch(/^\d+\.\d+/)
  })

  test("is the bare name, where it must work for others and leads to this program", async () => {
    const PATH = headwayOnPath(join(temporaryFolder(), "bin"))
    const launcher = await findLauncher(options({ env: { PATH }, isForOthers: true }))
    expect(launcher).toMatchObject({ kind: "path", words: ["headway"] })
  })

  test.each([
    [
      "has a program of another version",
      (bin: string) => programOnPath(bin, "headway", "echo 9.9.9"),
      "another program",
    ],
    ["has a program of another kind", (bin: string) => programOnPath(bin, "headway", "exit 1"), "another program"],
    [
      "has a program that prints no version",
      (bin: string) => programOnPath(bin, "headway", "exec true"),
      "another program",
    ],
    ["has none", () => "", 'no "headway" on your PATH yet'],
  ])(
    "is the bare name, where it must work for others and the PATH %s, and that is said",
    async (_, install, reason) => {
      const PATH = install(join(temporaryFolder(), "bin"))
      const launcher = await findLauncher(options({ env: { PATH }, isForOthers: true }))
      expect(launcher).toEqual({ kind: "path", words: ["headway"], reason: expect.stringContaining(reason) })
    },
  )

  test("is not written down for a program in npx's cache: through npx it would be the package of another author", () => {
    const bin = "/home/ada/.npm/_npx/1a2b/node_modules/headway/dist/bin/headway.js"
    expect(() => assertInstalled(bin)).toThrow("Install it with npm install -g")
    expect(assertInstalled(ownBin)).toBeUndefined()
  })
})

describe("a line for a shell", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !text.includes("\0"))

  test("is taken apart again into the same words", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        expect(wordsOf(shellLine(words, "linux"))).toEqual(words)
      }),
    )
  })

  test("means the same to a real shell", () => {
    const words = ["it's", "a b", '"$HOME"', "`id`", "\\", "$(id)", "*", "new\nline", "~", "#x", "{a,b}"]
    const output = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${shellLine(words, "linux")}`], { encoding: "utf8" })
    expect(output.split("\0").slice(0, -1)).toEqual(words)
  })

  test("runs the program in a folder with spaces and quotes", () => {
    const folder = join(temporaryFolder(), 'it\'s a "place"')
    cpSync(join(ownBin, ".."), folder, { recursive: true })
    const line = shellLine([process.execPath, join(folder, "headway.js"), "--version"], "linux")
    expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" })).toMatch(/^\d+\.\d+/)
    expect(realpathSync(folder)).toContain("it's")
  })

  test("has double quotes on Windows", () => {
    expect(shellLine(["C:\\Program Files\\node.exe", "x"], "win32")).toBe('"C:\\Program Files\\node.exe" x')
  })
})

describe("a call of ours", () => {
  test.each([
    ["headway hook claude-code", "hook", ["headway"]],
    [
      "/usr/bin/node /opt/headway/dist/bin/headway.js hook x",
      "hook",
      ["/usr/bin/node", "/opt/headway/dist/bin/headway.js"],
    ],
    [
      "/opt/headway-launcher /usr/bin/node-22 /opt/headway.js hook x",
      "hook",
      ["/opt/headway-launcher", "/usr/bin/node-22", "/opt/headway.js"],
    ],
    ["'C:\\Users\\ada\\headway.cmd' mcp", "mcp", ["C:\\Users\\ada\\headway.cmd"]],
  ])("%s is known", (line, command, launcher) => {
    expect(ourLauncher(wordsOf(line), command)).toEqual(launcher)
  })

  test.each([
    ["headway-notes mcp", "mcp"],
    ["headway mcp", "hook"],
    ["hook headway", "hook"],
    ["echo not-headway hook", "hook"],
    ["", "mcp"],
    ["/bin/sh ./evil.sh headway hook claude-code", "hook"],
    ["env NODE_OPTIONS=--require=./evil.cjs headway mcp", "mcp"],
    ["node --require ./evil.cjs /opt/headway.js mcp", "mcp"],
    ["headway run -- ./evil.sh mcp", "mcp"],
    ["npx -y headway mcp", "mcp"],
    ["/usr/bin/node /usr/bin/npx -y --prefix=/home/headway headway mcp", "mcp"],
    ["npx -y headway@npm:evil mcp", "mcp"],
    ["npx -y ./headway mcp", "mcp"],
    ["npx -y --package=evil headway mcp", "mcp"],
  ])("%s is not known", (line, command) => {
    expect(ourLauncher(wordsOf(line), command)).toBeUndefined()
  })
})
