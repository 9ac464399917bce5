/** todo.txt: one line for each todo, changed by a shell script. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Peer, textOf } from "./peer.ts"

export const todoTxt: Peer = {
  id: "todo-txt",
  title: "todo.txt",
  source: { debian: "todotxt-cli", program: "usr/bin/todo-txt" },
  seed({ folder, home }, count) {
    const lines = Array.from({ length: count }, (_, index) => `${textOf(index + 1)}\n`)
    writeFileSync(join(folder, "todo.txt"), lines.join(""))
    writeFileSync(join(folder, "done.txt"), "")
    const settings = [
      `export TODO_DIR="${folder}"`,
      'export TODO_FILE="$TODO_DIR/todo.txt"',
      'export DONE_FILE="$TODO_DIR/done.txt"',
      'export REPORT_FILE="$TODO_DIR/report.txt"',
    ]
    writeFileSync(join(home, ".todo.cfg"), `${settings.join("\n")}\n`)
  },
  read({ folder }) {
    const lines = readFileSync(join(folder, "todo.txt"), "utf8").split("\n").filter(Boolean)
    return { todos: lines.length, done: lines.filter((line) => line.startsWith("x ")).length }
  },
  cli: {
    version: ["-V"],
    list: ["-p", "ls"],
    create: (text) => ["add", text],
    finish: (number) => ["-a", "do", String(number)],
    env: ({ home }) => ({ TODOTXT_CFG_FILE: join(home, ".todo.cfg") }),
    alsoFine: [1],
  },
  note: "it ends with 1 when it prints its version, which counts as success here",
}
