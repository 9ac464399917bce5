/** Copilot CLI's todos: rows of a table that the model changes with SQL. The statements are read, and never run. */
import {
  check,
  checkSize,
  defaultRules,
  diff,
  emptyLedger,
  goesByOurId,
  hasErrors,
  isFinished,
  type Ledger,
  nativeIdOf,
  normalise,
  type Plan,
  type PlanEvent,
  type Problem,
  readStatus,
  type Todo,
  type Wanted,
  warning,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { catchUpWith, idOf, readObject, readResult, refusedStatus, resultText } from "./_by-id.ts"
import { expressible } from "./_expressible.ts"
import { answer, unreadable } from "./_whole-list.ts"
import type { Carries, Decoded, Dialect, ToolCall } from "./dialect.ts"
import { readItem } from "./reading/items.ts"
import { type Condition, type Row, readStatements, type Statement } from "./reading/sql.ts"

const words = { list: "rows", text: "title", describes: true }

const carries: Carries = {
  statuses: ["pending", "in_progress", "blocked", "completed"],
  fields: ["description", "blockedBy"],
  duplicates: true,
}

const example = {
  description: "Add a todo",
  query: "INSERT INTO todos (id, title, status) VALUES ('run-tests', 'Run the tests', 'in_progress')",
}

export const copilot: Dialect<undefined> = {
  id: "copilot",
  title: "Copilot CLI sql",
  toolNames: ["sql", "readSqlTodosWithDependencies"],
  tools: [],
  rules: defaultRules,
  wholeList: false,
  carries,
  decode: (call, plan, ledger) => {
    if (call.tool === "readSqlTodosWithDependencies") return stored(call, plan, ledger)
    const query = readObject(call.input)?.query
    return typeof query === "string" && query.length <= longest
      ? changed(call, query, plan, ledger)
      : { events: [], problems: [unreadable(call, example)] }
  },
  reply: (outcome) => ({ text: answer(outcome, () => "The todos are saved."), data: undefined }),
  encode: (plan: Plan, problems) => {
    const todos = expressible(plan, carries, defaultRules, problems)
    const ids = new Map(todos.map(({ id }, index) => [id, String(index + 1)]))
    return [...todos.map((todo) => insertCall(todo, ids)), ...todos.flatMap((todo) => dependencyCall(todo, ids))]
  },
}

/** In characters. No real statement of a model is longer. */
const longest = 4_000_000

/** The id of a row. A todo that a person added has no row, so no statement can name it. */
type Key = string | Todo

type Table = Map<Key, TodoRow>

/** A todo as a row of the table, with the keys of the todos it waits for. */
type TodoRow = {
  row: Row
  todo?: Todo
  dependencies: Set<Key>
  /** Its titles in the agent's own table, if a person has reworded it here. */
  titles?: readonly string[]
}

const changed = (call: ToolCall, query: string, plan: Plan, ledger: Ledger | undefined): Decoded => {
  const statements = readStatements(query)
  const ours = statements.filter((one) => one.kind !== "other" && (one.table === "todos" || one.table === "todo_deps"))
  if (ours.length === 0) return { events: tableRead(call, plan, ledger), problems: [], reads: true }
  const problems: Problem[] = []
  const refused: PlanEvent[] = []
  const table = tableOf(plan, ledger)
  for (const statement of ours) {
    if (statement.kind === "unreadable") problems.push(notRead)
    else if (statement.kind !== "other" && statement.table === "todo_deps") changeDependencies(table, statement)
    else refused.push(...changeTodos(table, statement, ledger))
  }
  // If rows are deleted first, the agent rewrites the table from memory.
  const isRewritten = ours.some(({ kind }) => kind === "delete" || kind === "unreadable")
  const decoded = becoming(table, plan, { ledger, problems, bringsBack: !isRewritten, isReworded: () => !isRewritten })
  return { ...decoded, events: [...refused, ...decoded.events] }
}

const notRead: Problem = warning(
  "unread-sql",
  "A statement changes the todos in a way that only the database knows, so its effect is not shown.",
)

const tableOf = ({ todos }: Plan, ledger: Ledger = emptyLedger): Table => {
  const keyOf = (todo: Todo): Key => nativeIdOf(todo) ?? (goesByOurId(todo, ledger) ? todo.id : todo)
  const keys = new Map(todos.map((todo) => [todo.id, keyOf(todo)]))
  return new Map(
    todos.map((todo) => {
      const { content: title, description = null, status } = todo
      const row = { id: idOf(todo), title, description, status: status === "completed" ? "done" : status }
      const dependencies = new Set((todo.blockedBy ?? []).flatMap((id) => keys.get(id) ?? []))
      const titles = ledger.todos.get(todo.id)?.formerly
      return [keyOf(todo), { row, todo, dependencies, ...(titles ? { titles } : {}) }]
    }),
  )
}

/** Changes todos. Returns events for todos that a person removed but the model still works on. */
const changeTodos = (table: Table, statement: Statement, ledger: Ledger | undefined): PlanEvent[] => {
  if (statement.kind === "insert") {
    const persons = openTodosOfPersons(table)
    for (const row of statement.rows) insertTodo(table, row, { replaces: statement.onConflict === "replace", persons })
  }
  if (statement.kind === "delete") {
    for (const [key, one] of table) if (isNamed(key, one, statement.where)) table.delete(key)
  }
  if (statement.kind !== "update") return []
  const { set, where } = statement
  for (const [key, one] of table) {
    if (isNamed(key, one, where)) table.set(key, { ...one, row: { ...one.row, ...set, id: one.row.id ?? null } })
  }
  const status = set.status == null ? undefined : readStatus(set.status)
  const gone = [...(ledger?.removed.values() ?? [])].map(({ todo }) => idOf(todo)).filter((id) => !table.has(id))
  return gone.filter((id) => where?.({ id })).flatMap((id) => refusedStatus(ledger, id, status))
}

type Insertion = {
  replaces: boolean
  /** The person's todos that the agent takes over with a row of the same title, by title. */
  persons: Map<string, Todo>
}

const openTodosOfPersons = (table: Table): Map<string, Todo> =>
  new Map(
    [...table.keys()].flatMap((key) =>
      typeof key === "string" || isFinished(key.status) ? [] : [[normalise(key.content), key] as const],
    ),
  )

/** Inserts a row. The table refuses a row with an existing id, unless it replaces the old one. */
const insertTodo = (table: Table, row: Row, { replaces, persons }: Insertion): void => {
  const { id } = row
  if (id == null) return
  const there = table.get(id)
  if (there && !replaces) return
  const text = normalise(row.title ?? "")
  const taken = there ? undefined : persons.get(text)
  if (taken) {
    table.delete(taken)
    persons.delete(text)
  }
  // The person's text stays.
  const title = taken ? { title: taken.content } : {}
  table.set(id, { dependencies: new Set(), ...there, row: { ...there?.row, ...row, ...title } })
}

/** Whether a condition names a todo. A todo that the agent added without its table is recognised only by its id. */
const isNamed = (key: Key, { row, todo, titles = [] }: TodoRow, where: Condition | undefined): boolean => {
  if (typeof key !== "string") return false
  if (todo && nativeIdOf(todo) === undefined) return where?.({ id: key }) === true
  return isMeant(row, where) || titles.some((title) => isMeant({ ...row, title }, where))
}

const isMeant = (row: Row, where: Condition | undefined): boolean => where === undefined || where(row)

const changeDependencies = (table: Table, statement: Statement): void => {
  if (statement.kind === "insert") {
    for (const { todo_id, depends_on } of statement.rows)
      if (todo_id != null && depends_on != null) table.get(todo_id)?.dependencies.add(depends_on)
  }
  if (statement.kind !== "delete") return
  for (const [todo_id, { dependencies }] of table)
    for (const depends_on of dependencies) {
      if (typeof todo_id !== "string" || typeof depends_on !== "string") continue
      if (isMeant({ todo_id, depends_on }, statement.where)) dependencies.delete(depends_on)
    }
}

type Becoming = {
  ledger: Ledger | undefined
  problems: Problem[]
  /** Whether a row may bring back what a person removed: not if the whole table is rewritten. */
  bringsBack: boolean
  /** Whether a row with a known id is the same todo under any title: not if the table is rewritten. @default false */
  isReworded?: () => boolean
}

/** The events that make the plan equal to the table. */
const becoming = (table: Table, plan: Plan, becomes: Becoming): Decoded => {
  const { ledger, problems, bringsBack, isReworded } = becomes
  const items = [...table].flatMap(([key, one]) =>
    typeof key === "string" ? wantedOf(one, table, problems) : [{ content: key.content }],
  )
  const refusals = check(defaultRules, items)
  if (hasErrors(refusals)) return { events: [], problems: [...problems, ...refusals] }
  const known = ledger ? { ledger } : {}
  const difference = diff(plan, items, { modelIds: true, saysWholeList: false, bringsBack, isReworded, ...known })
  const tooMany = checkSize(plan, difference.events)
  if (tooMany.length > 0) return { events: [], problems: [...problems, ...tooMany] }
  return { events: difference.events, problems: [...problems, ...difference.problems], items }
}

const wantedOf = ({ row, todo, dependencies }: TodoRow, table: Table, problems: Problem[]): Wanted[] => {
  const { id, title, description, status } = row
  const item = readItem({ id, title, status, ...(description == null ? {} : { description }) }, words, problems)
  if (!item || (item.content === undefined && !todo)) return []
  // A person's todo is identified by our id, or by its text if a row has that id.
  const nameOf = (key: Key): string => (typeof key === "string" ? key : table.has(key.id) ? key.content : key.id)
  const blockedBy = [...dependencies].map(nameOf)
  const waits = blockedBy.length > 0 || todo?.blockedBy ? { blockedBy } : {}
  const native = todo && nativeIdOf(todo) === undefined ? {} : { nativeId: id ?? "" }
  return [{ ...item, ...waits, extra: { ...todo?.extra, ...item.extra, ...native } }]
}

/** Reads the whole table, as reported by the database or its host. */
const stored = (call: ToolCall, plan: Plan, ledger: Ledger | undefined): Decoded => {
  const { rows, dependencies } = readResult(call) ?? {}
  if (!Array.isArray(rows)) return { events: [], problems: [], reads: true }
  const known = tableOf(plan, ledger)
  const table: Table = new Map()
  for (const row of rows.filter(isRecord).map(textsIn)) {
    if (row.id == null) continue
    const there = known.get(row.id)
    table.set(row.id, { row, dependencies: new Set(), ...(there?.todo ? { todo: there.todo } : {}) })
  }
  for (const one of Array.isArray(dependencies) ? dependencies.filter(isRecord) : []) {
    const { todo_id: todo = one.todoId, depends_on: waitsFor = one.dependsOn } = one
    if (typeof waitsFor === "string") table.get(String(todo))?.dependencies.add(waitsFor)
  }
  return { ...becoming(table, plan, { ledger, problems: [], bringsBack: false }), replaces: true }
}

const textsIn = (row: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "string" || typeof value === "number" ? String(value) : null,
    ]),
  )

