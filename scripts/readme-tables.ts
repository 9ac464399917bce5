/** Prints the tables of the README and the docs from the source: checks them, and with `--write` puts them in. */

import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readResults } from "../interop/results.ts"
import { clientLimits, clientResults } from "../interop/results-table.ts"
import type { Agent, SessionFact } from "../src/agents/agent.ts"
import { allAgents } from "../src/agents/index.ts"
import type { HookAgent } from "../src/bridges/hooks/hook.ts"
import type { Agent as ConnectedAgent } from "../src/bridges/setup/agent-settings.ts"
import { commands } from "../src/cli/commands/index.ts"
import type { Dialect } from "../src/dialects/index.ts"
import { dialects } from "../src/dialects/index.ts"
import { profiles, reminders } from "../src/guidance/reminders/index.ts"
import type { Source } from "../src/sessions/source.ts"
import { stores } from "../src/stores/index.ts"
import { connectedAgents, hookAgents, sources, streams } from "../test/agents/loaded.ts"

/** The pages that hold tables between marker comments. */
export const pages = [
  "README.md",
  "docs/dialects.md",
  "docs/events.md",
  "docs/evidence.md",
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
      ["dialect", "belongs to", "tools", "a call contains", "Headway"],
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
      ["dialect", "belongs to", "tools", "statuses", "other fields", "Headway"],
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
      ["agent", ...stateColumns.map(([, words]) => words)],
      allAgents.flatMap(({ title, stateSources }) =>
        stateSources ? [[title, ...stateColumns.map(([thing]) => stateSources[thing].join(", "))]] : [],
      ),
    ),
  "what is told of work": () =>
    table(
      [
        "agent",
        "its sessions show what was done",
        "its output shows it",
        "it is told of a contradiction",
        "`--gate` holds",
      ],
      allAgents.map(({ id, title }) => [title, ...workTold(id)]),
    ),
  agents: () =>
    table(
      ["agent", "plan read live", "sessions found", "todo tool", "hooks", "plan back after compaction", "evidence"],
      allAgents.filter(({ sessions }) => sessions !== undefined).map((agent) => [linkTo(agent), ...howWell(agent)]),
    ),
  clients: () => table(...clientResults()),
  "limits of clients": () => clientLimits().join("\n"),
}

/** An agent that set-up connects has a page of its own. */
const linkTo = ({ id, title, settings }: Agent): string => (settings ? `[${title}](docs/guide/agents/${id}.md)` : title)

/** What the runs with the real clients came to counts for compaction; the rest is what there is of the agent. */
const howWell = ({ id, streams: formats, sessions, settings, hooks }: Agent): string[] => {
  const isGivenBack = readResults().some(({ agent, scenarios: of }) => agent === id && of.compaction?.state === "ok")
  const [ofSessions, ofOutput] = workTold(id)
  const cells = [
    Object.keys(formats).length > 0,
    sessions,
    settings,
    hooks,
    isGivenBack,
    ofSessions === "yes" || ofOutput === "yes",
  ]
  return cells.map((has) => (has ? "yes" : ""))
}

/** By its readers, its hooks and its settings. The reference agent is told and held without hooks. */
const workTold = (id: string): string[] => {
  const own = Object.values(streams).filter((stream) => stream.agentType === id)
  const source: Source | undefined = Object.entries(sources).find(([name]) => name === id)?.[1]
  const readings = source?.places.map(({ reading }) => reading) ?? []
  const isRead = readings.some((reading) =>
    reading.as === "lines"
      ? own.some((stream) => stream.id === reading.stream && stream.tellsWork)
      : reading.as === "database" && reading.work !== undefined,
  )
  const printed = own.filter((stream) => !readings.some((one) => one.as === "lines" && one.stream === stream.id))
  const hooks: HookAgent | undefined = Object.entries(hookAgents).find(([name]) => name === id)?.[1]
  const isHeld = hooks !== undefined && !hooks.isNeverHeld && Object.values(hooks.moments).includes("stop")
  const settings: ConnectedAgent | undefined = Object.entries(connectedAgents).find(([name]) => name === id)?.[1]
  const isOwn = id === "headway"
  return [
    source ? (isRead ? "yes" : "no") : "",
    printed.length > 0 ? (printed.every((stream) => stream.tellsWork) ? "yes" : "no") : "",
    isOwn || isHeld ? "yes" : "",
    settings?.gateHooks ? "our tool, its own tasks" : settings || isOwn ? "our tool" : "",
  ]
}

const stateColumns: readonly (readonly [SessionFact, string])[] = [
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
