/** Keeps a todo open if one of its allowed checks fails: once for each state of the files. */
import { projectOf, workFolderOf } from "../../board/project.ts"
import { failedCheckText } from "../../guidance/failed-check.ts"
import type { CheckRan, Entry, PlanCheck, Todo } from "../../plan/index.ts"
import type { Gate, GateQuestion } from "../../tracker/gate.ts"
import type { Context } from "../command.ts"
import { personAt } from "../edit/person.ts"
import { homeOf } from "../place.ts"
import { gitStateOf, isChanged } from "./git-tree.ts"
import { makeCheck } from "./made-check.ts"
import { wantedChecks } from "./wanted-checks.ts"

/** In milliseconds, for all checks of a call together: clients end a call that takes longer than a minute. */
const usualLimit = 45_000

export const gateFor = (context: Context, timeLimit: number = usualLimit): Gate => {
  const { io } = context
  return async (question) => {
    const [project, folder] = [projectOf(io.cwd), workFolderOf(io.cwd)]
    const headwayHome = homeOf(context)
    const { completing, entries } = question
    const log = await entries()
    const wanted = checksFor(context, question, log, project)
    if (wanted.length === 0) return { refused: [] }
    const until = performance.now() + timeLimit
    const { tree } = await gitStateOf(folder, { env: io.env, home: io.home, headwayHome })
    const ran: CheckRan[] = []
    const why = new Map<string, CheckRan>()
    for (const check of wanted) {
      const { last, refused } = pastOf(check, log, tree)
      if (isStillTrue(last, tree)) continue
      if (refused) {
        // The agent was told once, so its second attempt is accepted and marked.
        ran.push({ ...refused, took: 0, gate: "overruled" })
        continue
      }
      const left = until - performance.now()
      if (left <= 0) {
        ran.push({
          type: "check-ran",
          check,
          outcome: "timed-out",
          took: 0,
          printed: ["There was no time left to run it."],
        })
        continue
      }
      const event = await makeCheck(check, { io, headwayHome, folder, timeLimit: left })
      if (!event) break
      const isRefused = event.outcome === "failed" && !event.isNotRunnable
      ran.push(isRefused ? { ...event, gate: "refused" } : event)
      if (isRefused) for (const id of todosOf(check, completing)) if (!why.has(id)) why.set(id, event)
    }
    const refused = completing.flatMap((todo) => refusalOf(todo, why.get(todo.id)))
    // Recorded in the person's name: a check from a repository must not look like a verification.
    return { refused, ...(ran.length > 0 ? { found: { by: personAt(io), ran } } : {}) }
  }
}

/** Those of the todos, and once nothing is left open those of the whole plan. Only what a person has allowed here. */
const checksFor = (
  context: Context,
  { completing, isLast, plan }: GateQuestion,
  entries: readonly Entry[],
  project: string,
): PlanCheck[] => {
  const todos = new Map([...plan.todos, ...completing].map((todo) => [todo.id, todo]))
  const seen = { ...plan, todos: [...todos.values()] }
  return wantedChecks({ plan: seen, entries, home: homeOf(context), project })
    .filter(({ isAllowed, setFor }) => isAllowed && setFor === undefined)
    .map(({ check }) => check)
    .filter(({ todo }) => (todo === undefined ? isLast : completing.some(({ id }) => id === todo)))
}

const todosOf = ({ todo }: PlanCheck, completing: readonly Todo[]): string[] =>
  todo === undefined ? completing.map(({ id }) => id) : [todo]

type Past = { last: CheckRan | undefined; refused: CheckRan | undefined }

/** How a check was last found, and whether it has refused already what the files are now. Without git, once is enough. */
const pastOf = (check: PlanCheck, entries: readonly Entry[], tree: string | undefined): Past => {
  const key = JSON.stringify([check.todo, check.command, check.file])
  const runs = entries
    .filter(({ by }) => by.kind === "person")
    .flatMap(({ events }) => events.flatMap((event) => (event.type === "check-ran" ? [event] : [])))
    .filter((event) => JSON.stringify([event.check.todo, event.check.command, event.check.file]) === key)
  const refused = runs.findLast((event) => event.gate !== undefined && (tree === undefined || event.tree === tree))
  return { last: runs.at(-1), refused }
}

const isStillTrue = (last: CheckRan | undefined, tree: string | undefined): boolean =>
  last?.outcome === "passed" && isChanged(last.tree, tree) === false

const refusalOf = ({ id, content }: Todo, event: CheckRan | undefined): { todo: string; why: string }[] => {
  if (!event) return []
  const { command, file } = event.check
  return [{ todo: id, why: failedCheckText({ content, command, file, printed: event.printed ?? [] }) }]
}
