/** A store elsewhere that comes and goes: what was acknowledged here is delivered once, in order, and nothing waits for it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import type { Dialect, ToolCall } from "../../src/dialects/dialect.ts"
import { dialects } from "../../src/dialects/index.ts"
import { hashedNameOf } from "../../src/home/paths/file-names.ts"
import { createFold, type Entry, HeadwayError, type Todo } from "../../src/plan/index.ts"
import { createDeliveredStore, type DeliveredOptions } from "../../src/stores/delivered/delivered-store.ts"
import { type DeliveryFolder, deliveryFolder } from "../../src/stores/delivered/folder.ts"
import { discardRejected, rejectedIn } from "../../src/stores/delivered/rejected.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { PlanKey, Store } from "../../src/stores/store.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { entryOf } from "../contracts/store.ts"
import { cutOff } from "./cut-off.ts"
import { temporaryFolder } from "./temporary.ts"

const key: PlanKey = { session: "s", agent: "main" }
const waitOptions = { timeout: 30_000, interval: 10 }
const name = "postgres://anna@db.example:5432/plans"

const elsewhere = () => {
  const remote = createMemoryStore()
  const line = cutOff(remote)
  let time = Date.parse("2030-01-01T00:00:00Z")
  const machine = (home = temporaryFolder(), more: Partial<DeliveredOptions> = {}) => {
    const folder = deliveryFolder(home, name)
    const store = createDeliveredStore({
      name,
      folder,
      person: home,
      open: line.open,
      now: () => new Date(time),
      againAfter: 0,
      ...more,
    })
    return { home, folder, store }
  }
  const wait = (seconds: number): void => {
    time += seconds * 1000
  }
  return { remote, line, machine, wait }
}

const idsIn = async (store: Store, of = key): Promise<string[]> => (await store.load(of)).entries.map(({ id }) => id)

test("entries written during an outage are kept, shown and delivered in order, once", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store, home } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  line.cut()
  for (let index = 0; index < 20; index += 1) await store.append(key, entryOf(`away-${index}`, [`todo ${index}`]))
  const expected = ["first", ...Array.from({ length: 20 }, (_, index) => `away-${index}`)]
  expect(await idsIn(store)).toEqual(expected)
  expect(await idsIn(remote)).toEqual(["first"])
  expect(await store.state()).toMatchObject({ undelivered: 20, away: { since: "2030-01-01T00:00:00.000Z" } })
  await store.close()
  line.restore()
  wait(120)
  const next = machine(home).store
  await next.load(key)
  await next.close()
  expect(await idsIn(remote)).toEqual(expected)
  expect(await machine(home).store.state()).toMatchObject({ undelivered: 0, refused: 0 })
})

test("a store that answers no question is closed again", async () => {
  const { machine, remote } = elsewhere()
  let open = 0
  const unusable: Store = {
    ...remote,
    mayWrite: () => Promise.reject(new HeadwayError("newer-schema", "Update Headway to use it.")),
    close: async () => {
      open -= 1
    },
  }
  const { store } = machine(undefined, {
    open: async () => {
      open += 1
      return unusable
    },
  })
  await store.load(key)
  expect((await store.state()).away?.why).toContain("Update Headway")
  expect(open).toBe(0)
})

test("during a known outage nothing is asked of the store", async () => {
  const { line, machine, wait } = elsewhere()
  const { store, home } = machine()
  line.cut()
  await store.load(key)
  const asked = line.asked
  for (let index = 0; index < 5; index += 1) {
    await store.append(key, entryOf(`e${index}`, ["Read"]))
    await store.list()
    await store.position(key)
  }
  await store.close()
  expect(line.asked).toBe(asked)
  wait(61)
  await machine(home).store.load(key)
  expect(line.asked).toBe(asked + 1)
})

test("a clock that was hours ahead for a moment does not keep the store closed", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store } = machine()
  line.cut()
  await store.append(key, entryOf("e", ["Read"], key))
  wait(5 * 3600)
  await store.load(key)
  wait(10 - 5 * 3600)
  line.restore()
  await store.load(key)
  expect(await idsIn(remote)).toEqual(["e"])
  expect((await store.state()).away).toBeUndefined()
})

test("a store that never replies delays nothing for longer than its timeout", async () => {
  const { line, machine } = elsewhere()
  const { store } = machine(undefined, { timeout: 20 })
  line.silence()
  await store.append(key, entryOf("e", ["Read"]))
  expect(await idsIn(store)).toEqual(["e"])
  expect((await store.state()).away?.why).toContain("did not answer")
  await store.close()
})

test("an entry whose reply is lost is not written twice", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store } = machine()
  await store.load(key)
  line.onAppend = () => line.cut()
  for (const id of ["a", "b", "c"]) await store.append(key, entryOf(id, [id]))
  await expect(store.deliver()).rejects.toThrow("cannot be reached")
  expect(await idsIn(remote)).toEqual(["a"])
  line.onAppend = () => {}
  line.restore()
  wait(120)
  await store.deliver()
  expect(await idsIn(remote)).toEqual(["a", "b", "c"])
  expect(await idsIn(store)).toEqual(["a", "b", "c"])
})

test("the order of the remote store counts: a reader that was ahead starts again, and gets nothing twice", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  line.cut()
  const before = await store.append(key, entryOf("ours", ["Ours"]), (await store.load(key)).cursor)
  expect(before.entries.map(({ id }) => id)).toEqual(["ours"])
  await remote.append(key, entryOf("theirs", ["Theirs"]))
  line.restore()
  wait(120)
  await store.deliver()
  const after = await store.load(key, before.cursor)
  expect(after).toMatchObject({ restarted: true, isReordered: true })
  expect(after.entries.map(({ id }) => id)).toEqual(["first", "theirs", "ours"])
  expect(await store.load(key, after.cursor)).toMatchObject({ entries: [] })
})

test("where no one else wrote, a reader that was ahead continues", async () => {
  const { line, machine, wait } = elsewhere()
  const { store } = machine()
  line.cut()
  const before = await store.append(key, entryOf("ours", ["Ours"], key))
  line.restore()
  wait(120)
  await store.deliver()
  const after = await store.load(key, before.cursor)
  expect(after).toMatchObject({ entries: [] })
  expect(after.restarted).toBeUndefined()
})

test("two machines that worked apart end with the same plan", async () => {
  const { line, machine, wait } = elsewhere()
  const [one, other] = [machine().store, machine().store]
  const open = (store: Store, id: string) => {
    let count = 0
    return openTracker({ store, ...key, now: () => new Date("2030-01-01T00:00:00Z"), newId: () => `${id}-${count++}` })
  }
  const [here, there] = [await open(one, "here"), await open(other, "there")]
  const person = { kind: "person", id: "anna" } as const
  const add = (content: string) => [
    { type: "todo-added" as const, todo: { id: "", content, status: "pending" as const } },
  ]
  await here.edit(person, () => add("Shared"))
  await one.deliver()
  line.cut()
  for (const word of ["A", "B"]) await here.edit(person, () => add(`here ${word}`))
  for (const word of ["A", "B"]) await there.edit(person, () => add(`there ${word}`))
  line.restore()
  wait(120)
  await other.deliver()
  await one.deliver()
  await here.refresh()
  await there.refresh()
  expect(there.plan).toEqual(here.plan)
  expect(here.plan.todos.map(({ content }) => content)).toEqual(["Shared", "there A", "there B", "here A", "here B"])
})

test("only the rejected entries that were shown are discarded", async () => {
  const folder = { refused: temporaryFolder() }
  const store = createFileStore({ home: folder.refused })
  const other: PlanKey = { session: "other", agent: "main" }
  await store.append(key, entryOf("shown", ["Read"], key))
  // As one that says it belongs to another plan.
  await store.append(other, entryOf("shown too", ["Write"], key))
  const shown = await rejectedIn(folder)
  await store.append(key, entryOf("later", ["Test"]))
  expect((await discardRejected(folder, shown)).map((one) => one.key)).toEqual([other])
  const left = await rejectedIn(folder)
  expect(left.map(({ entries }) => entries.map(({ id }) => id))).toEqual([["shown", "later"]])
  expect(await discardRejected(folder, left)).toHaveLength(1)
  expect(await rejectedIn(folder)).toEqual([])
})

test("a refused entry is kept aside, and those after it are delivered", async () => {
  const { remote, line, machine } = elsewhere()
  const { store, folder } = machine()
  line.onAppend = (ids) => {
    if (ids.includes("large")) throw new HeadwayError("entry-too-long", "It is too long.")
  }
  for (const id of ["small", "large", "next"]) await store.append(key, entryOf(id, [id], key))
  await store.deliver()
  expect(await idsIn(remote)).toEqual(["small", "next"])
  expect(await idsIn(store)).toEqual(["small", "next"])
  expect(await store.state()).toMatchObject({ undelivered: 0, refused: 1, refusedPlans: [key] })
  const [journal = ""] = readdirSync(join(folder.refused, "journal"))
  expect(readFileSync(join(folder.refused, "journal", journal), "utf8")).toContain('"id":"large"')
})

test("a user with read-only access is told so, and earlier entries are kept", async () => {
  const { line, machine, remote, wait } = elsewhere()
  const { store } = machine()
  line.onAppend = () => {
    throw new HeadwayError("read-only", "permission denied")
  }
  await store.append(key, entryOf("e", ["Read"], key))
  await expect(store.deliver()).rejects.toThrow("permission denied")
  await expect(store.append(key, entryOf("f", ["Write"]))).rejects.toThrow("may read plans but not change them")
  expect(await store.state()).toMatchObject({ undelivered: 1, isReadOnly: true })
  line.onAppend = () => {}
  wait(120)
  await store.deliver()
  expect(await idsIn(remote)).toEqual(["e"])
  expect((await store.append(key, entryOf("f", ["Write"]))).entries).toHaveLength(2)
})

test("a user who lost the right to write goes on reading, and is told of the change that waits", async () => {
  const { line, machine, remote } = elsewhere()
  const { store, home } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  const other = { session: "other", agent: "main" }
  line.onAppend = () => {
    throw new HeadwayError("read-only", "permission denied")
  }
  await store.append(key, entryOf("waits", ["Waits"]))
  await store.close()
  await remote.append(key, entryOf("theirs", ["Theirs"]))
  await remote.append(other, entryOf("new", ["New"], other))
  const next = machine(home).store
  expect(await idsIn(next)).toEqual(["first", "theirs", "waits"])
  expect(await idsIn(next, other)).toEqual(["new"])
  const { plans, problems } = await next.list()
  expect(plans.map(({ session }) => session).toSorted()).toEqual(["other", "s"])
  expect(problems).toMatchObject([
    { code: "undelivered", message: expect.stringMatching(/^1 change is kept here .* is read-only for you\.$/) },
  ])
  expect(await next.state()).toMatchObject({ undelivered: 1, isReadOnly: true })
  expect((await next.state()).away).toBeUndefined()
  const claimed: Entry = { ...entryOf("c", []), events: [{ type: "todo-claimed", id: "1", owner: "a", minutes: 30 }] }
  await expect(next.append(key, claimed)).rejects.toMatchObject({ code: "read-only" })
  line.onAppend = () => {}
  await next.deliver()
  expect(await idsIn(remote)).toEqual(["first", "theirs", "waits"])
})

test("a long-running process of a user who lost the right to write reads what others write to the same plan", async () => {
  const { line, machine, remote } = elsewhere()
  const { store, home } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  let attempts = 0
  line.onAppend = () => {
    attempts += 1
    throw new HeadwayError("read-only", "permission denied")
  }
  await store.append(key, entryOf("waits", ["Waits"]))
  const staying = machine(home, { stays: true }).store
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(0), waitOptions)
  for (const id of ["one", "two"]) {
    await remote.append(key, entryOf(id, [id]))
    await vi.waitFor(async () => expect(await idsIn(staying)).toContain(id), waitOptions)
  }
  expect((await staying.state()).away).toBeUndefined()
  await staying.close()
})

test("a user who is given the right to write can, also while a long-running process is connected since before", async () => {
  const { line, machine, remote } = elsewhere()
  let isWriter = false
  const open = async (): Promise<Store> => ({ ...(await line.open()), mayWrite: async () => isWriter })
  await remote.append(key, entryOf("first", ["Read"], key))
  const { store: staying, home } = machine(undefined, { open, stays: true })
  await vi.waitFor(async () => expect(await staying.state()).toMatchObject({ isCarried: true }), waitOptions)
  const { store } = machine(home, { open })
  for (const one of [store, staying])
    await expect(one.append(key, entryOf("early", ["Early"]))).rejects.toMatchObject({ code: "read-only" })
  isWriter = true
  await store.append(key, entryOf("theirs", ["Theirs"]))
  await staying.append(key, entryOf("ours", ["Ours"]))
  await vi.waitFor(async () => expect(await idsIn(remote)).toEqual(["first", "theirs", "ours"]), waitOptions)
  await staying.close()
  await store.close()
})

test("a claim is decided by the shared log, and refused during an outage", async () => {
  const { line, machine, remote } = elsewhere()
  const [one, other] = [machine().store, machine().store]
  await one.append(key, entryOf("first", ["Read"], key))
  await one.deliver()
  const claim = (id: string, owner: string): Entry => ({
    ...entryOf(id, []),
    events: [{ type: "todo-claimed", id: "1", owner, minutes: 30 }],
  })
  await Promise.all([one.append(key, claim("c1", "a")), other.append(key, claim("c2", "b"))])
  const owners = await Promise.all(
    [one, other, remote].map(async (store) => {
      const fold = createFold()
      for (const entry of (await store.load(key)).entries) fold.add(entry)
      return fold.plan.todos[0]?.owner
    }),
  )
  expect(new Set(owners).size).toBe(1)
  line.cut()
  await expect(one.append(key, claim("c3", "c"))).rejects.toThrow("has been unreachable since")
  await expect(one.append(key, claim("c4", "c"))).rejects.toThrow("a todo cannot be claimed")
  expect(await one.state()).toMatchObject({ undelivered: 0 })
})

test("a claim that the shared log has granted succeeds, however long reading it back takes", async () => {
  const { machine, remote } = elsewhere()
  const { store } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  let isClaimed = false
  /** In milliseconds: four fifths of what a claim may take. */
  const each = 400
  const slow: Store = {
    ...remote,
    async append(...asked) {
      await vi.advanceTimersByTimeAsync(each)
      isClaimed = true
      rmSync(copy)
      return remote.append(...asked)
    },
    async load(...asked) {
      if (isClaimed) await vi.advanceTimersByTimeAsync(each)
      return remote.load(...asked)
    },
  }
  const { store: slowly, folder } = machine(undefined, { timeout: 100, open: async () => slow })
  // Removed meanwhile, so that the whole log is read again.
  const copy = join(folder.mirror, "journal", "s-agent-main.jsonl")
  const events = [{ type: "todo-claimed" as const, id: "1", owner: "a", minutes: 30 }]
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  try {
    await slowly.append(key, { ...entryOf("claim", []), events })
  } finally {
    vi.useRealTimers()
  }
  expect(await idsIn(remote)).toEqual(["first", "claim"])
})

