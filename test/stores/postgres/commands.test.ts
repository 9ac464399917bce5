/** The commands a person uses, on plans in a database: the same words as with files. */
import postgres from "postgres"
import { describe, expect, test } from "vitest"
import { runCli } from "../../cli/run-cli.ts"
import { temporaryFolder } from "../temporary.ts"
import { freshDatabase } from "./one-server.ts"

/** A busy machine may take longer to answer than a command waits before it goes on alone. */
const patientDatabase = async (): Promise<string> => `${await freshDatabase()}?connect_timeout=30`

describe("commands with --store postgres://…", () => {
  test("two homes share a plan; gc removes it when it is finished and old", async () => {
    const url = await patientDatabase()
    const [ada, bob] = [temporaryFolder(), temporaryFolder()]
    const run = (home: string, words: readonly string[], input = "", now = "2030-01-01T00:00:00Z") =>
      runCli([...words, "--store", url], { home, input, now })
    const written = await run(
      ada,
      ["write", "--new", "--session", "shop"],
      JSON.stringify({ todos: [{ content: "Run the tests" }] }),
    )
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining("+ 1 Run the tests") })
    expect(await run(bob, ["todo", "add", "Write the page", "--session", "shop"])).toMatchObject({ code: 0 })
    const shown = await run(ada, ["show", "--session", "shop", "--format", "json"])
    expect(JSON.parse(shown.out).todos).toMatchObject([{ content: "Run the tests" }, { content: "Write the page" }])
    expect((await run(bob, ["history", "--session", "shop"])).out).toContain("Write the page")
    for (const id of ["1", "2"])
      expect(await run(bob, ["todo", "done", id, "--session", "shop"])).toMatchObject({ code: 0 })

    const gc = ["gc", "--older-than", "30d"]
    const later = "2030-03-01T00:00:00Z"
    expect((await run(ada, gc)).out).not.toContain("shop")
    expect((await run(ada, [...gc, "--dry-run"], "", later)).out).toContain("shop")
    expect((await run(ada, gc, "", later)).out).toContain("shop")
    expect(await run(ada, ["show", "--session", "shop"])).toMatchObject({ code: 1 })
  })

  test("a database that was replaced with an empty one is reported, by list and by store, and plans are begun in it", async () => {
    const url = await patientDatabase()
    const home = temporaryFolder()
    const run = (words: readonly string[], input = "") => runCli([...words, "--store", url], { home, input })
    const write = ["write", "--new", "--session", "shop"]
    await run(write, JSON.stringify({ todos: [{ content: "Run the tests" }] }))
    expect((await run(["list"])).err).toBe("")
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql.unsafe("drop schema headway cascade")
    await sql.end()
    const listed = await run(["list"])
    expect(listed.err).toMatch(/Since \S+ another database is at postgres:\S+ than before: plans that it does not have/)
    expect((await run(["store"])).out).toMatch(/^replaced +since \S+ this is another database than before$/m)
    expect(await run(write, JSON.stringify({ todos: [{ content: "Begin again" }] }))).toMatchObject({ code: 0 })
  })

  test("an unreachable database is reported in one line, without the password", async () => {
    const { code, out, err } = await runCli(["list", "--store", "postgres://ada:secret@127.0.0.1:1/plans"])
    // What is known here is listed all the same.
    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(err).toContain("postgres://ada@127.0.0.1:1/plans has been unreachable")
    expect(err).not.toContain("secret")
  })
})
