/** Turns a session's timeline into facts about each todo and the list, and summarises each in one word. */
import { isFinished } from "../plan/index.ts"
import { elsewhereThan } from "./check-place.ts"
import { type CommandKind, isCheck, mayMeanToFail } from "./command-kind.ts"
import type { Check, Evidence, Facts, ListEvidence, TodoEvidence, Word } from "./evidence.ts"
import type { Outcome } from "./outcome.ts"
import { covers, type Selection, selectionOf } from "./selection.ts"
import { type Action, placeAfter, type Timeline } from "./timeline.ts"
import { bringsChecks, expectsNoEdit, fixesFailures, isAboutChecking, mayEndInFailure } from "./todo-intent.ts"
import { type TodoWindow, windowsOf } from "./windows.ts"

export const assess = (
  timeline: Timeline,
  about: { session?: string | undefined; main?: string | undefined } = {},
): Evidence => {
  const windows = windowsOf(timeline)
  const session = courseOf(timeline)
  const unchecked = new Set(windows.filter(isStillToCheck).map(({ agent }) => agent))
  const lastFix = lastFixes(windows)
  let room = mostLookedAt
  const todos = windows
    .filter(({ isDropped }) => !isDropped)
    .map((window): TodoEvidence => {
      const { id, content, status, agent } = window
      const actions = actionsIn(window, timeline, Math.max(leastLookedAt, room))
      room -= actions.length
      const facts = factsOf(window, actions, timeline)
      const isLeftToFix = (lastFix.get(agent) ?? 0) > (window.ticked ?? Number.POSITIVE_INFINITY)
      const course = { ...session, startedBy: timeline.startedBy, isToBeChecked: unchecked.has(agent), isLeftToFix }
      const word = wordOf(window, facts, actions, course)
      return { id, content, status, word, facts, ...(agent === (about.main ?? "main") ? {} : { agent }) }
    })
  return {
    ...(about.session === undefined ? {} : { session: about.session }),
    todos,
    list: listEvidence(windows, timeline),
  }
}

/**
 * How many actions are examined for all todos together (an action counts for each todo in progress at the time). Beyond
 * that number, only the last few actions are examined for each further todo.
 */
const [mostLookedAt, leastLookedAt] = [500_000, 50]

/** The actions of its agent in the window, and all actions of sub-agents started in it. Of too many, the last ones. */
const actionsIn = ({ agent, spans }: TodoWindow, timeline: Timeline, most: number): readonly Action[] => {
  const { startedBy, actionsOf } = timeline
  const own = inSpans(actionsOf(agent), spans, most)
  const calls = new Set(own.flatMap(({ delegation, callId }) => (delegation ? [callId] : [])))
  if (calls.size === 0) return own
  const named = new Set(own.flatMap(({ delegation }) => delegation?.agent ?? []))
  const theirs: Action[] = []
  for (const other of timeline.agents()) {
    if (theirs.length >= most) break
    const isTheirs = other !== agent && (named.has(other) || calls.has(startedBy.get(other) ?? ""))
    if (isTheirs) for (const action of actionsOf(other).slice(theirs.length - most)) theirs.push(action)
  }
  return theirs.length === 0 ? own : inTime([...own, ...theirs], own, startedBy)
}

/** The last actions in the spans, in order. The spans do not overlap. */
const inSpans = (actions: readonly Action[], spans: TodoWindow["spans"], most: number): readonly Action[] => {
  const parts: (readonly Action[])[] = []
  let count = 0
  for (const { from, to } of spans.toReversed()) {
    if (count >= most) break
    const [first, end] = [placeAfter(actions, from), placeAfter(actions, to - 1)]
    const part = actions.slice(Math.max(first, end - (most - count)), end)
    count += part.length
    parts.push(part)
  }
  return parts.toReversed().flat()
}

/** A sub-agent may have its own file: its work counts at the position where it was started, unless every action has a time. */
const inTime = (all: readonly Action[], own: readonly Action[], startedBy: Timeline["startedBy"]): Action[] => {
  if (all.every(({ at }) => at !== undefined)) return all.toSorted((one, other) => compare(one.at, other.at))
  const delegations = own.filter(({ delegation }) => delegation !== undefined)
  const byAgent = new Map(delegations.map((action) => [action.delegation?.agent, action.order]))
  const byCall = new Map(delegations.map(({ callId, order }) => [callId, order]))
  const startOf = ({ agent, order }: Action): number =>
    byAgent.get(agent) ?? byCall.get(startedBy.get(agent) ?? "") ?? order
  return all.toSorted((one, other) => startOf(one) - startOf(other))
}

