import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import type { Line } from "./open.ts"
import { bash, look, open, resultsIn, script, todoWrite } from "./open.ts"

const enter = { tool: "EnterPlanMode" }
const exit = (plan?: string) => ({ tool: "ExitPlanMode", input: plan === undefined ? {} : { plan } })
const done: Line = { text: "Well?" }

const planFileIn = (): string => join(temporaryFolder(), "plans", "s.md")

describe("plan mode (C25)", () => {
  test("refuses what is not read-only, including TodoWrite, and names the way out", async () => {
    const model = script(
      { calls: [enter] },
      {
        calls: [
          todoWrite(["Read", "pending"]),
          { tool: "Write", input: { file_path: "a.txt", content: "a" } },
          bash("touch b.txt"),
          look,
        ],
      },
      done,
    )
    const { run, tracker, cwd } = await open(model)
    await run()
    const texts = resultsIn(model, 2).map(({ text }) => text)
    expect(texts.slice(1, 4).map((text) => /^(\w+) is not possible in plan mode/.exec(text)?.[1])).toEqual([
      "TodoWrite",
      "Write",
      "Bash",
    ])
    expect(texts[1]).toContain("ExitPlanMode")
    expect(texts[4]).toContain("No file matches")
    expect(tracker.plan.todos).toEqual([])
    expect(existsSync(join(cwd, "a.txt"))).toBe(false)
    expect(existsSync(join(cwd, "b.txt"))).toBe(false)
  })

  test("is entered only when the person agrees", async () => {
    const asked: string[] = []
    const model = script({ calls: [enter] }, { calls: [todoWrite(["Read", "pending"])] }, done)
    const { run, agent, tracker } = await open(model, {
      confirm: async (question) => {
        asked.push(question)
        return false
      },
    })
    await run()
    expect(asked).toEqual(["Enter plan mode?"])
    expect(agent.planMode.isOn).toBe(false)
    expect(tracker.plan.todos).toHaveLength(1)
  })

  test("allows to write and read the plan file without a question", async () => {
    const planFile = planFileIn()
    const asked: string[] = []
    const model = script(
      { calls: [enter] },
      { calls: [{ tool: "Write", input: { file_path: planFile, content: "1. Look\n" } }] },
      { calls: [{ tool: "Edit", input: { file_path: planFile, old_string: "Look", new_string: "Look well" } }] },
      { calls: [{ tool: "Read", input: { file_path: planFile } }] },
      { calls: [{ tool: "Write", input: { file_path: `${planFile}.other`, content: "x" } }] },
      done,
    )
    const { run, eventsOf } = await open(model, {
      planFile,
      permit: async ({ question }) => {
        asked.push(question)
        return true
      },
    })
    await run()
    expect(eventsOf("tool-ended").map(({ isError }) => isError)).toEqual([false, false, false, false, true])
    expect(readFileSync(planFile, "utf8")).toBe("1. Look well\n")
    expect(asked).toEqual([])
    expect(statSync(dirname(planFile)).mode & 0o777).toBe(0o700)
  })

  test("does not accept a plan file that is a link to another place", async () => {
    const planFile = planFileIn()
    const elsewhere = join(temporaryFolder(), "precious")
    mkdirSync(dirname(planFile), { recursive: true })
    writeFileSync(elsewhere, "precious")
    symlinkSync(elsewhere, planFile)
    const model = script(
      { calls: [enter, { tool: "Read", input: { file_path: planFile } }] },
      { calls: [{ tool: "Write", input: { file_path: planFile, content: "x" } }] },
      done,
    )
    const { run, eventsOf } = await open(model, { planFile, permit: async () => false })
    await run()
    expect(eventsOf("tool-ended").map(({ isError }) => isError)).toEqual([false, true, true])
    expect(readFileSync(elsewhere, "utf8")).toBe("precious")
  })

  test("is left with the person's approval of the plan; then TodoWrite works again", async () => {
    const shown: (string | undefined)[] = []
    const answers = [true, false, true]
    const model = script(
      { calls: [enter] },
      { calls: [exit("1. Look\u001b[31m\n2. Leap")] },
      { calls: [todoWrite(["Look", "pending"])] },
      { calls: [exit()] },
      { calls: [todoWrite(["Look", "pending"])] },
      done,
    )
    const { run, agent, tracker, eventsOf } = await open(model, {
      confirm: async (_, detail) => {
        shown.push(detail)
        return answers.shift() ?? false
      },
    })
    await run()
    const plan = "1. Look⟨\\x1b⟩[31m\n2. Leap"
    expect(shown).toEqual([undefined, plan, plan])
    expect(eventsOf("tool-ended").map(({ isError }) => isError)).toEqual([false, true, true, false, false])
    expect(eventsOf("mode-changed").map(({ isPlanMode }) => isPlanMode)).toEqual([true, false])
    expect(agent.planMode.isOn).toBe(false)
    expect(tracker.plan.todos).toHaveLength(1)
  })

  test("is left by approval of exactly the plan that was shown, not of one that changed in the meantime", async () => {
    const planFile = planFileIn()
    const long = `${Array.from({ length: 1000 }, (_, index) => `${index + 1}. Step`).join("\n")}\n`
    const shown: (string | undefined)[] = []
    const model = script({ calls: [enter] }, { calls: [exit(long)] }, done)
    const { run, agent, eventsOf } = await open(model, {
      planFile,
      confirm: async (_, detail) => {
        shown.push(detail)
        if (detail !== undefined) writeFileSync(planFile, "Something else")
        return true
      },
    })
    await run()
    expect(shown[1]).toBe(long.trimEnd())
    expect(eventsOf("tool-ended")[1]?.text).toContain("changed while the user was reading it")
    expect(agent.planMode.isOn).toBe(true)
  })

  test("has nothing to approve without a plan, and nothing to leave outside", async () => {
    const model = script({ calls: [exit("x")] }, { calls: [enter] }, { calls: [exit()] }, { calls: [exit("  ")] }, done)
    const { run, agent } = await open(model)
    await run()
    const texts = resultsIn(model, 4).map(({ text }) => text)
    expect(texts[0]).toContain("already off")
    expect(texts[2]).toContain("There is no plan yet")
    expect(texts[3]).toContain("There is no plan yet")
    expect(agent.planMode.isOn).toBe(true)
  })

  test("applies to the later calls of the turn that enters it", async () => {
    const model = script({ calls: [enter, bash("touch a")] }, done)
    const { run, cwd } = await open(model)
    await run()
    expect(existsSync(join(cwd, "a"))).toBe(false)
  })

  test("is announced to the model when it begins, and again every 5 turns", async () => {
    const model = script({ calls: [enter] }, ...Array.from({ length: 12 }, () => ({ calls: [look] })), done)
    const { run } = await open(model)
    await run()
    const saysIt = model.requests.map(({ neutral }) => {
      const last = neutral.messages.at(-1)
      return last?.role === "user" && JSON.stringify(last).includes("Plan mode is on: read, search and plan")
    })
    expect(saysIt.flatMap((says, index) => (says ? [index] : []))).toEqual([1, 6, 11])
  })

  test("can be entered and left by the person too, and the transcript records it", async () => {
    const { run, agent, kept, eventsOf } = await open(script({ calls: [bash("touch a")] }, done))
    agent.planMode.set(true)
    agent.planMode.set(true)
    await run()
    expect(eventsOf("tool-ended")[0]?.text).toContain("not possible in plan mode")
    agent.planMode.set(false)
    await run()
    expect(kept.filter(({ type }) => type === "mode")).toEqual([
      { type: "mode", isPlanMode: true },
      { type: "mode", isPlanMode: false },
    ])
  })

  test("makes a refused call an error for the model, but not a failure for the person", async () => {
    const model = script({ calls: [bash("touch a"), todoWrite(["Read", "pending"])] }, done)
    const { run, agent, eventsOf } = await open(model)
    agent.planMode.set(true)
    await run()
    expect(eventsOf("tool-ended")).toMatchObject([
      { isError: true, isHeldBack: true },
      { isError: true, isHeldBack: true },
    ])
    expect(eventsOf("notice-given")).toEqual([])
  })

  test("is still on in a later session that resumes", async () => {
    const first = await open(script({ calls: [enter] }, done))
    await first.run()
    const later = await open(script({ calls: [bash("touch a")] }, done), { kept: first.kept })
    expect(later.agent.planMode.isOn).toBe(true)
    await later.run()
    expect(later.eventsOf("tool-ended")[0]?.text).toContain("not possible in plan mode")
  })

  test("cannot be circumvented, left or planned by a sub-agent", async () => {
    const planFile = planFileIn()
    const model = script(
      { calls: [enter] },
      { calls: [{ tool: "Task", input: { description: "Sneak", prompt: "Sneak around" } }] },
      done,
      { thread: "sub", when: { prompt: "Sneak around" } },
      {
        calls: [
          bash("touch a"),
          exit("x"),
          { tool: "Write", input: { file_path: planFile, content: "x" } },
          todoWrite(["Sneak", "pending"]),
        ],
      },
      { text: "I could not." },
    )
    const { run, eventsOf, agent } = await open(model, { planFile })
    await run()
    const below = eventsOf("tool-ended").filter(({ depth }) => depth === 1)
    expect(below.map(({ isError }) => isError)).toEqual([true, true, true, true])
    expect(below[0]?.text).toContain("not possible in plan mode")
    expect(below[1]?.text).toContain('There is no tool "ExitPlanMode"')
    const request = model.requests.find(({ played }) => played.thread === "sub")
    expect(JSON.stringify(request?.neutral.messages)).toContain("Plan mode is on")
    expect(agent.planMode.isOn).toBe(true)
    expect(existsSync(planFile)).toBe(false)
  })
})
