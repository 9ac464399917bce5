/** `headway todo`: a person's own changes to a plan, by word or in an editor. */
import { resolve } from "node:path"
import { printChecklist } from "../../dialects/checklist.ts"
import { foreignChunks } from "../../home/reading/foreign-file.ts"
import { messageOf } from "../../plan/headway-error.ts"
import {
  activeTodo,
  apply,
  check,
  contentById,
  defaultRules,
  edits,
  type FieldsLeft,
  HeadwayError,
  leaseEnd,
  nextTodo,
  originsIn,
  type Plan,
  type PlanEvent,
  planInSight,
  release,
  sanitise,
  sanitiseNote,
  type Todo,
  todoById,
} from "../../plan/index.ts"
import type { Decide, Tracker } from "../../tracker/tracker.ts"
import { describeEvents, describeLeft, overtakenText } from "../../views/index.ts"
import { type WhenTold, whenToldText } from "../../views/when-told.ts"
import { findKeptPlan, findPlanToChange } from "../choose/named-plan.ts"
import { noPlan } from "../choose/plans.ts"
import { findPlanToShow } from "../choose/shown-plan.ts"
import { newOption } from "../choose/target.ts"
import { type Context, defineCommand } from "../command.ts"
import { editorText, ignoredLines, readChecklistEdit } from "../edit/checklist-edit.ts"
import { editText, keepText } from "../edit/editor.ts"
import { writeNamedFile } from "../edit/named-file.ts"
import { theTodo, theTodos, wordsAfterTodo } from "../edit/named-todos.ts"
import { personAt } from "../edit/person.ts"
import { planJson, printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import type { Options } from "../words/option.ts"

const options = {
  phase: { type: "string", value: "NAME", about: "the phase to add the new todo to" },
  after: { type: "string", value: "TODO", about: "the todo to add the new one after" },
  reason: { type: "string", value: "TEXT", about: "why it is blocked or dropped" },
  "waits-for": { type: "string", value: "WHO", about: "who or what a blocked todo waits for" },
  next: {
    type: "boolean",
    about: "if nothing is in progress afterwards, start the first pending todo that waits for no open one",
  },
  as: { type: "string", value: "NAME", about: "who claims or releases" },
  new: newOption,
  lease: { type: "duration", value: "TIME", about: "how long a claim holds: 45m, 2h (default 30m)" },
} as const satisfies Options

type TodoContext = Context<typeof options>

const verbNames = [
  ...["add", "start", "done", "reopen", "drop", "block", "unblock", "claim", "release"],
  ...["rm", "note", "edit", "import", "export", "clear", "undo"],
]

export const todo = defineCommand({
  usage: "todo VERB [TODO] [TEXT]",
  about: `Changes a plan by hand: one that Headway keeps, or one in an agent's session. The agent is told with its next call. Todos that you remove, add or reword stay that way when it rewrites its list.

  add TEXT            a new todo at the end (--phase, --after)
  start TODO…         in progress
  done TODO…          completed
  reopen TODO…        pending again
  drop TODO…          will not be done (--reason)
  block TODO…         cannot continue (--reason, --waits-for)
  unblock TODO…       can continue
  rm TODO…            removes it
  claim TODO          reserves it for one of several agents (--as, --lease); exit code 1 if another agent holds it
  release TODO…       releases a claimed todo; with --as only if NAME holds it
  note TODO TEXT      adds a note
  edit                edits the whole plan as markdown in $EDITOR
  edit TODO TEXT      rewords one todo
  import FILE|-       replaces the plan with a markdown file
  export [FILE]       writes the plan as markdown; with --json as JSON, with the fields of "show --json"
  clear               removes every todo
  undo                undoes your last change, never an agent's
  undo ENTRY          undoes the change with this id in "headway history", also an agent's

TODO is an id, the text of a todo, or a part of the text that no other todo has. TODO… takes one or more: ids, or texts in quotes. Without --session, the plan is that of this project's newest session.`,
  options,
  maxWords: Number.POSITIVE_INFINITY,
  firstWords: verbNames,
  examples: [
    'headway todo add "Ask for a review"',
    "headway todo done review",
    "headway todo done 1 2 3 --session login",
    'headway todo block 3 --reason "no access to staging" --waits-for Ada',
    "headway todo done 2 --next",
    "headway todo undo",
  ],
  async run(context) {
    const [name = "", ...words] = context.words
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (!verb) {
      const hint = name === "" ? "" : (await import("../words/suggest.ts")).didYouMean(name, verbNames)
      const what =
        name === "" ? 'todo needs a verb, such as: headway todo add "Review it"' : `There is no verb "${name}"`
      throw new HeadwayError(
        "usage",
        `${what}${name === "" ? "\n" : `.${hint} `}The verbs are: ${verbNames.join(", ")}.`,
      )
    }
    for (const option of optionsOfVerbs.keys()) if (context.values[option] !== undefined) assertTaken(name, option)
    const most = maxWords[name] ?? Number.POSITIVE_INFINITY
    if (words.length > most)
      throw new HeadwayError(
        "usage",
        `"${words[most]}" is not expected here: todo ${name} takes ${most === 0 ? "no words" : "one word at most"}.`,
      )
    if (name === "export") return exportFile({ ...context, words })
    const tracker = await open(context, name)
    if (!tracker) throw noPlan(context)
    return verb({ ...context, words }, tracker)
  },
})

/** The verbs that an option is for; the others are for all. */
const optionsOfVerbs: ReadonlyMap<"phase" | "after" | "reason" | "waits-for" | "as" | "lease", readonly string[]> =
  new Map([
    ["phase", ["add"]],
    ["after", ["add"]],
    ["reason", ["drop", "block"]],
    ["waits-for", ["block"]],
    ["as", ["claim", "release"]],
    ["lease", ["claim"]],
  ])

/** What it says would be lost otherwise. */
const assertTaken = (verb: string, option: Parameters<typeof optionsOfVerbs.get>[0]): void => {
  const verbs = optionsOfVerbs.get(option) ?? []
  if (verbs.includes(verb)) return
  const others = verbs.map((one) => `"todo ${one}"`).join(" and ")
  throw new HeadwayError("usage", `"todo ${verb}" does not take --${option}: it is for ${others}.`)
}

/** Only kept plans can be undone: an undo starts no plan. */
const open = (context: TodoContext, name: string): Promise<Tracker | undefined> =>
  name === "undo" ? findKeptPlan(context) : findPlanToChange(context, name === "add" || name === "import")

/** Verbs that would otherwise do more than was meant. */
const maxWords: Record<string, number> = { clear: 0, undo: 1, import: 1, export: 1 }

type Verb = (context: TodoContext, tracker: Tracker) => Promise<number>

/** A verb on one todo, named by all its words, or on several: one change, which is undone as one. */
const onTodos =
  (decide: (todo: Todo, context: TodoContext) => PlanEvent[]): Verb =>
  (context, tracker) =>
    change(context, tracker, (plan) => theTodos(plan, context.words).flatMap((todo) => decide(todo, context)))

/** The same for a verb with `--reason`: a reason that was typed without it is not mistaken for a todo that does not exist. */
const onTodosForReason = (name: "block" | "drop", decide: Parameters<typeof onTodos>[0]): Verb => {
  const verb = onTodos(decide)
  return (context, tracker) => {
    const reason = context.values.reason === undefined ? wordsAfterTodo(tracker.plan, context.words) : undefined
    if (!reason) return verb(context, tracker)
    const { todo, words } = reason
    throw new HeadwayError(
      "missing-todo",
      `There is no todo "${words}". If it is the reason: headway todo ${name} ${todo.id} --reason "${words}".`,
    )
  }
}

const textOf = ({ values }: TodoContext, name: "phase" | "after" | "reason" | "waits-for" | "as"): string | undefined =>
  sanitise(values[name] ?? "") || undefined

const add: Verb = (context, tracker) => {
  const content = sanitise(context.words.join(" "))
  if (content === "") throw new HeadwayError("usage", 'add needs text: headway todo add "Ask for a review".')
  const [refusal] = check(defaultRules, [{ content }])
  if (refusal) throw new HeadwayError("too-long", refusal.message)
  const phase = textOf(context, "phase")
  return change(context, tracker, (plan) => {
    const after = textOf(context, "after")
    return edits.add(content, phase ? { phase } : {}, after === undefined ? undefined : theTodo(plan, after).id)
  })
}

const note: Verb = (context, tracker) => {
  const [target = "", ...words] = context.words
  const text = sanitiseNote(words.join(" "))
  if (text === "") throw new HeadwayError("usage", 'note needs a todo and a text: headway todo note 2 "see issue 14".')
  return change(context, tracker, (plan) => edits.note(theTodo(plan, target), text))
}

const edit: Verb = async (context, tracker) => {
  const [target, ...words] = context.words
  if (target !== undefined) {
    const content = sanitise(words.join(" "))
    if (content === "")
      throw new HeadwayError("usage", 'edit needs a todo and its new text: headway todo edit 2 "Run all tests".')
    return change(context, tracker, (plan) => edits.reword(theTodo(plan, target), content))
  }
  const before = planInSight(tracker.plan, tracker.ledger)
  const shown = editorText(before)
  const saved = editText(shown, context.io)
  if (saved === shown) return report(context, tracker, [])
  try {
    // What the agent did in the meantime stays: only the person's difference to what they saw is applied.
    const events = differenceTo(before, saved, context)
    const meant = JSON.stringify(originsIn(events, tracker.ledger))
    return await change(context, tracker, (_, ledger) => {
      // Another branch that was checked out in the meantime may have given the numbers to other todos.
      if (JSON.stringify(originsIn(events, ledger)) === meant) return events
      throw new HeadwayError(
        "changed-meanwhile",
        "Todos you saw were reworded or replaced in the meantime, so nothing was changed.",
      )
    })
  } catch (cause) {
    const kept = keepText(saved)
    throw new HeadwayError("unreadable", `${messageOf(cause)} Your text is kept in ${kept}.`, { cause })
  }
}

const importFile: Verb = async (context, tracker) => {
  const [file] = context.words
  if (file === undefined)
    throw new HeadwayError("usage", "import needs a file: headway todo import TODO.md, or - for standard input.")
  const text = file === "-" ? await readInput(context) : await readFile(resolve(context.io.cwd, file))
  const events = await tracker.edit(personAt(context.io), (plan) => differenceTo(plan, text, context))
  return report(context, tracker, events)
}

const exportFile = async (context: TodoContext): Promise<number> => {
  const { io, words } = context
  const shown = await findPlanToShow(context)
  if (!shown) throw noPlan(context)
  const [file] = words
  const { values } = context
  const text = values.json ? printJson(planJson(shown.key, shown.plan, shown.title)) : printChecklist(shown.plan)
  if (file === undefined) io.out(text)
  else writeNamedFile(resolve(io.cwd, file), text)
  return 0
}

const undo: Verb = async (context, tracker) => {
  const by = personAt(context.io)
  const [entry] = context.words
  const before = tracker.ledger.untold.size
  const undone = await tracker.undo(by, entry)
  if (!undone) {
    const what =
      entry === undefined
        ? "You have no change to undo. To undo an agent's change, name its entry: headway todo undo ENTRY."
        : `"${entry}" does not name exactly one change that can be undone.`
    throw new HeadwayError("nothing-to-undo", `${what} See "headway history".`)
  }
  if (undone.events.length === 0) {
    const why = overtakenText(undone.left, (id) => contentById(planInSight(tracker.plan, tracker.ledger), id))
    const other = "To undo an earlier one, name its entry: headway todo undo ENTRY."
    throw new HeadwayError("nothing-to-undo", `${why} ${other} See "headway history".`)
  }
  // A change undone before the agent was told needs no notice.
  const isNews = tracker.ledger.untold.size > before
  return report(context, tracker, undone.events, { isNews, left: undone.left })
}

/** If several claim a todo, exactly one gets it; the others are told who has it. */
const claim: Verb = async (context, tracker) => {
  const owner = textOf(context, "as")
  if (owner === undefined) throw new HeadwayError("usage", "claim needs a name: headway todo claim 3 --as worker-2.")
  const { lease } = context.values
  const minutes = lease === undefined ? undefined : lease / 60_000
  const { id, content } = theTodo(tracker.plan, context.words.join(" "))
  const { isOurs, lease: held, why } = await tracker.claim(id, owner, minutes)
  if (!isOurs) throw new HeadwayError("taken", why ?? `Todo ${id} is taken.`)
  if (context.values.json) context.io.out(printJson({ ok: true, todo: id, ...held }))
  else {
    const end = held ? leaseEnd(held.until) : "it is released"
    context.io.out(`${id} "${sanitise(content)}": claimed for ${owner} until ${end}\n`)
  }
  return 0
}

const verbs: Record<string, Verb> = {
  add,
  start: onTodos(edits.start),
  done: onTodos(edits.done),
  reopen: onTodos(edits.reopen),
  drop: onTodosForReason("drop", (todo, context) => edits.drop(todo, textOf(context, "reason"))),
  block: onTodosForReason("block", (todo, context) =>
    edits.block(todo, textOf(context, "reason"), textOf(context, "waits-for")),
  ),
  unblock: onTodos(edits.unblock),
  claim,
  release: onTodos((todo, context) => {
    const { id, content, owner } = todo
    if (owner === undefined) throw new HeadwayError("not-claimed", `Todo ${id} "${content}" is not claimed.`)
    const named = textOf(context, "as") ?? owner
    if (named === owner) return release(id, owner)
    const by = `${id} "${content}" is claimed by ${owner}, not by ${named}, and was not released`
    throw new HeadwayError("taken", `${by}. Leave out --as to release it anyway.`)
  }),
  rm: onTodos(edits.remove),
  note,
  edit,
  import: importFile,
  export: exportFile,
  clear: async (context, tracker) => report(context, tracker, await tracker.clear(personAt(context.io))),
  undo,
}

const change = async (context: TodoContext, tracker: Tracker, decide: Decide): Promise<number> => {
  const { io, values } = context
  const wasBusy = activeTodo(tracker.plan) !== undefined
  const decided = values.next ? startingNext(decide) : decide
  const code = await report(context, tracker, await tracker.edit(personAt(io), decided))
  if (wasBusy && !values.json && (await waitsForAgent(tracker))) say(io, waitsText)
  return code
}

/** The change, and the start of the next todo that waits for no open one, if nothing is in progress after it. */
const startingNext =
  (decide: Decide): Decide =>
  (plan, ledger) => {
    const events = decide(plan, ledger)
    const { plan: after } = apply(plan, events)
    const next = events.length === 0 || activeTodo(after) ? undefined : nextTodo(after)
    if (!next) return events
    if (todoById(plan, next.id)) return [...events, ...edits.start(next)]
    // A new todo gets its id when it is written.
    return events.map((event) =>
      event.type === "todo-added" && event.todo.content === next.content
        ? { ...event, todo: { ...event.todo, status: "in_progress" } }
        : event,
    )
  }

/** Nothing is in progress any more, in the list of an agent whose own calls would start the next todo. */
const waitsForAgent = async ({ plan, entries }: Tracker): Promise<boolean> => {
  if (activeTodo(plan) || !nextTodo(plan)) return false
  const last = (await entries()).findLast(({ by, via }) => by.kind === "agent" && via !== undefined)
  return last?.settle?.autoStart === true
}

const waitsText = "nothing is in progress now: the agent's next call starts the next todo, and --next starts it at once"

/** Reports what happened, and who will be told. */
const report = async (
  context: Context,
  tracker: Tracker,
  events: readonly PlanEvent[],
  { isNews = events.length > 0, left = [] }: { isNews?: boolean; left?: readonly FieldsLeft[] } = {},
): Promise<number> => {
  const { io, values } = context
  const { key, plan } = tracker
  const whenTold = isNews ? await whenToldOf(context, tracker) : undefined
  if (values.json) {
    const delivery = whenTold ? { told: false, hears: whenTold.when } : {}
    const kept = left.length > 0 ? { left } : {}
    io.out(printJson({ ok: true, events, ...kept, plan: planJson(key, plan), ...delivery }))
    return 0
  }
  const inSight = planInSight(plan, tracker.ledger)
  const contentOf = (id: string): string => contentById(inSight, id)
  const lines = [...describeEvents(events, contentOf), ...left.map((one) => describeLeft(one, contentOf))]
  io.out(`${lines.length > 0 ? lines.join("\n") : "unchanged"}\n`)
  if (whenTold) say(io, whenToldText(whenTold))
  return 0
}

const whenToldOf = async (context: Context, tracker: Tracker): Promise<WhenTold | undefined> => {
  if (tracker.ledger.opened?.agentType === undefined) return undefined
  const { whenToldHere } = await import("../edit/when-told.ts")
  return whenToldHere(context, tracker)
}

/** The differences between a text and the plan. Lines that are not todos are reported. */
const differenceTo = (plan: Plan, text: string, { io }: Context): PlanEvent[] => {
  const { events, ignored } = readChecklistEdit(plan, text)
  const message = ignoredLines(ignored)
  const lines = ignored.slice(0, 5).map((line) => `\n  ${line}`)
  if (message !== undefined) say(io, `${message}:${lines.join("")}`)
  return events
}

/** In bytes. What a repository calls a list may be a link to a device that never ends. */
const longestImport = 64 << 20

const readInput = async ({ io }: Context): Promise<string> => {
  const text = await io.input(longestImport + 1)
  if (Buffer.byteLength(text) <= longestImport) return text
  throw new HeadwayError("file-too-large", "What came on standard input is larger than 64 MiB and was not imported.")
}

const readFile = async (path: string): Promise<string> => {
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of foreignChunks(path)) {
      chunks.push(chunk)
      length += chunk.length
      if (length > longestImport) throw new HeadwayError("file-too-large", "it is larger than 64 MiB")
    }
    return Buffer.concat(chunks).toString("utf8")
  } catch (cause) {
    // An error of the system, such as a missing file, is already one that the command line puts into words.
    if (cause instanceof Error && "syscall" in cause) throw cause
    throw new HeadwayError("unreadable", `${path} could not be read: ${messageOf(cause)}`, { cause })
  }
}
