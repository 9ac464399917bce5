/** Session files of other agents that never end, burst when they are unpacked, or say absurd things. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import Database from "libsql"
import { atOnce } from "../at-once.ts"
import { createMachine, type Machine, misconductOf } from "../machine.ts"
import type { Attack } from "./attack.ts"

const recordings = fileURLToPath(new URL("../../test/fixtures/streams/", import.meta.url))
const good = ["claude-2.1.197/subagents-tasks", "codex-0.166.0/plan", "gemini-0.61.0/write-todos", "qwen-0.24.4/todos"]

/** Seconds a command may take over whatever it finds. */
const timeLimit = 30

export const hostileSessions: Attack = {
  id: "hostile-sessions",
  about: "whatever lies where agents keep their sessions, every command ends and shows the good ones",
  rounds: { short: 2, full: 8 },
  async run({ folder, progress }, rounds) {
    const plain = machineIn(join(folder, "plain"))
    const expected = await sessionsIn(plain)
    if (expected.sessions.length < good.length) throw new Error(`Only ${expected.sessions.join()} is listed.`)
    const chosen = Object.entries(plants).slice(0, rounds)
    const found = await atOnce(chosen, 2, async ([name, plant], index) => {
      progress(name)
      const machine = machineIn(join(folder, String(index)))
      plant(machine.home)
      const { sessions, broken } = await sessionsIn(machine)
      const missing = expected.sessions.filter((session) => !sessions.includes(session))
      if (missing.length > 0) broken.push(`list does not show ${missing.join(", ")}`)
      for (const words of [["watch"], ["statusline"], ["show", "--session", expected.sessions[0] ?? ""]]) {
        // What hangs once hangs again.
        if (broken.length === 0) broken.push(...misconductOf(await machine.headway(words, { timeLimit })))
      }
      return broken.map((line) => `${name}: ${line}`)
    })
    return {
      tried: `${chosen.length} kinds of hostile session files beside ${good.length} good agents`,
      broken: found.flat(),
    }
  },
}

const machineIn = (folder: string): Machine => {
  mkdirSync(folder)
  const machine = createMachine(folder)
  for (const name of good) cpSync(join(recordings, name, "home"), machine.home, { recursive: true })
  return machine
}

const sessionsIn = async (machine: Machine): Promise<{ sessions: string[]; broken: string[] }> => {
  const end = await machine.headway(["list", "--all", "--json"], { timeLimit })
  const broken = misconductOf(end)
  if (broken.length > 0 || end.code !== 0) return { sessions: [], broken: [...broken, end.err].filter(Boolean) }
  const rows = JSON.parse(end.out) as { session: string; agent: string }[]
  return { sessions: rows.filter(({ agent }) => agent === "main").map(({ session }) => session), broken }
}

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

const placeIn = (home: string, path: string): string => {
  const at = join(home, path)
  mkdirSync(dirname(at), { recursive: true })
  return at
}

const claudeFile = (home: string, number: number): string =>
  placeIn(home, `.claude/projects/-home-user-project/${id(number)}.jsonl`)
const codexFile = (home: string, number: number, ending = ""): string =>
  placeIn(home, `.codex/sessions/2026/11/15/rollout-2026-11-15T00-00-00-${id(number)}.jsonl${ending}`)
const databaseFile = (home: string, name = "opencode"): string => placeIn(home, `.local/share/opencode/${name}.db`)

