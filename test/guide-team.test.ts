/** What the guide tells a team to type is typed, by its persons at their machines, with a real database in between. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { hostname } from "node:os"
import postgres from "postgres"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { typedAt } from "./guide-pages.ts"
import { type GuideShell, openGuideShell } from "./guide-shell.ts"
import { postgresPrograms, programIn } from "./stores/postgres/programs.ts"
import { initServer, removeServer, type Server, startServer } from "./stores/postgres/server.ts"

const page = "docs/guide/14-plans-of-a-team.md"

/** Without what differs from one time to the next: times, sizes, versions, ids, and the width of columns. */
const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "DATE")
    .replace(/\b\d+ (?:ms|kB)\b/g, "SIZE")
    .replace(/PostgreSQL \S+.*/g, "PostgreSQL")
    .replace(/\b\d+[smhd]\b/g, "TIME")
    .replace(/(?<=\S) +/g, " ")
    .trimEnd()
    .concat("\n")

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** A line with nothing but an ellipsis stands for any lines. */
const expectedOf = (printed: string): RegExp => {
  const lines = steady(printed).split(/(?<=\n)/)
  return new RegExp(`^${lines.map((line) => (line.trim() === "…" ? "(?:.*\\n)*?" : escaped(line))).join("")}$`)
}

/** Types until the server says where its page is, and ends it then. */
const serveOnce = async ({ env, project }: GuideShell, command: string): Promise<string> => {
  const shell = spawn("sh", ["-c", `exec ${command}`], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(shell, "close")
  let printed = ""
  for await (const chunk of shell.stdout) {
    printed += chunk
    if (/^mcp {3}/m.test(printed)) shell.kill("SIGINT")
  }
  await ended
  return printed
}

describe.skipIf(process.platform === "win32")("plans of a team", () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer(initServer())
  }, 300_000)
  afterAll(() => removeServer(server))

  test("are set up and shared by the commands on the page", async () => {
    const address = `127.0.0.1:${server.port}`
    const sql = postgres(server.url(), { max: 1 })
    await sql.unsafe("create role owner login superuser password 'key'").finally(() => sql.end())
    const psql = programIn(postgresPrograms(), "psql")
    const here = (text: string): string => text.replaceAll("db.example:5432", address).replaceAll("db.example", address)
    const there = (text: string): string =>
      text.replaceAll(address, "db.example:5432").replaceAll(hostname(), "anna-laptop")
    const shell = (env: NodeJS.ProcessEnv): GuideShell =>
      openGuideShell({ programs: { psql: [psql, "$@"] }, env: { PGCONNECT_TIMEOUT: "60", ...env } })
    const type = async (at: GuideShell, heading: string, wanted: (command: string) => boolean = () => true) => {
      for (const { command, printed } of typedAt(page, heading).filter((one) => wanted(one.command))) {
        const got = await at.type(here(command))
        if (printed === undefined) expect(got.code, got.printed).toBe(0)
        else expect(steady(there(got.printed))).toMatch(expectedOf(printed))
      }
    }
    await type(shell({ PGPASSWORD: "key" }), "Prepare the database")
    const anna = shell({ USER: "anna" })
    await type(anna, "Use it on your machine")
    await type(anna, "Connect your agents")
    const isAnnas = (command: string): boolean => command.startsWith("echo")
    await type(anna, "Work together", isAnnas)
    const bob = shell({
      USER: "bob",
      HEADWAY_STORE: here("postgres://bob:windmill@db.example/plans?connect_timeout=60"),
    })
    await type(bob, "Work together", (command) => !isAnnas(command))
    const [serve] = typedAt(page, "The team's board")
    expect(await serveOnce(bob, (serve?.command ?? "").trim())).toContain("page  http://127.0.0.1:")
    await type(anna, "When the database is away")
    expect((await anna.type("headway show --session shop")).printed).toContain("Add a test")
  }, 600_000)
})
