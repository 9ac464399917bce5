/** task-master-ai: one JSON file with all tasks. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Peer, type Place, textOf } from "./peer.ts"

const file = ({ folder }: Place): string => join(folder, ".taskmaster", "tasks", "tasks.json")

export const taskMaster: Peer = {
  id: "task-master",
  title: "task-master-ai",
  source: { npm: "task-master-ai", version: "0.43.1", program: "task-master" },
  seed(place, count) {
    mkdirSync(join(place.folder, ".taskmaster", "tasks"), { recursive: true })
    const tasks = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      title: textOf(index + 1),
      description: "Part of the report",
      status: "pending",
      dependencies: [],
      priority: "medium",
      details: "",
      testStrategy: "",
      subtasks: [],
    }))
    const at = "2026-01-01T12:00:00.000Z"
    const metadata = { created: at, updated: at, description: "Tasks" }
    writeFileSync(file(place), JSON.stringify({ master: { tasks, metadata } }, null, 2))
    writeFileSync(
      join(place.folder, ".taskmaster", "state.json"),
      JSON.stringify({ currentTag: "master", lastSwitched: at, branchTagMapping: {}, migrationNoticeShown: true }),
    )
    writeFileSync(
      join(place.folder, ".taskmaster", "config.json"),
      JSON.stringify({ models: {}, global: { logLevel: "error", anonymousTelemetry: false } }),
    )
  },
  read(place) {
    const { master } = JSON.parse(readFileSync(file(place), "utf8")) as { master: { tasks: { status: string }[] } }
    return { todos: master.tasks.length, done: master.tasks.filter(({ status }) => status === "done").length }
  },
  cli: {
    version: ["--version"],
    list: ["list"],
    create: (text) => ["add-task", `--title=${text}`, "--description=Part of the report"],
    finish: (number) => ["set-status", `--id=${number}`, "--status=done"],
  },
  mcp: {
    program: "task-master-ai",
    words: [],
    finish: (number, { folder }) => ({
      name: "set_task_status",
      arguments: { id: String(number), status: "done", projectRoot: folder },
    }),
  },
}
