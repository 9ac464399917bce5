/** The reminders of one agent as a host uses them: with a real tracker, over turns, compaction, sessions and processes. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { toolDefinitions } from "../../src/dialects/definition.ts"
import { dialects } from "../../src/dialects/index.ts"
import {
  type BeforeTurn,
  beforeTurn,
  collect,
  createReminders,
  type DueReminder,
  noTurns,
  type ReminderOverride,
  type Reminders,
  type RemindersOptions,
  reminders as rules,
  toolsOf,
} from "../../src/guidance/index.ts"
import { edits, type Problem, todoById } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { planOf } from "../plan/arbitraries.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { createClock, open, patch, pending, person, todoWrite } from "../tracker/open.ts"

const tools = { list: "TodoWrite" }
const at = new Date("2030-01-02T03:04:05.678Z")

const create = (options: Partial<RemindersOptions> = {}): Reminders => {
  let last = 0
  const newId = () => {
    last += 1
    return `id-${last}`
  }
  return createReminders({ tools, now: () => at, newId, ...options })
}

/** One turn of an agent: what is due, then the answer with its tool calls, then their results. */
const turn = async (reminders: Reminders, situation: BeforeTurn, ...called: string[]): Promise<DueReminder[]> => {
  const due = await reminders.due(situation)
  reminders.saw({ role: "assistant", tools: called })
  reminders.saw({ role: "user" })
  return due
}

const typesOf = (due: readonly DueReminder[]): string[] => due.map(({ attachment }) => attachment.attachment.type)