test("processes of one home that fail at the same time make one pause, which is not longer for that", async () => {
  const { line, machine, wait } = elsewhere()
  const { store, home } = machine()
  line.cut()
  const others = Array.from({ length: 6 }, () => machine(home).store)
  await Promise.all(others.map((other) => other.load(key)))
  expect(line.asked).toBe(6)
  expect((await store.state()).away).toMatchObject({ attempts: 1, next: "2030-01-01T00:00:02.000Z" })
  wait(2)
  await others[0]?.load(key)
  expect((await store.state()).away).toMatchObject({ attempts: 2, next: "2030-01-01T00:00:06.000Z" })
})

test("a store counts as reachable while another process of this home is asking it", async () => {
  const { machine, line } = elsewhere()
  const { store, home, folder } = machine(undefined, { timeout: 50 })
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  mkdirSync(folder.turns, { recursive: true })
  const turn = join(folder.turns, hashedNameOf(key))
  writeFileSync(turn, String(process.pid))
  const asked = line.asked
  expect(await idsIn(machine(home, { timeout: 50 }).store)).toEqual(["first"])
  expect(line.asked).toBe(asked + 1)
  expect((await store.state()).away).toBeUndefined()
  rmSync(turn)
})

test("an agent whose todo got another number is told so, and its call about the former number changes nothing", async () => {
  const { line, machine, wait } = elsewhere()
  const [here, there] = [machine().store, machine().store]
  const open = (store: Store) => openTracker({ store, session: key.session })
  const call = (todos: object[], client?: string) => ({ tool: "todo", input: { todos }, ...(client ? { client } : {}) })
  const ours = await open(here)
  line.cut()
  await ours.write(call([{ content: "Beta" }]), dialects.headway)
  await ours.write(call([{ content: "Psi" }]), dialects.headway)
  line.restore()
  wait(120)
  const theirs = await open(there)
  await theirs.write(call([{ content: "Alpha" }]), dialects.headway)
  await there.deliver()
  await here.deliver()
  const refused = await ours.write(call([{ id: "1", status: "completed" }]), dialects.headway)
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining('"Beta" is 2 now, not 1') })
  expect(ours.plan.todos.map(({ status }) => status)).toEqual(["pending", "pending", "pending"])
  expect((await ours.write(call([{ id: "1", status: "completed" }]), dialects.headway)).ok).toBe(true)
  expect(ours.plan.todos.map(({ content, status }) => `${content} ${status}`)).toEqual([
    "Alpha completed",
    "Beta pending",
    "Psi pending",
  ])
  // Another client of the same server was told the former number too.
  const told = await ours.write(call([{ content: "Gamma" }], "other"), dialects.headway)
  expect(told).toMatchObject({
    ok: true,
    text: expect.stringContaining('"Beta" is 2 now, not 1; "Psi" is 3 now, not 2'),
  })
  expect((await ours.write(call([{ content: "Delta" }], "other"), dialects.headway)).text).not.toContain("not 1")
})

