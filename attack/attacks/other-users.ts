/** Homes and folders of other users: planted for the person to use, or open for others to change. */
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createMachine, type Ended, misconductOf } from "../machine.ts"
import { changesBetween, tracesOf } from "../traces.ts"
import { plantedSession, plantedWords } from "./_clone.ts"
import type { Attack } from "./attack.ts"

/** Two users without an account; the numbers are all a file system knows. */
const person = 61_001
const stranger = 61_002

type Case = {
  name: string
  /** Whether a command that writes must be refused; otherwise it writes to the person's own home. */
  isRefused: boolean
  /** Makes the place, and says which folder must stay as it is. */
  arrange(folder: string, home: string): { foreign: string; env?: Record<string, string>; cwd?: string }
}

const cases: readonly Case[] = [
  {
    name: "a home of another user",
    isRefused: true,
    arrange: (folder) => ({ foreign: planted(folder, stranger, 0o755), env: { HEADWAY_HOME: folder } }),
  },
  {
    name: "a home of another user that all may write to",
    isRefused: true,
    arrange: (folder) => ({ foreign: planted(folder, stranger, 0o777), env: { HEADWAY_HOME: folder } }),
  },
  {
    name: "an own home that others may write to",
    isRefused: true,
    arrange: (folder) => ({ foreign: planted(folder, person, 0o777), env: { HEADWAY_HOME: folder } }),
  },
  {
    name: "an own home in a folder where others can replace it",
    isRefused: true,
    arrange: (folder) => {
      const home = planted(join(folder, "home"), person, 0o700)
      chmodSync(folder, 0o777)
      return { foreign: home, env: { HEADWAY_HOME: home } }
    },
  },
  {
    name: "a home that is a link to a folder of another user",
    isRefused: true,
    arrange: (folder, home) => {
      symlinkSync(planted(folder, stranger, 0o777), join(home, ".headway"))
      return { foreign: folder }
    },
  },
  {
    name: "a .headway that another user left in a folder all share",
    isRefused: false,
    arrange: (folder) => {
      mkdirSync(folder)
      chmodSync(folder, 0o1777)
      return { foreign: planted(join(folder, ".headway"), stranger, 0o777), cwd: folder }
    },
  },
]

export const otherUsers: Attack = {
  id: "other-users",
  about:
    "a home or a folder of another user, or one that others may change, is refused in a sentence and not written to",
  rounds: { short: cases.length, full: cases.length },
  async run({ folder, progress }, rounds) {
    if (process.getuid?.() !== 0) return { skipped: "only root can act as several users" }
    chmodSync(folder, 0o755)
    const machine = createMachine(folder)
    const first = await machine.headway(["--version"], { uid: person })
    if (first.code !== 0) return { skipped: `another user cannot run the built command here: ${first.err.trim()}` }
    const broken: string[] = []
    let commands = 0
    for (const [index, { name, isRefused, arrange }] of cases.slice(0, rounds).entries()) {
      const home = join(folder, `person-${index}`)
      mkdirSync(home, { mode: 0o700 })
      const { foreign, env = {}, cwd = home } = arrange(join(folder, `place-${index}`), home)
      owned(home, person)
      const before = tracesOf(foreign)
      for (const { words, input = "" } of rowsIn(cwd)) {
        const end = await machine.headway(words, { input, cwd, uid: person, env: { HOME: home, ...env } })
        commands += 1
        broken.push(...[...misconductOf(end), ...faultsOf(end, isRefused)].map((line) => `${name}: ${line}`))
      }
      broken.push(...changesBetween(before, tracesOf(foreign)).map((line) => `${name}: ${line}`))
      progress(name)
    }
    return { tried: `${commands} commands in ${rounds} places of other users`, broken }
  },
}

const rowsIn = (cwd: string): { words: string[]; input?: string }[] => [
  { words: ["list"] },
  { words: ["show", "--session", plantedSession] },
  { words: ["todo", "add", "Mine"] },
  { words: ["todo", "add", "Mine", "--new", "--session", plantedSession] },
  { words: ["write"], input: '{"todos":[{"content":"Mine"}]}' },
  { words: ["gc", "--older-than", "1m", "--unfinished"] },
  { words: ["statusline"] },
  { words: ["run", "--", "true"] },
  {
    words: ["hook", "claude-code"],
    input: JSON.stringify({ session_id: plantedSession, cwd, hook_event_name: "SessionStart", source: "resume" }),
  },
]

const faultsOf = ({ words, code, out }: Ended, isRefused: boolean): string[] => {
  const command = `headway ${words.join(" ")}`
  const isWriter = words[0] === "todo" || words[0] === "write"
  if (words[0] === "hook" && out.includes(plantedWords)) return [`${command} tells an agent: ${out}`]
  if (isWriter && isRefused && code === 0) return [`${command} writes there`]
  if (isWriter && !isRefused && code !== 0) return [`${command} fails with ${code}`]
  return []
}

const owned = (path: string, user: number): void => chownSync(path, user, user)

/** A home with a plan in it that claims to be the person's. */
const planted = (home: string, owner: number, mode: number): string => {
  const journal = join(home, "journal", `${plantedSession}-agent-main.jsonl`)
  mkdirSync(dirname(journal), { recursive: true })
  const opened = { type: "plan-opened", session: plantedSession, agent: "main", project: "." }
  const todo = { id: "1", content: plantedWords, status: "pending" }
  const entry = { v: 1, id: "e1", at: "2026-01-01T00:00:00.000Z", by: { kind: "person", id: "ada" } }
  writeFileSync(journal, `${JSON.stringify({ ...entry, events: [opened, { type: "todo-added", todo }] })}\n`)
  for (const path of [home, dirname(journal), journal]) {
    owned(path, owner)
    chmodSync(path, path === journal ? mode & 0o666 : mode)
  }
  return home
}