/** Reads a table that the model was shown, from which rows may be missing. */
const tableRead = (call: ToolCall, plan: Plan, ledger: Ledger | undefined): PlanEvent[] => {
  const [head = [], ...rows] = resultText(call)
    .split("\n")
    .flatMap((line) => (/^\| .* \|$/.test(line) && !/^\|[\s|:-]+\|$/.test(line) ? [cellsOf(line)] : []))
  const columns = head.map((name) => name.toLowerCase())
  if (!["id", "title", "status"].every((name) => columns.includes(name))) return []
  const whole = rows.filter(({ length }) => length === columns.length)
  const tasks = whole.map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index]])))
  return catchUpWith(tasks, words, plan, { ledger })
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim())

const insertCall = ({ id, content, description = "", status }: Todo, ids: ReadonlyMap<string, string>): ToolCall => {
  const values = tuple(ids.get(id) ?? "", content, description, status === "completed" ? "done" : status)
  const query = `INSERT INTO todos (id, title, description, status) VALUES ${values};`
  return { tool: "sql", input: { description: "Add a todo", query } }
}

const dependencyCall = ({ id, blockedBy = [] }: Todo, ids: ReadonlyMap<string, string>): ToolCall[] => {
  const rows = blockedBy.flatMap((other) => (ids.has(other) ? [tuple(ids.get(id) ?? "", ids.get(other) ?? "")] : []))
  if (rows.length === 0) return []
  const query = `INSERT INTO todo_deps (todo_id, depends_on) VALUES ${rows.join(", ")};`
  return [{ tool: "sql", input: { description: "Say what it waits for", query } }]
}

const tuple = (...values: string[]): string =>
  `(${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")})`
