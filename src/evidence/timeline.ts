/** The events of a session in order: the changes of lists, and the work. */

import { addTo } from "../plan/grouped.ts"
import type { Plan, TodoStatus } from "../plan/index.ts"
import type { Work, WorkResult, WorkSignal } from "../streams/work.ts"
import { changingName } from "./_changing-programs.ts"
import { type CommandKind, commandKind, isCheck } from "./command-kind.ts"
import { failureLine } from "./failure-line.ts"
import { isInTemporaryFolder, resolved } from "./folders.ts"
import { type Outcome, outcomeOf } from "./outcome.ts"
import { type ShellEdits, type Stash, shellEdits } from "./shell-edits.ts"

/** `order` grows with each event; `line` is the line that records it. */
export type Place = { order: number; line: number; at?: string | undefined }

export type Action = Place & {
  agent: string
  callId: string
  files: readonly string[]
  /** Whether it certainly changed files. */
  isEdit: boolean
  /** Whether it may have changed files. */
  mayEdit: boolean
  /** Whether it changed files or may have, so that earlier passed checks no longer count. */
  voidsChecks: boolean
  /** The folder in which it was done, as far as known. */
  folder: string
  /** Whether it is a command that checks its own changes: `sed -i … && npm test`. */
  checksItself: boolean
  /** Whether the work was stashed at the time (`git stash`), so that a check did not cover it. */
  isAside: boolean
  /** The command, if it is one. Only checks have an outcome. */
  command?: {
    text: string
    kind: CommandKind
    outcome: Outcome
    printed: readonly string[]
    /** The line of its output about the failure. */
    failure?: string | undefined
    ended?: number | undefined
  }
  delegation?: { title?: string; agent?: string }
  isRefused: boolean
}

/** A list after a change. A refused call is no change. */
export type ListChange = Place & { agent: string; callId?: string | undefined; todos: readonly ListedTodo[] }

export type ListedTodo = { id: string; content: string; status: TodoStatus }

export type Timeline = ReturnType<typeof createTimeline>

/** How many actions of a session are read; later ones are ignored. */
const mostActions = 200_000

export const createTimeline = () => {
  const actions: Action[] = []
  const byCall = new Map<string, { action: Action; signal: Extract<WorkSignal, { type: "work" }> }>()
  const byAgent = new Map<string, Action[]>()
  const changes: ListChange[] = []
  const lastOf = new Map<string, ListChange>()
  const changesOf = new Map<string, ListChange[]>()
  const takenBack = new Set<ListChange>()
  /** Which call started which sub-agent. */
  const startedBy = new Map<string, string>()
  const stashes = createStashes()
  let order = 0
  /** The agent's current folder, and the first one. */
  let folder: string | undefined
  let project: string | undefined

  return {
    actions: actions as readonly Action[],
    /** Returns the actions of one agent, in order. */
    actionsOf: (agent: string): readonly Action[] => byAgent.get(agent) ?? [],
    /** Returns the agents with actions. */
    agents: (): Iterable<string> => byAgent.keys(),
    changes: (): readonly ListChange[] => changes.filter((change) => !takenBack.has(change)),
    startedBy: startedBy as ReadonlyMap<string, string>,
    work(signal: WorkSignal, line: number): void {
      order += 1
      if (signal.type === "work") {
        if (actions.length >= mostActions || byCall.has(signal.callId)) return
        const { action, stash } = begun(signal, { order, line, at: signal.at }, { folder, project: project ?? folder })
        stashes.take(action, stash)
        actions.push(action)
        addTo(byAgent, action.agent, action)
        byCall.set(signal.callId, { action, signal })
        return
      }
      const found = byCall.get(signal.callId)
      if (!found) return
      settle(found.action, found.signal, signal.result, order)
      if (hasDoneNothing(signal.result)) stashes.forget(found.action)
    },
    worksIn(now: string): void {
      folder = resolved("", now)
      project ??= now
    },
    subAgent(agent: string, callId: string): void {
      startedBy.set(agent, callId)
      const found = byCall.get(callId)
      if (found?.action.delegation) found.action.delegation.agent = agent
    },
    /** Records the new state of a list; `callId` is the id of the call that changed it. */
    list(
      agent: string,
      plan: Pick<Plan, "todos"> | undefined,
      about: { line: number; at?: string | undefined; callId?: string | undefined },
    ): void {
      order += 1
      const todos = (plan?.todos ?? []).map(({ id, content, status }) => ({ id, content, status }))
      const before = lastOf.get(agent)
      // The result of a call completes its change, and keeps the call's place.
      if (before && about.callId !== undefined && before.callId === about.callId && !takenBack.has(before)) {
        before.todos = todos
        return
      }
      const change = { order, agent, todos, ...about }
      changes.push(change)
      lastOf.set(agent, change)
      if (about.callId !== undefined) addTo(changesOf, about.callId, change)
    },
    /** Removes the change of a call that was refused or rewound. */
    takeBack(callId: string): void {
      for (const change of changesOf.get(callId) ?? []) takenBack.add(change)
      changesOf.delete(callId)
    },
  }
}

