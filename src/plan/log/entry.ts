/** Reads one entry of a log that any program may have changed: anything invalid is skipped. */
import type {
  Actor,
  Entry,
  PlanCheck,
  PlanEvent,
  PlanOpened,
  SeenTimes,
  Settle,
  TodoDecided,
  TodoPatch,
  ToldPart,
  Writer,
} from "../event.ts"
import { priorities, type Todo, todoStatuses } from "../todo.ts"
import type { Lease } from "./claims.ts"
import type { Stamp } from "./ledger.ts"
import { type Check, checkOf, isRecord, isShallow, isText, isTextList, needed, type Shape, shapeOf } from "./shape.ts"

export const entryVersion = 1

/**
 * Returns the entry in a parsed line, `future` if a newer Headway wrote it, or undefined. An entry is one change and is
 * accepted as a whole or not at all. Only events of unknown kinds are left out, because a newer Headway may write them
 * next to known ones.
 */
export const readEntry = (value: unknown): Entry | "future" | undefined => {
  if (!isRecord(value)) return undefined
  if (typeof value.v === "number" && value.v > entryVersion) return "future"
  if (entryShape.wrongField(value) !== undefined) return undefined
  const entry = value as Entry
  return entry.events.every(isKnown) ? entry : { ...entry, events: entry.events.filter(isKnown) }
}

/** The problem with an entry, in words for its author; undefined if it would be read back unchanged. */
export const wrongIn = (entry: Entry): string | undefined => {
  const field = entryShape.wrongField(entry)
  if (field !== undefined && field !== "events") return `its "${field}" is missing or of the wrong kind`
  for (const event of Array.isArray(entry.events) ? entry.events : [undefined]) {
    if (!isRecord(event) || typeof event.type !== "string") return "an event is an object with a type"
    const shape = eventShapes.get(event.type)
    if (!shape) return `"${event.type}" is not a kind of event`
    const wrong = shape.wrongField(event)
    if (wrong !== undefined) return `the "${wrong}" of a "${event.type}" event is missing or of the wrong kind`
  }
  return undefined
}

export const isTodo = (value: unknown): value is Todo => isRecord(value) && todoShape.wrongField(value) === undefined

/** From 1970 to 9999, in UTC, as `toISOString` writes it: such times can be compared as texts and never leave the calendar. */
const timePattern =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/
const isTime = (value: unknown): boolean => typeof value === "string" && timePattern.test(value)

const isStatus = (value: unknown): boolean => (todoStatuses as readonly unknown[]).includes(value)
const isPriority = (value: unknown): boolean => (priorities as readonly unknown[]).includes(value)
const isFlag = (value: unknown): boolean => typeof value === "boolean"
const isId = (value: unknown): boolean => typeof value === "string" && value !== ""
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isTextRecord = (value: unknown): boolean => isRecordOf(value, isText)
/** Nearly every line has two of these: no list of what is in them is made. */
const isRecordOf = (value: unknown, check: Check): boolean => {
  if (!isRecord(value)) return false
  for (const field in value) if (!check(value[field])) return false
  return true
}
const isExtra = (value: unknown): boolean => isRecord(value) && isShallow(value)
const isOneOf =
  (...known: readonly unknown[]) =>
  (value: unknown): boolean =>
    known.includes(value)

const todoFields: Shape<Todo> = {
  // A new todo may come without one: then the fold gives it the next that is free.
  id: needed(isText),
  content: needed(isText),
  status: needed(isStatus),
  activeForm: isText,
  phase: isText,
  notes: isTextList,
  description: isText,
  priority: isPriority,
  blockedBy: isTextList,
  owner: isText,
  reason: isText,
  waitsFor: isText,
  extra: isExtra,
}

const todoShape = shapeOf<Todo>(todoFields)

/** The fields of an object that a todo can have as they are, and all others. */
export const sortFields = (value: object): { fields: Partial<Todo>; others: Record<string, unknown> } => {
  const fields: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [field, part] of Object.entries(value)) {
    const row = Object.hasOwn(todoFields, field) ? todoFields[field as keyof Todo] : undefined
    if (row && checkOf(row)(part)) fields[field] = part
    else others[field] = part
  }
  return { fields, others }
}

const { id: _, ...patchFields } = todoFields

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

/** Every field of a todo may be set; `null` takes it away. */
const patchShape = shapeOf<TodoPatch>(
  Object.fromEntries(
    Object.entries(patchFields).map(([field, row]) => [field, orNull(checkOf(row))]),
  ) as Shape<TodoPatch>,
)

const isPatch = patchShape.fits
const isTodoList = (value: unknown): boolean => Array.isArray(value) && value.every(isTodo)

const leaseShape = shapeOf<Lease>({ owner: needed(isText), until: needed(isTime), by: isText })
const timesShape = shapeOf<SeenTimes>({ since: needed(isTime), spent: isNumber })
const parentShape = shapeOf<NonNullable<PlanOpened["parent"]>>({ agent: needed(isText), todo: isText })