describe("a reminder that is due", () => {
  test("is an attachment and a hidden message in the user's role, in tags on lines of their own (C19)", async () => {
    const [due] = await create({ profile: "classic" }).due({ plan: planOf() })
    expect(due).toEqual({
      attachment: {
        type: "attachment",
        attachment: { type: "todo", content: [], itemCount: 0 },
        uuid: "id-1",
        timestamp: "2030-01-02T03:04:05.678Z",
      },
      message: {
        role: "user",
        content: `<system-reminder>\n${due?.text}\n</system-reminder>`,
        isMeta: true,
        uuid: "id-1",
        timestamp: "2030-01-02T03:04:05.678Z",
      },
      text: expect.stringContaining("The todo list is empty."),
    })
  })

  test("is in the tags of its profile (G9)", async () => {
    const [first] = await create({ profile: "gencode" }).due({ plan: planOf() })
    expect(first?.message.content).toMatch(/^<reminder>\n.*TodoWrite.*\n<\/reminder>$/)
  })

  test("does not come before the first message of a conversation, in classic (C22)", async () => {
    const eager = { turnsSinceWrite: 0, turnsSinceReminder: 0 }
    const reminders = create({ rules: ["todo-reminder"], pace: eager })
    expect(await reminders.due({ plan: planOf("Fix") })).toEqual([])
    reminders.saw({ role: "user" })
    expect(await reminders.due({ plan: planOf("Fix") })).toHaveLength(1)
  })

  test("has its own id and time if the host gives none", async () => {
    const [due] = await createReminders({ tools, profile: "gencode" }).due({ plan: planOf() })
    expect(due?.attachment.uuid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(Date.parse(due?.attachment.timestamp ?? "")).toBeGreaterThan(0)
  })
})

describe("profiles", () => {
  const run = async (profile: "off" | "quiet" | "classic" | "gencode"): Promise<string[]> => {
    const reminders = create({ profile })
    const plan = planOf({ content: "Fix", status: "in_progress" })
    const given: string[] = []
    for (let request = 1; request <= 23; request += 1) {
      const due = await turn(reminders, { plan }, request === 1 ? "TodoWrite" : "Bash")
      given.push(...typesOf(due).map((type) => `${request} ${type}`))
    }
    return given
  }

  test("off gives no reminder by itself (C9)", async () => expect(await run("off")).toEqual([]))

  test("quiet is the default and reminds after ten turns of work (N4)", async () => {
    expect(await run("quiet")).toEqual(["12 stale_todo", "22 stale_todo"])
    expect((await create().due({ plan: planOf() })).length).toBe(0)
  })

  test("classic reminds at the turns of its design (C18, C22)", async () => {
    const reminded = [8, 11, 14, 17, 20, 23].map((request) => `${request} todo_reminder`)
    expect(await run("classic")).toEqual(["1 todo", ...reminded])
  })

  test("gencode reminds first, and after ten turns (G9)", async () => {
    expect(await run("gencode")).toEqual(["1 todo_first", "11 todo_nag", "21 todo_nag"])
  })

  test("an unknown profile is refused with the known ones", () => {
    expect(() => create({ profile: "loud" as "quiet" })).toThrow("The profiles are: off, quiet, classic, gencode.")
  })
})

describe("a host", () => {
  test("can reword every reminder, and leave it out (C9)", async () => {
    const plan = planOf({ content: "Fix", status: "in_progress" })
    const say = async (override: ReminderOverride) => {
      const reminders = create({ overrides: { "stale-todo": override } })
      const all: DueReminder[] = []
      for (let request = 0; request < 12; request += 1) all.push(...(await turn(reminders, { plan }, "Bash")))
      return all
    }
    expect((await say("Still at it?"))[0]?.message.content).toBe("<system-reminder>\nStill at it?\n</system-reminder>")
    const made = await say((body, { plan: { todos } }) => `${body.type}: ${todos[0]?.content} </system-reminder>`)
    expect(made[0]?.message.content).toBe("<system-reminder>\nstale_todo: Fix ‹/system-reminder>\n</system-reminder>")
    expect(await say("")).toEqual([])
  })

  test("C22 keeps the usual pace where its own is undefined, and is told of one that is no number", async () => {
    const pace = { turnsSinceWrite: undefined, turnsSinceReminder: undefined } as unknown as RemindersOptions["pace"]
    const reminders = create({ rules: ["todo-reminder"], pace })
    const types: string[][] = []
    for (let at = 0; at < 8; at += 1) types.push(typesOf(await turn(reminders, { plan: planOf() }, "Bash")))
    expect(types.flat()).toEqual(["todo_reminder"])
    expect(types[7]).toEqual(["todo_reminder"])
    for (const turnsSinceWrite of [Number.NaN, -1, "7" as unknown as number])
      expect(() => create({ pace: { turnsSinceWrite } })).toThrow('The pace "turnsSinceWrite" is a number from 0')
  })

  test("can choose the rules and their pace itself", async () => {
    const reminders = create({ rules: ["stale-todo"], pace: { staleAfter: 2, mostStale: 1 } })
    const plan = planOf({ content: "Fix", status: "in_progress" })
    const requests: number[] = []
    for (let request = 1; request < 9; request += 1)
      if ((await turn(reminders, { plan, planMode: undefined, restored: "compact" }, "Bash")).length > 0)
        requests.push(request)
    expect(requests).toEqual([3])
  })

  test("that names an unknown rule gets the known ones", () => {
    expect(() => create({ rules: ["stale-todos" as "stale-todo"] })).toThrow(/no reminder "stale-todos".*stale-todo,/)
  })

  test("can add its own reminders to ours; one that fails is reported and the others still count (C24)", async () => {
    const problems: Problem[] = []
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const reminders = create({
      profile: "classic",
      onProblem: (problem) => problems.push(problem),
      generators: {
        slow: async () => {
          await gate
          return { body: { type: "slow" }, text: "Slow, and first." }
        },
        broken: () => {
          throw new Error("no disk")
        },
        rejected: () => Promise.reject("no net"),
        silent: () => undefined,
        // Only one that runs beside the slow one can let it go on.
        quick: ({ plan }) => {
          release()
          return { body: { type: "quick" }, text: `${plan.todos.length} todos` }
        },
      },
    })
    const due = await reminders.due({ plan: planOf() })
    expect(typesOf(due)).toEqual(["todo", "slow", "quick"])
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ["reminder-failed", 'The reminder "broken" failed and is left out: no disk'],
      ["reminder-failed", 'The reminder "rejected" failed and is left out: no net'],
    ])
    expect(reminders.state.reminders.map(({ type }) => type)).toEqual(["todo", "slow", "quick"])
  })

  test("with a failing problem handler loses no reminder (C24)", async () => {
    const given = await collect<number>(
      [
        ["bad", () => Promise.reject(new Error("x"))],
        ["good", () => 1],
      ],
      () => {
        throw new Error("deaf")
      },
    )
    expect(given).toEqual([1])
    expect(await collect<number>([["bad", () => Promise.reject(new Error("x"))]])).toEqual([])
  })

  test.each(Object.values(dialects).filter((dialect) => dialect.tools.length > 0))(
    "that offers $id gets the names of its tools",
    async (dialect) => {
      const named = toolsOf(toolDefinitions(dialect))
      const [due] = await create({ tools: named, profile: "gencode" }).due({ plan: planOf() })
      for (const name of named.list) expect(due?.text).toContain(name)
      for (const name of named.reading) expect(due?.text).not.toContain(name)
    },
  )

  test("with the Task tools has them counted as list tools, except for reading", async () => {
    const named = toolsOf(toolDefinitions(dialects["claude-tasks"]))
    expect(named).toEqual({ list: ["TaskCreate", "TaskUpdate"], reading: ["TaskGet", "TaskList"] })
    const reminders = create({ tools: named })
    for (const tool of ["TaskCreate", "TaskList", "TaskGet", "Bash"])
      reminders.saw({ role: "assistant", tools: [tool] })
    expect(reminders.state).toMatchObject({ turns: 4, written: 0, work: 1, touched: 0 })
  })
})

