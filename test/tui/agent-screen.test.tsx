/** The agent's screen with an agent that does as the test says: what stands above, what is live, what keys and commands do. */
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { makeVisible } from "../../src/plan/text/visible.ts"
import type { Plan } from "../../src/plan/todo.ts"
import type { Agent } from "../../src/reference-agent/agent.ts"
import type { AgentEventPart, Ending } from "../../src/reference-agent/event.ts"
import type { Permission } from "../../src/reference-agent/tools/index.ts"
import { AgentScreen } from "../../src/tui/agent/live.tsx"
import { readingTime } from "../../src/tui/agent/questions.ts"
import { createAgentSession } from "../../src/tui/agent/session.ts"
import { type Appearance, AppearanceProvider, type ToggleTodosEvent } from "../../src/tui/index.ts"
import type { DoneMarks } from "../../src/views/plan/evidence-marks.ts"
import { todosText } from "../../src/views/plan/list.ts"
import type { PlanView } from "../../src/views/plan/plan-view.ts"
import { type Line, plainText } from "../../src/views/text/span.ts"
import { widthOf } from "../../src/views/text/width.ts"
import { open, pending, person, todoWrite } from "../tracker/open.ts"
import { planOf, threeTodos } from "../views/sample.ts"
import { unstyled } from "./draw.tsx"
import { live, settle } from "./live.tsx"
import { manualTimer } from "./manual-timer.ts"

const keys = {
  ...{ enter: "\r", ctrlA: "\u0001", ctrlC: "\u0003", ctrlD: "\u0004", ctrlT: "\u0014", left: "\u001b[D" },
  ...{ up: "\u001b[A", down: "\u001b[B", pageDown: "\u001b[6~", home: "\u001b[H", end: "\u001b[F" },
}

/** Also what follows from it in a few steps, such as the end of a piece of work. */
const settleAll = (change: () => void = () => {}) =>
  settle(async () => {
    change()
    await new Promise(setImmediate)
  })

type ScreenOptions = Partial<Appearance> & {
  columns?: number
  rows?: number
  startsExpanded?: boolean
  prompt?: string
  clearDelay?: number
  view?: PlanView
  marks?: (todos: Plan["todos"]) => DoneMarks | undefined
}

