/** `headway check`: runs the checks of a plan or its todos, and records the results. */
import { projectOf } from "../../board/project.ts"
import { allowCheck, allowedCommands, disallowCheck } from "../../home/trust/allowed-checks.ts"
import { checkKey, checksIn } from "../../plan/checks.ts"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { type CheckRan, type Entry, type Plan, type PlanCheck, planInSight, type Todo } from "../../plan/index.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { checkOutcomeText } from "../../views/changes.ts"
import type { Line } from "../../views/index.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import { isChanged } from "../check/git-tree.ts"
import { makeCheck } from "../check/made-check.ts"
import { filesIn, type PlanFiles } from "../check/plan-evidence.ts"
import { otherProject, type SessionFolder, sessionFolderOf } from "../check/session-folder.ts"
import { isShowable, type WantedCheck, wantedChecks } from "../check/wanted-checks.ts"
import { findPlanAndSession } from "../choose/named-plan.ts"
import { noPlan } from "../choose/plans.ts"
import { type Context, defineCommand } from "../command.ts"
import { ageText, durationText } from "../duration.ts"
import { theTodo } from "../edit/named-todos.ts"
import { personAt } from "../edit/person.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import type { Options } from "../words/option.ts"

const options = {
  file: { type: "string", value: "PATH", about: "with set or remove: a file that must be there and not empty" },
  timeout: { type: "duration", value: "TIME", about: "how long one check may take, such as 90s or 10m (default 10m)" },
} as const satisfies Options

type CheckContext = Context<typeof options>

const actions: Record<string, (context: CheckContext, words: readonly string[]) => Promise<number>> = {
  set: (context, words) => change(context, words, "check-set"),
  remove: (context, words) => change(context, words, "check-removed"),
  allow: async (context, words) => {
    const command = words.join(" ")
    if (command === "") throw new HeadwayError("usage", 'Which command? headway check allow "npm test"')
    assertShowable(command)
    allowCheck(homeOf(context), projectOf(context.io.cwd), command, context.io.now())
    context.io.out(`From now on "headway check" may run this here: ${sanitise(command)}\n`)
    say(context.io, "this verifies no todo by itself; for that, set it: headway check set [TODO] COMMAND")
    return 0
  },
  disallow: async (context, words) => {
    const command = words.join(" ")
    if (command === "") throw new HeadwayError("usage", 'Which command? headway check disallow "npm test"')
    if (!disallowCheck(homeOf(context), projectOf(context.io.cwd), command))
      throw new HeadwayError("not-allowed", `The command is not allowed here: ${sanitise(command)}`)
    context.io.out(`No check may run this here any more: ${sanitise(command)}\n`)
    return 0
  },
  list: async (context) => {
    const { io, values } = context
    const { at, checks } = await wantedHere(context)
    const files = await filesIn(context, at)
    if (values.json) io.out(printJson(checks.map((one) => ({ ...one, isStale: isStale(one, files) }))))
    else io.out(checks.map((one) => listLine(one, files, io.now())))
    if (checks.length === 0) say(io, 'there are no checks yet; add one with: headway check set "npm test"')
    return 0
  },
}

const names = Object.keys(actions).join("|")

export const check = defineCommand({
  usage: `check [TODO] | check ${names} …`,
  about: `Runs the checks of this plan, or of one todo, in the project's folder, and records the results. A todo whose
checks have all passed is verified, until a file of the project changes, if you set one of them for it or for the whole plan.
With checks that only an agent or the project's file proposed it is backed.

  headway check                        runs all checks; exit code 1 where one fails
  headway check set [TODO] "COMMAND"   adds a command that must succeed, for one todo or for the whole plan
  headway check remove [TODO] "COMMAND"
  headway check allow "COMMAND"        lets a command run that the project's file or an agent proposed
  headway check disallow "COMMAND"     takes that back, also for a command that you set
  headway check list                   lists the checks and their last results

Headway runs a command only if you set or allowed exactly that command, on this machine and in this folder. If the session works in
another worktree of this repository, its checks run there. If it works in another project, nothing runs, and you are told where to go.`,
  options,
  maxWords: Number.POSITIVE_INFINITY,
  firstWords: Object.keys(actions),
  examples: [
    'headway check set "npm test"',
    'headway check set 3 "npm run build"',
    "headway check set --file dist/app.js",
    "headway check",
  ],
  async run(context) {
    const [first = "", ...rest] = context.words
    const action = Object.hasOwn(actions, first) ? actions[first] : undefined
    return action ? action(context, rest) : runAll(context)
  },
})

