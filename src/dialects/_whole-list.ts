/** What every dialect shares whose calls say the whole list: most of them are a few words in a row here. */
import {
  apply,
  check,
  type DiffOptions,
  defaultRules,
  diff,
  emptyLedger,
  error,
  hasErrors,
  type Ledger,
  type Plan,
  type Problem,
  type Rules,
  type Todo,
  type Wanted,
  warning,
} from "../plan/index.ts"
import { numberedList } from "../views/index.ts"
import { type ItemWords, isObject, readList } from "./_items.ts"
import { readValue } from "./_read.ts"
import { sayable } from "./_sayable.ts"
import type { Carries, Decoded, Dialect, Outcome, Tool, ToolCall } from "./dialect.ts"

export type WholeListWords = {
  id: string
  title: string
  toolNames: readonly [string, ...string[]]
  words: ItemWords
  carries: Carries
  /** A valid input, shown when a call cannot be read. */
  example: unknown
  /** One todo as this agent writes it. */
  item: (todo: Todo, index: number) => unknown
  /** What the model is told when its list was stored. */
  goodNews: (outcome: Outcome) => string
  tools?: readonly Tool[]
  rules?: Rules
  modelIds?: boolean
  /** Whether a call, by its top-level keys, only patches what it mentions. */
  patches?: (top: Record<string, unknown>) => boolean
  /** Finds the part of the input that holds the list, where it is wrapped in a protocol. */
  unwrap?: (input: unknown) => unknown
  /** The input around the items, where it is more than the list under its key. */
  input?: (items: unknown[]) => unknown
  data?: (outcome: Outcome) => unknown
}

export const wholeListDialect = (own: WholeListWords): Dialect => {
  const { id, title, toolNames, words, carries, example, tools = [], rules = defaultRules, modelIds = false } = own
  const { patches = () => false, unwrap = (input) => input, data } = own
  const { input = (items) => ({ [words.list]: items }) } = own
  return {
    id,
    title,
    toolNames,
    tools,
    rules,
    carries,
    wholeList: true,
    decode(call, plan, ledger) {
      const inner = { ...call, input: unwrap(call.input) }
      const { value } = readValue(inner.input)
      const isPatch = isObject(value) && patches(value)
      return decodeWholeList(inner, plan, ledger, { words, rules, example, modelIds, patches: isPatch })
    },
    reply: (outcome) => ({ text: answer(outcome, own.goodNews), ...(data ? { data: data(outcome) } : {}) }),
    encode: (plan) => [{ tool: toolNames[0], input: input(sayable(plan, carries).map(own.item)) }],
  }
}

export type WholeListOptions = {
  words: ItemWords
  rules: Rules
  /** A valid input, shown when a call cannot be read. */
  example: unknown
  /** The model gives the ids; they are kept beside ours. */
  modelIds?: boolean
  /** The call patches what it mentions, whatever it says. */
  patches?: boolean
}

export const decodeWholeList = (
  call: ToolCall,
  plan: Plan,
  ledger: Ledger = emptyLedger,
  options: WholeListOptions,
): Decoded => {
  const reading = readList(call.input, options.words)
  if (reading.kind === "nothing") return { events: [], problems: reading.problems, reads: true }
  if (reading.kind === "unreadable") {
    return { events: [], problems: [...reading.problems, unreadable(call.tool, options.example)] }
  }
  const { problems } = reading
  const items = (reading.lastIsPart ? withoutPart(reading.items, plan, problems) : reading.items).map((item) =>
    options.modelIds ? withNativeId(item) : item,
  )
  const patches = options.patches || reading.isPartial || items.some(({ content }) => content === undefined)
  const decoded = decodeItems(items, plan, ledger, { ...options, patches })
  return { ...decoded, problems: [...problems, ...decoded.problems] }
}

/** From the items a call named to events, under the rules of its dialect. */
export const decodeItems = (
  items: Wanted[],
  plan: Plan,
  ledger: Ledger = emptyLedger,
  options: Pick<WholeListOptions, "rules" | "modelIds" | "patches"> & Pick<DiffOptions, "phases">,
): Decoded => {
  const { rules, modelIds = false, patches = false, phases } = options
  const refusals = check(rules, items)
  if (hasErrors(refusals)) return { events: [], problems: refusals, items }
  const { events, problems, kept } = diff(plan, items, {
    mode: patches ? "patch" : "replace",
    keepUnfinished: rules.keepUnfinished,
    modelIds,
    ledger,
    ...(phases && !patches ? { phases } : {}),
  })
  if (rules.clearWhenDone && items.length > 0 && items.every(({ status }) => status === "completed")) {
    const { todos, phases } = apply(plan, events).plan
    if (todos.every(({ status }) => status === "completed")) {
      events.push({ type: "plan-cleared", todos: [...todos], phases: [...phases] })
    }
  }
  return { events, problems, items, details: { kept: kept.map(({ id }) => id) } }
}

/** The sentence for what cannot be read: what was wrong, and one call that would be right. */
export const unreadable = (tool: string, example: unknown): Problem =>
  error(
    "unreadable",
    `The input of ${tool} could not be read and nothing was changed. A valid input is: ${JSON.stringify(example)}`,
  )

const withNativeId = (item: Wanted): Wanted =>
  item.id === undefined || item.content === undefined ? item : { ...item, extra: { ...item.extra, nativeId: item.id } }

/** The last item of a list that was cut off inside it: known by its beginning, or not to be trusted. */
const withoutPart = (items: Wanted[], plan: Plan, problems: Problem[]): Wanted[] => {
  const last = items.at(-1)
  const text = last?.content
  if (!last || text === undefined) return items
  const meant =
    plan.todos.find(({ content }) => content === text) ?? plan.todos.find(({ content }) => content.startsWith(text))
  if (meant) return [...items.slice(0, -1), { ...last, content: meant.content }]
  if (last.status !== undefined) return items
  problems.push(warning("cut-off-todo", `The last todo ("${text.slice(0, 60)}") was cut off and left out.`))
  return items.slice(0, -1)
}

/** What the model must know beyond "it worked": errors and warnings, a sentence each. Silent repairs stay silent. */
export const notesOf = (problems: readonly Problem[]): string[] =>
  problems.filter(({ severity }) => severity !== "repair").map(({ message }) => message)

/** The usual answer: the list when it was asked for, what went wrong, "unchanged", or the dialect's own good news. */
export const answer = (outcome: Outcome, goodNews: (outcome: Outcome) => string): string => {
  const notes = notesOf(outcome.problems)
  if (hasErrors(outcome.problems) && outcome.events.length === 0) return notes.join("\n")
  if (outcome.decoded.reads) return [...notes, numberedList(outcome.after)].join("\n")
  const news = outcome.events.length === 0 ? "The list is unchanged." : goodNews(outcome)
  return [news, ...notes].join("\n")
}
