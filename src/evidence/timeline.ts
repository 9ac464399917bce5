/** What happened in a session, in order: the lists as they changed, and the work that was done. */

import { addTo } from "../plan/grouped.ts"
import type { Plan, TodoStatus } from "../plan/index.ts"
import type { Work, WorkResult, WorkSignal } from "../streams/work.ts"
import { changingName } from "./_changing-programs.ts"
import { type CommandKind, commandKind, isCheck } from "./command-kind.ts"
import { failureLine } from "./failure-line.ts"
import { isInTemporaryFolder, resolved } from "./folders.ts"
import { type Outcome, outcomeOf } from "./outcome.ts"
import { type ShellEdits, type Stash, shellEdits } from "./shell-edits.ts"

/** `order` grows with each thing that happens; `line` is where it is recorded. */
export type Place = { order: number; line: number; at?: string | undefined }

export type Action = Place & {
  agent: string
  callId: string
  files: readonly string[]
  /** It changed files for certain. */
  isEdit: boolean
  /** It may have changed files. */
  mayEdit: boolean
  /** It changed files or may have, so that a check that passed before it no longer counts. */
  voidsChecks: boolean
  /** The folder it was done in, as far as that is known. */
  folder: string
  /** It is a command that checks what it has changed itself: `sed -i … && npm test`. */
  checksItself: boolean
  /** The work was stashed at the time (`git stash`): a check then reads files without it. */
  isAside: boolean
  /** If it is a command. An outcome is reported only for checks. */
  command?: {
    text: string
    kind: CommandKind
    outcome: Outcome
    printed: readonly string[]
    /** What it says about the failure, in one line. */
    failure?: string | undefined
    ended?: number | undefined
  }
  delegation?: { title?: string; agent?: string }
  isRefused: boolean
}

/** A list after a change. A call that was refused leaves none. */
export type ListChange = Place & { agent: string; callId?: string | undefined; todos: readonly ListedTodo[] }

export type ListedTodo = { id: string; content: string; status: TodoStatus }

export type Timeline = ReturnType<typeof createTimeline>

/** How many deeds of a session are read; later ones are not. */
const mostDeeds = 200_000

export const createTimeline = () => {
  const deeds: Action[] = []
  const byCall = new Map<string, { deed: Action; signal: Extract<WorkSignal, { type: "work" }> }>()
  const byAgent = new Map<string, Action[]>()
  const changes: ListChange[] = []
  const lastOf = new Map<string, ListChange>()
  const changesOf = new Map<string, ListChange[]>()
  const takenBack = new Set<ListChange>()
  /** Which call started which sub-agent. */
  const startedBy = new Map<string, string>()
  const stashes = createStashes()
  let order = 0
  /** The folder it works in now, and the first one. */
  let folder: string | undefined
  let project: string | undefined

  return {
    deeds: deeds as readonly Action[],
    /** Those of one agent, in order. */
    deedsOf: (agent: string): readonly Action[] => byAgent.get(agent) ?? [],
    /** Agents that did something. */
    agents: (): Iterable<string> => byAgent.keys(),
    changes: (): readonly ListChange[] => changes.filter((change) => !takenBack.has(change)),
    startedBy: startedBy as ReadonlyMap<string, string>,
    work(signal: WorkSignal, line: number): void {
      order += 1
      if (signal.type === "work") {
        if (deeds.length >= mostDeeds || byCall.has(signal.callId)) return
        const { deed, stash } = begun(signal, { order, line, at: signal.at }, { folder, project: project ?? folder })
        stashes.take(deed, stash)
        deeds.push(deed)
        addTo(byAgent, deed.agent, deed)
        byCall.set(signal.callId, { deed, signal })
        return
      }
      const found = byCall.get(signal.callId)
      if (!found) return
      settle(found.deed, found.signal, signal.result, order)
      if (hasDoneNothing(signal.result)) stashes.forget(found.deed)
    },
    worksIn(now: string): void {
      folder = resolved("", now)
      project ??= now
    },
    subAgent(agent: string, callId: string): void {
      startedBy.set(agent, callId)
      const found = byCall.get(callId)
      if (found?.deed.delegation) found.deed.delegation.agent = agent
    },
    /** A list looks different now; `callId` is of the call that changed it. */
    list(
      agent: string,
      plan: Pick<Plan, "todos"> | undefined,
      about: { line: number; at?: string | undefined; callId?: string | undefined },
    ): void {
      order += 1
      const todos = (plan?.todos ?? []).map(({ id, content, status }) => ({ id, content, status }))
      const before = lastOf.get(agent)
      // The result of a call completes its changes, and is placed with the call.
      if (before && about.callId !== undefined && before.callId === about.callId && !takenBack.has(before)) {
        before.todos = todos
        return
      }
      const change = { order, agent, todos, ...about }
      changes.push(change)
      lastOf.set(agent, change)
      if (about.callId !== undefined) addTo(changesOf, about.callId, change)
    },
    /** A call was refused or taken back: what it changed has not happened. */
    takeBack(callId: string): void {
      for (const change of changesOf.get(callId) ?? []) takenBack.add(change)
      changesOf.delete(callId)
    },
  }
}

/** The index of the first deed after an order. */
export const placeAfter = (deeds: readonly Action[], order: number): number => {
  let [low, high] = [0, deeds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((deeds[middle]?.order ?? 0) > order) high = middle
    else low = middle + 1
  }
  return low
}