const openScreen = async (options: ScreenOptions = {}) => {
  const { columns = 80, rows = 0, startsExpanded = false, colour = false, ascii = false } = options
  const tracker = await open()
  const prompts: string[] = []
  const modes: boolean[] = []
  const commands: string[] = []
  const toggles: ToggleTodosEvent[] = []
  const saved: boolean[] = []
  let date = new Date("2030-01-01T00:00:00Z")
  let finish: (ending: Ending) => void = () => {}
  let fail: (cause: Error) => void = () => {}
  let signal = new AbortController().signal
  const timer = manualTimer()
  let compacting: ((isDone: boolean) => void) | undefined

  const session = createAgentSession({
    room: () => ({ width: columns, ascii }),
    view: options.view,
    describeCall: ({ input }) => `did ${JSON.stringify(input)}`,
    now: () => date,
    pace: 0,
    timer,
    command: async (line, given, aborted) => {
      commands.push(line)
      if (line === "/todos") return { text: todosText(given.tracker.plan, { width: columns }) }
      if (line === "/plan") given.planMode.set(!given.planMode.isOn)
      if (line === "/compact") return { text: (await given.compact(aborted)) ? "Summarised." : "Nothing to summarise." }
      if (line === "/edit") await tracker.set(person, [{ content: "Mine" }])
      return { text: `did ${line}`, isExit: line === "/exit" }
    },
  })
  const agent: Agent = {
    ...({} as Agent),
    tracker,
    run: (prompt: string, given: AbortSignal) => {
      prompts.push(prompt)
      signal = given
      return new Promise<{ ending: Ending; text: string }>((resolve, reject) => {
        fail = reject
        finish = (ending) => resolve({ ending, text: "" })
        given.addEventListener("abort", () => finish("interrupted"))
      })
    },
    compact: () =>
      new Promise<boolean>((resolve) => {
        compacting = resolve
      }),
    planMode: {
      ...({} as Agent["planMode"]),
      isOn: false,
      set(this: { isOn: boolean }, isOn: boolean) {
        this.isOn = isOn
        modes.push(isOn)
        session.listeners.onEvent({ agent: "main", depth: 0, type: "mode-changed", isPlanMode: isOn })
      },
    },
  }
  session.begin(agent, options.prompt)

  const above: Line[] = []
  const written = new Set<string>()
  const watched = {
    ...session,
    get state() {
      return session.state
    },
    takeWritten: () => {
      const lines = session.takeWritten()
      above.push(...lines)
      written.add(`${plainText(lines)}\n`)
      return lines
    },
  }
  const screen = await live(
    <AppearanceProvider colour={colour} ascii={ascii}>
      <AgentScreen
        session={watched}
        agent={agent}
        now={() => date}
        view={options.view}
        marks={options.marks}
        clearDelay={options.clearDelay ?? -1}
        startsExpanded={startsExpanded}
        onEvent={(event) => toggles.push(event)}
        onSave={(isExpanded) => saved.push(isExpanded)}
        timer={timer}
      />
    </AppearanceProvider>,
  )
  const resize = (width: number, height: number) =>
    settle(async () => {
      Object.defineProperties(screen.stdout, {
        columns: { value: width, configurable: true },
        rows: { value: height, configurable: true },
        isTTY: { value: height > 0, configurable: true },
      })
      screen.stdout.emit("resize")
    })
  await resize(columns, rows)
  const pass = (milliseconds: number) => settle(async () => timer.advance(milliseconds))

  return {
    /** Time goes by. */
    pass,
    ...{ session, tracker, prompts, modes, commands, toggles, saved, resize },
    press: async (...typed: string[]) => {
      await screen.press(...typed)
      await settleAll()
    },
    /** A key that only a real terminal can tell from the beginning of another. */
    pressEscape: () => settleAll(() => session.press({ name: "escape", ctrl: false, meta: false, text: "" })),
    tell: (...events: (AgentEventPart & { agent?: string; depth?: number })[]) =>
      settle(async () => {
        for (const event of events) session.listeners.onEvent({ agent: "main", depth: 0, ...event })
      }),
    /** Asks, lets the person read for so long, and returns what they will have said. */
    ask: async (permission: Partial<Permission> = {}, read = readingTime) => {
      const whole = {
        action: "run",
        target: "ls",
        isOutside: false,
        question: "Run a command?",
        ...permission,
      } as const
      const asker = { agent: "main", depth: 0, signal }
      const asked = await settle(async () => ({ answer: session.listeners.permit(whole, asker) }))
      await pass(read)
      return asked
    },
    confirm: async (question: string, detail: string) => {
      const asker = { agent: "main", depth: 0, signal }
      const asked = await settle(async () => ({ answer: session.listeners.confirm(question, detail, asker) }))
      await pass(readingTime)
      return asked
    },
    finish: (ending: Ending) => settleAll(() => finish(ending)),
    fail: (cause: Error) => settleAll(() => fail(cause)),
    compacted: (isDone: boolean) => settleAll(() => compacting?.(isDone)),
    write: (todos: Parameters<typeof todoWrite>[1]) => settle(() => todoWrite(tracker, todos)),
    /** The clock of the tracker goes on by a minute with each entry; this one as it is told. */
    be: (at: string) => {
      date = new Date(at)
    },
    above: () => plainText(above),
    /** The live part alone. */
    below: (): string => {
      const frames = screen.frames.map((frame) => unstyled(frame).replace(/\u001b\[\?7[hl]/g, ""))
      return (frames.findLast((frame) => !written.has(frame)) ?? "").replace(/^\n/, "")
    },
  }
}

const called = (id: string, tool: string, input: unknown, isSilent = false) =>
  ({ type: "tool-called", id, tool, input, isSilent }) as const
const ended = (id: string, tool: string, display: string, isSilent = false) =>
  ({ type: "tool-ended", id, tool, text: display, isError: false, isSilent, display }) as const

const story = [
  { type: "turn-started" },
  { type: "thought-said", text: "Which file is it, I wonder" },
  { type: "text-said", text: "I look at the tests first, and then " },
  { type: "text-said", text: "at what they test.\n\n1. Read" },
  { type: "turn-ended", usage: { input: 1, output: 0 } },
  called("1", "TodoWrite", {}, true),
  { type: "tool-ended", id: "1", tool: "TodoWrite", text: "saved", isError: false, isSilent: true },
  called("2", "Bash", { command: "npm test" }),
  ended("2", "Bash", "Done"),
  called("3", "Read", { file_path: "a.ts" }),
  ended("3", "Read", "Read a.ts: 3 lines"),
] as const satisfies readonly AgentEventPart[]

describe("the transcript", () => {
  test.each([
    [40, "I look at the tests first, and then at\nwhat they test."],
    [80, "I look at the tests first, and then at what they test."],
    [120, "I look at the tests first, and then at what they test."],
  ])(
    "at %i columns has what was asked, said and done, each once; calls of the list are silent (C6)",
    async (columns, words) => {
      const { tell, above, below } = await openScreen({ columns, prompt: "Fix it" })
      await tell(...story)
      expect(above()).toBe(`› Fix it\n\n${words}\n\n1. Read\n\n• Bash npm test: Done\n• Read a.ts: 3 lines`)
      expect(below()).toBe("✻ Working…\n› ▏\nctrl+t show todos, esc interrupts")
    },
  )

  test("C31 has the texts of a tool for the spinner, and for its own call", async () => {
    const { tell, above, below } = await openScreen({ prompt: "Fix it" })
    const call = { ...called("1", "Deploy", { to: "staging" }), display: "Deploying to staging" }
    await tell(call, { type: "spinner-changed", message: "Uploading" })
    expect(below()).toContain("◦ Deploying to staging\n✻ Uploading…")
    await tell({ type: "spinner-changed" }, ended("1", "Deploy", "Deployed 1.4"))
    expect(below()).toContain("✻ Working…")
    expect(above()).toContain("• Deploying to staging: Deployed 1.4")
  })

  test("in ASCII has no other mark", async () => {
    const { tell, above, below, press } = await openScreen({ ascii: true, prompt: "Fix it" })
    await press("漢", keys.left)
    await tell(...story, called("4", "Bash", { command: "ls" }))
    expect(`${above()}${below()}`.replace("漢", "")).toMatch(/^[\n -~]*$/)
    expect(below()).toBe("- Bash ls\n* Working...\n> _漢\nctrl+t show todos, esc interrupts")
  })

  test("has the same words with and without colour", async () => {
    const plain = await openScreen({ prompt: "Fix it" })
    const coloured = await openScreen({ prompt: "Fix it", colour: true })
    for (const { tell } of [plain, coloured]) await tell(...story)
    expect(coloured.above()).toBe(plain.above())
    expect(coloured.below()).toBe(plain.below().replace(" ▏", ""))
  })

  test("shows an unfinished row and thoughts live, until they are complete", async () => {
    const { tell, above, below } = await openScreen({ columns: 40, prompt: "Fix it" })
    await tell(...story.slice(0, 2))
    expect(below()).toContain("Which file is it, I wonder\n✻ Working…")
    await tell(story[2])
    expect(below()).toContain("I look at the tests first, and then\n✻ Working…")
    expect(below()).not.toContain("wonder")
    await tell(story[3])
    expect(above()).toContain("what they test.")
    expect(below()).toContain("1. Read\n✻ Working…")
    await tell(story[4])
    expect(below()).not.toContain("1. Read")
  })

  test("has the command of a running call as it is, and the last line it printed without its escapes", async () => {
    const { tell, below } = await openScreen({ prompt: "Fix it" })
    await tell(called("1", "Bash", { command: "make\u001b[2J" }), {
      type: "tool-progressed",
      id: "1",
      text: "one\n\u001b[31mtwo\u001b[0m\u0007\n",
    })
    expect(below()).toContain("◦ Bash make⟨\\x1b⟩[2J: two\n")
  })

  test("has failures, refusals and notices of the agent's loop", async () => {
    const { tell, above } = await openScreen({ columns: 40, prompt: "Fix it" })
    await tell(
      { type: "text-said", text: "Half an ans" },
      { type: "turn-failed", message: "The connection was lost.", willRetry: true },
      { type: "tool-ended", id: "9", tool: "Nope", text: "There is no tool.", isError: true, isSilent: false },
      { type: "compacted", summary: "…" },
      { type: "notice-given", message: "Stopped after\u001b[2J 200 turns." },
    )
    expect(above()).toBe(
      [
        "› Fix it\n\nHalf an ans\n\nThe connection was lost. Trying again.\n\n✗ Nope: There is no tool.",
        "\nThe conversation was replaced with a\nsummary; the list stays.\nStopped after 200 turns.",
      ].join("\n"),
    )
  })

  test("has no reminders and pushes to the model", async () => {
    const { tell, above } = await openScreen({ prompt: "Fix it" })
    const before = above()
    await tell({ type: "push-said", text: "Go on." })
    expect(above()).toBe(before)
  })
})

describe("the todos", () => {
  const todos = [
    { content: "Set up the project", status: "completed" },
    { content: "Write the tests", status: "in_progress", activeForm: "Writing the tests" },
    { content: "Ship it", status: "pending" },
  ]

  test("C31 C33 at work: the spinner shows what is in progress and what is next, expanded with the list", async () => {
    const { write, below, press } = await openScreen({ prompt: "Fix it" })
    await write(todos)
    expect(below()).toBe("✻ Writing the tests… (1/3)\n  Next: Ship it\n› ▏\nctrl+t show todos, esc interrupts")
    await press(keys.ctrlT)
    expect(below()).toBe(
      [
        "✻ Writing the tests… (1/3)\n  ☒ Set up the project\n  ☐ Write the tests\n  ☐ Ship it\n  Next: Ship it",
        "› ▏\nctrl+t hide todos, esc interrupts",
      ].join("\n"),
    )
  })

  test("C33 idle: the list on its own when expanded, else nothing", async () => {
    const { write, below, press } = await openScreen({ startsExpanded: true, columns: 40 })
    await write(todos)
    expect(below()).toBe(
      "Todos\n  ☒ Set up the project\n  ☐ Write the tests\n  ☐ Ship it\n› ▏What should be done?\nctrl+t hide todos, /help",
    )
    await press(keys.ctrlT)
    expect(below()).toBe("› ▏What should be done?\nctrl+t show todos, /help")
  })

  test("C31 the spinner shows how long it works and what was written; the clock below sums it up and stops with it", async () => {
    const { write, below, tell, be, press, finish } = await openScreen({ prompt: "Fix it" })
    await write(todos)
    await tell({ type: "turn-ended", usage: { input: 900, output: 1250 } })
    be("2030-01-01T00:01:12Z")
    await press("a")
    const facts = "1m 12s · 1.2k tokens"
    expect(below()).toContain(`✻ Writing the tests… (${facts} · 1/3)\n`)
    expect(below()).toMatch(new RegExp(`esc interrupts +${facts}$`))
    await finish("done")
    be("2030-01-01T09:00:00Z")
    await press("\u0015", "More", keys.enter)
    be("2030-01-01T09:00:03Z")
    await tell({ type: "turn-ended", usage: { input: 1, output: 50 } })
    expect(below()).toContain("(3s · 50 tokens · 1/3)")
    expect(below()).toMatch(/1m 15s · 1\.3k tokens$/)
  })

  test("G5 G6 a dialect with a panel: the box stays visible, and every call is reported, also one that changes nothing", async () => {
    const { write, below, above, tell, press } = await openScreen({ prompt: "Fix it", view: "panel", columns: 40 })
    await tell(called("1", "TodoWrite", {}, true))
    await write(todos.map((todo) => ({ ...todo, status: "pending" })))
    await tell(ended("1", "TodoWrite", "", true))
    await tell(called("2", "TodoWrite", {}, true))
    await write(todos)
    await tell(ended("2", "TodoWrite", "", true), called("3", "TodoWrite", {}, true), ended("3", "TodoWrite", "", true))
    const list = "📋 Todo list updated:\n  ✓ Set up the project\n  ▶ Writing the tests\n  ○ Ship it"
    expect(above()).toBe(
      [
        "› Fix it\n",
        "📋 Todo list updated:\n  ○ Set up the project\n  ○ Write the tests\n  ○ Ship it\n",
        list,
        '[Todo: "Set up the project" → completed]',
        '[Todo: "Write the tests" → in_progress]\n',
        list,
      ].join("\n"),
    )
    const box = [
      "┌─ Tasks ──────────────────────────────┐",
      "│ ✓ Set up the project                 │",
      "│ ▶ Writing the tests                  │",
      "│ ○ Ship it                            │",
      "│                                      │",
      "│ Progress: 1/3 (33%) █████░░░░░░░░░░░ │",
      "└──────────────────────────────────────┘",
    ].join("\n")
    expect(below()).toBe(`✻ Writing the tests… (1/3)\n${box}\n› ▏\nctrl+t more todos, esc interrupts`)
    await press(keys.ctrlT)
    expect(below()).toContain(`${box}\n› ▏\nctrl+t fewer todos`)
  })

  test.each([
    ["list" as const, "!☒ Set up the project", " ☐ Write the tests"],
    ["panel" as const, "!✓ Set up the project", " ▶ Writing the tests"],
    ["tree" as const, "!✓ Set up the project", " ▶ Write the tests"],
  ])(
    "the evidence of a completed todo is a sign before its tick in the %s, and nothing before anything is completed",
    async (view, done, open) => {
      const marks = (all: Plan["todos"]): DoneMarks | undefined =>
        all.some(({ status }) => status === "completed")
          ? Object.fromEntries(all.map(({ id }) => [id, { word: "contradicted" as const, sentences: [] }]))
          : undefined
      const { write, below } = await openScreen({ view, marks, startsExpanded: true, rows: 30 })
      await write(todos.map((todo) => ({ ...todo, status: "pending" })))
      expect(below()).not.toContain("!")
      await write(todos)
      expect(below()).toContain(done)
      expect(below()).toContain(open)
    },
  )

  test("O11 a dialect with a tree: each call with its result, and 8 todos visible until there may be more", async () => {
    const { tracker, below, above, tell, press } = await openScreen({ view: "tree", rows: 40 })
    const init = {
      op: "init",
      list: [{ phase: "Build", items: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `Step ${number}`) }],
    }
    await tell(called("1", "todo", { op: "init" }, true))
    await settle(() => tracker.write({ tool: "todo", input: init }, dialects["oh-my-pi"]))
    await tell(ended("1", "todo", "", true))
    const tree = [
      "Build 0/9",
      "├─ ▶ Step 1",
      ...[2, 3, 4, 5, 6, 7].map((step) => `├─ ○ Step ${step}`),
      "└─ ○ Step 8",
      "… 1 more",
    ]
    expect(above()).toBe(['• todo did {"op":"init"}', ...tree.map((line) => `  ${line}`)].join("\n"))
    expect(below()).toContain(`${tree.join("\n")}\n› `)
    await press(keys.ctrlT)
    expect(below()).toContain("├─ ○ Step 8\n└─ ○ Step 9\n› ")
    const failed = {
      type: "tool-ended",
      id: "2",
      tool: "todo",
      text: "There is no todo.",
      isError: true,
      isSilent: true,
    } as const
    await tell(called("2", "todo", { op: "done" }, true), failed)
    expect(above()).toMatch(/\n\n✗ todo did \{"op":"done"\}: There is no todo\.$/)
  })

  test("C16 C32 each Ctrl+T is reported with the state before it, and saved; also between letters that come together", async () => {
    const { write, press, toggles, saved, below } = await openScreen()
    await press(keys.ctrlT)
    await write(pending("One"))
    await press(`ab${keys.ctrlT}c`)
    expect(toggles).toEqual([
      { type: "toggle_todos", is_expanded: false, has_todos: false },
      { type: "toggle_todos", is_expanded: true, has_todos: true },
    ])
    expect(saved).toEqual([true, false])
    expect(below()).toContain("› abc▏")
  })

  test("C34 /todos prints the list, or says that there is none", async () => {
    const { write, press, above } = await openScreen()
    await press("/todos", keys.enter)
    expect(above()).toBe("› /todos\n\nNo todos")
    await write(todos)
    await press("/todos", keys.enter)
    expect(above().endsWith("› /todos\n\n3 todos:\n\n☒ Set up the project\n☐ Write the tests\n☐ Ship it")).toBe(true)
  })

  test("O13 finished todos leave the screen after a while, and the list keeps them", async () => {
    const { write, below, be, press, above } = await openScreen({ startsExpanded: true, clearDelay: 60 })
    await write(todos)
    expect(below()).toContain("  ☒ Set up the project\n  ☐ Write the tests")
    be("2030-01-01T01:00:00Z")
    await press("x")
    expect(below()).toContain("Todos\n  ☐ Write the tests")
    await press("\u0015", "/todos", keys.enter)
    expect(above()).toContain("☒ Set up the project")
  })

  test("a completed list is written above, once", async () => {
    const { tell, above } = await openScreen({ prompt: "Fix it" })
    const done = planOf([{ content: "Ship it", status: "completed" }])
    const changed = (plan: Plan) => ({ type: "plan-changed", plan }) as const
    await tell(changed(threeTodos), changed(done), changed(done), changed(planOf([])))
    expect(above()).toBe("› Fix it\n\nTodos\n  ☒ Ship it")
  })

  test("a person's edit elsewhere is shown; the agent's changes are not", async () => {
    const { tracker, write, above } = await openScreen()
    await write(pending("One"))
    expect(above()).toBe("")
    await settle(() => tracker.set(person, [{ content: "Two\u001b[2J" }]))
    expect(above()).toBe('ada: removed 1 "One"; added 2 "Two"')
  })

  test("C35 a sub-agent's list shows while it works; its calls are indented", async () => {
    const { tell, below, above, press } = await openScreen({ prompt: "Fix it" })
    const sub = { agent: "a1", depth: 1 } as const
    await tell({ ...sub, type: "agent-started", description: "Find the callers" })
    expect(below()).not.toContain("Find the callers")
    await tell(
      { ...sub, type: "plan-changed", plan: threeTodos },
      { ...sub, type: "text-said", text: "not for the person" },
      { ...sub, ...called("7", "Grep", { pattern: "x" }) },
      { ...sub, ...ended("7", "Grep", "1 match in 1 file") },
    )
    expect(below()).toContain("Find the callers Tasks (1/3)\n✻ Working…")
    await press(keys.ctrlT)
    expect(below()).toContain("Find the callers Tasks (1/3)\n☒ Set up the project\n☐ Write the tests\n☐ Ship it\n✻")
    await tell({ ...sub, type: "agent-ended", ending: "done", text: "" })
    expect(below()).not.toContain("Tasks")
    expect(above()).toBe("› Fix it\n\n  • a1 Grep x: 1 match in 1 file")
  })

  test.each([
    [24, 80],
    [10, 40],
    [4, 20],
    [2, 5],
  ])("5,000 todos, calls and questions never fill a terminal of %i rows and %i columns", async (rows, columns) => {
    const { write, tell, ask, press, below } = await openScreen({
      ...{ rows, columns, startsExpanded: true, prompt: "Go" },
    })
    const many = Array.from({ length: 5_000 }, (_, index) => ({ content: `Todo ${index + 1}`, status: "pending" }))
    await write(many)
    const sub = { agent: "a1", depth: 1 } as const
    await tell(
      ...Array.from({ length: 30 }, (_, index) => called(String(index), "Bash", { command: "sleep 1" })),
      { ...sub, type: "agent-started", description: "Find" },
      { ...sub, type: "plan-changed", plan: planOf(threeTodos.todos) },
      { type: "text-said", text: "Unfinished" },
    )
    await press(...Array.from({ length: 20 }, () => "a line\n"), "queued", keys.enter)
    await ask()
    await press("\u001b[200~pasted\rwith\rlines\u001b[201~")
    const lines = below().split("\n")
    expect(lines.length).toBeLessThan(Math.max(rows, 2))
    expect(lines.every((line) => widthOf(line) <= columns)).toBe(true)
    expect(lines.join("\n")).toMatch(/^Run/m)
  })
})

