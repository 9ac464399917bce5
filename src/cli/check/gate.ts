/** Keeps a todo open if one of its allowed checks fails: once for each state of the files. */
import { projectOf, workFolderOf } from "../../board/project.ts"
import { failedCheckText } from "../../guidance/failed-check.ts"
import { checkKey } from "../../plan/checks.ts"
import type { CheckRan, Entry, PlanCheck, Todo } from "../../plan/index.ts"
import type { Gate, GateQuestion } from "../../tracker/gate.ts"
import type { Context } from "../command.ts"
import { personAt } from "../edit/person.ts"
import { homeOf } from "../place/place.ts"
import { gitStateOf, isChanged } from "./git-tree.ts"
import { type MakeCheckOptions, makeCheck } from "./made-check.ts"
import { wantedChecks } from "./wanted-checks.ts"

/** In milliseconds, for all checks of a call together: clients end a call that takes longer than a minute. */
const usualLimit = 45_000

export const gateFor = (context: Context, timeLimit: number = usualLimit): Gate => {
  const { io } = context
  return async (question) => {
    const [project, folder] = [projectOf(io.cwd), workFolderOf(io.cwd)]
    const headwayHome = homeOf(context)
    const log = await question.entries()
    const wanted = checksFor(context, question, log, project)
    if (wanted.length === 0) return { refused: [] }
    const until = performance.now() + timeLimit
    const { tree } = await gitStateOf(folder, { env: io.env, home: io.home, headwayHome })
    const ran: CheckRan[] = []
    for (const check of wanted) {
      const { last, isRefused } = pastOf(check, log, tree)
      if (isStillTrue(last, tree)) continue
      const event = await runInTime(check, { io, headwayHome, folder, until })
      if (!event) break
      // The agent was told once, so its second attempt is accepted and marked.
      ran.push(isFailure(event) ? { ...event, gate: isRefused ? "overruled" : "refused" } : event)
    }
    const refused = question.completing.flatMap((todo) => refusalOf(todo, ran))
    // Recorded in the person's name: a check from a repository must not look like a verification.
    return { refused, ...(ran.length > 0 ? { found: { by: personAt(io), ran } } : {}) }
  }
}

/** Runs a check in the time that is left. Undefined if the person stopped it. */
const runInTime = async (
  check: PlanCheck,
  { until, ...options }: Omit<MakeCheckOptions, "timeLimit"> & { until: number },
): Promise<CheckRan | undefined> => {
  const timeLimit = until - performance.now()
  if (timeLimit <= 0)
    return { type: "check-ran", check, outcome: "timed-out", took: 0, printed: ["There was no time left to run it."] }
  return makeCheck(check, { ...options, timeLimit })
}

/** Whether it says that the work is not done. */
const isFailure = ({ outcome, isNotRunnable }: CheckRan): boolean => outcome === "failed" && !isNotRunnable

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

type Past = { last: CheckRan | undefined; isRefused: boolean }

/** The last result of a check, and whether it has refused the files as they are now. Without git, any refusal counts. */
const pastOf = (check: PlanCheck, entries: readonly Entry[], tree: string | undefined): Past => {
  const runs = entries
    .filter(({ by }) => by.kind === "person")
    .flatMap(({ events }) => events.flatMap((event) => (event.type === "check-ran" ? [event] : [])))
    .filter((event) => checkKey(event.check) === checkKey(check))
  const isRefused = runs.some((event) => event.gate !== undefined && (tree === undefined || event.tree === tree))
  return { last: runs.at(-1), isRefused }
}

const isStillTrue = (last: CheckRan | undefined, tree: string | undefined): boolean =>
  last?.outcome === "passed" && isChanged(last.tree, tree) === false

/** Why a todo stays open: the first check of it or of the whole plan that failed. */
const refusalOf = ({ id, content }: Todo, ran: readonly CheckRan[]): { todo: string; why: string }[] => {
  const event = ran.find(({ gate, check }) => gate === "refused" && (check.todo ?? id) === id)
  if (!event) return []
  const { command, file } = event.check
  return [{ todo: id, why: failedCheckText({ content, command, file, printed: event.printed ?? [] }) }]
}