type OpenedPlan = {
  tracker: Tracker
  /** As the person sees it: a finished list, too. */
  plan: Plan
  at: SessionFolder
}

const openPlan = async (context: CheckContext): Promise<OpenedPlan> => {
  const found = await findPlanAndSession({
    ...context,
    values: { ...context.values, root: undefined, new: undefined },
  })
  if (!found) throw noPlan(context)
  const { tracker, seen } = found
  const { key, ledger } = tracker
  return { tracker, plan: planInSight(tracker.plan, ledger), at: sessionFolderOf(context, { key, ledger, seen }) }
}

const change = async (
  context: CheckContext,
  words: readonly string[],
  type: "check-set" | "check-removed",
): Promise<number> => {
  const { io, values } = context
  const command = values.file === undefined ? words.at(-1) : undefined
  const named = values.file === undefined ? words.slice(0, -1) : words
  if (command === undefined && values.file === undefined)
    throw new HeadwayError("usage", 'Which check? headway check set [TODO] "npm test"')
  // It would never be run.
  if (type === "check-set" && command !== undefined) assertShowable(command)
  const { tracker, plan, at } = await openPlan(context)
  // A command is allowed in a repository, and would be in the wrong one.
  if (type === "check-set" && at.place === "other-project") throw otherProject(at, tracker.key.session, "set … ")
  const todo = named.length > 0 ? theTodo(plan, named.join(" ")).id : undefined
  const wanted: PlanCheck = {
    ...(todo === undefined ? {} : { todo }),
    ...(command === undefined ? {} : { command }),
    ...(values.file === undefined ? {} : { file: values.file }),
  }
  if (type === "check-removed") assertSet(wanted, await tracker.entries())
  // Typing a command here also allows it here. First: on a full disk a plan must not hold what may never run.
  if (type === "check-set" && command !== undefined) allowCheck(homeOf(context), at.project, command, io.now())
  await tracker.edit(personAt(io), () => [{ type, check: wanted }])
  io.out(`${type === "check-set" ? "Check added" : "Check removed"}: ${textOf(wanted)}\n`)
  if (type === "check-removed" && command !== undefined && allowedCommands(homeOf(context), at.project).has(command))
    say(io, `other checks may still run it here; to take that back: headway check disallow ${shellWord(command)}`)
  return 0
}

const assertShowable = (command: string): void => {
  if (!isShowable(command)) throw new HeadwayError("usage", notShowable)
}

const notShowable =
  "The command has line breaks or invisible characters, or is longer than 2000 characters. Put it into a script, and name that."

/** Only what a person set can be removed: a proposal is removed where it was made. */
const assertSet = (wanted: PlanCheck, entries: readonly Entry[]): void => {
  const key = checkKey(wanted)
  if (checksIn(entries).some(({ check: one }) => checkKey(one) === key)) return
  throw new HeadwayError("no-check", `You have set no check ${textOf(wanted)}. See "headway check list".`)
}

type WantedHere = OpenedPlan & { checks: WantedCheck[] }

const wantedHere = async (context: CheckContext): Promise<WantedHere> => {
  const opened = await openPlan(context)
  const { tracker, plan, at } = opened
  const entries = await tracker.entries()
  return { ...opened, checks: wantedChecks({ plan, entries, home: homeOf(context), project: at.project }) }
}

const usualTime = 600_000

/** A word that names no todo may have been meant as an action, such as `add`. */
const todoToCheck = (plan: Plan, words: readonly string[]): Todo => {
  try {
    return theTodo(plan, words.join(" "))
  } catch (cause) {
    if (!isHeadwayError(cause) || cause.code !== "missing-todo") throw cause
    throw new HeadwayError("missing-todo", `${cause.message}\nTo add a check: headway check set [TODO] "COMMAND".`, {
      cause,
    })
  }
}