describe("questions", () => {
  test("y allows, n does not", async () => {
    const { ask, press, below, above } = await openScreen({ prompt: "Fix it" })
    const first = await ask({ detail: "npm test\nrm x" })
    expect(below()).toContain("│ npm test\n│ rm x\nRun a command?\ny yes, n no, a always run any command\n›\n")
    await press(keys.enter, "y")
    expect(await first.answer).toBe(true)
    expect(above()).toBe("› Fix it\n\n│ npm test\n│ rm x")
    const second = await ask()
    await press("n")
    expect(await second.answer).toBe(false)
  })

  test("letters of a sentence are not an answer, begun before or after the question, until it is sent or cleared", async () => {
    const { ask, press, below, prompts, finish } = await openScreen({ prompt: "Fix it" })
    await press("tr")
    const { answer } = await ask()
    const waits = "first send or clear your line (enter, ctrl+c), then y yes, n no,"
    expect(below().replace(/\s+/g, " ")).toContain(waits)
    await press("y", " ", "a", "n", "y")
    expect(below()).toContain("› try any▏")
    await press(keys.enter)
    expect(below()).toContain("queued: try any")
    expect(below()).toContain("\ny yes, n no, a always run any command\n›")
    await press("y")
    expect(await answer).toBe(true)
    const next = await ask()
    await press("/plan", keys.enter, "y")
    expect(below()).toContain("› /plany▏")
    await press(keys.ctrlC, "n")
    expect(await next.answer).toBe(false)
    await finish("done")
    expect(prompts).toEqual(["Fix it", "try any"])
  })

  test("a allows all of a kind in the folder, and never what is outside", async () => {
    const { ask, press, below } = await openScreen({ prompt: "Fix it" })
    const first = await ask()
    await press("a")
    expect(await first.answer).toBe(true)
    expect(await (await ask()).answer).toBe(true)
    const other = await ask({ action: "write", question: "Write a.ts?" })
    await press("n")
    expect(await other.answer).toBe(false)
    const outside = await ask({ action: "run", isOutside: true, question: "Run it there?" })
    expect(below()).toContain("Run it there?\ny yes, n no\n")
    await press("a", "n")
    expect(await outside.answer).toBe(false)
  })

  test("a plan can be scrolled above the question about it, and stays above when it is approved", async () => {
    const { confirm, press, above, below } = await openScreen({ columns: 40, rows: 24, prompt: "Plan it" })
    const plan = Array.from({ length: 50 }, (_, index) => `${index + 1}. Step`).join("\n")
    const { answer } = await confirm("Approve this plan and begin?", plan)
    expect(below()).toMatch(
      /^│ 1\. Step\n[\s\S]*│ 14\. Step\nlines 1-14 of 50 \(arrows, PgUp, PgDn\)\nApprove this plan and begin\?\ny yes, n no\n/m,
    )
    await press(keys.end)
    expect(below()).toContain("│ 50. Step\nlines 37-50 of 50 (arrows, PgUp, PgDn)\n")
    await press("y")
    expect(await answer).toBe(true)
    expect(above()).toContain("│ 1. Step\n")
    expect(above()).toContain("│ 50. Step")
  })

  test("every row of a long command can be shown, by arrows and by pages, at any size of the window", async () => {
    for (const [columns, rows, count] of [
      [80, 24, 402],
      [40, 12, 101],
      [12, 30, 101],
    ] as const) {
      const lines = Array.from({ length: count }, (_, index) => `echo ${index + 1}`)
      const { ask, press, below } = await openScreen({ columns, rows, prompt: "Go" })
      const { answer } = await ask({ detail: lines.join("\n") })
      const seen = new Set<string>()
      const look = () => {
        for (const [row] of below().matchAll(/(?<=^│ )echo \d+/gm)) seen.add(row)
      }
      look()
      const isFirst = new RegExp(`lines\\s1-\\d+\\sof\\s${count}`)
      const isLast = new RegExp(`-${count}\\sof\\s${count}`)
      expect(below()).toMatch(isFirst)
      await press(keys.down, keys.up)
      expect(below()).toMatch(isFirst)
      for (let page = 0; page < lines.length && !isLast.test(below()); page += 1) {
        await press(keys.pageDown)
        look()
      }
      expect([...seen]).toEqual(lines)
      await press(keys.home)
      expect(below()).toContain("│ echo 1\n")
      await press("n")
      expect(await answer).toBe(false)
    }
  })

  test("invisible characters are counted and shown, and such a command needs permission even when all are allowed", async () => {
    const { ask, press, below } = await openScreen({ prompt: "Fix it" })
    await ask()
    await press("a")
    const hiding = await ask({ detail: makeVisible("ls -la \u001b]0; touch PWNED #\u0007") })
    expect(below()).toContain(
      [
        "It contains 2 invisible or control characters, shown as ⟨\\x1b⟩.",
        "│ ls -la ⟨\\x1b⟩]0; touch PWNED #⟨\\x07⟩",
        "Run a command?",
        "y yes, n no\n",
      ].join("\n"),
    )
    await press("a", "n")
    expect(await hiding.answer).toBe(false)
    expect(await (await ask({ detail: "ls" })).answer).toBe(true)
  })

  test("a key that was pressed before the question was visible is not an answer", async () => {
    const { ask, press, session, below } = await openScreen({ prompt: "Fix it" })
    const { answer } = await ask({ detail: "ls" })
    session.press({ name: "y", ctrl: false, meta: false, text: "y" })
    expect(below()).toContain("Run a command?")
    await press("n")
    expect(await answer).toBe(false)
  })

  test("a second tap does not answer the next question", async () => {
    const { ask, press, pass, below } = await openScreen({ prompt: "Fix it" })
    const first = await ask({ detail: "ls" })
    const second = await ask({ detail: "rm -r src" })
    await press("y")
    expect(await first.answer).toBe(true)
    expect(below()).toContain("│ rm -r src\nRun a command?\n\n›")
    for (const key of ["y", "a", "n"]) {
      await pass(readingTime / 2)
      await press(key)
      expect(below()).toContain("│ rm -r src\nRun a command?\n\n›")
    }
    await pass(readingTime)
    expect(below()).toContain("│ rm -r src\nRun a command?\ny yes, n no, a always run any command\n›")
    await press("n")
    expect(await second.answer).toBe(false)
  })

  test("a paste that forges its own end answers nothing", async () => {
    const { ask, press, pass, below } = await openScreen({ prompt: "Fix it" })
    const { answer } = await ask({ detail: "rm -r src" })
    await press("\u001b[200~\u001b[201~y\u001b[201~")
    await pass(readingTime)
    expect(below()).toContain("│ rm -r src\nRun a command?\n")
    await press("\u0015", "n")
    expect(await answer).toBe(false)
  })

  test("a key that is held down answers nothing until it is released", async () => {
    const { ask, press, pass, below } = await openScreen({ prompt: "Fix it" })
    const { answer } = await ask({ detail: "ls" }, 0)
    for (let time = 0; time < 4 * readingTime; time += 30) {
      await press("y")
      await pass(30)
    }
    expect(below()).toContain("Run a command?\n\n›")
    await pass(readingTime)
    await press("n")
    expect(await answer).toBe(false)
  })

  test("an unread question can be scrolled, and a sentence begun", async () => {
    const { ask, press, below } = await openScreen({ columns: 40, rows: 12, prompt: "Fix it" })
    await ask({ detail: Array.from({ length: 50 }, (_, index) => `echo ${index + 1}`).join("\n") }, 0)
    await press(keys.end)
    expect(below()).toContain("│ echo 50\n")
    await press("why")
    expect(below()).toContain("› why▏")
  })

  test("a question with a very long path can be read to its end", async () => {
    const { ask, press, below } = await openScreen({ columns: 40, rows: 24, prompt: "Fix it" })
    const path = Array.from({ length: 100 }, (_, index) => `folder-${index}`).join("/")
    await ask({ action: "write", question: `Write ${path}/end.txt?`, detail: "x" })
    expect(below()).toMatch(/^Write folder-0.*…$/m)
    await press(keys.end)
    expect(below().replaceAll("\n", "")).toMatch(/folder-99\/end\.txt\?│ xlines/)
  })

  test("nothing is allowed where the window is too small to show it", async () => {
    const { ask, press, below, resize } = await openScreen({ columns: 60, rows: 3, prompt: "Fix it" })
    const { answer } = await ask({ detail: "one\ntwo\nthree" })
    await press("y", "a")
    expect(below()).toContain("Run a command?\nn no; to say yes, enlarge the window")
    await resize(60, 24)
    expect(below()).toContain("│ one\n│ two\n│ three\nRun a command?\ny yes")
    await press("y")
    expect(await answer).toBe(true)
  })

  test("an interruption counts as no", async () => {
    const { ask, pressEscape, above } = await openScreen({ prompt: "Fix it" })
    const { answer } = await ask()
    await pressEscape()
    expect(await answer).toBe(false)
    expect(above()).toContain("Interrupted. Say what it should do instead.")
  })
})

