/** The evidence for the todos of a run of our own agent: what is printed, what the agent is told, and what keeps it from stopping. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Evidence } from "../../src/evidence/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { runCli } from "./run-cli.ts"

const env = { PATH: process.env.PATH ?? "" }

const list = (status: string) => ({
  tool: "TodoWrite",
  input: { todos: [{ content: "Fix login", status, activeForm: "Fixing login" }] },
})

const atDesk = () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()]
  const run = (...argv: string[]) => runCli(argv, { home, cwd, env })
  const agent = (lines: object[], ...argv: string[]) => {
    writeFileSync(join(home, "script.json"), JSON.stringify(lines))
    return run("agent", "--yes", "--print", "Do it", "--model", `script:${join(home, "script.json")}`, ...argv)
  }
  return { home, cwd, run, agent }
}

const test1 = "echo 'not ok 1 - login'; exit 1"

const contradicted = [
  { calls: [list("in_progress"), { tool: "Write", input: { file_path: "login.test.sh", content: `${test1}\n` } }] },
  { calls: [{ tool: "Bash", input: { command: "npm test" } }] },
  { calls: [list("completed")] },
  { text: "Done." },
  { text: "The test is about something else." },
  { text: "No one hears this." },
]

const withTests = (cwd: string): void =>
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ scripts: { test: "sh login.test.sh" } }))

test("the agent is told once that its last check failed, and the run prints the evidence of each todo", async () => {
  const { cwd, agent } = atDesk()
  withTests(cwd)
  const { out, code } = await agent(contradicted, "--json")
  expect(code).toBe(0)
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; text?: string; evidence?: Evidence })
  const last = lines.at(-1)
  expect(last).toMatchObject({
    type: "session_ended",
    evidence: { todos: [{ content: "Fix login", word: "contradicted" }], list: { lastCheck: "failed" } },
  })
  expect(last?.text).toContain("about something else")
  expect(out).not.toContain("No one hears this.")
})

test("a person gets a word about each todo at the end", async () => {
  const { cwd, agent } = atDesk()
  withTests(cwd)
  const { err, out } = await agent(contradicted)
  expect(err).toContain("! Fix login (done?, contradicted)")
  expect(out).toContain("about something else")
  const quiet = await agent(contradicted, "--profile", "off")
  expect(quiet.out).not.toContain("about something else")
})

test("script:demo ends with the result of its test", async () => {
  const { run } = atDesk()
  const { err } = await run("agent", "--model", "script:demo", "--yes", "--print", "Build it")
  expect(err).toContain("+ Make the test pass (done and backed)")
  expect(err).toContain("4 of 4 done; the last check after the last edit passed.")
})

test("with --gate a todo whose check fails stays open, and is accepted the second time", async () => {
  const { home, cwd, run, agent } = atDesk()
  execFileSync("git", ["init", "-q"], { cwd })
  await agent([{ calls: [list("in_progress")] }, { text: "Shall I go on?" }])
  await run("check", "set", "1", test1)
  const script = [{ calls: [list("completed")] }, { calls: [list("completed")] }, { text: "Shall I go on?" }]
  writeFileSync(join(home, "script.json"), JSON.stringify(script))
  const [session] = (await run("list", "--json")).out.match(/(?<="session": ")[^"]+/) ?? []
  const words = ["agent", "--yes", "--print", "Go on", "--gate", "--resume", session ?? ""]
  await run(...words, "--model", `script:${join(home, "script.json")}`)
  const { out } = await run("history", "--json")
  expect(out.match(/"gate": "\w+"/g)).toEqual(['"gate": "refused"', '"gate": "overruled"'])
  expect((await run("show", "--json")).out).toContain('"status": "completed"')
})
