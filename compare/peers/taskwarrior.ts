/** Taskwarrior: text files of its own, rewritten as a whole. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Peer, type Place, textOf } from "./peer.ts"

const data = ({ folder }: Place): string => join(folder, "data")
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

const attributes = ["rc.confirmation=off", "rc.verbose=nothing", "rc.gc=off"]

export const taskwarrior: Peer = {
  id: "taskwarrior",
  title: "Taskwarrior",
  source: { debian: "taskwarrior", program: "usr/bin/task" },
  seed(place, count) {
    mkdirSync(data(place), { recursive: true })
    writeFileSync(join(place.folder, "taskrc"), `data.location=${data(place)}\n`)
    const lines = Array.from(
      { length: count },
      (_, index) =>
        `[description:"${textOf(index + 1)}" entry:"1767268800" modified:"1767268800" status:"pending" uuid:"${idOf(index + 1)}"]\n`,
    )
    writeFileSync(join(data(place), "pending.data"), lines.join(""))
    for (const name of ["completed.data", "undo.data", "backlog.data"]) writeFileSync(join(data(place), name), "")
  },
  read(place) {
    const lines = ["pending.data", "completed.data"].flatMap((name) =>
      readFileSync(join(data(place), name), "utf8")
        .split("\n")
        .filter(Boolean),
    )
    if (lines.some((line) => !/^\[.*\]$/.test(line))) throw new Error("a line is cut")
    return { todos: lines.length, done: lines.filter((line) => line.includes('status:"completed"')).length }
  },
  cli: {
    version: ["--version"],
    list: [...attributes, "list"],
    create: (text) => [...attributes, "add", text],
    finish: (number) => [...attributes, idOf(number), "done"],
    env: (place) => ({ TASKRC: join(place.folder, "taskrc"), TASKDATA: data(place) }),
  },
}