/** The index of the first action after an order. */
export const placeAfter = (actions: readonly Action[], order: number): number => {
  let [low, high] = [0, actions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((actions[middle]?.order ?? 0) > order) high = middle
    else low = middle + 1
  }
  return low
}

type Begun = { action: Action; stash?: Stash | undefined }

type Whereabouts = { folder: string | undefined; project: string | undefined }

const begun = (signal: Extract<WorkSignal, { type: "work" }>, place: Place, where: Whereabouts): Begun => {
  const { work } = signal
  const action = actionOf(signal, place, where.folder)
  if (work.kind === "command") return begunCommand(action, work, where)
  const isOurs = (path: string): boolean => isOfProject(path, where.project) || isOfProject(path, where.folder)
  if (work.kind === "edit") {
    action.files = work.files.filter(isOurs)
    action.isEdit = work.files.length === 0 || action.files.length > 0
    action.voidsChecks = action.isEdit
  }
  if (work.kind === "delegation") action.delegation = work.title === undefined ? {} : { title: work.title }
  if (work.kind === "other") {
    action.mayEdit = true
    if (isChangingTool(work.tool)) {
      action.files = (work.files ?? noLines).filter(isOurs)
      action.isEdit = action.files.length > 0
    }
    action.voidsChecks =
      action.isEdit || (work.command !== undefined && meaningOf(work.command, where).edits.voidsChecks)
  }
  return { action }
}

/** Whether a server's tool changes files, by the words of its name: `mcp__serena__replace_symbol_body`, `editFile`. */
const isChangingTool = (tool: string): boolean =>
  changingName.test(tool.slice(tool.lastIndexOf("__") + 1).replaceAll(/([a-z])([A-Z])/g, "$1_$2"))

const begunCommand = (action: Action, work: Extract<Work, { kind: "command" }>, where: Whereabouts): Begun => {
  const { command: text, folder } = work
  if (folder !== undefined) action.folder = resolved(action.folder, folder)
  const { kind, edits } = meaningOf(text, { ...where, folder: action.folder })
  action.files = edits.files
  action.isEdit = edits.files.length > 0
  action.mayEdit = edits.mayEdit
  action.voidsChecks = edits.voidsChecks
  action.checksItself = edits.checksItself
  action.command = { text, kind, outcome: "unknown", printed: noLines }
  return { action, stash: edits.stash }
}

const noLines: readonly string[] = []

/** Written field by field, because spreading objects is slow and a session has thousands of actions. */
const actionOf = (
  { agent, callId }: { agent: string; callId: string },
  { order, line, at }: Place,
  folder: string | undefined,
): Action => ({
  order,
  line,
  at,
  agent,
  callId,
  files: noLines,
  isEdit: false,
  mayEdit: false,
  voidsChecks: false,
  folder: folder ?? "",
  checksItself: false,
  isAside: false,
  isRefused: false,
})

