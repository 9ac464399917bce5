/** What may happen to a home, done with real processes: many writers at once, and writers that are killed. */
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, watch } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setImmediate as nextTurn } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { dialects } from "../../src/dialects/index.ts"
import { type Entry, fold } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { publishedText } from "../../src/stores/file/published.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"

/** Bundles a program of this folder (or any of the source) into one file, so that starting it many times costs little. */
export const bundle = async (source: string, folder: string): Promise<string> => {
  const outfile = join(folder, `${source.replace(/\W+/g, "-")}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    // A screen needs a terminal, and none of these programs has one.
    external: ["*/tui/agent/screen.tsx"],
    logLevel: "error",
  })
  return outfile
}

const session = "shared"
const key = { session, agent: "main" }

export type Writer = {
  child: ChildProcess
  messages: [word: string, value: unknown][]
  nextLine: () => Promise<unknown>
}

export const startWriter = (program: string, words: readonly string[]): Writer => {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["pipe", "pipe", "inherit"] })
  const messages: Writer["messages"] = []
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  // A kill may cut the last line; what was not said whole was not said.
  lines.on("line", (line) => line.endsWith("]") && messages.push(JSON.parse(line)))
  return { child, messages, nextLine: () => once(lines, "line") }
}

export const acknowledgedBy = ({ messages }: Writer): string[] =>
  messages.flatMap(([word, value]) => (word === "acknowledged" ? [String(value)] : []))

const begin = async (home: string, todos: number): Promise<void> => {
  const tracker = await openTracker({ store: createFileStore({ home }), session })
  const list = Array.from({ length: todos }, (_, index) => ({ content: `Todo ${index + 1} of the beginning` }))
  await tracker.write({ tool: "todo", input: { todos: list } }, dialects.headway)
  await tracker.close()
}

const entriesIn = async (home: string): Promise<Entry[]> => {
  const { entries, problems } = await createFileStore({ home }).load(key)
  assert.deepEqual(problems, [], "every line of the journal can be read")
  return entries
}

const assertPublished = (home: string, entries: readonly Entry[]): void => {
  const published = readFileSync(join(home, "todos", `${session}-agent-main.json`), "utf8")
  assert.equal(published, publishedText(fold(entries).plan), "the published list is the fold of the journal")
}

export type TogetherOptions = {
  home: string
  /** The bundled `writer.ts`. */
  program: string
  processes: number
  /** Writes of each process. */
  writes: number
  /** All add todos of their own, or all change the same one. */
  kind: "add" | "change"
  /** Todos the plan begins with; large plans are published in another way. */
  todos?: number
}

/** Many processes write to one plan at the same moment. Returns how many entries were acknowledged. */
export const writeTogether = async ({
  home,
  program,
  processes,
  writes,
  kind,
  todos = 1,
}: TogetherOptions): Promise<number> => {
  await begin(home, todos)
  const [first] = await entriesIn(home)
  const names = Array.from({ length: processes }, (_, index) => `p${index}`)
  const writers = names.map((name) => startWriter(program, [home, session, name, kind, String(writes)]))
  await Promise.all(writers.map(({ nextLine }) => nextLine()))
  const ended = writers.map(({ child }) => once(child, "close"))
  for (const { child } of writers) child.stdin?.write("go\n")
  for (const end of ended) assert.deepEqual(await end, [0, null], "a writer ends well")

  const entries = await entriesIn(home)
  const order = entries.filter((entry) => entry !== first && entry.id !== first?.id).map(({ id }) => id)
  const acknowledged = writers.flatMap(acknowledgedBy)
  assert.equal(acknowledged.length, processes * writes, "every write is acknowledged")
  assert.deepEqual(order.toSorted(), acknowledged.toSorted(), "exactly what was acknowledged is in the journal, once")
  for (const { messages } of writers) {
    const saw = messages.find(([word]) => word === "saw")?.[1] as string[]
    assert.deepEqual(saw, order.slice(0, saw.length), "every process saw the one order of the journal")
  }
  assertPublished(home, entries)

  const { plan } = fold(entries)
  assert.equal(new Set(plan.todos.map(({ id }) => id)).size, plan.todos.length, "no id is given twice")
  if (kind === "add") assert.equal(plan.todos.length, todos + acknowledged.length)
  else
    assert.equal(plan.todos[0]?.description, `as ${order.at(-1)} wants it`, "the last in the journal has the last word")
  const reader = await openTracker({ store: createFileStore({ home }), session })
  assert.deepEqual(reader.plan, plan, "a reader that starts from a snapshot agrees")
  await reader.close()
  return acknowledged.length
}

/** Many processes take the same todo at the same moment. Returns who got it, and what the others were told. */
export const claimTogether = async ({
  home,
  program,
  processes,
}: Pick<TogetherOptions, "home" | "program" | "processes">): Promise<{
  holder: string | undefined
  winners: string[]
  refusals: string[]
}> => {
  await begin(home, 1)
  const names = Array.from({ length: processes }, (_, index) => `p${index}`)
  const writers = names.map((name) => startWriter(program, [home, session, name, "claim", "1"]))
  await Promise.all(writers.map(({ nextLine }) => nextLine()))
  const ended = writers.map(({ child }) => once(child, "close"))
  for (const { child } of writers) child.stdin?.write("go\n")
  await Promise.all(ended)
  return {
    holder: fold(await entriesIn(home)).plan.todos[0]?.owner,
    winners: names.filter((_, index) => writers[index] && acknowledgedBy(writers[index]).length > 0),
    refusals: writers.flatMap(({ messages }) =>
      messages.flatMap(([word, value]) => (word === "refused" ? [String(value)] : [])),
    ),
  }
}

export type KillOptions = {
  home: string
  program: string
  rounds: number
  /** Todos the plan begins with: the more, the longer publishing takes and the likelier a kill hits it. */
  todos?: number
  /** The next command that is given. */
  nextCommand: (words: string[]) => Promise<number>
  random?: () => number
}

/** The moment a list is being published: few random moments would hit it. */
const temporaryFileIn = async (home: string): Promise<void> => {
  const watcher = watch(join(home, "tmp"))
  await Promise.race([once(watcher, "change"), turns(50_000)])
  watcher.close()
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

export type KillReport = { acknowledged: number; tornLines: number; orphans: number }

/** A writer is killed at random moments, round after round, and the next command puts everything right. */
export const killWriters = async ({
  home,
  program,
  rounds,
  todos = 300,
  nextCommand,
  random = Math.random,
}: KillOptions): Promise<KillReport> => {
  await begin(home, todos)
  const acknowledged = new Set<string>()
  const report: KillReport = { acknowledged: 0, tornLines: 0, orphans: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const kind = random() < 0.25 ? "add" : "change"
    const writer = startWriter(program, [home, session, `r${round}`, kind, "0"])
    const ended = once(writer.child, "close")
    await writer.nextLine()
    writer.child.stdin?.write("go\n")
    for (let more = Math.floor(random() * 6); more >= 0; more -= 1) await writer.nextLine()
    await (random() < 0.5 ? temporaryFileIn(home) : turns(Math.floor(random() * 10_000)))
    writer.child.kill("SIGKILL")
    await ended
    for (const id of acknowledgedBy(writer)) acknowledged.add(id)

    report.orphans += readdirSync(join(home, "tmp")).length
    assert.equal(await nextCommand(["show", "--session", session, "--home", home]), 0, "the store opens")
    assert.deepEqual(
      readdirSync(join(home, "tmp")),
      [],
      "no temporary file of a dead process outlives the next command",
    )
    const { entries, problems } = await createFileStore({ home }).load(key)
    report.tornLines += problems.length
    const ids = entries.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length, "no entry is there twice")
    assert.deepEqual(
      [...acknowledged].filter((id) => !ids.includes(id)),
      [],
      "every acknowledged write is there",
    )
    assertPublished(home, entries)
  }
  return { ...report, acknowledged: acknowledged.size }
}
