/** Prints the tables of the README and the docs from the source: checks them, and with `--write` puts them in. */

import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { clientLimits, clientResults } from "../interop/results-table.ts"
import type { ToldThing } from "../src/agents/agent.ts"
import { allAgents } from "../src/agents/index.ts"
import { commands } from "../src/cli/commands/index.ts"
import type { Dialect } from "../src/dialects/index.ts"
import { dialects } from "../src/dialects/index.ts"
import { profiles, reminders } from "../src/guidance/reminders/index.ts"
import { stores } from "../src/stores/index.ts"
import { streams } from "../test/agents/loaded.ts"

/** The pages that hold tables between marker comments. */
export const pages = [
  "README.md",
  "docs/dialects.md",
  "docs/events.md",
  "docs/guide/agents/README.md",
  "docs/guide/05-watch-your-agents.md",
  "docs/guide/07-what-the-model-is-told.md",
] as const

/** A page with every table in it printed again. */
export const withTables = async (page: string): Promise<string> => {
  let text = page
  for (const [name, print] of Object.entries(tables)) {
    const begin = `<!-- table: ${name} -->`
    const end = `<!-- end: ${name} -->`
    const from = text.indexOf(begin)
    const to = text.indexOf(end)
    if (from < 0 || to < from) continue
    text = `${text.slice(0, from + begin.length)}\n${await print()}\n${text.slice(to)}`
  }
  return text
}

const all: readonly Dialect[] = Object.values(dialects)

const tables: Record<string, () => string | Promise<string>> = {
  dialects: () =>
    table(
      ["dialect", "whose", "tools", "a call says", "Headway"],
      all.map(({ id, title, toolNames, wholeList, tools }) => [
        code(id),
        title,
        toolNames.map(code).join(" "),
        wholeList ? "the whole list" : "what changes",
        role(tools),
      ]),
    ),
  "what dialects carry": () =>
    table(
      ["dialect", "whose", "tools", "statuses", "fields beside text and status", "Headway"],
      all.map(({ id, title, toolNames, carries: { statuses, fields }, tools }) => [
        `[${code(id)}](#${id})`,
        title,
        toolNames.map(code).join(" "),
        statuses.map(code).join(" "),
        fields.length > 0 ? fields.map(code).join(" ") : "none",
        role(tools),
      ]),
    ),
  streams: () =>
    table(
      ["stream", "agent", "what it reads"],
      Object.values(streams).map(({ id, agentType, title }) => [code(id), code(agentType), title]),
    ),
  stores: () =>
    table(
      ["store", "`--store`", "what it is"],
      Object.entries(stores).map(([name, { url, about }]) => [code(name), code(url), about]),
    ),
  reminders: () =>
    table(
      ["reminder", "when", ...Object.keys(profiles).map(code)],
      Object.values(reminders).map(({ id, about }) => [
        code(id),
        about,
        ...Object.values(profiles).map(({ rules }) => (rules.some((rule) => rule === id) ? "yes" : "")),
      ]),
    ),
  commands: () =>
    table(
      ["command", "does"],
      Object.entries(commands).map(([name, { about }]) => [code(`headway ${name}`), about]),
    ),
  "what agents tell": () =>
    table(
      ["agent", ...toldThings.map(([, words]) => words)],
      allAgents.flatMap(({ title, tells }) =>
        tells ? [[title, ...toldThings.map(([thing]) => tells[thing].join(", "))]] : [],
      ),
    ),
  clients: () => table(...clientResults()),
  "limits of clients": () => clientLimits().join("\n"),
}

const toldThings: readonly (readonly [ToldThing, string])[] = [
  ["turn", "the end of its turn"],
  ["question", "a question"],
  ["permission", "a permission it asks for"],
  ["failure", "an error"],
  ["end", "that it was left"],
  ["oneShot", "a run for one task"],
]

/** A vocabulary without tools of ours is only read. */
const role = (tools: Dialect["tools"]): string => (tools.length > 0 ? "offers and reads" : "reads")

const code = (text: string): string => `\`${text}\``

/** Columns are padded as the formatter wants them. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[], filler = " "): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width, filler)).join(" | ")} |`
  const [first = [], ...others] = cells
  return [line(first), line([], "-"), ...others.map((row) => line(row))].join("\n")
}

const main = async (isWriting: boolean): Promise<number> => {
  let stale = 0
  for (const page of pages) {
    const old = readFileSync(page, "utf8")
    const fresh = await withTables(old)
    if (fresh === old) continue
    if (isWriting) writeFileSync(page, fresh)
    else stale += 1
    console.error(isWriting ? `${page} is written again.` : `${page} is out of date: run "npm run readme".`)
  }
  return stale > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.includes("--write"))
