import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { HeadwayError } from "../../src/plan/index.ts"
import { createMemoryTranscript, findModel, type Spoken } from "../../src/reference-agent/index.ts"
import { holdInMemory } from "../../src/stores/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { open as openPlan } from "../tracker/open.ts"
import { look, open, resultsIn, script, sent, todoWrite } from "./open.ts"

const plan = todoWrite(["Read", "in_progress"], ["Write", "pending"])
const asking = { text: "Shall I go on?" }

describe("wrong calls", () => {
  test("a list call that is not JSON is repaired, not refused (N2)", async () => {
    const broken = "{'todos': [{'content': 'Read', 'status': 'doing'}, {'content': 'Write'}"
    const model = script({ calls: [{ tool: "TodoWrite", input: broken }] }, asking)
    const { run, tracker } = await open(model)
    await run()
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "in_progress" }, { content: "Write" }])
    expect(JSON.stringify(model.requests[1]?.neutral.messages)).toContain('"input":{}')
  })

  test("a failed list call is reported to the model again before its next turn, and to the person (O12)", async () => {
    const model = script({ calls: [{ tool: "TodoWrite", input: "no list at all" }] }, { calls: [plan] }, asking)
    const { run, eventsOf } = await open(model)
    await run()
    expect(eventsOf("tool-ended")[0]?.isError).toBe(true)
    expect(eventsOf("notice-given")[0]?.message).toMatch(/^A TodoWrite call failed: /)
    const last = model.requests[1]?.neutral.messages.at(-1)
    expect(JSON.stringify(last)).toContain("<system-reminder>\\nYour last TodoWrite call failed")
    expect(sent(model, 2).match(/call failed/g)).toHaveLength(1)
  })

  test("a person's message about a failed call names what is wrong, not that there are errors (O12)", async () => {
    const call = { tool: "todo", input: { op: "done", task: "Nothing like it" } }
    const { run, eventsOf } = await open(script({ calls: [call] }, asking), { dialect: dialects["oh-my-pi"] })
    await run()
    const [notice] = eventsOf("notice-given")
    expect(notice?.message).toMatch(/^A todo call failed: \S.*Nothing like it/)
    expect(notice?.message).not.toContain("Errors:")
  })

  test.each([
    ['{"file_path": "a', "a text"],
    ["[1, 2]", "an array"],
    ["null", "null"],
    ['"a.txt"', "a string"],
    ["7", "a number"],
  ])("%s as the input of a tool is answered with a valid one, and sent back as an object", async (input) => {
    const model = script({ calls: [{ tool: "Read", input, id: "call_1" }] }, { text: "I see." })
    const { run } = await open(model)
    expect((await run()).ending).toBe("done")
    expect(resultsIn(model, 1)).toMatchObject([{ text: expect.stringContaining("A valid input is"), isError: true }])
    const [, call] = model.requests[1]?.neutral.messages ?? []
    expect(call?.parts).toEqual([{ type: "call", id: "call_1", tool: "Read", input: {} }])
  })

  test("an unknown tool is answered with the known ones", async () => {
    const model = script({ calls: [{ tool: "fly to/the moon" }, look] }, { text: "I see." })
    const { run } = await open(model)
    await run()
    const [unknown, known] = resultsIn(model, 1)
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining("The tools are: Read, Write") })
    expect(known?.text).toBe("No file matches.")
    expect(JSON.stringify(model.requests[1]?.neutral.messages)).toContain('"tool":"fly_to_the_moon"')
  })

  test("ids that a model reuses do not make its list calls ineffective", async () => {
    const model = script(
      { calls: [{ ...todoWrite(["Read", "in_progress"]), id: "call_0" }] },
      { calls: [{ ...todoWrite(["Read", "pending"], ["Write", "in_progress"]), id: "call_0" }] },
      asking,
    )
    const { run, tracker } = await open(model)
    await run()
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Read", "Write"])
  })

  test("a tool of the host that throws gets an answer, and does not end the work", async () => {
    const bomb = {
      name: "bomb",
      description: "Throws.",
      schema: { type: "object" },
      isEnabled: () => true,
      isReadOnly: () => true,
      isConcurrencySafe: () => true,
      needsPermission: async () => undefined,
      run: async () => {
        throw new Error("bang")
      },
    }
    const model = script({ calls: [{ tool: "bomb" }, look] }, { text: "I see." })
    const { run } = await open(model, { tools: [bomb] })
    expect((await run()).ending).toBe("done")
    expect(resultsIn(model, 1).map(({ text }) => text)).toEqual(["bomb failed: bang", "No file matches."])
  })
})