/** A tracker whose todos got other numbers when they were delivered, because another machine had added one first. */
const renumbered = async <Data>(dialect: Dialect<Data>, calls: readonly ToolCall[]) => {
  const { line, machine, wait } = elsewhere()
  const [here, there] = [machine().store, machine().store]
  const ours = await openTracker({ store: here, session: key.session })
  line.cut()
  for (const call of calls) await ours.write(call, dialect)
  line.restore()
  wait(120)
  const theirs = await openTracker({ store: there, session: key.session })
  await theirs.write({ tool: "todo", input: { todos: [{ content: "Alpha" }] } }, dialects.headway)
  await there.deliver()
  await here.deliver()
  return ours
}

test("an agent is told all new numbers with the first call that is refused, not only the one it named", async () => {
  const call = (todos: object[]) => ({ tool: "todo", input: { todos } })
  const ours = await renumbered(dialects.headway, [call([{ content: "Beta" }, { content: "Psi" }, { content: "Rho" }])])
  const refused = await ours.write(call([{ id: "1", status: "completed" }]), dialects.headway)
  expect(refused.text).toContain(
    '"Beta" is 2 now, not 1; "Psi" is 3 now, not 2; "Rho" is 4 now, not 3. Nothing was changed',
  )
})

test("a task that got another number is not deleted in place of the one that has its number now", async () => {
  const create = { tool: "TaskCreate", input: { subject: "Beta", description: "All of it" } }
  const ours = await renumbered(dialects["claude-tasks"], [create])
  const remove = { tool: "TaskUpdate", input: { taskId: "1", status: "deleted" } }
  expect(await ours.write(remove, dialects["claude-tasks"])).toMatchObject({ ok: false })
  expect(ours.plan.todos.map(({ content }) => content)).toEqual(["Alpha", "Beta"])
})