type Begun = { deed: Action; stash?: Stash | undefined }

type Whereabouts = { folder: string | undefined; project: string | undefined }

const begun = (signal: Extract<WorkSignal, { type: "work" }>, place: Place, where: Whereabouts): Begun => {
  const { work } = signal
  const deed = deedOf(signal, place, where.folder)
  if (work.kind === "command") return begunCommand(deed, work, where)
  const isOurs = (path: string): boolean => isOfProject(path, where.project) || isOfProject(path, where.folder)
  if (work.kind === "edit") {
    deed.files = work.files.filter(isOurs)
    deed.isEdit = work.files.length === 0 || deed.files.length > 0
    deed.voidsChecks = deed.isEdit
  }
  if (work.kind === "delegation") deed.delegation = work.title === undefined ? {} : { title: work.title }
  if (work.kind === "other") {
    deed.mayEdit = true
    if (isChangingTool(work.tool)) {
      deed.files = (work.files ?? noLines).filter(isOurs)
      deed.isEdit = deed.files.length > 0
    }
    deed.voidsChecks = deed.isEdit || (work.command !== undefined && meaningOf(work.command, where).edits.voidsChecks)
  }
  return { deed }
}

/** A tool of a server, by the words of its own name: `mcp__serena__replace_symbol_body`, `editFile`. */
const isChangingTool = (tool: string): boolean =>
  changingName.test(tool.slice(tool.lastIndexOf("__") + 1).replaceAll(/([a-z])([A-Z])/g, "$1_$2"))

const begunCommand = (deed: Action, work: Extract<Work, { kind: "command" }>, where: Whereabouts): Begun => {
  const { command: text, folder } = work
  if (folder !== undefined) deed.folder = resolved(deed.folder, folder)
  const { kind, edits } = meaningOf(text, { ...where, folder: deed.folder })
  deed.files = edits.files
  deed.isEdit = edits.files.length > 0
  deed.mayEdit = edits.mayEdit
  deed.voidsChecks = edits.voidsChecks
  deed.checksItself = edits.checksItself
  deed.command = { text, kind, outcome: "unknown", printed: noLines }
  return { deed, stash: edits.stash }
}

const noLines: readonly string[] = []

/** Written out field by field: a session has thousands of them, and to spread one object into another takes long. */
const deedOf = (
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

/** By agent: what is done while work is put away. Brought back before anything else was edited, it is as it was. */
const createStashes = () => {
  const away = new Map<string, Action>()
  return {
    take(deed: Action, stash: Stash | undefined): void {
      const before = away.get(deed.agent)
      if (stash === undefined && deed.isEdit) away.delete(deed.agent)
      else if (stash === "both" || (before && stash !== "back")) deed.isAside = true
      if (stash === "away") {
        Object.assign(deed, { isEdit: true, voidsChecks: true, files: wholeFolder, isAside: true })
        away.set(deed.agent, deed)
      } else if (stash === "back") {
        away.delete(deed.agent)
        if (before) Object.assign(before, { isEdit: false, voidsChecks: false, files: noLines })
        else
          Object.assign(deed, {
            isEdit: true,
            voidsChecks: true,
            files: deed.files.length > 0 ? deed.files : wholeFolder,
          })
      }
    },
    /** It was not run, or there was nothing to put away. */
    forget(deed: Action): void {
      if (away.get(deed.agent) !== deed) return
      away.delete(deed.agent)
      Object.assign(deed, { isEdit: false, voidsChecks: false, files: noLines, isAside: false })
    },
  }
}

const hasDoneNothing = ({ isRefused, output = "" }: WorkResult): boolean =>
  isRefused === true || nothingPutAway.test(output.slice(0, longestLine))

const nothingPutAway = /No local changes to save|do not have the initial commit|not a git repository/

const wholeFolder: readonly string[] = ["."]

type Meaning = { kind: CommandKind; edits: ShellEdits }

/** What a command is for and what it changes. Agents run the same ones again and again. */
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
 * Files in a temporary folder are the agent's own notes and do not count, unless the project is in there too. A stream that does
 * not name the project's folder cannot tell the two apart: then every file counts.
 */
const isOfProject = (path: string, project: string | undefined): boolean =>
  project === undefined || path.startsWith(`${project}/`) || !isInTemporaryFolder(path)

const settle = (
  deed: Action,
  { work }: Extract<WorkSignal, { type: "work" }>,
  result: WorkResult,
  order: number,
): void => {
  deed.isRefused = result.isRefused === true
  if (result.subAgent !== undefined && deed.delegation) deed.delegation.agent = result.subAgent
  // An edit that was refused or went wrong has changed nothing.
  if (work.kind !== "command" && (result.isRefused || result.isError)) {
    deed.isEdit = false
    deed.voidsChecks = false
  }
  if (deed.command === undefined || work.kind !== "command") return
  if (result.isRefused) {
    deed.isEdit = false
    deed.mayEdit = false
    deed.voidsChecks = false
  }
  deed.command.ended = result.isRunning ? undefined : order
  // The outcome of a command that checks nothing is not needed.
  if (!isCheck(deed.command.kind)) return
  const outcome = outcomeOf({ command: work.command, ...result })
  const isFailure = outcome === "failed"
  deed.command.outcome = outcome
  deed.command.printed = isFailure ? lastLines(result.output ?? "") : []
  deed.command.failure = isFailure ? failureLine(result.output ?? "") : undefined
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
