/** The common part of dialects whose calls contain the whole list. Most of them only fill in a table. */
import {
  apply,
  check,
  checkSize,
  type Difference,
  type DiffOptions,
  defaultRules,
  diff,
  emptyLedger,
  error,
  hasErrors,
  type Ledger,
  lineForModel,
  listInSight,
  type Plan,
  type Problem,
  type Rules,
  type Todo,
  type Wanted,
  warning,
} from "../plan/index.ts"
import { detailedList } from "../views/index.ts"
import { expressible } from "./_expressible.ts"
import { type RepliedTodo, withRepliedIds } from "./_own-reply.ts"
import { oneCall } from "./_within-limits.ts"
import type { Carries, Decoded, Dialect, Outcome, Tool, ToolCall } from "./dialect.ts"
import { type ItemWords, type ListReading, readList } from "./reading/items.ts"

export type WholeListWords<Data> = {
  id: string
  title: string
  toolNames: readonly [string, ...string[]]
  words: ItemWords
  carries: Carries
  /** A valid input, shown when a call cannot be read. */
  example: unknown
  /** Returns a todo in the agent's own form. */
  item: (todo: Todo, index: number) => unknown
  /** Returns the reply when the list was stored. */
  goodNews: (outcome: Outcome) => string
  tools?: readonly Tool[]
  rules?: Rules
  modelIds?: boolean
  /** Whether a call, by its top-level keys, only patches what it mentions. */
  patches?: (top: Record<string, unknown>) => boolean
  /** Builds the input around the items, if it is more than the list under its key. */
  input?: (items: unknown[]) => unknown
  /** Builds the structured result from the outcome and the text for the model. Without it, calls have none. */
  data?: (outcome: Outcome, text: string) => Data
  view?: Dialect["view"]
  /**
   * Whether a call that only reads, or changes nothing, gets `goodNews` too. @default false: the numbered list, or
   * "unchanged"
   */
  showsUnchanged?: boolean
}

export const wholeListDialect = <Data = undefined>(own: WholeListWords<Data>): Dialect<Data> => {
  const { id, title, toolNames, words, carries, example, tools = [], rules = defaultRules, modelIds = false } = own
  const {
    patches = () => false,
    data,
    input = (items) => ({ [words.list]: items }),
    showsUnchanged = false,
    view,
  } = own
  return {
    id,
    title,
    toolNames,
    tools,
    rules,
    carries,
    wholeList: true,
    ...(view ? { view } : {}),
    decode: (call, plan, ledger) =>
      decodeWholeList(call, plan, ledger, { words, rules, example, modelIds, patches, says: carries }),
    reply: (outcome) => {
      const text = answer(outcome, own.goodNews, { showsUnchanged })
      return { text, data: data?.(outcome, text) as Data }
    },
    encode: (plan, problems) => {
      const todos = expressible(plan, carries, { ...rules, ...oneCall }, problems)
      return [{ tool: toolNames[0], input: input(todos.map(own.item)) }]
    },
  }
}

type ListItems = Extract<ListReading, { kind: "list" }>

export type WholeListOptions = {
  words: ItemWords
  rules: Rules
  /** A valid input, shown when a call cannot be read. */
  example: unknown
  /** Whether the model gives ids, which are kept in addition to ours. */
  modelIds?: boolean
  /** Whether the call, by the keys next to its list, only patches what it mentions. */
  patches?: (top: Record<string, unknown>) => boolean
  /** The statuses and fields that the agent's tool has. @default all */
  says?: Pick<Carries, "statuses" | "fields">
  /** Todos with the ids from our own tool's reply, if the reply is known. */
  replied?: readonly RepliedTodo[]
}

export const decodeWholeList = (
  call: ToolCall,
  plan: Plan,
  ledger: Ledger = emptyLedger,
  options: WholeListOptions,
): Decoded => {
  const isObserved = call.observed ?? false
  const { patches: isPatch = () => false } = options
  const reading = readList(call.input, options.words, isObserved)
  if (reading.kind === "nothing") return { events: [], problems: reading.problems, reads: true }
  const { problems, top } = reading
  if (reading.kind === "unreadable") {
    return { events: [], problems: [...problems, unreadable(call, options.example)], replaces: !isPatch(top) }
  }
  const trusted = reading.lastIsPart ? withoutPart(reading, plan) : reading.items
  // Only a part of a todo was sent.
  if (trusted.length < reading.items.length && trusted.length === 0) {
    return { events: [], problems: [...problems, unreadable(call, options.example)] }
  }
  const merged = mergeRepeats(trusted).map((item) => (options.modelIds ? withNativeId(item) : item))
  const items = options.replied ? withRepliedIds(merged, options.replied) : merged
  const patches = isPatch(top) || reading.isPartial || items.some(({ content }) => content === undefined)
  // An item without a status keeps its todo's status.
  const replaces = !patches && items.every(({ status }) => status !== undefined)
  // Another agent's tool has its own rules and has already enforced them.
  const rules = isObserved ? defaultRules : options.rules
  const saysWholeList = !isPatch(top)
  const isExact = isObserved && replaces
  const decoded = decodeItems(items, plan, ledger, { ...options, rules, patches, saysWholeList, isExact })
  const isTaken = replaces && !hasErrors(decoded.problems)
  const isWhole = items.length === reading.sent.length
  return {
    ...decoded,
    saysWholeList,
    problems: [...problems, ...decoded.problems],
    ...(isWhole ? { sent: reading.sent } : {}),
    ...(isTaken ? { replaces } : {}),
  }
}

