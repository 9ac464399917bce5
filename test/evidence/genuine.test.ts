/**
 * The same story, played by the real clients against a scripted model: an edit, `npm test` that fails, an edit, one that passes,
 * and a second todo that is ticked off though its test fails. `npm run interop -- --only evidence` plays it again.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { expect, test } from "vitest"
import type { Evidence } from "../../src/evidence/index.ts"
import { atHome } from "../cli/run-cli.ts"
import { stored } from "../sessions/zstandard-frames.ts"

const fixtures = new URL("../fixtures/evidence/", import.meta.url).pathname

const told = ({ todos }: Evidence): string[] =>
  todos.map(({ content, word, facts: { edits, checks } }) => {
    const outcomes = checks.map(({ command, outcome }) => `${/npm test/.exec(command)} ${outcome}`)
    return `${content}: ${word}, ${edits.count} edited, ${outcomes.join(", ")}`
  })

const first = "Add the numbers: backed, 2 edited, npm test failed, npm test passed"
const second = "Handle zero: contradicted, 1 edited, npm test failed"
/** `codex exec --json` does not say which todo is in progress. */
const lessTold = "Handle zero: unchecked, 1 edited, npm test failed"

const files = readdirSync(fixtures).flatMap((name) =>
  readdirSync(join(fixtures, name))
    .filter((file) => /\.jsonl$|\.messages\.json$/.test(file))
    .map((file) => [name, file] as const),
)

test.each(files)("%s: %s", async (name, file) => {
  const { run } = atHome()
  const { out, code } = await run(["evidence", join(fixtures, name, file), "--json"])
  expect(code).toBe(0)
  const isBinary = name.startsWith("codex") && file === "stdout.jsonl"
  const evidence = JSON.parse(out) as Evidence
  expect(told(evidence)).toEqual([first, isBinary ? lessTold : second])
  expect(evidence.list.lastCheck).toBe("failed")
  // Which test it was, and not the last thing the runner happened to print.
  expect(evidence.todos[1]?.facts.lastCheck?.failure).toMatch(/^(?:not ok 1 - adds|✖ adds)/)
})

test("evidence of a project in the temporary folder, in output that does not name its folder", async () => {
  const { home, run } = atHome()
  const printed = join(home, "printed.jsonl")
  const text = readFileSync(join(fixtures, "codex-0.169.0/stdout.jsonl"), "utf8")
  writeFileSync(printed, text.replaceAll("/home/user/project", "/tmp/project"))
  const { out } = await run(["evidence", printed, "--json"])
  expect(told(JSON.parse(out) as Evidence)).toEqual([first, lessTold])
})

test.each([
  ["opencode-1.18.33", ".local/share/opencode/opencode.db"],
  ["kilo-7.7.7", ".local/share/kilo/kilo.db"],
])("evidence from the database of %s", async (name, path) => {
  const { home, run } = atHome({ env: { HOME: "" } })
  const session = writeDatabase(join(fixtures, name, "database.json"), join(home, path))
  const { out } = await run(["evidence", "--session", session, "--json"])
  expect(told(JSON.parse(out) as Evidence)).toEqual([first, second])
  expect((await run(["evidence", "--all", "--since", "9999d"])).out).toContain("1 backed, 1 contradicted")
})

test("evidence from a compressed session of Codex", async () => {
  const { home, run } = atHome()
  const folder = join(home, ".codex/sessions/2026/11/17")
  mkdirSync(folder, { recursive: true })
  const text = readFileSync(join(fixtures, "codex-0.169.0/session.jsonl"))
  const [head = "{}"] = text.toString("utf8").split("\n")
  const { id } = (JSON.parse(head) as { payload: { id: string } }).payload
  writeFileSync(join(folder, `rollout-2026-11-17T11-15-16-${id}.jsonl.zst`), stored(text))
  const { out } = await run(["evidence", "--session", id, "--json"])
  expect(told(JSON.parse(out) as Evidence)).toEqual([first, second])
})

test("evidence from a session of Claude Code among its files", async () => {
  const { home, run } = atHome()
  const folder = join(home, ".claude/projects/-home-user-project")
  mkdirSync(folder, { recursive: true })
  const from = join(fixtures, "claude-2.1.197/session.jsonl")
  const id = /"sessionId":"([^"]+)"/.exec(readFileSync(from, "utf8"))?.[1] ?? ""
  copyFileSync(from, join(folder, `${id}.jsonl`))
  const { out } = await run(["evidence", "--session", id, "--json"])
  expect(told(JSON.parse(out) as Evidence)).toEqual([first, second])
  await run(["check", "set", "1", "true", "--session", id])
  await run(["check", "--session", id])
  expect((await run(["evidence", "--all", "--since", "9999d"])).out).toContain("1 verified, 1 contradicted")
})

/** Returns the session that is in it. */
const writeDatabase = (rows: string, path: string): string => {
  mkdirSync(join(path, ".."), { recursive: true })
  const tables = JSON.parse(readFileSync(rows, "utf8")) as Record<string, Record<string, string | number | null>[]>
  const database = new Database(path)
  for (const [table, all] of Object.entries(tables)) {
    const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
    database.exec(`create table ${table} (${names.join(", ")})`)
    for (const row of all) {
      const values = names.map((name) => row[name] ?? null)
      database.prepare(`insert into ${table} values (${names.map(() => "?").join(", ")})`).run(...values)
    }
  }
  database.close()
  return String(tables.session?.[0]?.id)
}
