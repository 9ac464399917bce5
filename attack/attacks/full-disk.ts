/** A disk that is full, or becomes full while a command writes. */
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { checkHome } from "../home-check.ts"
import { createMachine, type Machine, misconductOf } from "../machine.ts"
import { mountSmallDisk } from "../mounts.ts"
import { below, pick } from "../random.ts"
import { notOnce } from "./_kill.ts"
import type { Attack } from "./attack.ts"

const kilobytes = 2000
const config = '# Ada\'s own\nmodel = "large"\n'

export const fullDisk: Attack = {
  id: "full-disk",
  about: "on a full disk every command says so in a sentence, and what was acknowledged before and meanwhile is there",
  rounds: { short: 3, full: 60 },
  async run({ folder, random, progress }, rounds) {
    const disk = mountSmallDisk(folder, kilobytes)
    try {
      const place = typeof disk === "string" ? folder : disk.folder
      const machine = createMachine(place)
      const configPath = join(machine.home, ".codex", "config.toml")
      mkdirSync(join(machine.home, ".codex"))
      const acknowledged = new Set<string>()
      const broken: string[] = []
      let refused = 0
      for (let round = 0; round < rounds; round += 1) {
        writeFileSync(configPath, config)
        // As large as what is left should be: nothing, less than an entry, or room for one and not for its list.
        const room = pick(random, [0, 0, below(random, 4096), below(random, 20_000)])
        const content = `Todo of round ${round} ${"x".repeat(below(random, 3000))}`
        const { words, input = "" } = pick(random, commandsFor(content, machine))
        const filler = join(place, "filler")
        const isLimited = typeof disk === "string" || round % 3 === 0
        if (!isLimited) fill(filler, place, room)
        const limit = { shell: `ulimit -f ${Math.ceil(room / 1024)}` }
        const end = await machine.headway(words, { input, ...(isLimited ? limit : {}) })
        rmSync(filler, { force: true })
        const named = `round ${round}, ${isLimited ? "limited to" : "room for"} ${room} bytes`
        broken.push(...misconductOf(end).map((line) => `${named}: ${line}`))
        if (end.code === 0 && words[0] === "todo") acknowledged.add(content)
        if (end.code !== 0) refused += 1
        const text = readFileSync(configPath, "utf8")
        if (text !== config && !text.includes("headway")) broken.push(`${named}: the configuration is ${text}`)
        const next = await machine.headway(["list"])
        if (next.code !== 0) broken.push(`${named}: then headway list fails: ${next.err}`)
        progress(`${round} of ${rounds}`)
      }
      for (const session of ["s", "w", "h"]) await machine.headway(["show", "--session", session])
      const { plans, broken: left } = await checkHome(machine.headwayHome)
      const there = plans.flatMap(({ session, plan }) =>
        session === "s" ? plan.todos.map((todo) => todo.content) : [],
      )
      const where = typeof disk === "string" ? `files limited in size (no small disk: ${disk})` : disk.what
      const tried = `${rounds} commands on ${where}: ${refused} refused, ${acknowledged.size} todos acknowledged`
      return { tried, broken: [...broken, ...left, ...notOnce(acknowledged, there)] }
    } finally {
      if (typeof disk !== "string") disk.unmount()
    }
  },
}

const commandsFor = (
  content: string,
  { project }: Machine,
): [{ words: string[]; input?: string }, ...{ words: string[]; input?: string }[]] => [
  { words: ["todo", "add", content, "--new", "--session", "s"] },
  { words: ["todo", "add", content, "--new", "--session", "s"] },
  { words: ["todo", "add", content, "--new", "--session", "s"] },
  { words: ["write", "--new", "--session", "w"], input: JSON.stringify({ todos: [{ content }] }) },
  {
    words: ["hook", "claude-code"],
    input: JSON.stringify({
      session_id: "h",
      cwd: project,
      hook_event_name: "PostToolUse",
      tool_name: "TodoWrite",
      tool_use_id: content.slice(0, 20),
      tool_input: { todos: [{ content, status: "pending", activeForm: content }] },
    }),
  },
  { words: ["setup", "codex"] },
  { words: ["statusline"] },
  { words: ["gc", "--older-than", "1d"] },
]

/** Takes all the room but so much. */
const fill = (path: string, place: string, room: number): void => {
  const { bavail, bsize } = statfsSync(place)
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - room)))
}
