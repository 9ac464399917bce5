/** SQL on the table of todos: what is read of it, what a person's edit outlives, and what is only known to the database. */
import { describe, expect, test } from "vitest"
import { copilot } from "../../src/dialects/copilot.ts"
import { readStatements } from "../../src/dialects/reading/sql.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/tracker.ts"

const sql = (query: string) => ({ tool: "sql", input: { query }, observed: true })

const trackerWith = async (...queries: string[]) => {
  const tracker = await openTracker({ store: createMemoryStore(), session: "s" })
  for (const query of queries) await tracker.write(sql(query), copilot)
  return tracker
}

const three = "INSERT INTO todos (id, title) VALUES ('a', 'Read'), ('b', 'Write'), ('c', 'Test')"

const after = async (...queries: string[]): Promise<string[]> =>
  (await trackerWith(three, ...queries)).plan.todos.map(({ status, content }) => `${status} ${content}`)

describe("rows are selected by", () => {
  test.each([
    ["no condition", "", ["Read", "Write", "Test"]],
    ["an id", "WHERE id = 'b'", ["Write"]],
    ["a list of ids", "WHERE id IN ('a', 'c')", ["Read", "Test"]],
    ["ids that are not in a list", "WHERE id NOT IN ('a', 'c')", ["Write"]],
    ["a status", "WHERE status <> 'done' AND id != 'a'", ["Write", "Test"]],
    ["either of two", `WHERE (id = 'a' OR title LIKE '%es%') AND "status" = 'pending'`, ["Read", "Test"]],
    ["what is not so", "WHERE NOT id = 'a' AND description IS NULL", ["Write", "Test"]],
    ["a name with its table", "WHERE todos.id = 'c' -- the last one", ["Test"]],
    ["nothing", "WHERE id = 'z'", []],
  ] as const)("%s", async (_, where, changed) => {
    const wanted = ["Read", "Write", "Test"].map((name) =>
      (changed as readonly string[]).includes(name) ? `completed ${name}` : `pending ${name}`,
    )
    expect(await after(`UPDATE todos SET status = 'done' ${where};`)).toEqual(wanted)
  })
})

test("a statement that only the database understands is reported, and the others count", async () => {
  const tracker = await trackerWith(three)
  const query = `UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' END; UPDATE todos SET status = 'done' WHERE id = 'b';
    DELETE FROM todos WHERE id IN (SELECT depends_on FROM todo_deps); INSERT INTO todos SELECT * FROM old`
  const { problems, plan } = await tracker.write(sql(query), copilot)
  expect(problems.filter(({ code }) => code === "unread-sql")).toHaveLength(3)
  expect(plan.todos.map(({ status }) => status)).toEqual(["pending", "completed", "pending"])
})

test("a row with another title is the same todo, with what a person set on it", async () => {
  const tracker = await trackerWith(three)
  await tracker.edit({ kind: "person", id: "ada" }, () => [
    { type: "todo-changed", id: "2", from: { status: "pending" }, to: { status: "blocked", reason: "no key" } },
  ])
  await tracker.write(sql("UPDATE todos SET title = 'Repair the sessions' WHERE id = 'b'"), copilot)
  expect(tracker.plan.todos.map(({ id, status, content }) => `${id} ${status} ${content}`)).toEqual([
    "1 pending Read",
    "2 blocked Repair the sessions",
    "3 pending Test",
  ])
})

test("ids stay when a row is deleted and another one inserted in the same call", async () => {
  const tracker = await trackerWith(
    three,
    "DELETE FROM todos WHERE id = 'a'; INSERT INTO todos (id, title) VALUES ('d', 'Reed')",
  )
  expect(tracker.plan.todos.map(({ id, content }) => `${id} ${content}`)).toEqual(["2 Write", "3 Test", "4 Reed"])
})

test("a todo that a person removed is not continued unnoticed", async () => {
  const tracker = await trackerWith(three)
  await tracker.edit({ kind: "person", id: "ada" }, ({ todos }) =>
    todos.filter(({ id }) => id === "2").map((todo) => ({ type: "todo-removed", todo }) as const),
  )
  const { plan } = await tracker.write(sql("UPDATE todos SET status = 'done' WHERE id = 'b'"), copilot)
  expect(plan.todos.map(({ content }) => content)).toEqual(["Read", "Test"])
  const { events } = copilot.decode(sql("UPDATE todos SET status = 'done' WHERE id = 'b'"), plan, tracker.ledger)
  expect(events).toEqual([{ type: "todo-refused", content: "Write", status: "completed" }])
})

test("the values of a statement are never run, and hostile ones are read quickly", () => {
  const hostile = [
    "[".repeat(200_000),
    "'".repeat(200_001),
    "(".repeat(100_000),
    "UPDATE todos SET status='x' WHERE ".concat("NOT ".repeat(100_000), "id='a'"),
  ]
  for (const text of hostile) expect(Array.isArray(readStatements(text))).toBe(true)
  expect(readStatements("ATTACH DATABASE '/tmp/x.db' AS x; PRAGMA writable_schema = 1")).toEqual([
    { kind: "other" },
    { kind: "other" },
  ])
})
