/** Texts without end in what agents recorded: each of these took minutes where a pattern began anew at every character. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { outcomeOf } from "../../src/evidence/outcome.ts"
import { changedPlace, shellEdits } from "../../src/evidence/shell-edits.ts"
import { runCli } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const length = 300_000
const endless = (word: string): string => word.repeat(length / word.length)

/** A genuine session, its text that a pattern finds, and what is put in its place. */
test.each([
  [
    "codex-0.169.0/session.jsonl",
    /"input":"(?:[^"\\]|\\.)*exec_command/,
    `"input":"${endless("exec_command({ ")}exec_command`,
  ],
  ["copilot-1.0.102/session.jsonl", /"result":\{"content":"/, `"result":{"content":"<${endless("a")}`],
  ["opencode-acp-1.18.33/stdout.jsonl", /"title":"/, `"title":"x${endless("`")}x`],
])("%s with a text without end is read", async (name, place, text) => {
  const session = readFileSync(join("test/fixtures/evidence", name), "utf8")
  const file = join(temporaryFolder(), "session.jsonl")
  const lines = session.split("\n").map((line) => line.replace(place, () => text))
  writeFileSync(file, lines.join("\n"))
  expect(lines.filter((line) => line.length > length).length).toBeGreaterThan(0)
  expect((await runCli(["evidence", file])).out).toMatch(/\d of \d done/)
})

const longestCommand = 20_000

test.each([
  ["python -c '", "open("],
  ["python -c '", "open "],
  ["awk '", "print "],
  ["rm ", "$"],
  ["A=1 npm test; ", "0"],
])("a command that begins with %j and goes on with %j is read, however often", (begin, word) => {
  for (let count = 0; count < 20; count += 1) {
    const command = begin + count + word.repeat(longestCommand / word.length)
    expect(outcomeOf({ command, exitCode: 0 })).toBeDefined()
    for (const path of shellEdits(command).files) expect(changedPlace(path, "/shop")).toMatch(/^\//)
  }
})

test.each([
  ["src/a*.ts", "/shop/src"],
  ["src/*/a.ts", "/shop/src"],
  ["*.ts", "/shop"],
  ["src/{a,b}/c", "/shop/src"],
  ["src/login.ts", "/shop/src/login.ts"],
])("the place that %j changes is %j", (path, place) => {
  expect(changedPlace(path, "/shop").replace(/\/$/, "")).toBe(place)
})
