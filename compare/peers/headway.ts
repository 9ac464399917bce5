/** Headway itself: one plan that holds all todos. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Peer, type Place, textOf } from "./peer.ts"

const env = ({ home }: Place): Record<string, string> => ({ HEADWAY_HOME: join(home, ".headway") })
const session = ["--session", "compare"]

const run = (place: Place, program: string, words: readonly string[], input = ""): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words, ...session], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, HOME: place.home, ...env(place) },
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

export const headway: Peer = {
  id: "headway",
  title: "Headway",
  source: { own: true },
  seed(place, count, program) {
    const todos = Array.from({ length: count }, (_, index) => ({ content: textOf(index + 1) }))
    run(place, program, ["write", "--new"], JSON.stringify({ todos }))
  },
  read(place, program) {
    const { todos } = JSON.parse(run(place, program, ["show", "--json"])) as { todos: { status: string }[] }
    return { todos: todos.length, done: todos.filter(({ status }) => status === "completed").length }
  },
  cli: {
    version: ["--version"],
    list: ["show", ...session],
    create: (text) => ["todo", "add", text, ...session],
    finish: (number) => ["todo", "done", String(number), ...session],
    env,
  },
  mcp: {
    words: ["mcp", ...session],
    env,
    finish: (number) => ({ name: "todo", arguments: { todos: [{ id: String(number), status: "completed" }] } }),
  },
}