const runAll = async (context: CheckContext): Promise<number> => {
  const { io, values, words } = context
  const timeLimit = values.timeout ?? usualTime
  const { tracker, plan, at, checks } = await wantedHere(context)
  if (at.place === "other-project") throw otherProject(at, tracker.key.session, "")
  const todo = words.length > 0 ? todoToCheck(plan, words).id : undefined
  const wanted = todo === undefined ? checks : checks.filter((one) => one.check.todo === todo)
  if (wanted.length === 0)
    throw new HeadwayError("no-check", 'There are no checks yet. Add one with: headway check set "npm test".')
  const { folder } = at
  if (at.place === "other-worktree")
    say(io, `the session works in another worktree, so its checks run there: ${sanitise(folder)}`)
  const results: object[] = []
  let isSound = true
  for (const one of wanted) {
    if (one.setFor !== undefined) {
      isSound = false
      results.push({ check: one.check, outcome: "not-run", setFor: one.setFor })
      say(io, setForAnother(one.check, one.setFor))
      continue
    }
    if (!one.isAllowed) {
      isSound = false
      results.push({ check: one.check, outcome: "not-allowed" })
      say(io, notRun(one))
      continue
    }
    const event = await makeCheck(one.check, { io, headwayHome: homeOf(context), folder, timeLimit })
    if (!event) throw new HeadwayError("interrupted", "The check was stopped before it had a result.")
    // As the person's, whose entries are known again: one that came with a repository must not look like a verification.
    await tracker.edit(personAt(io), () => [event])
    isSound &&= event.outcome === "passed"
    results.push(event)
    if (!values.json) io.out(resultLines(event, one.from))
  }
  if (values.json) io.out(printJson(results))
  return isSound ? 0 : 1
}

const notRun = ({ check: { command = "" }, check: wanted, from }: WantedCheck): string => {
  if (!isShowable(command))
    return `not run, because it came from the ${from} and has invisible characters or is too long: ${textOf(wanted).slice(0, 200)}. Such a command cannot be allowed.`
  return `not run, because it came from the ${from}: ${textOf(wanted)}. To let it run here: headway check allow ${shellWord(command)}`
}

const setForAnother = (wanted: PlanCheck, wording: string): string =>
  `not run: ${textOf(wanted)}. It was set for "${sanitise(wording).slice(0, 200)}", and that todo now reads otherwise. Set it again if it still applies, or remove it.`

/** Whether a file of the project has changed since it was checked; undefined where that cannot be told. */
const isStale = ({ last }: WantedCheck, { isKnown, tree }: PlanFiles): boolean | undefined =>
  last && isKnown ? isChanged(last.tree, tree) : undefined

const sinceThen = (one: WantedCheck, files: PlanFiles): string => {
  if (isStale(one, files)) return ", stale: files have changed since"
  return files.isKnown ? "" : "; whether files have changed since is not known from here"
}

const textOf = ({ todo, command, file }: PlanCheck): string =>
  `${sanitise(command ?? `file ${file ?? ""}`)}${todo === undefined ? "" : ` (todo ${sanitise(todo)})`}`

const proposedText = (from: WantedCheck["from"]): string => (from === "person" ? "" : ` (proposed by the ${from})`)

const resultLines = (ran: CheckRan, from: WantedCheck["from"]): Line[] => {
  const { check: wanted, outcome, took, printed = [] } = ran
  const result = `${checkOutcomeText(ran)}  `.padEnd(9)
  return [
    [
      { text: result, style: { colour: outcome === "passed" ? "green" : "red", bold: true } },
      { text: `${textOf(wanted)}  ` },
      { text: `${durationText(took)}${proposedText(from)}`, style: { dim: true } },
    ],
    ...printed.map((text): Line => [{ text: `    ${text}`, style: { dim: true } }]),
  ]
}

const listLine = (one: WantedCheck, files: PlanFiles, now: Date): Line => {
  const { last, check: wanted, from, isAllowed, setFor } = one
  const state =
    last === undefined
      ? "not run yet"
      : `${checkOutcomeText(last)} ${ageText(last.at, now)} ago${sinceThen(one, files)}`
  const overruled = last?.gate === "overruled" ? ", and the todo was marked done anyway" : ""
  const another =
    setFor === undefined ? "" : `, set for "${sanitise(setFor).slice(0, 200)}", which the agent has replaced`
  const allowed = `${overruled}${another}${isAllowed ? "" : ", not allowed to run here yet"}`
  return [{ text: `${textOf(wanted)}  ` }, { text: `${state}${allowed}${proposedText(from)}`, style: { dim: true } }]
}
