/** The slash commands of the agent: one row each. */
import { findDialect } from "../../dialects/index.ts"
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { emptyPlan, sanitiseBlock, workingPlan } from "../../plan/index.ts"
import type { Agent, SlashAnswer, SlashCommand } from "../../reference-agent/index.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { type Line, listLines, plainText, todosLines, type ViewOptions } from "../../views/index.ts"
import { wrap } from "../../views/text/wrap.ts"
import { noPlan } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import type { Io } from "../io.ts"
import { evidenceLines } from "../output/evidence-lines.ts"
import { placeOf } from "../place/place.ts"
import type { RunEvidence } from "./run-evidence.ts"

/** The context of a command. Without a screen there is no agent, and without a kept plan no tracker. */
export type SlashGiven = {
  tracker?: Tracker
  /** The agent's dialect, where it is known. */
  dialect?: string
  agent?: Agent
  /** The evidence for the todos of this run. */
  evidence?: RunEvidence | undefined
  signal: AbortSignal
  context: Context
}

type Given = SlashGiven & { words: string }

type Row = SlashCommand &
  (
    | { needsAgent?: never; run(given: Given): Promise<SlashAnswer> | SlashAnswer }
    | { needsAgent: true; run(given: Given & { agent: Agent }): Promise<SlashAnswer> | SlashAnswer }
  )

const rows: readonly Row[] = [
  {
    name: "/todos",
    about: "the list",
    run: ({ tracker, context }) => {
      const working = tracker ? workingPlan(tracker.plan, tracker.ledger) : emptyPlan
      return shown(todosLines(working, lookOf(context)))
    },
  },
  {
    name: "/todo",
    about: "change the list, such as add TEXT, done TODO, undo; alone: show the whole list",
    run: (given) => (given.words === "" ? wholeList(given) : changeList(given)),
  },
  {
    name: "/evidence",
    about: "the evidence for each todo done in this run",
    needsAgent: true,
    run: ({ evidence, context }) => {
      const { width = 80, ascii = false } = lookOf(context)
      const found = evidence?.evidence()
      return found && found.todos.length > 0
        ? shown(evidenceLines(found, { columns: width, ascii }))
        : { text: "Nothing was done in this run yet." }
    },
  },
  {
    name: "/plan",
    about: "plan mode on or off: nothing is changed until you approve a plan",
    needsAgent: true,
    // The agent reports it.
    run: ({ agent: { planMode } }) => {
      planMode.set(!planMode.isOn)
      return { text: "" }
    },
  },
  {
    name: "/compact",
    about: "replace the conversation with a summary; the list stays",
    needsAgent: true,
    run: async ({ agent, signal }) => ({
      text: (await agent.compact(signal)) ? "" : "Nothing was summarised.",
    }),
  },
  { name: "/help", about: "what you can type", run: ({ context }) => ({ text: helpText(context) }) },
  { name: "/exit", about: "exit; --resume continues the session", run: () => ({ text: "", isExit: true }) },
]

export const slashCommands: readonly SlashCommand[] = rows.map(({ name, about }) => ({ name, about }))

/** Never rejects. */
export const runSlash = async (line: string, given: SlashGiven): Promise<SlashAnswer> => {
  const [, name = "", words = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? []
  const row = rows.find((one) => one.name === name) ?? (name === "/quit" ? rows.find(isExit) : undefined)
  if (!row) return { text: `There is no command ${sanitiseBlock(name)}.\n\n${helpText(given.context)}`, isError: true }
  const { agent } = given
  try {
    if (!row.needsAgent) return await row.run({ ...given, words: words.trim() })
    if (agent) return await row.run({ ...given, agent, words: words.trim() })
    return { text: `${row.name} needs a running agent: start "headway agent" at a terminal.`, isError: true }
  } catch (cause) {
    return { text: sanitiseBlock(messageOf(cause)), isError: true }
  }
}

const shown = (lines: readonly Line[]): SlashAnswer => ({ text: plainText(lines), lines })

const lookOf = ({ io, values }: Context): ViewOptions => ({ width: io.columns ?? 80, ascii: values.ascii === true })

const isExit = ({ name }: Row): boolean => name === "/exit"

const helpText = (context: Context): string => {
  const { width = 80 } = lookOf(context)
  const column = Math.max(...rows.map(({ name }) => name.length)) + 2
  return rows
    .flatMap(({ name, about }) => {
      const [first = "", ...others] = wrap(about, Math.max(12, width - column)).lines
      return [`${name.padEnd(column)}${first}`, ...others.map((line) => " ".repeat(column) + line)]
    })
    .join("\n")
}

/** What was finished in earlier sessions is shown here too (behaviour O14). */
const wholeList = ({ tracker, context }: Given): SlashAnswer =>
  tracker && tracker.plan.todos.length > 0 ? shown(listLines(tracker.plan, lookOf(context))) : { text: "No todos" }

/** A person's edit, exactly as `headway todo` makes it in another shell. */
const changeList = async ({ words, tracker, dialect, context }: Given): Promise<SlashAnswer> => {
  const { values } = context
  if (!tracker) throw noPlan(context)
  if ((values.store ?? context.io.env.HEADWAY_STORE) === "memory:")
    return { text: "This list is only in memory, so only the agent can change it." }
  const argv = words.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^(["'])(.*)\1$/, "$2")) ?? []
  if (argv.length === 1 && argv[0] === "edit")
    return { text: 'To edit the whole list, use "headway todo edit" in a shell.' }
  let text = ""
  const add = (more: string): void => {
    text += more
  }
  // The environment has lazy properties, so it is not copied.
  const io: Io = Object.assign(Object.create(context.io) as Io, { out: add, err: add, input: noInput })
  const store = values.store === undefined ? [] : ["--store", values.store]
  const { home, isInProject } = placeOf(context)
  const place = [
    ...(isInProject ? ["--project"] : ["--home", home]),
    "--new",
    "--session",
    tracker.key.session,
    "--agent",
    tracker.key.agent,
  ]
  const startsNext = dialect !== undefined && findDialect(dialect).rules.autoStart
  const { todo } = await import("../commands/todo.ts")
  const code = await todo.call([...argv, ...(startsNext ? ["--next"] : []), ...place, ...store], io)
  await tracker.refresh()
  return { text: sanitiseBlock(text), ...(code === 0 ? {} : { isError: true }) }
}

/** Standard input belongs to the agent; waiting for its end would mean waiting for the end of the session. */
const noInput = async (): Promise<never> => {
  throw new HeadwayError("no-input", 'Standard input cannot be read here. Name a file: "/todo import TODO.md".')
}
