/** mcp-shrimp-task-manager: an MCP server with one JSON file. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Peer, type Place, textOf } from "./peer.ts"

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`
const data = ({ folder }: Place): string => join(folder, "data")

export const shrimp: Peer = {
  id: "shrimp",
  title: "mcp-shrimp-task-manager",
  source: { npm: "mcp-shrimp-task-manager", version: "1.0.21", program: "mcp-shrimp-task-manager" },
  seed(place, count) {
    mkdirSync(data(place), { recursive: true })
    const at = "2026-01-01T12:00:00.000Z"
    const tasks = Array.from({ length: count }, (_, index) => ({
      id: idOf(index + 1),
      name: textOf(index + 1),
      description: "Part of the report",
      status: "pending",
      dependencies: [],
      createdAt: at,
      updatedAt: at,
      relatedFiles: [],
    }))
    writeFileSync(join(data(place), "tasks.json"), JSON.stringify({ tasks }, null, 2))
  },
  read(place) {
    const { tasks } = JSON.parse(readFileSync(join(data(place), "tasks.json"), "utf8")) as { tasks: { name: string }[] }
    return { todos: tasks.length, done: tasks.filter(({ name }) => name.startsWith("Done: ")).length }
  },
  mcp: {
    words: [],
    env: (place) => ({ DATA_DIR: data(place), TEMPLATES_USE: "en", ENABLE_GUI: "false" }),
    finish: (number) => ({
      name: "update_task",
      arguments: { taskId: idOf(number), name: `Done: ${textOf(number)}` },
    }),
  },
  note: "its update tool cannot set a status, so a write renames the task instead",
}