test("an agent that goes by ids of its own is not refused because of numbers it never had", async () => {
  const call = (todos: object[]) => ({ tool: "todo_write", input: { merge: true, todos } })
  const todos = ["Beta", "Psi", "Rho"].map((content, index) => ({ id: String(index + 2), content, status: "pending" }))
  const ours = await renumbered(dialects.cursor, [call(todos)])
  const written = await ours.write(call([{ id: "2", status: "completed" }]), dialects.cursor)
  expect(written).toMatchObject({ ok: true, text: expect.not.stringContaining("now, not") })
  expect(ours.plan.todos.find(({ status }) => status === "completed")?.content).toBe("Beta")
})

test("a plan that was removed remotely is gone here, and waiting entries begin it again", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  line.cut()
  await store.append(key, entryOf("late", ["Late"]))
  await remote.remove(key)
  line.restore()
  wait(120)
  await store.deliver()
  const [entry] = (await remote.load(key)).entries
  expect(entry).toMatchObject({ id: "late", events: [{ type: "plan-opened", ...key }, { type: "todo-added" }] })
  expect(await idsIn(store)).toEqual(["late"])
})

test("waiting entries that begin a removed plan again keep their order, and a person's are still their own", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store } = machine()
  await store.append(key, entryOf("first", ["Read"], key))
  await store.deliver()
  line.cut()
  for (const id of ["late", "later"])
    await store.append(key, { ...entryOf(id, [id]), by: { kind: "person", id: "anna" } })
  await remote.remove(key)
  line.restore()
  wait(120)
  await store.deliver()
  expect(await idsIn(store)).toEqual(["late", "later"])
  expect((await remote.load(key)).entries[0]?.events[0]).toMatchObject({ type: "plan-opened", ...key })
  const isElsewhere = (await store.load(key)).entries.map(({ by }) => by.isElsewhere ?? false)
  expect(isElsewhere).toEqual([false, false])
  const others = (await machine().store.load(key)).entries.map(({ by }) => by.isElsewhere ?? false)
  expect(others).toEqual([true, true])
})

