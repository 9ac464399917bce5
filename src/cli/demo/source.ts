/** The recorded agents as the board sees them. All their plans live in memory; nothing is written anywhere. */
import { applyBoardEdit } from "../../board/edit.ts"
import {
  type Actor,
  activeFormOf,
  activeTodo,
  isFinished,
  messageOf,
  type Plan,
  progressOf,
  spanOf,
} from "../../plan/index.ts"
import { stateOf } from "../../sessions/join/activity.ts"
import { shortened } from "../../sessions/title.ts"
import { createMemoryStore } from "../../stores/memory.ts"
import type { ObservedAgent } from "../../streams/observe.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { BoardEdit, BoardSession, BoardSource, EditResult } from "../../views/board/session.ts"
import { checklist } from "../edit/checklist-edit.ts"
import { agentNamesOf } from "../output/session-names.ts"
import { type Recording, recordings } from "./recordings.ts"
import { type Watched, watchRecording } from "./watched.ts"

export type DemoSource = BoardSource & {
  /** What a recorded agent printed next. Resolves with what it was told about a person's edits. */
  push(recording: Recording, line: string): Promise<readonly string[]>
  /** The agents of one recording, the main one first. */
  agentsOf(name: string): readonly BoardSession[]
  editAs(by: Actor, key: string, edit: BoardEdit, seen?: Plan): Promise<EditResult>
  /** Shows a notice, or none any more. */
  say(text: string | undefined): void
}

const refused = (message: string): EditResult => ({ outcome: "refused", message })

const viewer: Actor = { kind: "person", id: "viewer" }

export const createDemoSource = (now: () => Date): DemoSource => {
  const store = createMemoryStore()
  // No recorded agent knows who is watching now: if it were told, its next list would seem to overrule them.
  const isToldOf = ({ id }: Actor): boolean => id !== viewer.id
  const watches = new Map(
    recordings.map((recording) => [recording, watchRecording(recording, { store, now, isToldOf })]),
  )
  const listeners = new Set<() => void>()
  const names = new Map<string, string>()
  let sessions: readonly BoardSession[] = []
  let notice: string | undefined

  const watched = (): Watched[] => [...watches.values()].flatMap(({ agents }) => [...agents.values()])

  const shown = (one: Watched): BoardSession => {
    const title = names.get(keyOf(one.tracker))
    return { ...sessionOf(one, now()), ...(title === undefined ? {} : { title }) }
  }

  const announce = (): void => {
    for (const listener of listeners) listener()
  }

  const change = (): void => {
    sessions = watched().map(shown)
    announce()
  }

  const rename = (key: string, name: string): EditResult => {
    if (name === "") names.delete(key)
    else names.set(key, name)
    change()
    return { outcome: "changed", message: name === "" ? "it shows its own title again" : `renamed: ${name}` }
  }

  const editAs: DemoSource["editAs"] = async (by, key, edit, seen) => {
    const one = watched().find(({ tracker }) => keyOf(tracker) === key)
    if (!one) return refused("That agent no longer exists.")
    if (edit.kind === "rename") return rename(key, shortened(edit.title))
    const result = await applyBoardEdit(one.tracker, edit, { by, seen, checklist }).catch((cause: unknown) =>
      refused(messageOf(cause)),
    )
    change()
    return result
  }

  return {
    get sessions() {
      return sessions
    },
    get notice() {
      return notice
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Every plan is at hand.
    show() {},
    edit: (key, edit, seen) => editAs(viewer, key, edit, seen),
    textOf: checklist.print,
    async push(recording, line) {
      const notices = (await watches.get(recording)?.push(Buffer.from(`${line}\n`))) ?? []
      change()
      return notices
    },
    agentsOf: (name) => watched().flatMap((one) => (one.recording.name === name ? [shown(one)] : [])),
    editAs,
    say(text) {
      notice = text
      announce()
    },
  }
}

const keyOf = ({ key }: Tracker): string => `${key.session}/${key.agent}`

const sessionOf = ({ recording, tracker, seen, updated }: Watched, now: Date): BoardSession => {
  const { plan, key } = tracker
  const active = activeTodo(plan)
  const isPlanFinished = plan.todos.length > 0 && plan.todos.every(({ status }) => isFinished(status))
  const parent = seen.about.parent && { parent: `${key.session}/${seen.about.parent.agent}` }
  return {
    key: keyOf(tracker),
    agentType: recording.agentType,
    ...agentNamesOf(recording.agentType),
    session: key.session,
    agent: key.agent,
    ...parent,
    project: recording.project,
    ...titleOf(recording, seen),
    ...stateOf({ ...seen, updated, isPlanFinished, isSubAgent: seen.about.parent !== undefined }, now),
    planTool: seen.plan ? "present" : "unknown",
    updated,
    progress: progressOf(plan),
    todos: plan.todos.length,
    ...(active ? { current: activeFormOf(active) } : {}),
    plan: plan.revision > 0 ? plan : undefined,
    times: timesIn(tracker),
    isEditable: true,
    version: plan.revision,
  }
}

/** A sub-agent is named by its task. */
const titleOf = ({ title }: Recording, { agent, about }: ObservedAgent): Pick<BoardSession, "title" | "role"> => ({
  title: (agent === "main" ? undefined : about.title) ?? title,
  ...(about.role === undefined ? {} : { role: about.role }),
})

const timesIn = ({ plan, ledger }: Tracker): NonNullable<BoardSession["times"]> =>
  Object.fromEntries(
    plan.todos.flatMap(({ id, status }) => {
      const record = ledger.todos.get(id)
      const span = record && spanOf(status, record.since, record.spent.in_progress)
      return span ? [[id, span]] : []
    }),
  )