describe("working together", () => {
  test("text sent during work waits for its turn", async () => {
    const { press, prompts, below, above, finish } = await openScreen({ prompt: "Fix it" })
    await press("Then ship it", keys.enter, "And rest", keys.enter)
    expect(below()).toContain("queued: Then ship it\nqueued: And rest\n› ▏")
    await finish("done")
    expect(prompts).toEqual(["Fix it", "Then ship it"])
    expect(above()).toBe("› Fix it\n\n› Then ship it")
    await finish("done")
    await finish("done")
    expect(prompts).toEqual(["Fix it", "Then ship it", "And rest"])
    expect(below()).toContain("What should be done?")
  })

  test("Esc interrupts, and gives queued text back for editing", async () => {
    const { press, pressEscape, prompts, below, tell, above } = await openScreen({ prompt: "Fix it" })
    await tell({ type: "text-said", text: "Well" })
    await press("Then ship it", keys.enter, "quick")
    await pressEscape()
    expect(prompts).toEqual(["Fix it"])
    expect(above()).toBe("› Fix it\n\nWell\n\nInterrupted. Say what it should do instead.")
    expect(below()).toBe("› Then ship it\n  quick▏\nctrl+t show todos, /help")
  })

  test("failed work is reported, and the next can start", async () => {
    const { press, fail, prompts, above } = await openScreen({ prompt: "One" })
    await fail(new Error("The disk is full.\u001b[2J"))
    expect(above()).toBe("› One\n\nThe disk is full.")
    await press("Two", keys.enter)
    expect(prompts).toEqual(["One", "Two"])
  })

  test("/compact is work, and reports its result", async () => {
    const { press, below, compacted, above } = await openScreen()
    await press("/compact", keys.enter)
    expect(below()).toContain("✻ Summarising the conversation…")
    await compacted(false)
    expect(above()).toBe("› /compact\n\nNothing to summarise.")
    expect(below()).toContain("What should be done?")
  })

  test("/plan turns plan mode on and off, and the screen shows it", async () => {
    const { press, modes, below, above } = await openScreen({ columns: 40 })
    await press("/plan", keys.enter)
    expect(below()).toContain("plan mode, ctrl+t show todos, /help")
    expect(above()).toBe("› /plan\n\nPlan mode is on: the agent reads and\nplans, and changes nothing.\ndid /plan")
    await press("/plan", keys.enter)
    expect(modes).toEqual([true, false])
    expect(below()).not.toContain("plan mode")
  })

  test("a command is passed on as it was typed, also during work, and its answer shown; a path is not one", async () => {
    const { press, commands, above, prompts } = await openScreen({ columns: 40, prompt: "Go" })
    await press('/todo add "Ask Ada"', keys.enter)
    await press("/etc/hosts is wrong", keys.enter)
    expect(commands).toEqual(['/todo add "Ask Ada"'])
    expect(above()).toBe('› Go\n\n› /todo add "Ask Ada"\n\ndid /todo add "Ask Ada"')
    expect(prompts).toEqual(["Go"])
  })

  test("what the person's own command changed is not reported twice", async () => {
    const { press, above } = await openScreen()
    await press("/edit", keys.enter)
    expect(above()).toBe("› /edit\n\ndid /edit")
  })

  test("/help also names the keys, in 40 columns", async () => {
    const { press, above } = await openScreen({ columns: 40 })
    await press("/help", keys.enter)
    for (const name of ["enter", "ctrl+j", "ctrl+t", "esc", "ctrl+c"]) expect(above()).toContain(name)
    expect(
      above()
        .split("\n")
        .every((line) => widthOf(line) <= 40),
    ).toBe(true)
  })
})