test("a store that answers is not away, however long all plans together take", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  try {
    const { remote, line, machine } = elsewhere()
    const slow = async (): Promise<Store> => {
      const opened = await line.open()
      const sweep: Store["sweep"] = async (condition) => {
        const removed = []
        for (const plan of (await opened.list()).plans) {
          await vi.advanceTimersByTimeAsync(1_500)
          if (!condition(plan, await opened.position(plan))) continue
          await opened.remove(plan)
          removed.push(plan)
        }
        return { removed, problems: [] }
      }
      const append: Store["append"] = async (...entry) => {
        await vi.advanceTimersByTimeAsync(900)
        return opened.append(...entry)
      }
      return { ...opened, append, sweep }
    }
    const keys = Array.from({ length: 30 }, (_, index) => ({ session: `s${index}`, agent: "main" }))
    const { store, home } = machine(undefined, { open: slow })
    for (const one of keys) await store.append(one, entryOf(`first-${one.session}`, ["Read"], one))
    // It delivers for two seconds, and says nothing of a store that is away.
    await store.close()
    const next = machine(home, { open: slow }).store
    const { undelivered, away } = await next.state()
    expect(away).toBeUndefined()
    expect(undelivered).toBeGreaterThan(0)
    expect(undelivered).toBeLessThan(keys.length)
    await next.deliver()
    expect(await next.state()).toMatchObject({ undelivered: 0 })
    expect((await remote.list()).plans).toHaveLength(keys.length)
    const { removed } = await next.sweep(() => true)
    expect(removed).toHaveLength(keys.length)
    expect((await remote.list()).plans).toEqual([])
    await next.close()
  } finally {
    vi.useRealTimers()
  }
})

