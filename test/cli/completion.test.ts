/** `headway completion`, tried in the shells themselves: in bash everywhere, in fish and zsh where they are installed. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { commandNames } from "../../src/cli/commands/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { runCli } from "./run-cli.ts"

const scriptOf = async (shell: string): Promise<string> => {
  const { out } = await runCli(["completion", shell])
  const path = join(temporaryFolder(), `headway.${shell}`)
  writeFileSync(path, out)
  return path
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0

/** What is typed, the last word being completed, and what it can become. */
const cases: [typed: string[], offered: string[]][] = [
  [["sh"], ["show"]],
  [["--home", "/x", "li"], ["list"]],
  [
    ["show", "--format", ""],
    ["json", "markdown", "panel", "plan", "text", "tree"],
  ],
  [
    ["show", "-f", "t"],
    ["text", "tree"],
  ],
  [
    ["todo", "d"],
    ["done", "drop"],
  ],
  [["setup", "cla"], ["claude-code"]],
  [["list", "--ro"], ["--root"]],
  [
    ["--session", "s", "show", "--fo"],
    ["--for-model", "--format"],
  ],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["help", "his"], ["history"]],
  [
    ["agent", "-d", "ge"],
    ["gemini", "gencode"],
  ],
  [["write", "--dialect", "roo"], ["roo"]],
  [
    ["run", "--from", "open"],
    ["openai-codex", "opencode"],
  ],
]

/** Completes the last word in bash as a key press would. */
const inBash = (script: string, typed: readonly string[]): string[] => {
  const run = `source "$0"; COMP_WORDS=(headway "$@"); COMP_CWORD=$#; _headway; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync("bash", ["-c", run, script, ...typed], { encoding: "utf8" })
  return out.trim().split("\n").sort()
}

describe("bash", () => {
  test("completes commands, options and their values, also after options before the command", async () => {
    const path = await scriptOf("bash")
    for (const [typed, offered] of cases) expect(inBash(path, typed), typed.join(" ")).toEqual(offered)
  })

  test("completes the value after an equals sign, and folders for an option that takes one", async () => {
    const path = await scriptOf("bash")
    expect(inBash(path, ["show", "--format", "=", "te"])).toEqual(["text"])
    expect(inBash(path, ["list", "--root", "sr"])).toEqual(["src"])
  })

  test("never inserts a name that contains a command, or a pattern, as it is", async () => {
    const path = await scriptOf("bash")
    const folder = temporaryFolder()
    for (const name of ["e;id", "e$(id)", "e`id`", "e*", "e f", "e&id", "e~1"]) mkdirSync(join(folder, name))
    for (const typed of [["list", "--root"], ["serve", "--cert"], ["--home"], ["--session"]])
      expect(inBash(path, [...typed, join(folder, "e")]), typed.join(" ")).toEqual([""])
    mkdirSync(join(folder, "early"))
    expect(inBash(path, ["list", "--root", join(folder, "e")])).toEqual([join(folder, "early")])
  })
})

describe("fish", () => {
  test("completes commands, options and their values, also after options before the command", async ({ skip }) => {
    if (!isInstalled("fish")) skip("fish is not installed")
    const path = await scriptOf("fish")
    const env = { ...process.env, HOME: temporaryFolder() }
    for (const [typed, offered] of cases) {
      const out = execFileSync(
        "fish",
        ["-c", 'source $argv[1]; complete -C "headway $argv[2]"', path, typed.join(" ")],
        { encoding: "utf8", env },
      )
      const words = out
        .trim()
        .split("\n")
        .map((line) => line.split("\t")[0])
      expect(words.sort(), typed.join(" ")).toEqual(offered)
    }
  })
})

describe("zsh", () => {
  test("accepts the script", async ({ skip }) => {
    if (!isInstalled("zsh")) skip("zsh is not installed")
    const path = await scriptOf("zsh")
    const run = 'autoload -U compinit; compinit -u -d "$1.dump"; source "$1"; print -r -- $_comps[headway]'
    const env = { ...process.env, HOME: temporaryFolder() }
    expect(execFileSync("zsh", ["-f", "-c", run, "zsh", path], { encoding: "utf8", env })).toBe("_headway\n")
  })
})

test.each(["bash", "zsh", "fish"])("the script for %s has every command and its own location", async (shell) => {
  const { code, out } = await runCli(["completion", shell])
  expect(code).toBe(0)
  expect(out).toMatch(new RegExp(`#.*headway completion ${shell}`))
  expect(commandNames.filter((name) => !out.includes(name))).toEqual([])
})

test("the shell is the person's own where none is named, and an unknown one is refused", async () => {
  expect((await runCli(["completion"], { env: { SHELL: "/bin/fish" } })).out).toContain("complete -c headway")
  expect(await runCli(["completion"], { env: { SHELL: "/bin/dash" } })).toMatchObject({ code: 2 })
  expect(await runCli(["completion", "tcsh"])).toMatchObject({ code: 2, err: expect.stringContaining("bash|zsh|fish") })
})
