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
      const deeds = deedsIn(window, timeline, Math.max(leastLookedAt, room))
      room -= deeds.length
      const facts = factsOf(window, deeds, timeline)
      const isLeftToFix = (lastFix.get(agent) ?? 0) > (window.ticked ?? Number.POSITIVE_INFINITY)
      const course = { ...session, startedBy: timeline.startedBy, isToBeChecked: unchecked.has(agent), isLeftToFix }
      const word = wordOf(window, facts, deeds, course)
      return { id, content, status, word, facts, ...(agent === (about.main ?? "main") ? {} : { agent }) }
    })
  return {
    ...(about.session === undefined ? {} : { session: about.session }),
    todos,
    list: listEvidence(windows, timeline),
  }
}

/**
 * How often something that was done is looked at for a todo: it counts for each that was in progress then. Of more, only the
 * last ones count for each further todo.
 */
const [mostLookedAt, leastLookedAt] = [500_000, 50]

/** What its agent did in the window, and all that sub-agents did that were started in it; the last ones where they are too many. */
const deedsIn = ({ agent, spans }: TodoWindow, timeline: Timeline, most: number): readonly Action[] => {
  const { startedBy, deedsOf } = timeline
  const own = inSpans(deedsOf(agent), spans, most)
  const calls = new Set(own.flatMap(({ delegation, callId }) => (delegation ? [callId] : [])))
  if (calls.size === 0) return own
  const named = new Set(own.flatMap(({ delegation }) => delegation?.agent ?? []))
  const theirs: Action[] = []
  for (const other of timeline.agents()) {
    if (theirs.length >= most) break
    const isTheirs = other !== agent && (named.has(other) || calls.has(startedBy.get(other) ?? ""))
    if (isTheirs) for (const deed of deedsOf(other).slice(theirs.length - most)) theirs.push(deed)
  }
  return theirs.length === 0 ? own : inTime([...own, ...theirs], own, startedBy)
}

/** The last ones in the spans, which do not overlap, in order. */
const inSpans = (deeds: readonly Action[], spans: TodoWindow["spans"], most: number): readonly Action[] => {
  const parts: (readonly Action[])[] = []
  let count = 0
  for (const { from, to } of spans.toReversed()) {
    if (count >= most) break
    const [first, end] = [placeAfter(deeds, from), placeAfter(deeds, to - 1)]
    const part = deeds.slice(Math.max(first, end - (most - count)), end)
    count += part.length
    parts.push(part)
  }
  return parts.toReversed().flat()
}

/** A sub-agent may have its own file: its work counts at the position where it was started, unless every action has a time. */
const inTime = (all: readonly Action[], own: readonly Action[], startedBy: Timeline["startedBy"]): Action[] => {
  if (all.every(({ at }) => at !== undefined)) return all.toSorted((one, other) => compare(one.at, other.at))
  const delegations = own.filter(({ delegation }) => delegation !== undefined)
  const byAgent = new Map(delegations.map((deed) => [deed.delegation?.agent, deed.order]))
  const byCall = new Map(delegations.map(({ callId, order }) => [callId, order]))
  const startOf = ({ agent, order }: Action): number =>
    byAgent.get(agent) ?? byCall.get(startedBy.get(agent) ?? "") ?? order
  return all.toSorted((one, other) => startOf(one) - startOf(other))
}

const compare = (one = "", other = ""): number => (one < other ? -1 : one > other ? 1 : 0)

const telling: readonly Outcome[] = ["passed", "failed"]

/** A check of the work itself that came out. */
const isTelling = ({ command, isAside }: Action): boolean =>
  command !== undefined && !isAside && isCheck(command.kind) && telling.includes(command.outcome)

const factsOf = (window: TodoWindow, deeds: readonly Action[], timeline: Timeline): Facts => {
  const edits = deeds.filter(({ isEdit }) => isEdit)
  const lastEdit = edits.at(-1)
  const checks = deeds.flatMap((deed) => checkOf(deed, window))
  const last = deeds.findLast(isTelling)
  const lastCheck = last && checkOf(last, window)[0]
  const doubt = lastVoiding(deeds, timeline.startedBy)
  const isLast = doubt !== undefined && !doubt.isEdit && !after(deeds, doubt).some(isTelling)
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
            isAfterLastEdit: lastEdit === undefined || after(deeds, lastEdit).includes(last),
          },
        }
      : {}),
    ...(isLast ? { lastDoubt: { line: doubt.line, ...(doubt.command ? { command: doubt.command.text } : {}) } } : {}),
    refused: deeds
      .flatMap(({ isRefused, command, line }) => (isRefused && command ? [{ command: command.text, line }] : []))
      .slice(-mostNamed),
    delegated: deeds.flatMap(({ delegation, line }) => (delegation ? [{ ...delegation, line }] : [])).slice(-mostNamed),
    toolUses: deeds.length,
    ...(expectsNoEdit(window.content) ? { expectsNoEdit: true } : {}),
  }
}

