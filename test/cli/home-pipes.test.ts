/** A pipe in the place of a file of Headway's home: reading it would wait for ever, so no command does. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { expect, test } from "vitest"
import { filesUnder } from "../attack/inject.ts"
import { isFull } from "../rounds.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { runCli } from "./run-cli.ts"

const bin = resolve("dist/bin/headway.js")

/** The built command as a process of its own: one that waits for a pipe cannot be ended from inside. */
const createPerson = () => {
  const home = temporaryFolder()
  for (const project of ["shop", "elsewhere"]) mkdirSync(join(home, project, ".git"), { recursive: true })
  const run = (words: readonly string[], input = "", project = "shop") =>
    spawnSync(process.execPath, [bin, ...words], {
      input,
      cwd: join(home, project),
      env: { PATH: process.env.PATH, HOME: home, USER: "ada" },
      timeout: 20_000,
      killSignal: "SIGKILL",
    })
  return { home, run }
}

const hookEvent = JSON.stringify({
  ...{ session_id: "s", hook_event_name: "PreToolUse", tool_name: "mcp__headway__todo", tool_use_id: "one" },
  tool_input: {},
})

/** Everything that leaves a file in the home, and everything that reads one. */
const commands: readonly [words: string[], input?: string, project?: string][] = [
  [["write", "--new", "--project", "--session", "s"], '{"todos":[{"content":"Read","status":"in_progress"}]}'],
  [["todo", "add", "Build"]],
  [["setup", "claude-code"]],
  [["hook", "claude-code"], hookEvent],
  [["hook", "claude-code"], hookEvent.replace("PreToolUse", "Stop")],
  [["show"]],
  [["show"], "", "elsewhere"],
  [["list"]],
  [["list", "--all"]],
  [["doctor", "--look"]],
  [["setup", "claude-code", "--undo"]],
]

const everyFile = async (): Promise<string[]> => {
  const { home } = createPerson()
  for (const [words, input = "", project = "shop"] of commands.slice(0, -1))
    await runCli(words, { home, input, cwd: join(home, project), now: new Date().toISOString() })
  const folder = join(home, ".headway")
  const made = filesUnder(folder).map((path) => relative(folder, path))
  return [
    ...new Set([
      ...made.map(anywhere),
      "settings.json",
      "trusted-projects.json",
      "seal.key",
      "errors.log",
      "serve-token",
    ]),
  ]
}

/** A project's folder is called by where the project lies, which is elsewhere in each home. */
const anywhere = (name: string): string => name.replace(/(?<=^projects\/shop-)[^/]+/, "…")

test.each((await everyFile()).map((name, at) => ({ name, at })))(
  "a pipe in place of $name makes no command wait",
  async ({ name, at }) => {
    const { home, run } = createPerson()
    for (const [words, input = ""] of commands.slice(0, 3))
      await runCli(words, { home, input, cwd: join(home, "shop") })
    const folder = join(home, ".headway")
    const path = join(
      folder,
      filesUnder(folder)
        .map((one) => relative(folder, one))
        .find((one) => anywhere(one) === name) ?? name,
    )
    // Each file meets a third of the commands, and each command a third of the files; all meet all in the full form.
    const tried = commands.filter((_, index) => isFull || (at + index) % 3 === 0)
    const waiting = tried.filter((command) => {
      rmSync(path, { force: true })
      mkdirSync(dirname(path), { recursive: true })
      execFileSync("mkfifo", [path])
      return run(...command).signal !== null
    })
    expect(waiting.map(([words]) => words.join(" "))).toEqual([])
  },
)
