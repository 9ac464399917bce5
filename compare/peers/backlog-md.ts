/** backlog.md: a Markdown file for each task. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Peer, textOf } from "./peer.ts"

const config = `project_name: "compare"
default_status: "To Do"
statuses: ["To Do", "In Progress", "Done"]
labels: []
date_format: yyyy-mm-dd
max_column_width: 20
auto_open_browser: false
default_port: 6420
remote_operations: false
auto_commit: false
filesystem_only: true
bypass_git_hooks: false
check_active_branches: false
active_branch_days: 30
task_prefix: "task"
`

const taskOf = (number: number): string => `---
id: TASK-${number}
title: ${textOf(number)}
status: To Do
assignee: []
created_date: '2026-01-01 12:00'
labels: []
dependencies: []
ordinal: ${number * 1000}
---

`

export const backlogMd: Peer = {
  id: "backlog-md",
  title: "backlog.md",
  source: { npm: "backlog.md", version: "1.52.0", program: "backlog" },
  seed({ folder }, count) {
    const tasks = join(folder, "backlog", "tasks")
    mkdirSync(tasks, { recursive: true })
    for (const name of ["completed", "drafts", "docs", "decisions", "milestones", "archive"])
      mkdirSync(join(folder, "backlog", name), { recursive: true })
    writeFileSync(join(folder, "backlog", "config.yml"), config)
    for (let number = 1; number <= count; number += 1)
      writeFileSync(join(tasks, `task-${number} - ${textOf(number).replaceAll(" ", "-")}.md`), taskOf(number))
  },
  read({ folder }) {
    const tasks = join(folder, "backlog", "tasks")
    const statuses = readdirSync(tasks)
      .filter((name) => name.endsWith(".md"))
      .map((name) => {
        const text = readFileSync(join(tasks, name), "utf8")
        const [, status] = /^---\nid: TASK-\d+\ntitle: .+\nstatus: (.+)\n/.exec(text) ?? []
        if (status === undefined || !/\n---\n/.test(text)) throw new Error(`${name} is not a whole task`)
        return status
      })
    return { todos: statuses.length, done: statuses.filter((status) => status === "Done").length }
  },
  cli: {
    version: ["--version"],
    list: ["task", "list", "--plain"],
    create: (text) => ["task", "create", text, "--plain"],
    finish: (number) => ["task", "edit", String(number), "-s", "Done", "--plain"],
  },
  mcp: {
    words: ["mcp", "start"],
    finish: (number) => ({ name: "task_edit", arguments: { id: `task-${number}`, status: "Done" } }),
  },
  note: "its checks of other git branches are off, which is kinder than its default",
}