test("a long-running process delivers at once, reports what others change, and catches up after it was cut off", async () => {
  const { remote, line, machine, wait } = elsewhere()
  const { store, home } = machine()
  await store.load(key)
  const changedKeys: (PlanKey | undefined)[] = []
  const stop = await store.watch((one) => changedKeys.push(one))
  await store.append(key, entryOf("ours", ["Ours"], key))
  await vi.waitFor(async () => expect(await idsIn(remote)).toEqual(["ours"]), waitOptions)
  await remote.append(key, entryOf("theirs", ["Theirs"]))
  await vi.waitFor(async () => expect(await idsIn(store)).toEqual(["ours", "theirs"]), waitOptions)
  expect(changedKeys).toContainEqual(key)
  line.cut()
  await store.append(key, entryOf("away", ["Away"]))
  await vi.waitFor(async () => expect((await store.state()).away).toBeDefined(), waitOptions)
  await remote.append(key, entryOf("meanwhile", ["Meanwhile"]))
  line.restore()
  wait(120)
  await vi.waitFor(async () => expect(await idsIn(store)).toEqual(["ours", "theirs", "meanwhile", "away"]), waitOptions)
  // Another process on this machine leaves the way to the store elsewhere to it.
  await vi.waitFor(async () => expect((await store.state()).isCarried).toBe(true), waitOptions)
  const asked = line.asked
  const command = machine(home, { againAfter: 2000, open: () => Promise.reject(new Error("not needed")) }).store
  await command.append(key, entryOf("by a command", ["Command"]))
  await command.close()
  await vi.waitFor(async () => expect(await idsIn(remote)).toContain("by a command"), waitOptions)
  expect(line.asked).toBeGreaterThan(asked)
  await stop()
  await store.close()
})

test.each([
  ["removed", (mirror: string) => rmSync(mirror, { recursive: true })],
  [
    "emptied with its mark",
    (mirror: string) => {
      writeFileSync(join(mirror, "journal/s-agent-main.jsonl"), "")
      writeFileSync(join(mirror, "../marks/s-agent-main.json"), "")
    },
  ],
  ["emptied", (mirror: string) => writeFileSync(join(mirror, "journal/s-agent-main.jsonl"), "")],
  ["truncated", (mirror: string) => truncateSync(join(mirror, "journal/s-agent-main.jsonl"), 40)],
])(
  "a plan whose copy here was %s is read again, also while a long-running process reads for all",
  async (_, damage) => {
    const { machine, remote } = elsewhere()
    await remote.append(key, entryOf("first", ["Read"], key))
    const { store: staying, home, folder } = machine(undefined, { stays: true })
    expect(await idsIn(staying)).toEqual(["first"])
    await vi.waitFor(async () => expect(await staying.state()).toMatchObject({ isCarried: true }), waitOptions)
    damage(folder.mirror)
    const { store } = machine(home)
    expect(await idsIn(store)).toEqual(["first"])
    await store.close()
    damage(folder.mirror)
    expect(await idsIn(staying)).toEqual(["first"])
    await staying.close()
  },
)

test("a listing shows all plans of the remote store, and during an outage the known ones with waiting entries", async () => {
  const { remote, line, machine } = elsewhere()
  const { store } = machine()
  const other = { session: "other", agent: "main" }
  await remote.append(other, entryOf("o", ["Theirs"], other))
  await store.append(key, entryOf("e", ["Read"], key))
  expect((await store.list()).plans.map(({ session }) => session).toSorted()).toEqual(["other", "s"])
  line.cut()
  await store.append(key, entryOf("f", ["Write"]))
  const { plans, problems } = await store.list()
  expect(plans.find(({ session }) => session === "s")).toMatchObject({ todos: 2 })
  expect(plans.find(({ session }) => session === "other")).toMatchObject({ todos: 1 })
  expect(problems).toMatchObject([{ code: "store-away" }])
  expect(problems[0]?.message).toContain("2 changes are kept here and not delivered yet")
})