describe("with a tracker", () => {
  test("a person's edit from another process reaches the model once, and the count starts over (O15, N4)", async () => {
    const home = temporaryFolder()
    const clock = createClock()
    const agents = await open({ store: createFileStore({ home }), now: clock.now })
    await todoWrite(agents, [{ content: "Fix", status: "in_progress" }, ...pending("Deploy")])
    const reminders = create()
    for (let request = 0; request < 10; request += 1) await turn(reminders, await beforeTurn(agents), "Bash")

    const hers = await open({ store: createFileStore({ home }), now: clock.now })
    await hers.edit(person, (plan) => {
      const deploy = todoById(plan, "2")
      return deploy ? edits.remove(deploy) : []
    })

    const due = await turn(reminders, await beforeTurn(agents), "Bash")
    expect(typesOf(due)).toEqual(["person_edit"])
    expect(due[0]?.text).toContain('removed 2 "Deploy"')
    expect(due[0]?.text).toContain("do not add them again")
    expect(await turn(reminders, await beforeTurn(agents), "Bash")).toEqual([])
  })

  test("classic also gives the current list, as JSON (C18)", async () => {
    const tracker = await open()
    await todoWrite(tracker, pending("Fix"))
    const reminders = create({ profile: "classic" })
    await turn(reminders, await beforeTurn(tracker), "TodoWrite")
    expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toEqual([])
    await tracker.edit(person, () => edits.add("Deploy"))
    const due = await turn(reminders, await beforeTurn(tracker), "Bash")
    expect(typesOf(due)).toEqual(["person_edit", "todo"])
    expect(due[1]?.text).toContain('[{"id":"1","content":"Fix","status":"pending"},{"id":"2","content":"Deploy",')
    expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toEqual([])
  })

  test("a list the person cleared is not invited back (C18, O15)", async () => {
    const tracker = await open()
    await todoWrite(tracker, pending("Fix"))
    const reminders = create({ profile: "classic" })
    await turn(reminders, await beforeTurn(tracker), "TodoWrite")
    await tracker.clear(person)
    expect(typesOf(await turn(reminders, await beforeTurn(tracker), "Bash"))).toEqual(["person_edit"])
    expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toEqual([])
  })

  test("a failed call is reported before the next turn, until it is made again (O12)", async () => {
    const tracker = await open()
    const reminders = create()
    await turn(reminders, await beforeTurn(tracker), "TodoWrite")
    await todoWrite(tracker, [{}, {}])
    const due = await turn(reminders, await beforeTurn(tracker), "Bash")
    expect(typesOf(due)).toEqual(["failed_call"])
    expect(due[0]?.text).toContain("could not be read and nothing was changed")
    expect(due[0]?.text).toMatch(/not visible yet: .*\nCorrect the call and make it again/)
    expect(await turn(reminders, await beforeTurn(tracker), "TodoWrite")).toEqual([])
    await todoWrite(tracker, pending("Fix"))
    expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toEqual([])
  })

  test("after a compaction the list comes back verbatim and work continues (C18)", async () => {
    const tracker = await open()
    await patch(tracker, [
      { content: "Read", status: "completed" },
      { content: "Fix", status: "in_progress", phase: "Build" },
    ])
    for (const profile of ["quiet", "classic", "gencode"] as const) {
      const reminders = create({ profile })
      for (let request = 0; request < 3; request += 1) await turn(reminders, await beforeTurn(tracker), "Bash")
      await tracker.restore("compact")
      reminders.saw({ role: "compaction" })
      const due = await turn(reminders, await beforeTurn(tracker, { restored: "compact" }), "Bash")
      const [restored] = due.filter(({ attachment }) => attachment.attachment.type === "todo")
      expect(restored?.attachment.attachment).toMatchObject({ context: "post-compact", itemCount: 2 })
      expect(restored?.text).toMatch(/#1 \[completed\] Read\nPhase "Build":\n#2 \[in_progress\] Fix/)
      expect(restored?.text).toMatch(/Continue where you were/)
      expect(due).toHaveLength(1)
      expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toEqual([])
    }
  })

  test("a long text comes back verbatim too (C18)", async () => {
    const content = `Keep ${"every word of this, ".repeat(60)}to the last`
    const tracker = await open()
    await patch(tracker, [{ content }])
    const [due] = await create().due(await beforeTurn(tracker, { restored: "compact" }))
    expect(due?.text).toContain(`#1 [pending] ${content}\n`)
  })

  test("after a session is resumed it is paused, with how long ago it was changed (O14)", async () => {
    const home = temporaryFolder()
    const clock = createClock()
    const first = await open({ store: createFileStore({ home }), now: clock.now })
    await patch(first, [{ content: "Read", status: "completed" }, { content: "Fix" }])
    await first.close()

    const later = await open({ store: createFileStore({ home }), now: clock.now })
    await later.restore("resume")
    const reminders = create({ now: () => new Date(Date.parse(later.ledger.updated ?? "") + 50 * 3_600_000) })
    const [due] = await turn(reminders, await beforeTurn(later, { restored: "resume" }))
    expect(due?.text).toContain("an earlier session, last changed 2 days ago. It is paused:")
    expect(due?.text).toContain("#2 [pending] Fix")
    expect(due?.text).not.toContain("Read")
    expect(due?.text).toContain("Do not start on it unasked")

    await later.resume(person)
    const [resumed] = await turn(create(), await beforeTurn(later, { restored: "resume" }))
    expect(resumed?.text).toContain("It has been resumed: continue with it.")
    expect(resumed?.text).not.toContain("paused")
  })

  test("a todo in a paused plan causes no reminder (N4)", async () => {
    const tracker = await open()
    await patch(tracker, [{ content: "Fix", status: "in_progress" }])
    await tracker.restore("resume")
    const reminders = create({ rules: ["stale-todo"] })
    for (let request = 0; request < 15; request += 1)
      expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toEqual([])
    await tracker.resume(person)
    expect(await turn(reminders, await beforeTurn(tracker), "Bash")).toHaveLength(1)
  })
})

describe("one process for every event", () => {
  test("continues where the last one stopped, from a small file (C23)", async () => {
    const file = join(temporaryFolder(), "turns.json")
    const plan = planOf({ content: "Fix", status: "in_progress" })
    const requests: number[] = []
    for (let request = 1; request <= 50; request += 1) {
      let state: unknown
      try {
        state = JSON.parse(readFileSync(file, "utf8"))
      } catch {}
      const reminders = create({ state })
      if ((await turn(reminders, { plan }, "Bash")).length > 0) requests.push(request)
      writeFileSync(file, JSON.stringify(reminders.state))
    }
    expect(requests).toEqual([11, 21, 31])
    expect(readFileSync(file, "utf8").length).toBeLessThan(400)
  })

  test("starts over when the file is damaged, and does not fail", async () => {
    const reminders = create({ state: '{"v":1,"tur' })
    expect(reminders.state).toEqual(noTurns)
    expect(await reminders.due({ plan: planOf() })).toEqual([])
  })
})

test("a rule is found by the type of its attachments, and rules of one type share their words", () => {
  const byType = new Map<string, unknown>()
  for (const rule of Object.values(rules)) {
    expect(byType.get(rule.type) ?? rule.text).toBe(rule.text)
    byType.set(rule.type, rule.text)
  }
})