describe("leaving", () => {
  test.each([
    ["Ctrl+D on an empty line", [keys.ctrlD]],
    ["Ctrl+C twice", [keys.ctrlC, keys.ctrlC]],
    ["Ctrl+C twice with something typed", ["some text", keys.ctrlC, keys.ctrlC]],
    ["/exit", ["/exit", keys.enter]],
  ])("%s leaves, and nothing of the live part stays", async (_, typed) => {
    const { press, session, below } = await openScreen()
    await press(...typed)
    await session.over
    expect(below()).toBe("")
  })

  test("Esc twice leaves when idle; another key between them does not", async () => {
    const { press, pressEscape, session, below } = await openScreen()
    await pressEscape()
    expect(below()).toContain("esc again to leave")
    await press("x")
    expect(below()).toContain("/help")
    await pressEscape()
    await pressEscape()
    expect(session.state.isOver).toBe(true)
  })

  test("Ctrl+C clears the line first, then interrupts, then leaves; Ctrl+D with something typed deletes", async () => {
    const { press, session, below, above } = await openScreen({ prompt: "Fix it" })
    await press("ab", keys.ctrlA, keys.ctrlD)
    expect(below()).toContain("› ▏b")
    await press(keys.ctrlC)
    expect(below()).toContain("› ▏\nctrl+c again to leave")
    expect(session.state.isWorking).toBe(true)
    await press("x", "\u007f", keys.ctrlC)
    expect(above()).toContain("Interrupted.")
    await press(keys.ctrlC)
    await session.over
  })

  test("leaving ends the work first", async () => {
    const { press, session, ask } = await openScreen({ prompt: "Fix it" })
    const { answer } = await ask()
    await press(keys.ctrlD)
    expect(await answer).toBe(false)
    await session.over
  })
})