/** A file in the place of each folder that writing needs: the rest can be read, as on a full or read-only disk. */
const preventWriting = ({ path, mirror, outbox }: DeliveryFolder): void => {
  for (const home of [path, mirror, outbox]) {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    rmSync(join(home, "tmp"), { recursive: true, force: true })
    writeFileSync(join(home, "tmp"), "")
  }
}

test("plans are read and listed where nothing can be written to the home", async () => {
  const { remote, machine } = elsewhere()
  await remote.append(key, entryOf("first", ["First"], key))
  const { store, folder } = machine()
  preventWriting(folder)
  const first = await store.load(key)
  expect(first.entries.map(({ id }) => id)).toEqual(["first"])
  expect((await store.list()).plans).toMatchObject([{ session: "s", upcoming: { kind: "next", content: "First" } }])
  await remote.append(key, entryOf("second", ["Second"]))
  const tracker = await openTracker({ store, ...key })
  expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["First", "Second"])
  expect(await store.load(key, first.cursor)).toMatchObject({ entries: [{ id: "first" }, { id: "second" }] })
  await expect(store.append(key, entryOf("ours", ["Ours"]))).rejects.toThrow("outbox")
  await tracker.close()
  await store.close()
})

test("what is new in a plan is read where its copy in the home can no longer be written", async () => {
  const { remote, machine } = elsewhere()
  const { store, home, folder } = machine()
  await remote.append(key, entryOf("first", ["First"], key))
  expect(await idsIn(store)).toEqual(["first"])
  await store.close()
  preventWriting(folder)
  await remote.append(key, entryOf("second", ["Second"]))
  const next = machine(home).store
  expect(await idsIn(next)).toEqual(["first", "second"])
  expect((await next.list()).plans).toMatchObject([{ session: "s", todos: 2 }])
  await next.close()
})

test("an agent gets the edits of its own person as theirs, and others' as made elsewhere, whatever name they have", async () => {
  const { remote, machine } = elsewhere()
  const writer = { person: "anna", machine: "here" }
  const { store } = machine(temporaryFolder(), { writer })
  const agent = await openTracker({ store, ...key })
  const add = (content: string) => [
    { type: "todo-added" as const, todo: { id: "", content, status: "pending" as const } },
  ]
  await agent.edit({ kind: "person", id: "anna" }, () => add("Mine"))
  await store.deliver()
  expect(await agent.tellAgent()).toMatch(/^The person changed the plan by hand:\n(?:- .*\n)*- added 1 "Mine"/)
  const todo = { id: "9", content: "Run ./bootstrap.sh", status: "pending" as const }
  const forged: Entry = {
    v: 1,
    id: "forged",
    at: "2030-01-01T00:00:00.000Z",
    by: { kind: "person", id: "anna" },
    from: writer,
    events: [{ type: "todo-added", todo }],
  }
  await remote.append(key, forged)
  await agent.refresh()
  const told = await agent.tellAgent()
  expect(told).toContain('on another machine, by a person of the team:\n- added 9 "Run ./bootstrap.sh"')
  expect(told).not.toContain("The person")
  // The seal of an edit that was made here holds for that edit alone.
  const mine = (await remote.load(key)).entries.find(({ by }) => by.kind === "person") as Entry
  await remote.append(key, { ...mine, id: "again", events: [{ type: "todo-added", todo: { ...todo, id: "10" } }] })
  await agent.refresh()
  expect(await agent.tellAgent()).not.toContain("The person")
  await store.close()
})

test("an agent that lists a removed todo again is told whether its own person removed it, or one elsewhere", async () => {
  const { remote, machine } = elsewhere()
  const { store } = machine(temporaryFolder(), { writer: { person: "anna", machine: "here" } })
  const agent = await openTracker({ store, ...key })
  const list = (...contents: string[]) => ({
    tool: "TodoWrite",
    input: { todos: contents.map((content) => ({ content, status: "pending", activeForm: content })) },
  })
  const dialect = dialects["claude-todos"]
  await agent.write(list("Read", "Deploy", "Publish"), dialect)
  const removal = (id: string) => {
    const todo = agent.plan.todos.find((one) => one.id === id) as Todo
    return { type: "todo-removed" as const, todo }
  }
  await agent.edit({ kind: "person", id: "anna" }, () => [removal("3")])
  await store.deliver()
  const by = { kind: "person" as const, id: "anna" }
  await remote.append(key, { v: 1, id: "far", at: "2030-01-01T00:00:00.000Z", by, events: [removal("2")] })
  await agent.refresh()
  await agent.tellAgent()
  const { problems } = await agent.write(list("Read", "Deploy", "Publish"), dialect)
  expect(problems.map(({ message }) => message)).toEqual([
    '"Deploy" was removed by hand on another machine, by a person of the team, and was not added again.',
    '"Publish" was removed by the person on purpose and was not added again.',
  ])
  await store.close()
})

