import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { createMemoryTranscript, type Spoken } from "../../src/reference-agent/index.ts"
import { bash, open, resultsIn, script, todoWrite } from "./open.ts"

const task = (prompt: string, todo?: string) => ({
  tool: "Task",
  input: { description: `About ${prompt}`, prompt, ...(todo === undefined ? {} : { todo }) },
})

describe("a sub-agent (C27)", () => {
  test("has its own id, list and depth, and cannot change the parent's list", async () => {
    const model = script(
      { calls: [todoWrite(["Search", "in_progress"])] },
      { calls: [task("Find it", "1")] },
      { text: "Found?" },
      { thread: "finder", when: { prompt: "Find it" } },
      { calls: [todoWrite(["Look here", "in_progress"], ["Look there", "pending"])] },
      { calls: [todoWrite(["Look here", "completed"], ["Look there", "completed"])] },
      { text: "It is in a.ts." },
    )
    const { run, tracker, eventsOf } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "Found?" })
    expect(tracker.plan.todos).toMatchObject([{ content: "Search", status: "in_progress" }])
    const lists = eventsOf("plan-changed").filter(({ depth }) => depth === 1)
    expect(lists[0]?.plan.todos.map(({ content }) => content)).toEqual(["Look here", "Look there"])
    const [child] = await tracker.children()
    expect(child).toMatchObject({ agentType: "headway-agent", parent: { agent: "main", todo: "1" } })
    expect(child?.agent).not.toBe("main")
    expect(eventsOf("agent-started")).toMatchObject([
      { agent: child?.agent, depth: 1, description: "About Find it", todo: "1" },
    ])
    expect(eventsOf("agent-ended")).toMatchObject([{ agent: child?.agent, ending: "done", text: "It is in a.ts." }])
  })

  test("starts from nothing but its prompt, and its last text is the result", async () => {
    const model = script(
      { text: "A secret of the parent.", calls: [task("Find it")] },
      { text: "Thanks." },
      { thread: "finder", when: { prompt: "Find it" } },
      { text: "Looking.", calls: [{ tool: "Glob", input: { pattern: "*" } }] },
      { text: "Nothing there." },
    )
    const { run } = await open(model)
    await run("Do the thing")
    const first = model.requests.find(({ played }) => played.thread === "finder")?.neutral
    expect(first?.messages).toEqual([{ role: "user", parts: [{ type: "text", text: "Find it" }] }])
    expect(first?.system).toContain("works for another agent")
    expect(resultsIn(model, model.requests.length - 1)).toMatchObject([{ text: "Nothing there." }])
  })

  test("has a tracker that knows its depth", async () => {
    const seen: { isSubAgent: boolean; depth: number }[] = []
    const { tracker, run } = await open(
      script(
        { calls: [task("Outer")] },
        { text: "Done." },
        { thread: "sub", when: { prompt: "Outer" } },
        { text: "So." },
      ),
    )
    const child = tracker.child
    Object.assign(tracker, {
      child: async (...given: Parameters<typeof child>) => {
        const made = await child(...given)
        seen.push({ isSubAgent: made.isSubAgent, depth: made.depth })
        return made
      },
    })
    await run()
    expect(seen).toEqual([{ isSubAgent: true, depth: 1 }])
    expect(tracker.isSubAgent).toBe(false)
  })

  test("may delegate once more, and no deeper", async () => {
    const model = script(
      { calls: [task("Outer")] },
      { text: "Done." },
      { thread: "outer", when: { prompt: "Outer" } },
      { calls: [task("Inner")] },
      { text: "Outer done." },
      { thread: "inner", when: { prompt: "Inner" } },
      { calls: [task("Innermost")] },
      { text: "Inner done." },
    )
    const { run, eventsOf } = await open(model)
    await run()
    expect(eventsOf("agent-started").map(({ depth }) => depth)).toEqual([1, 2])
    expect(eventsOf("tool-ended").find(({ depth }) => depth === 2)?.text).toContain('There is no tool "Task"')
  })

  test("works in parallel with others, and their questions come one after the other", async () => {
    let asking = 0
    const asked: string[] = []
    const model = script(
      { calls: [task("One"), task("Two")] },
      { text: "Both are back." },
      { thread: "one", when: { prompt: "One" } },
      { calls: [bash("echo 1")] },
      { text: "One is done." },
      { thread: "two", when: { prompt: "Two" } },
      { calls: [bash("echo 2")] },
      { text: "Two is done." },
    )
    const { run, eventsOf } = await open(model, {
      permit: async (_, { agent, depth }) => {
        asking += 1
        expect(asking).toBe(1)
        expect(depth).toBe(1)
        asked.push(agent)
        await new Promise((resolve) => setImmediate(resolve))
        asking -= 1
        return true
      },
    })
    await run()
    expect(new Set(asked).size).toBe(2)
    expect(eventsOf("agent-ended").map(({ ending }) => ending)).toEqual(["done", "done"])
    const results = resultsIn(model, model.requests.length - 1).map(({ text }) => text)
    expect(results).toEqual(["One is done.", "Two is done."])
  })

  test("has its text stored next to the transcript of its parent", async () => {
    const children = new Map<string, Spoken[]>()
    const transcript = {
      ...createMemoryTranscript(),
      child(agent: string) {
        const own = createMemoryTranscript()
        children.set(agent, own.spoken)
        return own
      },
    }
    const { run, eventsOf } = await open(
      script(
        { calls: [task("Find it")] },
        { text: "Done." },
        { thread: "sub", when: { prompt: "Find" } },
        { text: "So." },
      ),
      { transcript },
    )
    await run()
    const [{ agent } = { agent: "" }] = eventsOf("agent-started")
    expect(children.get(agent)?.map(({ type }) => type)).toEqual(["user", "assistant"])
  })

  test("that cannot continue is an error for its parent, which continues", async () => {
    const model = script(
      { calls: [task("Fail")] },
      { text: "Then without it." },
      { thread: "sub", when: { prompt: "Fail" } },
      { error: { status: 400, message: "No." } },
    )
    const { run } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "Then without it." })
    expect(resultsIn(model, 2)).toMatchObject([{ isError: true, text: expect.stringContaining("(failed)") }])
  })

  test("is not offered a list that is not for sub-agents (O17)", async () => {
    const model = script(
      { calls: [task("Find it")] },
      { text: "Done." },
      { thread: "sub", when: { prompt: "Find it" } },
      { text: "So." },
    )
    const { run } = await open(model, { dialect: dialects["oh-my-pi"] })
    await run()
    const offered = model.requests.map(({ neutral }) => neutral.tools.some(({ name }) => name === "todo"))
    expect(offered).toEqual([true, false, true])
    expect(model.requests[1]?.neutral.system).not.toContain("todo")
  })
})