const addedShape = shapeOf<NonNullable<TodoDecided["added"]>>({ others: needed(isTextList) })

const actorShape = shapeOf<Actor>({
  kind: needed(isOneOf("agent", "person", "system", "other")),
  id: needed(isText),
  client: isText,
  isElsewhere: isFlag,
})
const stampShape = shapeOf<Stamp>({
  at: needed(isTime),
  by: needed(actorShape.fits),
  entry: needed(isText),
  isUndo: isFlag,
  former: (value) => value === null || isStamp(value),
})

/** A stamp may hold another one; how deep they may be nested is limited as for all JSON. */
const isStamp = (value: unknown): boolean => isShallow(value) && stampShape.fits(value)

const toldPartShape = shapeOf<ToldPart>({ entry: needed(isText), from: needed(isNumber), to: needed(isNumber) })

const planCheckShape = shapeOf<PlanCheck>({ todo: isText, command: isText, file: isText })

type Parts<Type> = Omit<Extract<PlanEvent, { type: Type }>, "type">

/** Every kind of event there is, and what each of its fields must be. A new kind is a row here. */
const events: { readonly [Type in PlanEvent["type"]]: Shape<Parts<Type>> } = {
  "plan-opened": {
    session: needed(isText),
    agent: needed(isText),
    agentType: isText,
    project: isText,
    parent: parentShape.fits,
    title: isText,
  },
  "todo-added": { todo: needed(isTodo), after: isText, restores: isFlag, times: timesShape.fits },
  "todo-changed": {
    id: needed(isText),
    from: needed(isPatch),
    to: needed(isPatch),
    times: timesShape.fits,
    byText: isFlag,
    former: (value) => isRecordOf(value, orNull(isStamp)),
  },
  "todo-removed": { todo: needed(isTodo), was: isText, putsAway: isFlag },
  "todo-moved": { id: needed(isText), after: isText, was: isText },
  "todo-claimed": {
    id: needed(isText),
    owner: needed(isText),
    minutes: needed(isNumber),
    until: isTime,
    was: leaseShape.fits,
  },
  "todo-released": { id: needed(isText), owner: needed(isText) },
  "phase-added": { name: needed(isText), after: isText, was: isText },
  "phase-removed": { name: needed(isText), was: isText },
  "plan-cleared": { todos: needed(isTodoList), phases: isTextList },
  "todo-refused": { content: needed(isText), status: needed(isStatus) },
  "todo-decided": {
    id: needed(isText),
    fields: needed(isTextList),
    added: addedShape.fits,
    formerly: isTextList,
  },
  "todo-buried": { todo: needed(isTodo), formerly: isTextList },
  "agent-told": { entries: needed(isTextList), part: toldPartShape.fits, to: isText },
  "plan-restored": { context: needed(isOneOf("start", "resume", "compact")) },
  "plan-resumed": {},
  "check-set": { check: needed(planCheckShape.fits) },
  "check-removed": { check: needed(planCheckShape.fits) },
  "check-ran": {
    check: needed(planCheckShape.fits),
    outcome: needed(isOneOf("passed", "failed", "timed-out")),
    isNotRunnable: isFlag,
    took: needed(isNumber),
    revision: isText,
    tree: isText,
    printed: isTextList,
    gate: isOneOf("refused", "overruled"),
  },
  "plan-moved": { from: isText, to: isText },
}

const eventShapes = new Map(
  Object.entries(events).map(([type, fields]) => [
    type,
    shapeOf({ ...fields, type: needed(isText) } as Shape<{ type: string }>),
  ]),
)

/** The kinds of events this Headway knows: what was folded without knowing one has to be folded again once it is known. */
export const eventKinds: readonly string[] = [...eventShapes.keys()]

const isKnown = ({ type }: PlanEvent): boolean => eventShapes.has(type)

/** One of an unknown kind is sound as long as it does no harm. */
const isEvent = (value: unknown): boolean => {
  if (!isRecord(value) || typeof value.type !== "string") return false
  const shape = eventShapes.get(value.type)
  return shape ? shape.wrongField(value) === undefined : isShallow(value)
}

const writerShape = shapeOf<Writer>({ person: needed(isText), machine: needed(isText) })
const viaShape = shapeOf<NonNullable<Entry["via"]>>({
  dialect: needed(isText),
  tool: needed(isText),
  callId: isText,
  madeAt: isTime,
})
const settleShape = shapeOf<Settle>({ oneActive: isFlag, autoStart: isFlag, keepsClaimed: isFlag })

const entryShape = shapeOf<Entry>({
  v: needed(isOneOf(entryVersion)),
  id: needed(isId),
  at: needed(isTime),
  by: needed(actorShape.fits),
  from: writerShape.fits,
  via: viaShape.fits,
  events: needed((value) => Array.isArray(value) && value.every(isEvent)),
  settle: settleShape.fits,
  undoes: isText,
  names: isTextRecord,
  origins: (value) => isRecordOf(value, isTextRecord),
})