const plants: Record<string, (home: string) => void> = {
  "pipes without a writer": (home) => {
    const paths = [
      claudeFile(home, 1),
      codexFile(home, 1),
      codexFile(home, 2, ".zst"),
      databaseFile(home),
      placeIn(home, `.claude/todos/${id(3)}-agent-${id(3)}.json`),
      placeIn(home, `.claude/tasks/${id(4)}/1.json`),
      placeIn(home, ".gemini/projects.json"),
      placeIn(home, `.qwen/todos/${id(5)}.json`),
    ]
    for (const path of paths) execFileSync("rm", ["-f", path])
    execFileSync("mkfifo", paths)
  },
  "times that are none": (home) => {
    const times = [
      "9999999-01-01T00:00:00Z",
      "-271821-04-20T00:00:00Z",
      "+275760-09-13T00:00:00.001Z",
      "",
      "soon",
      1e308,
      -1,
    ]
    const lines = times.map((timestamp, number) =>
      JSON.stringify({
        ...{ type: "assistant", sessionId: id(1), uuid: `u${number}`, version: "2.1.120", cwd: "/p", timestamp },
        message: { role: "assistant", content: [{ ...call, id: `t${number}` }] },
      }),
    )
    writeFileSync(claudeFile(home, 1), `${lines.join("\n")}\n`)
    const database = openDatabase(databaseFile(home))
    const time = database.prepare("insert into session values (?, null, 'x', '/p', '1', ?, ?)")
    for (const [number, when] of [1e300, -1e300, 8.64e15, 8.64e15 + 1, 0].entries())
      time.run(`ses_${number}`, when, when)
    database.close()
  },
  "a device without an end": (home) => {
    for (const path of [claudeFile(home, 1), codexFile(home, 1), codexFile(home, 2, ".zst"), databaseFile(home)]) {
      symlinkSync("/dev/zero", path)
    }
  },
  "a file that unpacks to gigabytes": (home) => writeFileSync(codexFile(home, 1, ".zst"), bomb()),
  "a database with a view without an end": (home) => {
    const database = openDatabase(databaseFile(home), false)
    database.exec(
      "create table session (id text, parent_id text, title text, directory text, version text, time_created integer, time_updated integer)",
    )
    database.exec(
      "create view todo as with recursive n(i) as (select 1 union all select i + 1 from n) select i as session_id, 'x' as content, 'pending' as status, 'low' as priority, i as position, 1 as time_created, 1 as time_updated from n",
    )
    database.close()
  },
  "eight thousand sessions in a database": (home) => {
    const database = openDatabase(databaseFile(home))
    const session = database.prepare("insert into session values (?, ?, 'x', '/p', '1', 1790000000000, 1790000000000)")
    const todo = database.prepare("insert into todo values (?, 'x', 'pending', 'low', ?, 1790000000000, 1790000000000)")
    database.exec("begin")
    for (let number = 0; number < 8000; number += 1) {
      session.run(`ses_${number}`, number > 0 ? `ses_${number - 1}` : null)
      for (let position = 0; position < 3; position += 1) todo.run(`ses_${number}`, position)
    }
    database.exec("commit")
    database.close()
  },
  "links in circles and files of one endless line": (home) => {
    symlinkSync(join(home, ".claude/projects"), join(home, ".claude/projects/-home-user-project/again"))
    symlinkSync(join(home, ".codex/sessions"), join(home, ".codex/sessions/2026/11/15/16"))
    writeFileSync(claudeFile(home, 1), `{"type":"assistant","message":{"content":[${'{"todos":['.repeat(4_000_000)}`)
  },
  "a thousand damaged files": (home) => {
    for (let number = 0; number < 1000; number += 1) {
      writeFileSync(
        number % 2 === 0 ? claudeFile(home, number) : codexFile(home, number),
        `{"todos":[{"content":${number}\u0000\n[[[`,
      )
    }
    writeFileSync(databaseFile(home), "SQLite format 3\u0000 and then nothing of it")
  },
}

const call = {
  type: "tool_use",
  name: "TodoWrite",
  input: { todos: [{ content: "x", status: "in_progress", activeForm: "x" }] },
}

const openDatabase = (path: string, hasTables = true) => {
  const database = new Database(path)
  if (hasTables) {
    database.exec(
      "create table session (id text, parent_id text, title text, directory text, version text, time_created integer, time_updated integer)",
    )
    database.exec(
      "create table todo (session_id text, content text, status text, priority text, position integer, time_created integer, time_updated integer)",
    )
  }
  return database
}

/** A Zstandard frame of blocks that each stand for 128 kB of one letter: 8 GB in a quarter of a megabyte. */
const bomb = (): Buffer => {
  const blocks = 65_536
  const block = Buffer.from([0, 0, 0, 0x20])
  // Not the last, run-length, so many times.
  block.writeUIntLE((131_072 << 3) | (1 << 1), 0, 3)
  const last = Buffer.from([1, 0, 0])
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])
  return Buffer.concat([head, ...Array.from({ length: blocks }, () => block), last])
}
