/** All checks of a plan, from every source, and whether each may run here. */
import { join } from "node:path"
import { readForeignText } from "../../home/reading/foreign-file.ts"
import { allowedCommands } from "../../home/trust/allowed-checks.ts"
import { checkKey, checksIn, type KeptCheck, lastRunsIn, wordingsOf } from "../../plan/checks.ts"
import { type Entry, normalise, type Plan, type PlanCheck } from "../../plan/index.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { sanitise } from "../../plan/text/sanitise.ts"

export type WantedCheck = KeptCheck & {
  /** Its source: the person, the project's file, or the agent. */
  from: "person" | "project" | "agent"
  /** Only exact commands that a person allowed in this folder may run. */
  isAllowed: boolean
  /** The wording it was set for, where an agent has put another todo in its place. It then does not apply to the todo. */
  setFor?: string
}

export type WantedOptions = { plan: Plan; entries: readonly Entry[]; home: string; project: string }

export const wantedChecks = ({ plan, entries, home, project }: WantedOptions): WantedCheck[] => {
  const allowed = allowedCommands(home, project)
  const lastOf = lastRunsIn(entries)
  const isAllowed = ({ command }: PlanCheck): boolean =>
    command === undefined || (isShowable(command) && allowed.has(command))
  const known = new Set<string>()
  const isStill = wordingsOf(plan, entries)
  const once = (from: WantedCheck["from"], { check, wording, last }: KeptCheck): WantedCheck[] => {
    const key = checkKey(check)
    if (known.has(key)) return []
    known.add(key)
    const isOfTodo = isStill(check.todo, wording)
    const { wording: worded, ...result } = last ?? {}
    return [
      {
        check,
        ...(last && isOfTodo && isStill(check.todo, worded) ? { last: result as typeof last } : {}),
        from,
        isAllowed: isAllowed(check),
        ...(isOfTodo || wording === undefined ? {} : { setFor: wording }),
      },
    ]
  }
  const withLast = (check: PlanCheck): KeptCheck => {
    const last = lastOf(check)
    return last ? { check, last } : { check }
  }
  return [
    ...checksIn(entries).flatMap((kept) => once("person", kept)),
    ...inProject(project, plan).flatMap((check) => once("project", withLast(check))),
    ...proposed(plan).flatMap((check) => once("agent", withLast(check))),
  ]
}

/** Whether a person can see all of a command before they allow it. */
export const isShowable = (command: string): boolean =>
  command.length <= longestCommand && sanitise(command) === command

const longestCommand = 2_000

/** What the agent proposed on its todos, through the tool. */
const proposed = ({ todos }: Plan): PlanCheck[] =>
  todos.flatMap(({ id, extra }) => {
    const command = extra?.check
    return typeof command === "string" && command.trim() !== "" ? [{ todo: id, command: command.trim() }] : []
  })

/** In bytes, and in commands and files: no project needs more, and each is printed. Anything beyond is ignored. */
const [longestFile, mostInProject] = [256 << 10, 100]

/** `.headway/checks.json`: `{ "plan": ["npm test"], "files": ["dist/app.js"], "todos": { "Fix login": "npm test" } }`. */
const inProject = (project: string, { todos }: Plan): PlanCheck[] => {
  const value = readFile(join(project, ".headway", "checks.json"))
  const named = isRecord(value.todos) ? value.todos : {}
  const names = Object.entries(named).slice(0, mostInProject)
  const idOf = new Map(names.length === 0 ? [] : todos.toReversed().map(({ id, content }) => [normalise(content), id]))
  return [
    ...textsOf(value.plan).map((command) => ({ command })),
    ...textsOf(value.files).map((file) => ({ file })),
    ...names.flatMap(([content, commands]) => {
      const todo = idOf.get(normalise(content))
      return todo === undefined ? [] : textsOf(commands).map((command) => ({ todo, command }))
    }),
  ].slice(0, mostInProject)
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string" && one.trim() !== "")

const readFile = (path: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(readForeignText(path, longestFile))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
