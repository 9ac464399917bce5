/** The copy of a database's plans in the home: whatever it lacks is read from the database again. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { expect, test } from "vitest"
import { freshDatabase } from "../stores/postgres/one-server.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const list = '{"todos":[{"content":"Read"},{"content":"Write"}]}'

/** Two persons with one plan, of which the first has a copy with two entries. */
const sharedPlan = async () => {
  const url = await freshDatabase()
  const machine = (person: string) =>
    atHome({ home: temporaryFolder(), env: { HEADWAY_STORE: `${url}?connect_timeout=60`, USER: person } })
  const [anna, bob] = [machine("anna"), machine("bob")]
  await anna.run(["write", "--new", "--session", "shop"], { input: list })
  await anna.run(["todo", "add", "Test", "--session", "shop"])
  const stores = join(anna.home, ".headway", "stores")
  const journals = join(stores, readdirSync(stores)[0] ?? "", "mirror", "journal")
  const copy = join(journals, readdirSync(journals)[0] ?? "")
  const shown = async (): Promise<string[]> => {
    const plan = JSON.parse((await anna.run(["show", "--session", "shop", "--json"])).out)
    return plan.todos.map(({ content }: { content: string }) => content)
  }
  return { url, anna, bob, copy, shown }
}

const damages: Record<string, (copy: string) => void> = {
  "was removed": (copy) => rmSync(copy),
  "lost its end": (copy) => truncateSync(copy, readFileSync(copy, "utf8").indexOf("\n") + 1),
  "has a line that cannot be read": (copy) => writeFileSync(copy, readFileSync(copy, "utf8").replace("{", "#")),
}

for (const [what, damage] of Object.entries(damages))
  test(`a plan whose copy ${what} is shown as the database has it, and listed so for everyone`, async () => {
    const { anna, bob, copy, shown } = await sharedPlan()
    damage(copy)
    expect(await shown()).toEqual(["Read", "Write", "Test"])
    damage(copy)
    expect((await anna.run(["todo", "add", "Ship", "--session", "shop"])).out).toContain('added 4 "Ship"')
    expect(await shown()).toEqual(["Read", "Write", "Test", "Ship"])
    expect((await anna.run(["show", "--session", "shop"])).err).toBe("")
    const [plan] = JSON.parse((await bob.run(["list", "--own", "--json"])).out)
    expect(plan).toMatchObject({ session: "shop", todos: 4 })
  })

test("an entry of a newer Headway is reported with every reading, and read once this one can", async () => {
  const { url, anna, bob, shown } = await sharedPlan()
  await bob.run(["todo", "add", "Ship", "--session", "shop"])
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const setVersion = (from: number, to: number) =>
    sql.unsafe(`update headway.entries set entry = replace(entry, '"v":${from},', '"v":${to},') where seq = 3`)
  await setVersion(1, 99)
  for (let time = 0; time < 2; time += 1) {
    const { out, err } = await anna.run(["show", "--session", "shop"])
    expect(out).not.toContain("Ship")
    expect(err).toContain("came from a newer Headway")
  }
  await anna.run(["todo", "add", "Rest", "--session", "shop"])
  await setVersion(99, 1)
  await sql.end()
  expect(await shown()).toEqual(["Read", "Write", "Test", "Ship", "Rest"])
  expect((await anna.run(["show", "--session", "shop"])).err).toBe("")
})
