/** Flipped bits, cut ends and random bytes in every kind of file of the home. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { readEntry } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { runCli } from "../../test/cli/run-cli.ts"
import { atOnce } from "../at-once.ts"
import { everyCommand } from "../every-command.ts"
import { filesIn } from "../home-check.ts"
import { createMachine, type Machine, misconductOf } from "../machine.ts"
import { below, pick } from "../random.ts"
import type { Attack } from "./attack.ts"

const recording = fileURLToPath(new URL("../../test/fixtures/streams/codex-0.166.0/plan/stdout.jsonl", import.meta.url))

export const damagedFiles: Attack = {
  id: "damaged-files",
  about: "damage in any file of the home breaks no command and loses no entry that can still be read",
  rounds: { short: 2, full: 40 },
  async run({ folder, random, progress }, rounds) {
    const machine = createMachine(folder)
    await furnish(machine)
    const pristine = join(folder, "pristine")
    cpSync(machine.headwayHome, pristine, { recursive: true })
    const kinds = filesByKind(pristine)
    const rows = everyCommand({ project: machine.project, session: "s", recording }).filter(
      ({ words, changesProject }) => !changesProject && words[0] !== "demo" && words[0] !== "gc",
    )
    const broken: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      rmSync(machine.headwayHome, { recursive: true })
      cpSync(pristine, machine.headwayHome, { recursive: true })
      const path = pick(random, kinds[round % kinds.length] as [string, ...string[]])
      const target = join(machine.headwayHome, relative(pristine, path))
      const { name, hurt } = pick(random, blows)
      const bytes = hurt(readFileSync(path), random)
      writeFileSync(target, bytes)
      const where = `round ${round}, ${name} in ${relative(pristine, path)}`
      broken.push(...(await lostFrom(target, bytes)).map((line) => `${where}: ${line}`))
      const given = [{ words: ["list"] }, ...Array.from({ length: 3 }, () => pick(random, rows as [(typeof rows)[0]]))]
      const ends = await atOnce(given, 2, ({ words, input = "" }: { words: string[]; input?: string }) =>
        machine.headway(words, { input }),
      )
      broken.push(...ends.flatMap(misconductOf).map((line) => `${where}: ${line}`))
      const safe = await machine.headway(["show", "--json", "--session", "safe"])
      if (!target.includes("safe") && !safe.out.includes("Kept in safety")) {
        broken.push(`${where}: another plan cannot be shown: ${safe.err}`)
      }
      progress(`${round} of ${rounds}`)
    }
    return { tried: `${rounds} blows to ${kinds.length} kinds of files, 5 commands after each`, broken }
  },
}

/** A home with a file of every kind in it, written by the commands themselves. */
const furnish = async ({ headway, home, headwayHome, project, env }: Machine): Promise<void> => {
  // In this process, but for what reads its own input or starts a program.
  const give = (words: readonly string[], input = ""): Promise<unknown> =>
    runCli(words, { home, cwd: project, env, input, now: new Date().toISOString() })
  const many = Array.from({ length: 120 }, (_, index) => ({ content: `Todo ${index} ${"of many ".repeat(80)}` }))
  await give(["todo", "add", "Kept in safety", "--new", "--session", "safe"])
  await give(["write", "--new", "--session", "s"], JSON.stringify({ todos: many }))
  for (const number of [1, 2, 3]) await give(["todo", "done", String(number), "--session", "s"])
  for (const { words, input } of everyCommand({ project, session: "s", recording, agents: ["claude-code"] })) {
    if (["mcp", "run"].includes(words[0] ?? "")) await headway(words, { input: input ?? "" })
    if (["hook", "statusline", "list"].includes(words[0] ?? "")) await give(words, input)
  }
  await give(["setup", "codex"])
  mkdirSync(headwayHome, { recursive: true })
  writeFileSync(join(headwayHome, "settings.json"), '{ "tasks.todoClearDelay": 5 }\n')
  writeFileSync(join(headwayHome, "errors.log"), "[2026-01-01T00:00:00.000Z] something failed\n")
}

const filesByKind = (home: string): string[][] => {
  const kinds = new Map<string, string[]>()
  for (const path of filesIn(home)) {
    const kind = kindOf(relative(home, path))
    kinds.set(kind, [...(kinds.get(kind) ?? []), path])
  }
  return [...kinds.values()]
}

/** Files that are read by the same code: the folder, or the name where it lies in no folder. */
const kindOf = (name: string): string => {
  const folder = name.split("/").slice(0, -1).join("/")
  return folder === "" || folder === "cache" ? name : folder
}

type Random = () => number
type Blow = { name: string; hurt: (bytes: Buffer, random: Random) => Buffer }

const randomBytes = (random: Random, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => below(random, 256)))

const blows: readonly [Blow, ...Blow[]] = [
  {
    name: "a flipped bit",
    hurt: (bytes, random) => {
      const at = below(random, bytes.length)
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8))
      return copy
    },
  },
  { name: "a cut end", hurt: (bytes, random) => bytes.subarray(0, below(random, bytes.length)) },
  {
    name: "random bytes",
    hurt: (bytes, random) => {
      const at = below(random, bytes.length)
      return Buffer.concat([bytes.subarray(0, at), randomBytes(random, 1 + below(random, 60)), bytes.subarray(at + 20)])
    },
  },
  { name: "nothing but zeros", hurt: (bytes) => Buffer.alloc(bytes.length) },
  { name: "nothing at all", hurt: () => Buffer.alloc(0) },
  { name: "no file but noise", hurt: (_, random) => randomBytes(random, below(random, 500)) },
  { name: "a value of another kind", hurt: (_, random) => Buffer.from(pick(random, strangers)) },
  {
    name: "a part of another kind",
    hurt: (bytes, random) => Buffer.from(withStranger(bytes.toString("utf8"), random)),
  },
]

const strangers = [
  "null",
  "7",
  "[]",
  "{}",
  '""',
  "[null]",
  '{"v":1}',
  '{"v":99}',
  "[[[[]]]]",
  '{"__proto__":{"x":1}}',
] as const

/** Replaces one plain value somewhere in a text of JSON. */
const withStranger = (text: string, random: Random): string => {
  const found = [...text.matchAll(/(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null)(?=\s*[,}\]])/g)]
  const chosen = found[below(random, found.length)]
  if (!chosen) return pick(random, strangers)
  return text.slice(0, chosen.index) + pick(random, strangers) + text.slice(chosen.index + chosen[0].length)
}

/** Of a journal every line that is whole must still be read. */
const lostFrom = async (path: string, bytes: Buffer): Promise<string[]> => {
  const [, home = "", session = ""] = /^(.*)\/journal\/(.*)-agent-main\.jsonl$/.exec(path) ?? []
  if (home === "") return []
  const whole = bytes
    .toString("utf8")
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => entryIn(line) ?? [])
  const { entries } = await createFileStore({ home }).load({ session, agent: "main" })
  const read = new Set(entries.map(({ id }) => id))
  return whole.filter((id) => !read.has(id)).map((id) => `the entry ${id} could be read and is not`)
}

const entryIn = (line: string): string | undefined => {
  try {
    const entry = readEntry(JSON.parse(line))
    return entry === undefined || entry === "future" ? undefined : entry.id
  } catch {
    return undefined
  }
}
