/** What a host can change about an agent: its list tools, every word said about them, and what else the model is told. */
import { describe, expect, test } from "vitest"
import { createQueuedMessages } from "../../src/guidance/index.ts"
import { bash, look, open, resultsIn, script, sent, todoWrite } from "./open.ts"

const done = { text: "Done." }

describe("the list tools of an agent", () => {
  test("O1 O18 include a former tool on request, alone", async () => {
    const call = { tool: "todo_write", input: { ops: [{ op: "init", list: [{ phase: "Build", items: ["Read"] }] }] } }
    const model = script({ calls: [call] }, { calls: [{ ...call, input: { ops: [{ op: "done" }] } }] }, done)
    const { agent, tracker, run } = await open(model, { dialect: "oh-my-pi", tool: "todo_write" })
    expect(agent.tools.names()).toContain("todo_write")
    expect(agent.tools.names()).not.toContain("todo")
    await run()
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", phase: "Build", status: "completed" }])
  })

  test("C9 every tool has the host's name, in calls, prompts and reminders", async () => {
    const names = { TaskCreate: "new_task", TaskUpdate: "change_task", TaskList: "tasks", TaskGet: "task" }
    const model = script(
      { calls: [{ tool: "new_task", input: { subject: "Read", description: "" } }] },
      { calls: [{ tool: "change_task", input: { taskId: "1", status: "completed" } }] },
      done,
    )
    const { agent, tracker, run } = await open(model, { dialect: "claude-tasks", names, level: "full" })
    expect(agent.tools.names()).toEqual(expect.arrayContaining(Object.values(names)))
    await run()
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "completed" }])
    expect(model.requests[0]?.neutral.system).toContain("new_task and change_task")
    expect(JSON.stringify(model.requests[0])).not.toMatch(/Task(?:Create|Update|List|Get)/)
  })

  test("C9 every string can be the host's own", async () => {
    const model = script({ calls: [todoWrite(["Read", "in_progress"])] }, { text: "I stop." }, done)
    const { agent, run, eventsOf } = await open(model, {
      overrides: {
        tools: { TodoWrite: { description: "Our list.", fields: { "todos.content": "our words" }, examples: [] } },
        system: { taskManagement: "OWN MANAGEMENT", commit: "", doingTasks: ({ list }) => `OWN ${list}` },
        reply: ({ plan }, ours) => `OWN REPLY ${plan.todos.length} (${ours})`,
        push: ([todo]) => `OWN PUSH ${todo?.content}`,
      },
    })
    expect(agent.tools.find("TodoWrite")).toMatchObject({ description: "Our list.", inputExamples: [] })
    await run()
    const [first] = model.requests
    expect(first?.neutral.system).toContain("OWN MANAGEMENT")
    expect(first?.neutral.system).toContain("OWN TodoWrite")
    expect(first?.neutral.system).not.toContain("out of commits")
    expect(JSON.stringify(first?.neutral.tools)).toContain("our words")
    expect(resultsIn(model, 1)).toMatchObject([{ text: expect.stringContaining("OWN REPLY 1 (The list is saved.") }])
    expect(eventsOf("push-said")[0]).toMatchObject({ text: "OWN PUSH Read" })
  })

  test("C9 a system prompt of the host replaces ours; a function places the sections and gets the agent", async () => {
    const own = script(done)
    await (await open(own, { system: "You tend a garden." })).run()
    expect(own.requests[0]?.neutral.system).toMatch(/^You tend a garden\.\n\nPlan work of three or more steps/)
    expect(own.requests[0]?.neutral.system).toContain("# Place")
    expect(own.requests[0]?.neutral.system).not.toContain("coding agent")
    const placed = script(
      { calls: [{ tool: "Task", input: { description: "Look", prompt: "Look around" } }] },
      done,
      { thread: "below", when: { prompt: "Look around" } },
      { text: "Seen." },
    )
    const { run } = await open(placed, {
      system: ({ closing }, { agentId, isSubAgent, depth }) =>
        `${agentId === "main"} ${isSubAgent} ${depth} | ${closing}`,
    })
    await run()
    expect(placed.requests.map(({ neutral }) => neutral.system)).toEqual([
      "true false 0 | Keep your plan current with TodoWrite.",
      "false true 1 | Keep your plan current with TodoWrite.",
      "true false 0 | Keep your plan current with TodoWrite.",
    ])
  })
})

describe("reminders of an agent", () => {
  test("C22 7 and 3 are options", async () => {
    const turns = Array.from({ length: 6 }, () => ({ calls: [bash("true")] }))
    const model = script(...turns, done)
    const { run, eventsOf } = await open(model, {
      profile: "classic",
      rules: ["todo-reminder"],
      pace: { turnsSinceWrite: 2, turnsSinceReminder: 2 },
      overrides: { reminders: { "todo-reminder": "OWN NUDGE" } },
    })
    await run()
    expect(eventsOf("reminder-said").map(({ text }) => text)).toEqual(
      Array.from({ length: 3 }, () => "<system-reminder>\nOWN NUDGE\n</system-reminder>"),
    )
  })

  test("C24 a host's generators are used besides them; one that throws is reported to the host and to the person", async () => {
    const problems: string[] = []
    const { run, eventsOf } = await open(script(done), {
      generators: {
        news: ({ agent }) => [
          { body: { type: "news" }, text: `One for ${agent}` },
          { body: { type: "news" }, text: "Two" },
        ],
        broken: () => {
          throw new Error("no wire")
        },
      },
      onProblem: ({ message }) => problems.push(message),
    })
    await run()
    expect(eventsOf("reminder-said").map(({ attachment }) => attachment.attachment.type)).toEqual(["news", "news"])
    expect(problems).toEqual([expect.stringContaining("no wire")])
    expect(eventsOf("notice-given")).toMatchObject([{ message: expect.stringContaining('"broken" failed') }])
  })

  test("what a person sends during a turn reaches the main agent before its next turn, and no sub-agent", async () => {
    const queued = createQueuedMessages()
    const model = script(
      { calls: [{ tool: "Task", input: { description: "Look", prompt: "Look around" } }] },
      done,
      { thread: "below", when: { prompt: "Look around" } },
      { calls: [look] },
      { text: "Seen." },
    )
    const { run } = await open(model, {
      generators: { queued: queued.generator },
      onEvent: ({ type, depth }) => {
        if (type === "tool-called" && depth === 1) queued.push("Leave the tests\nalone")
      },
    })
    await run()
    const mentions = model.requests.map((_, index) => sent(model, index).includes("Leave the tests\\nalone"))
    expect(mentions).toEqual([false, false, false, true])
    expect(queued.waiting).toEqual([])
  })
})