const [mostFiles, mostChecks, mostNamed] = [200, 200, 200]

/** One by one: there may be more than a function takes arguments. */
const least = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other))

const checkOf = ({ command, line, at, agent }: Action, window: TodoWindow): Check[] => {
  if (!command || !isCheck(command.kind)) return []
  const { kind, text, outcome, printed, failure, ended } = command
  // A sub-agent may have its own file, which is read after that of the list: only times can order its checks.
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

const wordOf = (window: TodoWindow, facts: Facts, deeds: readonly Action[], course: CourseOfAgent): Word => {
  if (window.status === "pending" || window.status === "cancelled") return "not-started"
  if (isBacked(deeds, course.startedBy)) return "backed"
  // If a todo for the checks is still open, a failure before it is work in progress.
  const isSettled = !course.isLeftToFix && (isAboutChecking(window.content) || !course.isToBeChecked)
  if (window.status === "completed" && isSettled && isContradicted(window, facts, deeds) && !isExplained(deeds, course))
    return "contradicted"
  if (facts.edits.count > 0 || deeds.some(({ voidsChecks }) => voidsChecks)) return "unchecked"
  if (facts.delegated.length > 0) return "delegated"
  if (window.kind !== "in-progress" && facts.toolUses === 0) return "not-started"
  return "nothing-seen"
}

/** A check has passed after the last change, where it was made, and none is left failing: neither of another kind nor a wider one. */
const isBacked = (deeds: readonly Action[], startedBy: Timeline["startedBy"]): boolean => {
  const isOther = isElsewhereThan(deeds)
  const checks = checksAfterLastChange(deeds, startedBy).filter(
    (deed) => deed.command?.outcome === "failed" || !isOther(deed),
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
  return checks.length > 0 && failed.length === 0 && isEachChecked(deeds)
}

/** Whether after each edit a check passed that covers its place. Files that are only read by people need no check. */
const isEachChecked = (deeds: readonly Action[]): boolean => {
  const placed = deeds.map((deed, place) => ({ deed, place }))
  const edits = placed.filter(({ deed: { isEdit, files } }) => isEdit && !files.every(isProse)).slice(-mostCompared)
  const passes = placed
    .filter(({ deed }) => isTelling(deed) && deed.command?.outcome === "passed")
    .slice(-mostPasses)
    .toReversed()
  return edits.every((edit) => {
    const isOther = elsewhereThan([edit.deed])
    const from = edit.place + (edit.deed.checksItself ? 0 : 1)
    return passes.some(({ deed, place }) => place >= from && !isOther(deed))
  })
}

const isProse = (path: string): boolean => /\.(?:mdx?|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|\.gitignore)$/.test(path)

/** Whether a check covered other places than those that were edited. */
const isElsewhereThan = (deeds: readonly Action[]): ((check: Action) => boolean) =>
  elsewhereThan(deeds.filter(({ isEdit }) => isEdit).slice(-mostCompared))

/** The last edits whose places are compared with that of a check. */
const mostCompared = 200

/** How many of the last checks that passed are searched for one that covers an edit. */
const mostPasses = 20

/** Without a selection where any check of its kind that passes settles it. */
type Failed = { kind: CommandKind; selection: Selection | undefined }

const failedOf = (deed: Action): Failed => ({
  kind: deed.command?.kind ?? "other",
  selection: mayMeanToFail(deed.command?.text ?? "") ? undefined : selectionBy(deed),
})

/** Kept, because each todo that was in progress asks for it. */
const selections = new WeakMap<Action, Selection>()

const selectionBy = (deed: Action): Selection => {
  const { text = "", kind = "other" } = deed.command ?? {}
  const selection = selections.get(deed) ?? selectionOf(text, kind, deed.folder)
  selections.set(deed, selection)
  return selection
}

/** How many checks that failed are remembered until others settle them. */
const mostFailed = 20

const checksAfterLastChange = (deeds: readonly Action[], startedBy: Timeline["startedBy"]): Action[] =>
  after(deeds, lastVoiding(deeds, startedBy)).filter(isTelling)

/** The deeds after one, and that one too if it checks what it has changed itself. */
const after = (deeds: readonly Action[], deed: Action | undefined): readonly Action[] =>
  deed ? deeds.slice(deeds.indexOf(deed) + (deed.checksItself ? 0 : 1)) : deeds

/** The last deed that makes earlier checks void: it changed files or may have, or started a sub-agent whose work is not known. */
const lastVoiding = (deeds: readonly Action[], startedBy: Timeline["startedBy"]): Action | undefined => {
  const agents = new Set(deeds.map(({ agent }) => agent))
  const calls = new Set([...agents].map((agent) => startedBy.get(agent)))
  const isKnown = ({ delegation, callId }: Action): boolean => agents.has(delegation?.agent ?? "") || calls.has(callId)
  return deeds.findLast(
    (deed) => deed.voidsChecks || (deed.delegation !== undefined && !deed.isRefused && !isKnown(deed)),
  )
}

/**
 * Only if there is no doubt: the last check of its own window failed, nothing after it can have changed anything, and
 * the todo is not one that may end in a failure.
 */
const isContradicted = (window: TodoWindow, { sharedWith }: Facts, deeds: readonly Action[]): boolean => {
  if (mayEndInFailure(window.content)) return false
  const isCertain = window.kind === "in-progress" && sharedWith === undefined
  if (!isCertain && !isAboutChecking(window.content)) return false
  const place = deeds.findLastIndex(({ command, isAside }) => command && !isAside && isCheck(command.kind))
  const last = deeds[place]
  if (last?.command?.outcome !== "failed" || last.agent !== window.agent) return false
  if (mayMeanToFail(last.command.text) || isElsewhereThan(deeds)(last)) return false
  if (window.ticked !== undefined && (last.command.ended ?? Number.POSITIVE_INFINITY) > window.ticked) return false
  return !deeds
    .slice(place + 1)
    .some(({ isEdit, mayEdit, delegation }) => isEdit || mayEdit || delegation !== undefined)
}

/** Whether it is an open todo of the list that brings tests or other checks. */
const isStillToCheck = ({ status, isDropped, content }: TodoWindow): boolean =>
  !isDropped && (status === "pending" || status === "in_progress") && bringsChecks(content)

/** What a whole session says of checks of each kind, by the order of deeds. */
type Course = {
  firstEdit: number
  firstPass: ReadonlyMap<CommandKind, number>
  lastPass: ReadonlyMap<CommandKind, number>
  /** Those that failed before anything was edited. */
  failedAtFirst: ReadonlySet<CommandKind>
}

/** With what is still open on the list of the agent whose todo is looked at: checks, or failures that the list itself admits. */
type CourseOfAgent = Course & Pick<Timeline, "startedBy"> & { isToBeChecked: boolean; isLeftToFix: boolean }

/** Where each agent marked the last todo done that is about fixing what checks find, by order; one that is not done counts as later. */
const lastFixes = (windows: readonly TodoWindow[]): Map<string, number> => {
  const found = new Map<string, number>()
  for (const { agent, content, ticked = Number.POSITIVE_INFINITY } of windows)
    if (fixesFailures(content)) found.set(agent, Math.max(found.get(agent) ?? 0, ticked))
  return found
}

const courseOf = ({ deeds }: Timeline): Course => {
  const firstEdit = deeds.find(({ isEdit }) => isEdit)?.order ?? Number.POSITIVE_INFINITY
  const passes = deeds.flatMap(({ order, command }) =>
    command?.outcome === "passed" ? [[command.kind, order] as const] : [],
  )
  const failures = deeds.flatMap(({ order, command }) =>
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
 * A check of the same kind has passed since: what failed then is no longer so. Or checks of that kind failed before the first
 * edit of the session, and never passed: then nothing says that the failure is the todo's own.
 */
const isExplained = (deeds: readonly Action[], { firstEdit, firstPass, lastPass, failedAtFirst }: Course): boolean => {
  const { order, command } = deeds.findLast((deed) => deed.command && isCheck(deed.command.kind)) ?? {}
  if (order === undefined || !command) return false
  const hasPassedBefore = (firstPass.get(command.kind) ?? Number.POSITIVE_INFINITY) < order
  const hasPassedSince = (lastPass.get(command.kind) ?? 0) > order
  return hasPassedSince || (failedAtFirst.has(command.kind) && !hasPassedBefore && firstEdit < order)
}

const listEvidence = (windows: readonly TodoWindow[], { deeds, startedBy }: Timeline): ListEvidence => {
  const last = checksAfterLastChange(deeds, startedBy).at(-1)?.command?.outcome
  const bursts = new Set(windows.flatMap(({ burst }) => burst ?? []))
  return {
    lastCheck: last === "passed" || last === "failed" ? last : "none",
    dropped: windows.filter(({ isDropped }) => isDropped).map(({ content }) => ({ content })),
    open: windows.filter(({ status, isDropped }) => !isDropped && !isFinished(status)).length,
    bursts: bursts.size,
  }
}