const compare = (one = "", other = ""): number => (one < other ? -1 : one > other ? 1 : 0)

const telling: readonly Outcome[] = ["passed", "failed"]

/** Whether an action is a check of the current work with a clear outcome. */
const isTelling = ({ command, isAside }: Action): boolean =>
  command !== undefined && !isAside && isCheck(command.kind) && telling.includes(command.outcome)

const factsOf = (window: TodoWindow, actions: readonly Action[], timeline: Timeline): Facts => {
  const edits = actions.filter(({ isEdit }) => isEdit)
  const lastEdit = edits.at(-1)
  const checks = actions.flatMap((action) => checkOf(action, window))
  const last = actions.findLast(isTelling)
  const lastCheck = last && checkOf(last, window)[0]
  const doubt = lastVoiding(actions, timeline.startedBy)
  const isLast = doubt !== undefined && !doubt.isEdit && !after(actions, doubt).some(isTelling)
  const { spans, sharedWith } = window
  return {
    window: window.kind,
    ...(spans.length > 0
      ? { lines: [least(spans.map(({ lines }) => lines[0])), -least(spans.map(({ lines }) => -lines[1]))] }
      : {}),
    ...(sharedWith.length > 0 ? { sharedWith } : {}),
    edits: {
      count: edits.length,
      files: [...new Set(edits.flatMap(({ files }) => files))].slice(0, mostFiles),
      ...(lastEdit ? { lastLine: lastEdit.line } : {}),
    },
    checks: checks.slice(-mostChecks),
    ...(last && lastCheck
      ? {
          lastCheck: {
            ...lastCheck,
            isAfterLastEdit: lastEdit === undefined || after(actions, lastEdit).includes(last),
          },
        }
      : {}),
    ...(isLast ? { lastDoubt: { line: doubt.line, ...(doubt.command ? { command: doubt.command.text } : {}) } } : {}),
    refused: actions
      .flatMap(({ isRefused, command, line }) => (isRefused && command ? [{ command: command.text, line }] : []))
      .slice(-mostNamed),
    delegated: actions
      .flatMap(({ delegation, line }) => (delegation ? [{ ...delegation, line }] : []))
      .slice(-mostNamed),
    toolUses: actions.length,
    ...(expectsNoEdit(window.content) ? { expectsNoEdit: true } : {}),
  }
}

const [mostFiles, mostChecks, mostNamed] = [200, 200, 200]

/** The smallest number. Works one by one, because there may be more numbers than a function takes arguments. */
const least = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other))

const checkOf = ({ command, line, at, agent }: Action, window: TodoWindow): Check[] => {
  if (!command || !isCheck(command.kind)) return []
  const { kind, text, outcome, printed, failure, ended } = command
  // A sub-agent may have its own file, which is read after the list's file, so only times can order its checks.
  const endedLater = agent === window.agent ? isAfter(ended, window.ticked) : isAfter(at, window.tickedAt)
  return [
    {
      kind,
      command: text,
      outcome,
      line,
      ...(at === undefined ? {} : { at }),
      ...(agent === window.agent ? {} : { agent }),
      ...(printed.length > 0 ? { printed } : {}),
      ...(failure === undefined ? {} : { failure }),
      ...(endedLater ? { endedLater } : {}),
    },
  ]
}

const isAfter = <Point extends number | string>(one: Point | undefined, other: Point | undefined): boolean =>
  one !== undefined && other !== undefined && one > other

const wordOf = (window: TodoWindow, facts: Facts, actions: readonly Action[], course: CourseOfAgent): Word => {
  if (window.status === "pending" || window.status === "cancelled") return "not-started"
  if (isBacked(actions, course.startedBy)) return "backed"
  // While a todo for the checks is open, an earlier failure is work in progress.
  const isSettled = !course.isLeftToFix && (isAboutChecking(window.content) || !course.isToBeChecked)
  if (
    window.status === "completed" &&
    isSettled &&
    isContradicted(window, facts, actions) &&
    !isExplained(actions, course)
  )
    return "contradicted"
  if (facts.edits.count > 0 || actions.some(({ voidsChecks }) => voidsChecks)) return "unchecked"
  if (facts.delegated.length > 0) return "delegated"
  if (window.kind !== "in-progress" && facts.toolUses === 0) return "not-started"
  return "nothing-seen"
}