/** Turns the items of a call into events, under the rules of its dialect. */
export const decodeItems = (
  items: Wanted[],
  plan: Plan,
  ledger: Ledger = emptyLedger,
  options: Pick<WholeListOptions, "rules" | "modelIds" | "says"> &
    Pick<DiffOptions, "phases" | "saysWholeList" | "isExact"> & { patches?: boolean },
): Decoded => {
  const { rules, modelIds = false, patches = false, phases, saysWholeList, isExact = false, says } = options
  const refusals = check(rules, items)
  if (hasErrors(refusals)) return { events: [], problems: refusals, items }
  const compare = (known: Plan, about: Ledger): Difference =>
    diff(known, items, {
      mode: patches ? "patch" : "replace",
      keepUnfinished: rules.keepUnfinished,
      modelIds,
      ledger: about,
      isExact,
      ...(saysWholeList === undefined ? {} : { saysWholeList }),
      ...(says ? { statuses: says.statuses, fields: says.fields } : {}),
      ...(phases && !patches ? { phases } : {}),
    })
  const difference = patches ? compare(plan, ledger) : listInSight(plan, ledger, compare)
  const { events, problems } = difference
  const tooMany = checkSize(plan, events)
  if (tooMany.length > 0) return { events: [], problems: [...problems, ...tooMany], items }
  if (rules.clearWhenDone && items.length > 0 && items.every(({ status }) => status === "completed")) {
    const { todos, phases } = apply(plan, events).plan
    if (todos.length > 0 && todos.every(({ status }) => status === "completed")) {
      events.push({ type: "plan-cleared", todos: [...todos], phases: [...phases] })
    }
  }
  // A call that lists todos by their text may be meant as the whole list, so the reply mentions the todos it left out.
  const looksWhole = items.some(({ content, id }) => content !== undefined && id === undefined)
  const details = { kept: looksWhole ? difference.kept().map(({ id }) => id) : [], phases }
  return { events, problems, items, details }
}

/** The problem for a call that cannot be read: what was wrong, and one valid input. */
export const unreadable = ({ tool, calledAs = tool }: ToolCall, example: unknown): Problem =>
  error(
    "unreadable",
    `The input of ${calledAs} could not be read and nothing was changed. A valid input is: ${JSON.stringify(example)}`,
  )

const withNativeId = (item: Wanted): Wanted =>
  item.id === undefined || item.content === undefined ? item : { ...item, extra: { ...item.extra, nativeId: item.id } }

/** Merges an item into an earlier one with the same id if it has no text: its fields take precedence. */
const mergeRepeats = (items: readonly Wanted[]): Wanted[] => {
  const places = new Map<string, number>()
  const merged: Wanted[] = []
  for (const item of items) {
    const place = item.id === undefined ? undefined : places.get(item.id)
    const first = place === undefined || item.content !== undefined ? undefined : merged[place]
    if (place !== undefined && first) merged[place] = { ...first, ...item }
    else {
      if (item.id !== undefined) places.set(item.id, merged.length)
      merged.push(item)
    }
  }
  return merged
}

/** Recognises a cut-off last item if only one todo begins with its text; otherwise leaves it out. */
const withoutPart = ({ items, textIsPart, problems }: ListItems, plan: Plan): Wanted[] => {
  const others = items.slice(0, -1)
  const { content, id = "", extra: _, ...last } = items.at(-1) ?? {}
  // The cut may be inside a character.
  const text = content?.replace(/\ufffd$/, "").trimEnd() || undefined
  const listed = new Set(others.map(({ content }) => content))
  const open = text === undefined ? [] : plan.todos.filter(({ content }) => !listed.has(content))
  const isMeant = (content: string): boolean => (textIsPart ? content.startsWith(text ?? "") : content === text)
  const [meant, ...more] = new Set(open.flatMap(({ content }) => (isMeant(content) ? [content] : [])))
  if (meant !== undefined && more.length === 0) return [...others, { ...last, content: meant }]
  if (text !== undefined && last.status !== undefined && !textIsPart) return items
  problems.push(warning("cut-off-todo", `The last todo ("${(text ?? id).slice(0, 60)}") was cut off and left out.`))
  return others
}

const maxNotes = 20

/** What the model must know about a call: its errors and warnings, a sentence each. Repairs are not mentioned. */
export const notesOf = (problems: readonly Problem[]): string[] => {
  const errorsFirst = ["error", "warning"].flatMap((one) => problems.filter(({ severity }) => severity === one))
  // Texts that were shortened may end in half a character.
  const notes = errorsFirst.slice(0, maxNotes).map(({ message }) => lineForModel(message).toWellFormed())
  return errorsFirst.length > maxNotes ? [...notes, `… and ${errorsFirst.length - maxNotes} more problems`] : notes
}

/** The usual reply: the list if it was requested, what went wrong, "unchanged", or the dialect's `goodNews`. */
export const answer = (
  outcome: Outcome,
  goodNews: (outcome: Outcome) => string,
  { showsUnchanged = false }: Pick<WholeListWords<unknown>, "showsUnchanged"> = {},
): string => {
  const notes = notesOf(outcome.problems)
  if (hasErrors(outcome.problems) && outcome.events.length === 0) return notes.join("\n")
  if (showsUnchanged) return [goodNews(outcome), ...notes].join("\n")
  if (outcome.decoded.reads) return [...notes, detailedList(outcome.after)].join("\n")
  const news = outcome.events.length === 0 ? "The list is unchanged." : goodNews(outcome)
  return [news, ...notes].join("\n")
}
