import { describe, expect, test } from "vitest"
import { runSlash, slashCommands } from "../../src/cli/agent/slash.ts"
import type { Context } from "../../src/cli/command.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { createFileStore } from "../../src/stores/file.ts"
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
  const type = (line: string) => runSlash(line, { agent: opened.agent, tracker, signal, context })
  return { ...opened, type, model }
}

describe("behind a slash", () => {
  test("/todos shows the list (C34)", async () => {
    const { type, tracker } = await atWork()
    expect(await type("/todos")).toEqual({ text: "2 todos:\n\n☒ Read\n☐ Write" })
    await tracker.clear({ kind: "person", id: "ada" })
    expect(await type("/todos")).toEqual({ text: "No todos" })
  })

  test("after a resume /todos shows the working list, and /todo all of it (O14)", async () => {
    const { type, tracker } = await atWork({ ascii: true })
    await tracker.restore("resume")
    expect(await type("/todos")).toEqual({ text: "1 todo:\n\n[ ] Write" })
    expect(await type("/todo")).toEqual({ text: "[×] Read\n[ ] Write" })
  })

  test("/todo changes the list as a person does, and the agent hears of it (O15)", async () => {
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
  ])("%s says what would be right", async (line, message) => {
    const { type, tracker } = await atWork()
    expect((await type(line)).text).toContain(message)
    expect(tracker.plan.todos).toHaveLength(2)
  })

  test("a list in memory is not for other programs", async () => {
    const { type } = await atWork({ store: "memory:" })
    expect((await type("/todo add x")).text).toContain("only in memory")
  })

  test("/plan, /compact, /help and /exit", async () => {
    const { type, agent, told } = await atWork()
    expect(await type("/plan")).toEqual({ text: "" })
    expect(agent.planMode.isOn).toBe(true)
    expect(told("mode-changed")).toHaveLength(1)
    expect(await type("/compact")).toEqual({ text: "" })
    expect(await type("/compact")).toEqual({ text: "Nothing was summarised." })
    const { text } = await type("/help")
    for (const { name } of slashCommands) expect(text).toContain(name)
    expect(await type("/exit")).toMatchObject({ isExit: true })
    expect(await type("/quit")).toMatchObject({ isExit: true })
  })
})