/**
 * Whether a check covering the changed places has passed after the last change, and no check of another kind or with a
 * wider selection is left failing.
 */
const isBacked = (actions: readonly Action[], startedBy: Timeline["startedBy"]): boolean => {
  const isOther = isElsewhereThan(actions)
  const checks = checksAfterLastChange(actions, startedBy).filter(
    (action) => action.command?.outcome === "failed" || !isOther(action),
  )
  let failed: Failed[] = []
  for (const check of checks) {
    if (check.command?.outcome === "failed") failed = [...failed.slice(1 - mostFailed), failedOf(check)]
    else if (failed.length > 0) {
      const passed = selectionBy(check)
      failed = failed.filter(
        (one) => one.kind !== check.command?.kind || (one.selection && !covers(passed, one.selection)),
      )
    }
  }
  return checks.length > 0 && failed.length === 0 && isEachChecked(actions)
}

/** Whether each edit is followed by a passed check that covers its place. Files that only people read need no check. */
const isEachChecked = (actions: readonly Action[]): boolean => {
  const placed = actions.map((action, place) => ({ action, place }))
  const edits = placed.filter(({ action: { isEdit, files } }) => isEdit && !files.every(isProse)).slice(-mostCompared)
  const passes = placed
    .filter(({ action }) => isTelling(action) && action.command?.outcome === "passed")
    .slice(-mostPasses)
    .toReversed()
  return edits.every((edit) => {
    const isOther = elsewhereThan([edit.action])
    const from = edit.place + (edit.action.checksItself ? 0 : 1)
    return passes.some(({ action, place }) => place >= from && !isOther(action))
  })
}

const isProse = (path: string): boolean => /\.(?:mdx?|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|\.gitignore)$/.test(path)

/** Returns a function that decides whether a check covered other places than the edited ones. */
const isElsewhereThan = (actions: readonly Action[]): ((check: Action) => boolean) =>
  elsewhereThan(actions.filter(({ isEdit }) => isEdit).slice(-mostCompared))

/** How many of the last edits are compared with a check. */
const mostCompared = 200

/** How many of the last passed checks are searched for one that covers an edit. */
const mostPasses = 20

/** A failed check. Without a selection, any passed check of its kind resolves it. */
type Failed = { kind: CommandKind; selection: Selection | undefined }

const failedOf = (action: Action): Failed => ({
  kind: action.command?.kind ?? "other",
  selection: mayMeanToFail(action.command?.text ?? "") ? undefined : selectionBy(action),
})

/** A cache, because each todo in progress at the time needs the selection. */
const selections = new WeakMap<Action, Selection>()

const selectionBy = (action: Action): Selection => {
  const { text = "", kind = "other" } = action.command ?? {}
  const selection = selections.get(action) ?? selectionOf(text, kind, action.folder)
  selections.set(action, selection)
  return selection
}

/** How many failed checks are remembered until others resolve them. */
const mostFailed = 20

const checksAfterLastChange = (actions: readonly Action[], startedBy: Timeline["startedBy"]): Action[] =>
  after(actions, lastVoiding(actions, startedBy)).filter(isTelling)

/** The actions after the given one, which is included if it checks its own changes. */
const after = (actions: readonly Action[], action: Action | undefined): readonly Action[] =>
  action ? actions.slice(actions.indexOf(action) + (action.checksItself ? 0 : 1)) : actions

/**
 * The last action after which earlier checks no longer count: it changed files or may have, or started a sub-agent
 * whose work is unknown.
 */
const lastVoiding = (actions: readonly Action[], startedBy: Timeline["startedBy"]): Action | undefined => {
  const agents = new Set(actions.map(({ agent }) => agent))
  const calls = new Set([...agents].map((agent) => startedBy.get(agent)))
  const isKnown = ({ delegation, callId }: Action): boolean => agents.has(delegation?.agent ?? "") || calls.has(callId)
  return actions.findLast(
    (action) => action.voidsChecks || (action.delegation !== undefined && !action.isRefused && !isKnown(action)),
  )
}

