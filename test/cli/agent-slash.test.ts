import { describe, expect, test } from "vitest"
import { runSlash, slashCommands } from "../../src/cli/agent/slash.ts"
import type { Context } from "../../src/cli/command.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { ioAt } from "../board/live-board.ts"
import { open, script, todoWrite } from "../reference-agent/open.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const atWork = async (values: Context["values"] = {}) => {
  const home = temporaryFolder()
  const tracker = await openTracker({ store: createFileStore({ home }), session: "s" })
  const model = script(
    { calls: [todoWrite(["Read", "completed"], ["Write", "in_progress"])] },
    { text: "Shall I go on?" },
    { text: "I heard." },
    { thread: "summary", when: { system: "summaries" } },
    { text: "We read." },
  )
  const opened = await open(model, { tracker })
  await opened.run()
  const io = ioAt(home, {
    env: { USER: "ada", HEADWAY_HOME: home },
    cwd: opened.cwd,
    now: () => new Date(),
    input: () => new Promise(() => {}),
  })
  const context: Context = { io, values, words: [], behind: [], opened: createOpened() }
  const { signal } = new AbortController()
  const type = (line: string, dialect?: string) =>
    runSlash(line, { agent: opened.agent, tracker, signal, context, ...(dialect ? { dialect } : {}) })
  return { ...opened, type, model, context }
}

describe("behind a slash", () => {
  test("/todos shows the list (C34)", async () => {
    const { type, tracker } = await atWork()
    const { text, lines } = await type("/todos")
    expect(text).toBe("2 todos:\n\n☒ Read\n☐ Write")
    expect(lines?.[0]).toEqual([{ text: "2 todos", style: { bold: true } }, { text: ":" }])
    await tracker.clear({ kind: "person", id: "ada" })
    expect((await type("/todos")).text).toBe("No todos")
  })

  test("after a resume /todos shows the working list, and /todo all of it (O14)", async () => {
    const { type, tracker } = await atWork({ ascii: true })
    await tracker.restore("resume")
    expect((await type("/todos")).text).toBe("1 todo:\n\n[ ] Write")
    expect((await type("/todo")).text).toBe("[×] Read\n[ ] Write")
  })

  test("/todo changes the list as a person does, and the agent is told (O15)", async () => {
    const { type, tracker, run, model } = await atWork()
    expect(await type('/todo add "Ask Ada"')).toEqual({ text: 'added 3 "Ask Ada"' })
    expect(await type("/todo block ada --reason 'on holiday'")).toMatchObject({
      text: expect.stringContaining("on holiday"),
    })
    expect(tracker.plan.todos.at(-1)).toMatchObject({ content: "Ask Ada", status: "blocked" })
    await run("Go on")
    expect(JSON.stringify(model.requests.at(-1)?.neutral.messages)).toContain("The person changed the plan by hand")
  })

  test.each([
    ["/todo done zzz", 'There is no todo "zzz"'],
    ["/todo fly", 'There is no verb "fly"'],
    ["/todo edit", "in a shell"],
    ["/todo import -", "Standard input cannot be read here"],
    ["/todo add x --nonsense", "--nonsense"],
    ["/nonsense", "There is no command /nonsense."],
    ["/", "There is no command /."],
  ])("%s prints what would be right", async (line, message) => {
    const { type, tracker } = await atWork()
    expect((await type(line)).text).toContain(message)
    expect(tracker.plan.todos).toHaveLength(2)
  })

  test("O6 /todo starts the next todo where the dialect does so itself, and only there", async () => {
    const { type, tracker } = await atWork()
    expect((await type('/todo add "Rest"')).text).toBe('added 3 "Rest"')
    expect((await type("/todo done write")).text).toBe('2 "Write": now completed')
    expect((await type("/todo reopen write", "oh-my-pi")).text).toBe(
      '2 "Write": now pending\n2 "Write": now in_progress',
    )
    expect((await type("/todo done write", "oh-my-pi")).text).toBe(
      '2 "Write": now completed\n3 "Rest": now in_progress',
    )
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["completed", "completed", "in_progress"])
  })

  test("without an agent the commands that need one are refused", async () => {
    const { context } = await atWork()
    const { signal } = new AbortController()
    for (const line of ["/plan", "/compact"])
      expect(await runSlash(line, { signal, context })).toMatchObject({
        isError: true,
        text: expect.stringContaining("needs a running agent"),
      })
    expect(await runSlash("/todos", { signal, context })).toMatchObject({ text: "No todos" })
  })

  test("a list in memory is not published for other programs", async () => {
    const { type } = await atWork({ store: "memory:" })
    expect((await type("/todo add x")).text).toContain("only in memory")
  })

  test("/plan, /compact, /help and /exit work", async () => {
    const { type, agent, context, eventsOf } = await atWork()
    expect(await type("/plan")).toEqual({ text: "" })
    expect(agent.planMode.isOn).toBe(true)
    expect(eventsOf("mode-changed")).toHaveLength(1)
    expect(await type("/compact")).toEqual({ text: "" })
    expect(await type("/compact")).toEqual({ text: "Nothing was summarised." })
    const { text } = await type("/help")
    for (const { name } of slashCommands) expect(text).toContain(name)
    expect(text).not.toContain("…")
    context.io.columns = 40
    const narrow = (await type("/help")).text.split("\n")
    expect(narrow.find((line) => line.startsWith("/plan"))).toBe("/plan      plan mode on or off: nothing")
    expect(narrow).toContain("           is changed until you approve")
    expect(narrow.filter((line) => line.length > 40)).toEqual([])
    expect(await type("/exit")).toMatchObject({ isExit: true })
    expect(await type("/quit")).toMatchObject({ isExit: true })
  })
})
