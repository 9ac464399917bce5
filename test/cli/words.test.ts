/** The words of a command line: options before the command, words that were mistyped, the version, the help. */
import { describe, expect, test } from "vitest"
import { commandNames } from "../../src/cli/commands/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { atHome, runCli } from "./run-cli.ts"

describe("options before the command", () => {
  test("mean the same as after it", async () => {
    const { run } = atHome()
    const elsewhere = temporaryFolder()
    await run(["--home", elsewhere, "--session=s", "write", "--new"], { input: '{"todos":[{"content":"Read"}]}' })
    const { code, out } = await run(["--home", elsewhere, "--json", "show", "--session", "s"])
    expect([code, JSON.parse(out).todos[0].content]).toEqual([0, "Read"])
    expect((await run(["show", "--session", "s"])).code).toBe(1)
  })

  test("that only the command has are named as such", async () => {
    const { run } = atHome()
    expect(await run(["--json", "--format", "tree", "show"])).toMatchObject({
      code: 2,
      err: 'headway: "--format" goes after the command: headway show --format …\n',
    })
    expect((await run(["-d=codex", "write"])).err).toContain("headway write -d …")
    expect((await run(["--in", "show"])).code).toBe(0)
  })

  test("leave what is not a command alone", async () => {
    expect(await runCli(["--home", "list"])).toMatchObject({ code: 0, out: "" })
    expect(await runCli(["--json", "lst"])).toMatchObject({ code: 2, err: expect.stringContaining('"list"') })
    expect((await runCli(["--ascii", "--help"])).out).toContain("Usage: headway [COMMAND]")
    expect((await runCli(["--ascii", "show", "--help"])).out).toContain("Usage: headway show")
  })
})

test("every common spelling asks for the version", async () => {
  for (const argv of [["--version"], ["-V"], ["-v"], ["version"], ["--home", "x", "--version"]]) {
    expect(await runCli(argv)).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) })
  }
})

describe("a mistyped word", () => {
  test.each([
    [["lst"], '"list"'],
    [["sohw"], '"show"'],
    [["help", "histroy"], '"history"'],
    [["stat"], '"statusline"'],
    [["show", "--fromat", "text"], '"--format"'],
    [["list", "--sesion", "x"], '"--session"'],
    [["todo", "dnoe", "1"], '"done"'],
  ])("%j is answered with what was probably meant", async (argv, meant) => {
    const { code, err } = await runCli(argv)
    expect([code, err]).toEqual([2, expect.stringContaining(`Did you mean ${meant}?`)])
  })

  test("is not guessed where no known word is similar", async () => {
    expect((await runCli(["zzzzzz"])).err).not.toContain("Did you mean")
    expect((await runCli(["show", "--zzzzzz"])).err).not.toContain("Did you mean")
  })
})

describe("the help", () => {
  test("has examples first, every command in one group, and the options of every command once", async () => {
    const { out } = await runCli(["--help"])
    expect(out.indexOf("Examples:")).toBeLessThan(out.indexOf("Usage:"))
    const titles = ["See plans:", "Change and tidy them:", "Run agents:", "Connect agents and shells:", "Build on it:"]
    const places = titles.map((title) => out.indexOf(`\n${title}\n`))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    const rows = out.split("\n").map((row) => /^ {2}([a-z]+) {2,}/.exec(row)?.[1])
    expect(commandNames.map((name) => rows.filter((row) => row === name).length)).toEqual(commandNames.map(() => 1))
    expect(out.match(/--home DIR/g)).toHaveLength(1)
  })

  test.each(["", ...commandNames])("of %j fits 80 columns, and narrow ones except for its examples", async (name) => {
    const words = name === "" ? ["--help"] : [name, "--help"]
    const longest = (text: string) => Math.max(...text.split("\n").map((line) => line.length))
    expect(longest((await runCli(words)).out)).toBeLessThanOrEqual(80)
    const { out } = await runCli(words, { columns: 50 })
    expect(longest(out.replace(/Examples:\n[\s\S]*?\n\n/, ""))).toBeLessThanOrEqual(50)
  })

  test("of a command has its examples first, and refers to the options of every command", async () => {
    const { out } = await runCli(["show", "--help"])
    expect(out.indexOf("Examples:")).toBeLessThan(out.indexOf("Usage: headway show"))
    expect(out).not.toContain("--home DIR")
    expect(out).toContain('"headway --help" shows the options that every command takes')
  })
})