/**
 * Whether the todo is contradicted beyond doubt: the last check of its own window failed, nothing after it can have
 * changed anything, and the todo is not one that may end in a failure.
 */
const isContradicted = (window: TodoWindow, { sharedWith }: Facts, actions: readonly Action[]): boolean => {
  if (mayEndInFailure(window.content)) return false
  const isCertain = window.kind === "in-progress" && sharedWith === undefined
  if (!isCertain && !isAboutChecking(window.content)) return false
  const place = actions.findLastIndex(({ command, isAside }) => command && !isAside && isCheck(command.kind))
  const last = actions[place]
  if (last?.command?.outcome !== "failed" || last.agent !== window.agent) return false
  if (mayMeanToFail(last.command.text) || isElsewhereThan(actions)(last)) return false
  if (window.ticked !== undefined && (last.command.ended ?? Number.POSITIVE_INFINITY) > window.ticked) return false
  return !actions
    .slice(place + 1)
    .some(({ isEdit, mayEdit, delegation }) => isEdit || mayEdit || delegation !== undefined)
}

/** Whether it is an open todo that includes tests or other checks. */
const isStillToCheck = ({ status, isDropped, content }: TodoWindow): boolean =>
  !isDropped && (status === "pending" || status === "in_progress") && bringsChecks(content)

/** The results of checks of each kind in a whole session, by the order of actions. */
type Course = {
  firstEdit: number
  firstPass: ReadonlyMap<CommandKind, number>
  lastPass: ReadonlyMap<CommandKind, number>
  /** The kinds of checks that failed before the first edit. */
  failedAtFirst: ReadonlySet<CommandKind>
}

/** With the state of the list of the todo's agent: whether checks, or known failures, are still open on it. */
type CourseOfAgent = Course & Pick<Timeline, "startedBy"> & { isToBeChecked: boolean; isLeftToFix: boolean }

/**
 * The order in which each agent marked its last todo for fixing failures done. An unfinished one counts as later than
 * everything.
 */
const lastFixes = (windows: readonly TodoWindow[]): Map<string, number> => {
  const found = new Map<string, number>()
  for (const { agent, content, ticked = Number.POSITIVE_INFINITY } of windows)
    if (fixesFailures(content)) found.set(agent, Math.max(found.get(agent) ?? 0, ticked))
  return found
}

const courseOf = ({ actions }: Timeline): Course => {
  const firstEdit = actions.find(({ isEdit }) => isEdit)?.order ?? Number.POSITIVE_INFINITY
  const passes = actions.flatMap(({ order, command }) =>
    command?.outcome === "passed" ? [[command.kind, order] as const] : [],
  )
  const failures = actions.flatMap(({ order, command }) =>
    command?.outcome === "failed" && order < firstEdit ? [command.kind] : [],
  )
  return {
    firstEdit,
    firstPass: new Map(passes.toReversed()),
    lastPass: new Map(passes),
    failedAtFirst: new Set(failures),
  }
}

/**
 * Whether a failure does not count against the todo. Either a check of the same kind has passed since, or checks of
 * that kind failed before the first edit of the session and never passed, so that the todo may not have caused the
 * failure.
 */
const isExplained = (
  actions: readonly Action[],
  { firstEdit, firstPass, lastPass, failedAtFirst }: Course,
): boolean => {
  const { order, command } = actions.findLast((action) => action.command && isCheck(action.command.kind)) ?? {}
  if (order === undefined || !command) return false
  const hasPassedBefore = (firstPass.get(command.kind) ?? Number.POSITIVE_INFINITY) < order
  const hasPassedSince = (lastPass.get(command.kind) ?? 0) > order
  return hasPassedSince || (failedAtFirst.has(command.kind) && !hasPassedBefore && firstEdit < order)
}

const listEvidence = (windows: readonly TodoWindow[], { actions, startedBy }: Timeline): ListEvidence => {
  const last = checksAfterLastChange(actions, startedBy).at(-1)?.command?.outcome
  const bursts = new Set(windows.flatMap(({ burst }) => burst ?? []))
  return {
    lastCheck: last === "passed" || last === "failed" ? last : "none",
    dropped: windows.filter(({ isDropped }) => isDropped).map(({ content }) => ({ content })),
    open: windows.filter(({ status, isDropped }) => !isDropped && !isFinished(status)).length,
    bursts: bursts.size,
  }
}