test("a line with wide characters and a paste of several lines are edited as shown", async () => {
  const { press, pass, below, prompts } = await openScreen({ columns: 20 })
  await press("漢字漢字漢字漢字漢字", keys.left, keys.left, "x")
  expect(below()).toContain("› 漢字漢字漢字漢字x\n  ▏漢字\n")
  await press("\u0015", "\u000b", "\u001b[200~two\rlines\t\u001b[31m!\u001b[201~")
  expect(below()).toContain("› two\n  lines  !▏\n")
  await pass(50)
  await press(keys.enter)
  expect(prompts).toEqual(["two\nlines  !"])
})

test("a paste that is longer than a prompt may be is not cut silently", async () => {
  const { press, pass, below } = await openScreen({ rows: 12 })
  await press(`\u001b[200~${"word\r\n".repeat(20_000)}\u001b[201~`)
  expect(below()).toContain("No more than 100,000 characters fit here: the rest was left out.")
  await pass(50)
  await press(keys.ctrlC)
  expect(below()).not.toContain("No more than")
})

test("a window made smaller or larger is redrawn", async () => {
  const { write, resize, below } = await openScreen({ startsExpanded: true, prompt: "Go", rows: 24 })
  await write(pending("A todo with more words than a narrow window has room for"))
  await resize(24, 24)
  expect(below()).toContain("  ☐ A todo with more wo…")
  await resize(120, 24)
  expect(below()).toContain("  ☐ A todo with more words than a narrow window has room for")
})