describe("a service that fails", () => {
  test("a connection that drops in the middle is tried again, without what it sent", async () => {
    const words = "These are words that get through before it breaks off in the middle."
    const model = script({ calls: [plan] }, { text: words, drop: 1 }, { text: words, drop: 2 }, asking)
    const waits: number[] = []
    const { run, eventsOf, kept } = await open(model, {
      pause: async (tried, _, milliseconds) => {
        waits.push(tried, milliseconds)
      },
    })
    expect(await run()).toEqual({ ending: "done", text: "Shall I go on?" })
    expect(eventsOf("turn-failed").map(({ willRetry }) => willRetry)).toEqual([true, true])
    expect(waits).toEqual([1, 1000, 2, 2000])
    expect(JSON.stringify(kept)).not.toContain("get through")
  })

  test("a connection that drops inside a call makes no call", async () => {
    const model = script({ calls: [plan], drop: 1 }, asking)
    const { run, tracker } = await open(model)
    await run()
    expect(tracker.plan.todos).toEqual([])
  })

  test("a service that stays unreachable ends the work with a clear message; plan and conversation can continue later", async () => {
    const store = createMemoryStore()
    const model = script({ calls: [plan] }, { text: "So far", drop: 0, repeat: true })
    const { run, eventsOf, kept } = await open(model, { tracker: await openPlan({ store }) })
    expect(await run("Write it")).toEqual({ ending: "failed", text: "" })
    expect(eventsOf("turn-failed").at(-1)).toMatchObject({ willRetry: false })
    expect(eventsOf("notice-given").at(-1)?.message).toMatch(/connection.*you can continue later/)
    const later = script({ text: "Here I am. Shall I?" })
    const again = await open(later, { tracker: await openPlan({ store }), kept })
    expect((await again.run("Go on")).ending).toBe("done")
    expect(sent(later, 0)).toContain("Write it")
    expect(sent(later, 0)).toContain("#1 [in_progress] Read")
  })

  test("one that is not running is named by its address, with what to check", async () => {
    const closed = createServer().listen(0, "127.0.0.1")
    await once(closed, "listening")
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, "close")
    const { model } = await findModel("local/llama", { LOCAL_BASE_URL: `http://127.0.0.1:${port}/v1` })
    const { run, eventsOf } = await open(model)
    expect((await run()).ending).toBe("failed")
    const sentence = `The model's service at 127.0.0.1:${port} cannot be reached (connect ECONNREFUSED 127.0.0.1:${port}). Check that it is running and that this is its address.`
    expect(eventsOf("turn-failed").map(({ message }) => message)).toEqual(Array(4).fill(sentence))
    expect(eventsOf("notice-given").at(-1)?.message).toContain(sentence)
  })

  test("a busy one is tried again after the time it asks for; a refused key is not", async () => {
    const busy = script({ error: { status: 529, message: "Busy." } }, { text: "Now." })
    const waits: number[] = []
    const pause = async (_: number, __: AbortSignal, milliseconds: number) => void waits.push(milliseconds)
    expect((await (await open(busy, { pause })).run()).text).toBe("Now.")
    expect(waits).toEqual([0])
    const refused = script({ error: { status: 401, message: "No such key \u001b[31msk-1" }, repeat: true })
    const { run, eventsOf } = await open(refused)
    expect((await run()).ending).toBe("failed")
    expect(refused.requests).toHaveLength(1)
    expect(eventsOf("notice-given")[0]?.message).toContain("answered 401: No such key sk-1")
  })

  test("one that is silent for too long is tried again", async () => {
    const { askModel } = await import("../../src/reference-agent/ask-model.ts")
    const model = script({ text: "Let me think about it for ever and a day", hang: 1 }, { text: "Now." })
    const { signal } = new AbortController()
    const messages = [{ role: "user" as const, content: "Go" }]
    const answer = await askModel({
      model,
      system: "",
      messages,
      tools: [],
      signal,
      silence: 30,
      pause: async () => {},
    })
    expect(answer).toMatchObject({ text: "Now." })
  })
})

