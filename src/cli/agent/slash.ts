/** What a person types behind a slash while they work with an agent: one row each. */
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { sanitiseBlock, workingTodos } from "../../plan/index.ts"
import type { Agent, SlashAnswer, SlashCommand } from "../../reference-agent/index.ts"
import { listText, todosText } from "../../views/index.ts"
import type { Context } from "../command.ts"
import type { Io } from "../io.ts"
import { placeOf } from "../place.ts"

type Given = { words: string; agent: Agent; signal: AbortSignal; context: Context }

type Row = SlashCommand & { run(given: Given): Promise<SlashAnswer> | SlashAnswer }

const rows: readonly Row[] = [
  {
    name: "/todos",
    about: "the list",
    run: ({ agent: { tracker }, context }) => {
      const working = { todos: workingTodos(tracker.plan, tracker.ledger) }
      return { text: todosText(working, { ascii: context.values.ascii === true }) }
    },
  },
  {
    name: "/todo",
    about: "change the list: add TEXT, done TODO, drop, rm, undo, …; alone: all of it",
    run: (given) => (given.words === "" ? { text: wholeList(given) } : changeList(given)),
  },
  {
    name: "/plan",
    about: "plan mode on or off: nothing is changed until you approve a plan",
    // The agent tells of it.
    run: ({ agent: { planMode } }) => {
      planMode.set(!planMode.isOn)
      return { text: "" }
    },
  },
  {
    name: "/compact",
    about: "replace the conversation by a summary; the list stays",
    run: async ({ agent, signal }) => ({
      text: (await agent.compact(signal)) ? "" : "Nothing was summarised.",
    }),
  },
  { name: "/help", about: "this", run: () => ({ text: helpText() }) },
  { name: "/exit", about: "exit; --resume brings you back", run: () => ({ text: "", isExit: true }) },
]

export const slashCommands: readonly SlashCommand[] = rows.map(({ name, about }) => ({ name, about }))

/** Never rejects. */
export const runSlash = async (
  line: string,
  given: Pick<Given, "agent" | "signal" | "context">,
): Promise<SlashAnswer> => {
  const [, name = "", words = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? []
  const row = rows.find((one) => one.name === name) ?? (name === "/quit" ? rows.find(isExit) : undefined)
  if (!row) return { text: `There is no command ${sanitiseBlock(name)}.\n\n${helpText()}` }
  try {
    return await row.run({ ...given, words: words.trim() })
  } catch (cause) {
    return { text: sanitiseBlock(messageOf(cause)) }
  }
}

const isExit = ({ name }: Row): boolean => name === "/exit"

const helpText = (): string => {
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows.map(({ name, about }) => `${name.padEnd(width)}  ${about}`).join("\n")
}

/** What was finished in earlier sessions is shown here too (O14). */
const wholeList = ({ agent: { tracker }, context }: Given): string =>
  listText(tracker.plan, { ascii: context.values.ascii === true }) || "No todos"

/** A person's edit, exactly as `headway todo` makes it in another shell. */
const changeList = async ({ words, agent: { tracker }, context }: Given): Promise<SlashAnswer> => {
  const { values } = context
  if ((values.store ?? context.io.env.HEADWAY_STORE) === "memory:")
    return { text: "This list is only in memory, so only the agent can change it." }
  const argv = words.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^(["'])(.*)\1$/, "$2")) ?? []
  if (argv.length === 1 && argv[0] === "edit") return { text: 'For the whole list use "headway todo edit" in a shell.' }
  let text = ""
  const add = (more: string): void => {
    text += more
  }
  // Some of the outside is read only when it is asked for, and so it is not copied.
  const io: Io = Object.assign(Object.create(context.io) as Io, { out: add, err: add, input: noInput })
  const store = values.store === undefined ? [] : ["--store", values.store]
  const { home, isInProject } = placeOf(context)
  const place = [
    ...(isInProject ? ["--project"] : ["--home", home]),
    "--session",
    tracker.key.session,
    "--agent",
    tracker.key.agent,
  ]
  const { todo } = await import("../commands/todo.ts")
  await todo.call([...argv, ...place, ...store], io)
  await tracker.refresh()
  return { text: sanitiseBlock(text) }
}

/** What comes on standard input is for the agent; waiting for the end of it would be waiting for the end of the session. */
const noInput = async (): Promise<never> => {
  throw new HeadwayError("no-input", 'Standard input cannot be read here. Name a file: "/todo import TODO.md".')
}