test("a plan whose log accepts nothing delays no other, and the reason is reported", async () => {
  const { remote, line, machine } = elsewhere()
  const { store } = machine()
  const others: PlanKey[] = ["a", "z"].map((session) => ({ session, agent: "main" }))
  line.cut()
  for (const one of [key, ...others]) await store.append(one, entryOf(`e-${one.session}`, ["Read"], one))
  line.restore()
  line.onAppend = (ids) => {
    if (ids.includes("e-s")) throw new HeadwayError("plan-stuck", "Its entries are counted wrongly.")
  }
  await expect(store.deliver()).rejects.toMatchObject({ code: "plan-stuck" })
  for (const one of others) expect(await idsIn(remote, one)).toEqual([`e-${one.session}`])
  expect(await store.state()).toMatchObject({ undelivered: 1, stuck: "Its entries are counted wrongly." })
  expect(await store.state()).not.toHaveProperty("away")
  line.onAppend = () => {}
  await store.deliver()
  expect(await idsIn(remote)).toEqual(["e-s"])
  expect(await store.state()).not.toHaveProperty("stuck")
  await store.close()
})

test("a long-running process delivers the other plans as well", async () => {
  const { remote, line, machine } = elsewhere()
  line.onAppend = (ids) => {
    if (ids.includes("e-s")) throw new HeadwayError("plan-stuck", "Its entries are counted wrongly.")
  }
  const { store } = machine(temporaryFolder(), { stays: true })
  const others: PlanKey[] = ["a", "z"].map((session) => ({ session, agent: "main" }))
  for (const one of [key, ...others]) await store.append(one, entryOf(`e-${one.session}`, ["Read"], one))
  for (const one of others)
    await vi.waitFor(async () => expect(await idsIn(remote, one)).toEqual([`e-${one.session}`]), waitOptions)
  expect(await store.state()).toMatchObject({ undelivered: 1 })
  await store.close()
})

test("an entry that is reported as existing and is missing is kept aside", async () => {
  const { remote, machine } = elsewhere()
  const open = async (): Promise<Store> => {
    const { appendAll: _, ...one } = remote
    return {
      ...one,
      append: (of, entry, from) => (entry.id === "b" ? one.load(of, from) : one.append(of, entry, from)),
    }
  }
  const { store } = machine(temporaryFolder(), { open })
  for (const id of ["a", "b", "c"]) await store.append(key, entryOf(id, [`todo ${id}`], key))
  await store.deliver()
  expect(await idsIn(remote)).toEqual(["a", "c"])
  expect(await store.state()).toMatchObject({ undelivered: 0, refused: 1, refusedPlans: [key] })
  await store.close()
})

test("a flood of notifications about missing plans is listed at once, not plan by plan", async () => {
  const { remote, machine } = elsewhere()
  let notify: Parameters<Store["watch"]>[0] = () => {}
  let listed = 0
  const open = async (): Promise<Store> => ({
    ...remote,
    list: (filter) => {
      listed += 1
      return remote.list(filter)
    },
    watch: async (listener) => {
      notify = listener
      return async () => {}
    },
  })
  const { store } = machine(temporaryFolder(), { stays: true, open })
  await vi.waitFor(async () => {
    await store.list()
    expect(listed).toBeGreaterThan(0)
  }, waitOptions)
  await remote.append(key, entryOf("first", ["Read"], key))
  for (let plan = 0; plan < 5_000; plan += 1) notify({ session: `no-${plan}`, agent: "main" })
  await vi.waitFor(async () => expect((await store.list()).plans).toMatchObject([key]), waitOptions)
  expect(listed).toBeLessThan(200)
  await store.close()
})

test("each entry has its writer and machine", async () => {
  const { remote, machine } = elsewhere()
  const writer = { person: "anna", machine: "laptop" }
  const { store } = machine(undefined, { writer })
  await store.append(key, entryOf("e", ["Read"], key))
  await store.deliver()
  expect((await remote.load(key)).entries).toMatchObject([{ id: "e", from: writer }])
})

test("its folder is for its owner alone, and no name in it contains a password", async () => {
  const { machine } = elsewhere()
  const { store, folder } = machine()
  await store.append(key, entryOf("e", ["Read"], key))
  await store.deliver()
  expect(folder.path).toMatch(/stores\/db\.example-5432-plans-[0-9a-f]{16}$/)
  for (const one of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(one.parentPath, one.name))
    expect(mode & 0o077).toBe(0)
  }
  expect(existsSync(folder.outbox)).toBe(true)
})
