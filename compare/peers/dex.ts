/** dex: a file of JSON lines that is rewritten as a whole. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Peer, type Place, textOf } from "./peer.ts"

const idOf = (number: number): string => `t${String(number).padStart(7, "0")}`
const at = "2026-01-01T12:00:00.000Z"
const storage = ({ folder }: Place): string => join(folder, ".dex")

export const dex: Peer = {
  id: "dex",
  title: "dex",
  source: { npm: "@zeeg/dex", version: "0.16.0", program: "dex" },
  seed(place, count) {
    mkdirSync(storage(place), { recursive: true })
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        id: idOf(index + 1),
        parent_id: null,
        name: textOf(index + 1),
        description: "Part of the report",
        priority: 1,
        completed: false,
        result: null,
        metadata: null,
        created_at: at,
        updated_at: at,
        started_at: null,
        completed_at: null,
        blockedBy: [],
        blocks: [],
        children: [],
      }),
    )
    writeFileSync(join(storage(place), "tasks.jsonl"), lines.map((line) => `${line}\n`).join(""))
  },
  read(place) {
    const lines = readFileSync(join(storage(place), "tasks.jsonl"), "utf8")
      .split("\n")
      .filter(Boolean)
    const tasks = lines.map((line) => JSON.parse(line) as { completed: boolean })
    return { todos: tasks.length, done: tasks.filter(({ completed }) => completed).length }
  },
  cli: {
    version: ["--version"],
    list: ["list", "--flat"],
    create: (text) => ["create", text, "--description", "Part of the report"],
    finish: (number) => ["complete", idOf(number), "--result", "Done", "--no-commit"],
    env: (place) => ({ DEX_STORAGE_PATH: storage(place) }),
  },
  mcp: {
    words: ["mcp"],
    env: (place) => ({ DEX_STORAGE_PATH: storage(place) }),
    finish: (number) => ({ name: "update_task", arguments: { id: idOf(number), completed: true, result: "Done" } }),
  },
}