/** Tracks stashed work by agent. If it is restored before any other edit, it counts as unchanged. */
const createStashes = () => {
  const away = new Map<string, Action>()
  return {
    take(action: Action, stash: Stash | undefined): void {
      const before = away.get(action.agent)
      if (stash === undefined && action.isEdit) away.delete(action.agent)
      else if (stash === "both" || (before && stash !== "back")) action.isAside = true
      if (stash === "away") {
        Object.assign(action, { isEdit: true, voidsChecks: true, files: wholeFolder, isAside: true })
        away.set(action.agent, action)
      } else if (stash === "back") {
        away.delete(action.agent)
        if (before) Object.assign(before, { isEdit: false, voidsChecks: false, files: noLines })
        else
          Object.assign(action, {
            isEdit: true,
            voidsChecks: true,
            files: action.files.length > 0 ? action.files : wholeFolder,
          })
      }
    },
    /** Forgets a stash that was not run, or that had nothing to stash. */
    forget(action: Action): void {
      if (away.get(action.agent) !== action) return
      away.delete(action.agent)
      Object.assign(action, { isEdit: false, voidsChecks: false, files: noLines, isAside: false })
    },
  }
}

const hasDoneNothing = ({ isRefused, output = "" }: WorkResult): boolean =>
  isRefused === true || nothingPutAway.test(output.slice(0, longestLine))

const nothingPutAway = /No local changes to save|do not have the initial commit|not a git repository/

const wholeFolder: readonly string[] = ["."]

type Meaning = { kind: CommandKind; edits: ShellEdits }

/** The kind of a command and the files it changes. Cached, because agents repeat commands. */
const meaningOf = (command: string, { folder = "", project = "" }: Whereabouts): Meaning => {
  const isKept = command.length <= longestKept
  const key = isKept ? `${folder}\n${project}\n${command}` : ""
  const kept = isKept ? meanings.get(key) : undefined
  if (kept) return kept
  const meaning = { kind: commandKind(command), edits: shellEdits(command, { folder, project }) }
  if (meanings.size >= mostMeanings) meanings.clear()
  if (isKept) meanings.set(key, meaning)
  return meaning
}

const meanings = new Map<string, Meaning>()
const [mostMeanings, longestKept] = [256, 1_000]

/**
 * Files in a temporary folder are the agent's own notes and do not count, unless the project is in one too. If the
 * stream does not name the project's folder, every file counts.
 */
const isOfProject = (path: string, project: string | undefined): boolean =>
  project === undefined || path.startsWith(`${project}/`) || !isInTemporaryFolder(path)

const settle = (
  action: Action,
  { work }: Extract<WorkSignal, { type: "work" }>,
  result: WorkResult,
  order: number,
): void => {
  action.isRefused = result.isRefused === true
  if (result.subAgent !== undefined && action.delegation) action.delegation.agent = result.subAgent
  // A refused or failed edit has changed nothing.
  if (work.kind !== "command" && (result.isRefused || result.isError)) {
    action.isEdit = false
    action.voidsChecks = false
  }
  if (action.command === undefined || work.kind !== "command") return
  if (result.isRefused) {
    action.isEdit = false
    action.mayEdit = false
    action.voidsChecks = false
  }
  action.command.ended = result.isRunning ? undefined : order
  // Only the outcome of checks is needed.
  if (!isCheck(action.command.kind)) return
  const outcome = outcomeOf({ command: work.command, ...result })
  const isFailure = outcome === "failed"
  action.command.outcome = outcome
  action.command.printed = isFailure ? lastLines(result.output ?? "") : []
  action.command.failure = isFailure ? failureLine(result.output ?? "") : undefined
}

const keptLines = 8
const longestLine = 400

const lastLines = (output: string): string[] =>
  output
    .slice(-8_000)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-keptLines)
    .map((line) => line.slice(0, longestLine))