describe("stores that fail", () => {
  test("a transcript that cannot be written is reported once, and the work continues", async () => {
    const transcript = {
      ...createMemoryTranscript(),
      append: async () => {
        throw new Error("the disk is full")
      },
    }
    const { run, eventsOf, agent } = await open(script({ calls: [plan] }, asking), { transcript })
    expect((await run()).ending).toBe("done")
    const notices = eventsOf("notice-given").map(({ message }) => message)
    expect(notices.filter((message) => message.includes("the disk is full"))).toHaveLength(1)
    agent.close()
    agent.close()
    expect(eventsOf("notice-given").slice(notices.length)).toMatchObject([
      { message: expect.stringMatching(/^The last \d+ lines of the conversation could not be saved/) },
    ])
  })

  test("a transcript that could not be written for a while is complete afterwards", async () => {
    const kept = createMemoryTranscript()
    let isFull = true
    const append = async (spoken: Spoken): Promise<void> => {
      if (isFull) throw new Error("the disk is full")
      await kept.append(spoken)
    }
    const { run, eventsOf, agent } = await open(script({ calls: [plan] }, asking, { text: "Good." }), {
      transcript: { ...kept, append },
    })
    await run()
    expect(kept.spoken).toEqual([])
    isFull = false
    await run("Yes")
    expect(kept.spoken).toEqual(agent.spoken)
    expect(eventsOf("notice-given").flatMap(({ message }) => (/conversation/.test(message) ? message : []))).toEqual([
      expect.stringContaining("stays in memory"),
      "The conversation can be saved again, and all of it has been.",
    ])
  })

  test("on a full disk the list stays in memory; the person is told once, and again when it is written", async () => {
    const under = createMemoryStore()
    let isFull = true
    const full = new HeadwayError("store-full", "The disk is full.")
    const store = holdInMemory({
      ...under,
      load: (...given) => under.load(...given),
      append: async (...given) => (isFull ? Promise.reject(full) : under.append(...given)),
    })
    const model = script({ calls: [plan] }, { calls: [plan] }, asking, { text: "Good." })
    const { run, eventsOf, tracker } = await open(model, { tracker: await openPlan({ store }) })
    expect((await run()).ending).toBe("done")
    expect(eventsOf("tool-ended").map(({ isError }) => isError)).toEqual([false, false])
    expect(eventsOf("tool-ended")[0]?.text).toContain("only in memory")
    expect(tracker.plan.todos.length).toBeGreaterThan(0)
    isFull = false
    await tracker.refresh()
    await run("Yes")
    expect(eventsOf("notice-given").flatMap(({ message }) => (/the plan/.test(message) ? message : []))).toEqual([
      expect.stringContaining("The disk is full: the plan is kept in memory"),
      "There is room again: the plan has been written.",
    ])
    expect((await under.load(tracker.key)).entries.length).toBeGreaterThan(0)
  })

  test("a list that cannot be written is an error to the model, and the work continues", async () => {
    const { tracker, run, eventsOf } = await open(script({ calls: [plan] }, asking))
    Object.assign(tracker, { write: () => Promise.reject(new HeadwayError("store-full", "The disk is full.")) })
    expect((await run()).ending).toBe("done")
    expect(eventsOf("tool-ended")[0]).toMatchObject({ isError: true, text: "TodoWrite failed: The disk is full." })
  })

  test("a plan that cannot be read ends the work with the reason", async () => {
    const { tracker, run, eventsOf } = await open(script(asking))
    Object.assign(tracker, { tellAgent: () => Promise.reject(new HeadwayError("gone", "The store is gone.")) })
    expect((await run()).ending).toBe("failed")
    expect(eventsOf("notice-given").at(-1)?.message).toContain("The store is gone.")
  })

  test("a failing event handler of the host changes nothing", async () => {
    const { run } = await open(script({ calls: [look] }, { text: "Done." }), {
      onEvent: () => {
        throw new Error("deaf")
      },
    })
    expect((await run()).ending).toBe("done")
  })
})

test("an empty prompt is not work", async () => {
  const { run } = await open(script({ text: "Done." }))
  await expect(run(" \n")).rejects.toMatchObject({ code: "no-prompt" })
  expect((await run("Go")).ending).toBe("done")
})

test("only one piece of work runs at a time", async () => {
  const { run, agent } = await open(script({ text: "Done.", repeat: true }))
  const first = run()
  await expect(run()).rejects.toMatchObject({ code: "agent-busy" })
  await expect(agent.compact(new AbortController().signal)).rejects.toMatchObject({ code: "agent-busy" })
  expect((await first).ending).toBe("done")
  expect((await run()).ending).toBe("done")
})
