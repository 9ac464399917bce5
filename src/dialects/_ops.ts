/** The operations of oh-my-pi's list: the effect of each on the current plan, and its errors. */
import {
  changeTodo,
  diff,
  emptyPlan,
  error,
  isFinished,
  type Ledger,
  nearest,
  type Plan,
  type PlanEvent,
  type Problem,
  sanitise,
  sanitiseNote,
  type Todo,
  type Wanted,
  warning,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { readBlock, readLine, readStrings } from "./reading/items.ts"
import { readText, readValue } from "./reading/read.ts"

export type OpContext = {
  plan: Plan
  ledger: Ledger | undefined
  /** Whether it is the older tool, with several ops per call, notes, and an `rm` that removes. */
  isBatch: boolean
  /** Whether to suggest a similar todo for an unknown one. Only for the first few errors, because that is slow. */
  hints: boolean
}

type OpResult = { events: PlanEvent[]; problems: Problem[]; reads?: boolean }

/** The ops of a call, wrapped or not; undefined if the call has none. */
export const readOps = (value: unknown): Record<string, unknown>[] | undefined => {
  if (Array.isArray(value))
    return value.every(isRecord) && value.length > 0 && value.some(looksLikeOp) ? value : undefined
  if (!isRecord(value)) return undefined
  if (value.ops !== undefined) {
    const ops = typeof value.ops === "string" ? readText(value.ops).value : value.ops
    const list = Array.isArray(ops) ? ops : [ops]
    return list.length > 0 && list.every(isRecord) ? list : undefined
  }
  return looksLikeOp(value) ? [value] : undefined
}

const looksLikeOp = (value: unknown): boolean =>
  isRecord(value) && ["op", "list", "items", "task", "phase"].some((key) => key in value)

/** Other names that models use for an op. */
const opWords: ReadonlyMap<string, string> = new Map([
  ["complete", "done"],
  ["completed", "done"],
  ["finish", "done"],
  ["add", "append"],
  ["create", "init"],
  ["remove", "rm"],
  ["delete", "rm"],
  ["cancel", "drop"],
  ["abandon", "drop"],
  ["begin", "start"],
  ["list", "view"],
  ["show", "view"],
])

export const runOp = (raw: Record<string, unknown>, context: OpContext): OpResult => {
  const op = withoutPadding(raw)
  const name = opName(op, context.plan)
  const ops = context.isBatch ? batchOps : currentOps
  const run = name === undefined ? undefined : ops.get(name)
  if (run && name !== undefined && meansEverything.has(name) && namesNothing(raw, op)) {
    const advice = "Name a task or a phase, or leave out both to mean everything."
    return refusal("blank-target", `${name} has an empty task or phase. ${advice}`)
  }
  if (run) return run(op, context)
  const known = `Use one of ${[...ops.keys()].join(", ")}, for example {"op":"done","task":"…"}.`
  return name === undefined
    ? refusal("missing-op", `An op is missing. ${known}`)
    : refusal("unknown-op", `There is no op "${sanitise(name).slice(0, 40)}". ${known}`)
}

/** Models fill unused fields with empty values. */
const withoutPadding = (op: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(op).filter(
      ([, value]) => value !== "" && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** Ops that mean every todo if they name none. */
const meansEverything: ReadonlySet<string> = new Set(["done", "drop", "rm"])

/** Whether the name of the target is empty. Such an op does not mean every todo. */
const namesNothing = (raw: Record<string, unknown>, op: Record<string, unknown>): boolean =>
  op.task === undefined && op.phase === undefined && (raw.task === "" || raw.phase === "")

/** The name of an op. A missing name is inferred if only one is possible. */
const opName = (
  { op, list, items, phase, task, text, reason }: Record<string, unknown>,
  plan: Plan,
): string | undefined => {
  if (typeof op === "string") {
    const word = op.trim().toLowerCase()
    return opWords.get(word) ?? word
  }
  if (list !== undefined) return "init"
  if (items !== undefined && phase !== undefined) return "append"
  if (items !== undefined && plan.todos.length === 0) return "init"
  if (task !== undefined && text !== undefined) return "note"
  if (task !== undefined && reason !== undefined) return "block"
  return undefined
}

type Op = (op: Record<string, unknown>, context: OpContext) => OpResult

const init: Op = (op, { plan, ledger, isBatch }) => {
  const read = readGroups(op)
  if (read.length === 0)
    return refusal(
      "missing-list",
      'init needs a list: {"op":"init","list":[{"phase":"Build","items":["Run the tests"]}]}.',
    )
  const names = distinctNames(read.map(({ phase }) => phase))
  const groups = read.map(({ phase, items }, index) => ({ phase: names[index] ?? phase, items }))
  const wanted: Wanted[] = groups.flatMap(({ phase, items }) =>
    items.map((content): Wanted => ({ content, status: "pending", phase })),
  )
  const texts = new Set<string | undefined>()
  const twice = wanted.find(({ content }) => texts.has(content) || !texts.add(content))
  if (twice && !isBatch)
    return refusal(
      "todo-exists",
      `"${short(twice.content ?? "")}" appears twice in the list; every todo needs its own text.`,
    )
  const { events, problems } = diff(plan, wanted, { phases: names, ...(ledger ? { ledger } : {}) })
  const renamed = names.filter((name, index) => name !== read[index]?.phase).map((name) => `"${short(name)}"`)
  const told = renamed.length === 0 ? [] : [warning("phase-renamed", renamedText(renamed))]
  return { events, problems: [...problems, ...told] }
}

const renamedText = (names: readonly string[]): string =>
  `Phases of the same name are kept apart; name the later ones ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}.`

/** Makes names unique, in order: the second "Build" becomes "Build (2)". */
export const distinctNames = (names: readonly string[]): string[] => {
  const taken = new Set(names)
  const numbers = new Map<string, number>()
  return names.map((name) => {
    let number = (numbers.get(name) ?? 0) + 1
    while (number > 1 && taken.has(`${name} (${number})`)) number += 1
    numbers.set(name, number)
    const given = number === 1 ? name : `${name} (${number})`
    taken.add(given)
    return given
  })
}

const append: Op = (op, { plan }) => {
  const phase = readLine(op.phase)
  if (phase === undefined)
    return refusal("missing-phase", 'append needs a phase: {"op":"append","phase":"Build","items":["Run the tests"]}.')
  const items = readItems(op.items)
  if (items.length === 0)
    return refusal(
      "missing-items",
      `append needs items for phase "${short(phase)}": {"op":"append","phase":"${short(phase)}","items":["…"]}.`,
    )
  const asked = new Set(items)
  const known = new Set(plan.todos.flatMap(({ content }) => (asked.has(content) ? [content] : [])))
  const result: OpResult = { events: [], problems: [] }
  for (const content of items) {
    if (known.has(content)) result.problems.push(error("todo-exists", `The todo "${short(content)}" already exists.`))
    else result.events.push({ type: "todo-added", todo: { id: "", content, status: "pending", phase } })
    known.add(content)
  }
  return result
}

const start: Op = (op, context) =>
  onTask(op, context, "start", (todo) => {
    const others = context.plan.todos.filter(({ id, status }) => status === "in_progress" && id !== todo.id)
    return [
      ...others.flatMap((other) => changeTodo(other, { status: "pending" })),
      ...changeTodo(todo, { status: "in_progress" }),
    ]
  })

const note: Op = (op, context) => {
  const text = typeof op.text === "string" ? sanitiseNote(op.text) : ""
  if (readLine(op.task) !== undefined && text === "")
    return refusal("missing-text", 'note needs text: {"op":"note","task":"…","text":"…"}.')
  return onTask(op, context, "note", (todo) => changeTodo(todo, { notes: [...(todo.notes ?? []), text] }))
}

const done: Op = (op, context) => onTargets(op, context, "done", (todo) => changeTodo(todo, { status: "completed" }))

const drop: Op = (op, context) => {
  const reason = readBlock(op.reason)
  return onTargets(op, context, "drop", (todo, isEverything) =>
    isEverything && !context.isBatch && (todo.status === "completed" || todo.status === "blocked")
      ? []
      : changeTodo(todo, { status: "cancelled", ...(reason ? { reason } : {}) }),
  )
}

const remove: Op = (op, context) =>
  onTargets(op, context, "rm", (todo) => {
    if (context.isBatch) return [{ type: "todo-removed", todo }]
    // The newer tool keeps a todo that the model removes, so that unfinished work does not disappear.
    return todo.status === "completed" ? [] : changeTodo(todo, { status: "cancelled" })
  })

const block: Op = (op, context) => {
  const reason = readBlock(op.reason)
  if (op.task === undefined && op.phase === undefined)
    return refusal("missing-task", 'block needs a task or a phase: {"op":"block","task":"…","reason":"…"}.')
  return onTargets(op, context, "block", (todo) =>
    isFinished(todo.status) ? [] : changeTodo(todo, { status: "blocked", ...(reason ? { reason } : {}) }),
  )
}

const unblock: Op = (op, context) => {
  if (op.task === undefined && op.phase === undefined)
    return refusal("missing-task", 'unblock needs a task or a phase: {"op":"unblock","task":"…"}.')
  return onTargets(op, context, "unblock", (todo) =>
    todo.status === "blocked" ? changeTodo(todo, { status: "pending" }) : [],
  )
}

const view: Op = () => ({ events: [], problems: [], reads: true })

const batchOps = new Map<string, Op>(Object.entries({ init, start, done, drop, rm: remove, append, note }))
const currentOps = new Map<string, Op>(
  Object.entries({ init, start, done, rm: remove, drop, block, unblock, append, view }),
)

const onTask = (
  op: Record<string, unknown>,
  { plan, hints }: OpContext,
  name: string,
  events: (todo: Todo) => PlanEvent[],
): OpResult => {
  const task = readLine(op.task)
  if (task === undefined) return refusal("missing-task", `${name} needs a task: {"op":"${name}","task":"…"}.`)
  const todo = findTask(plan, task)
  return todo ? { events: events(todo), problems: [] } : notFound(plan, task, hints)
}

/** One todo, one phase, or everything; `task` wins over `phase`. */
const onTargets = (
  op: Record<string, unknown>,
  context: OpContext,
  name: string,
  events: (todo: Todo, isEverything: boolean) => PlanEvent[],
): OpResult => {
  const { plan } = context
  if (op.task !== undefined) return onTask(op, context, name, (todo) => events(todo, false))
  const phase = readLine(op.phase)
  if (phase !== undefined) {
    if (!plan.phases.includes(phase))
      return refusal("unknown-phase", `There is no phase "${short(phase)}". The phases are: ${phaseNames(plan)}.`)
    return {
      events: plan.todos.filter((todo) => todo.phase === phase).flatMap((todo) => events(todo, false)),
      problems: [],
    }
  }
  const strange = Object.keys(op).filter((key) => key !== "op" && key !== "reason")
  if (strange.length > 0) {
    return refusal(
      "unknown-target",
      `${name} does not know "${strange
        .slice(0, 5)
        .map((key) => short(sanitise(key)))
        .join('", "')}". Name a task or a phase: {"op":"${name}","task":"…"}.`,
    )
  }
  return { events: plan.todos.flatMap((todo) => events(todo, true)), problems: [] }
}

/** Targets match exactly, the first one in phase order. */
const findTask = (plan: Plan, task: string): Todo | undefined => plan.todos.find(({ content }) => content === task)

/** Foreign text in a sentence, long enough to recognise it. */
const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

const phaseNames = ({ phases }: Plan): string => {
  const names = phases.slice(0, 20).map((known) => `"${short(known)}"`)
  return names.length === 0 ? "none" : `${names.join(", ")}${phases.length > names.length ? ", …" : ""}`
}

const notFound = (plan: Plan, task: string, hints: boolean): OpResult => {
  if (plan.todos.length === 0)
    return refusal("unknown-todo", `There is no todo "${short(task)}": the list is empty. Begin with init.`)
  const near = hints ? nearest(plan, task).map(({ content }) => `"${short(content)}"`) : []
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "A task is named by its exact text."
  return refusal("unknown-todo", `There is no todo "${short(task)}". ${hint}`)
}

const refusal = (code: string, message: string): OpResult => ({ events: [], problems: [error(code, message)] })

/** The default phase of a flat list. */
const flatPhase = "Tasks"

/** The groups of an init; none if any part cannot be read, because an init removes what it does not name. */
const readGroups = (op: Record<string, unknown>): { phase: string; items: string[] }[] => {
  const { value, unclosed } = readValue(op.list)
  const list = isRecord(value) ? [value] : value
  const flat = { phase: op.phase, items: Array.isArray(list) ? list : op.items }
  const parts = Array.isArray(list) && list.every(isRecord) ? list : [flat]
  const groups = parts.map((part: Record<string, unknown>) => ({
    phase: readLine(part.phase ?? part.name) ?? flatPhase,
    items: readItems(part.items ?? part.tasks ?? part.todos),
  }))
  return !unclosed && groups.every(({ items }) => items.length > 0) ? groups : []
}

/** Items are texts, or objects with a text; none if one of them has no text. */
const readItems = (raw: unknown): string[] => {
  const values = Array.isArray(raw) ? raw : (readStrings(raw) ?? [])
  const texts = values.flatMap((value: unknown) => {
    const text = isRecord(value) ? (value.content ?? value.task ?? value.title ?? value.text) : value
    return readLine(text) ?? []
  })
  return texts.length === values.length ? texts : []
}

/** Describes the ops of a call for a person: `done Run the tests, append Build: 2 todos`. */
export const describeOps = (ops: readonly Record<string, unknown>[]): string => {
  const told = ops.slice(0, mostTold).map(describeOp)
  return [...told, ...(ops.length > mostTold ? [`and ${ops.length - mostTold} more`] : [])].join(", ")
}

const mostTold = 3

const describeOp = (raw: Record<string, unknown>): string => {
  const op = withoutPadding(raw)
  const name = sanitise(opName(op, emptyPlan) ?? "").slice(0, 40)
  if (name === "view") return name
  if (name === "init") {
    const phases = readGroups(op).map(({ phase, items }) => `${short(phase)} (${items.length})`)
    return [name, phases.slice(0, mostTold).join(", "), phases.length > mostTold ? ", …" : ""].join(" ").trimEnd()
  }
  const [task, phase] = [readLine(op.task), readLine(op.phase)]
  const items = readItems(op.items).length
  if (name === "append") return `${name} ${short(phase ?? "")}: ${items} ${items === 1 ? "todo" : "todos"}`
  return `${name} ${short(task ?? phase ?? "everything")}`
}
