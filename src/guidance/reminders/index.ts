/** The table of reminders, one row each, and the profiles that select from them. */
import { HeadwayError } from "../../plan/index.ts"
import type { ReminderTag } from "../attachment.ts"
import { failedCall } from "./failed-call.ts"
import { gencodeFirst } from "./gencode-first.ts"
import { gencodeNag } from "./gencode-nag.ts"
import { listChanged } from "./list-changed.ts"
import { listRestored } from "./list-restored.ts"
import { personEdit } from "./person-edit.ts"
import { planMode } from "./plan-mode.ts"
import type { Pace, ReminderRule } from "./reminder.ts"
import { staleTodo } from "./stale-todo.ts"
import { todoReminder } from "./todo-reminder.ts"

export { type ListBody, type ListedTodo, listForModel } from "./_list.ts"
export type { TodoBody } from "./_todo-text.ts"

export const reminders = {
  "list-restored": listRestored,
  "list-changed": listChanged,
  "person-edit": personEdit,
  "failed-call": failedCall,
  "plan-mode": planMode,
  "stale-todo": staleTodo,
  "todo-reminder": todoReminder,
  "gencode-first": gencodeFirst,
  "gencode-nag": gencodeNag,
} as const satisfies Record<string, ReminderRule>

export type ReminderId = keyof typeof reminders

export const reminderIds = Object.keys(reminders) as ReminderId[]

/** The rule with this id. Throws for an unknown id, listing the known ones. */
export const findReminder = (id: string): ReminderRule => {
  if (Object.hasOwn(reminders, id)) return reminders[id as ReminderId]
  throw new HeadwayError(
    "unknown-reminder",
    `There is no reminder "${id}". The reminders are: ${reminderIds.join(", ")}.`,
  )
}

/** The reminders of every profile, about events that the model must know. */
const news = ["list-restored", "person-edit", "failed-call", "plan-mode"] as const satisfies readonly ReminderId[]

export const profiles = {
  /** Only a person's changes, if the host passes them on. */
  off: { tag: "system-reminder", rules: ["person-edit"] },
  quiet: { tag: "system-reminder", rules: [...news, "stale-todo"] },
  classic: { tag: "system-reminder", rules: [...news, "list-changed", "todo-reminder"] },
  gencode: { tag: "reminder", rules: [...news, "gencode-first", "gencode-nag"] },
} as const satisfies Record<string, { tag: ReminderTag; rules: readonly ReminderId[] }>

export type Profile = keyof typeof profiles

export const profileNames = Object.keys(profiles) as Profile[]

/** The profile with this name. Throws for an unknown name, listing the known ones. */
export const findProfile = (name: string): { tag: ReminderTag; rules: readonly ReminderId[] } => {
  if (Object.hasOwn(profiles, name)) return profiles[name as Profile]
  throw new HeadwayError(
    "unknown-profile",
    `There is no reminder profile "${name}". The profiles are: ${profileNames.join(", ")}.`,
  )
}

export const paceFrom = (own: Partial<Pace> = {}): Pace => {
  const unknown = Object.keys(own).find((name) => !Object.hasOwn(defaultPace, name))
  if (unknown !== undefined) {
    const names = Object.keys(defaultPace).join(", ")
    throw new HeadwayError("unknown-pace", `There is no pace "${unknown}". It is one of: ${names}.`)
  }
  const given = Object.entries(own).filter(([, turns]) => turns !== undefined)
  const wrong = given.find(([, turns]) => !(typeof turns === "number" && turns >= 0))
  if (wrong !== undefined)
    throw new HeadwayError("invalid-pace", `The pace "${wrong[0]}" is a number from 0, not ${String(wrong[1])}.`)
  return { ...defaultPace, ...Object.fromEntries(given) }
}

export const defaultPace: Pace = {
  turnsSinceWrite: 7,
  turnsSinceReminder: 3,
  staleAfter: 10,
  mostStale: 3,
  nagAfter: 10,
  planModeEvery: 5,
}
