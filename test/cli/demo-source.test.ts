/** The recorded agents as the board sees them: what is shown of them when, and what a viewer may do to their plans. */
import { describe, expect, test } from "vitest"
import { createJumpingClock, createRunningClock } from "../../src/cli/demo/clock.ts"
import { createPlay } from "../../src/cli/demo/play.ts"
import { recordedAt } from "../../src/cli/demo/recordings.ts"
import { createDemoSource } from "../../src/cli/demo/source.ts"
import type { BoardSession } from "../../src/views/board/session.ts"

/** The demo up to a second of its recordings, and on from there. */
const demoAt = async (second: number) => {
  const clock = createJumpingClock()
  const source = createDemoSource(() => new Date(recordedAt + clock.position * 1000))
  const told: string[] = []
  const play = createPlay({ clock, source, onTold: (agent, words) => told.push(`${agent}: ${words}`) })
  await play(second)
  const mainOf = (name: string): BoardSession => {
    const [main] = source.agentsOf(name)
    if (!main) throw new Error(`${name} is not there`)
    return main
  }
  const todoOf = (name: string, content: string) => {
    const todo = mainOf(name).plan?.todos.find((one) => one.content === content)
    if (!todo) throw new Error(`${name} has no todo "${content}"`)
    return todo
  }
  return { source, told, play, mainOf, todoOf }
}

const contentsOf = ({ plan }: BoardSession): string[] => plan?.todos.map(({ content }) => content) ?? []

describe("what is shown", () => {
  test("at the start, three agents are at work in three projects", async () => {
    const { source } = await demoAt(0)
    expect(source.sessions.map(({ agentType, state }) => [agentType, state])).toEqual([
      ["claude-code", "working"],
      ["openai-codex", "working"],
      ["google-gemini", "working"],
    ])
    expect(new Set(source.sessions.map(({ project }) => project)).size).toBe(3)
  })

  test("a sub-agent works for its parent, and is finished when the parent is", async () => {
    const { source, play } = await demoAt(12)
    const [main, child] = source.agentsOf("Claude Code")
    expect(child).toMatchObject({ parent: main?.key, state: "working", current: "Finding the webhook handlers" })
    await play(42)
    expect(source.agentsOf("Claude Code")[1]).toMatchObject({ state: "finished", progress: { completed: 3 } })
  })

  test("todos have their durations, by the clock of the recording", async () => {
    const { mainOf, todoOf } = await demoAt(0)
    const took = mainOf("Claude Code").times?.[todoOf("Claude Code", "Write an adapter for the new payment API").id]
    expect(Date.parse(took?.finished ?? "") - Date.parse(took?.started ?? "")).toBe(238_000)
    const running = mainOf("Codex").times?.[todoOf("Codex", "Fix the race in the price cache").id]
    expect(running).toEqual({ started: new Date(recordedAt - 83_000).toISOString() })
    expect(mainOf("Codex").times?.[todoOf("Codex", "Run the whole suite twice").id]).toBeUndefined()
  })

  test("listeners are notified of every change, and former listeners of none", async () => {
    const { source, play } = await demoAt(0)
    let changes = 0
    const leave = source.subscribe(() => {
      changes += 1
    })
    await play(4)
    expect(changes).toBeGreaterThan(0)
    const before = changes
    leave()
    await play(40)
    expect(changes).toBe(before)
  })
})

test("an agent is told once of what a person in the recording did (O15)", async () => {
  const { source, told, play, mainOf } = await demoAt(0)
  await source.edit(mainOf("Codex").key, { kind: "add", content: "Tell the team" }, undefined)
  await play(80)
  expect(told).toEqual([expect.stringMatching(/^Claude Code: .*added 7 "Keep the old webhook address/s)])
})

/** Why nothing came of an edit. */
const refused = (words: string) => ({ outcome: "refused", message: expect.stringContaining(words) })

describe("what a viewer does", () => {
  test("a todo that was added stays through the agent's next lists (N3)", async () => {
    const { source, play, mainOf } = await demoAt(13)
    const added = await source.edit(mainOf("Codex").key, { kind: "add", content: "Tell the team" }, undefined)
    expect(added).toMatchObject({ outcome: "changed", message: expect.stringContaining("Tell the team") })
    await play(60)
    expect(contentsOf(mainOf("Codex"))).toContain("Tell the team")
  })

  test("a todo that was dropped stays dropped, whatever the recording says", async () => {
    const { source, play, mainOf, todoOf } = await demoAt(13)
    const { id } = todoOf("Gemini CLI", "Check every link")
    await source.edit(mainOf("Gemini CLI").key, { kind: "drop", todo: id, reason: "done elsewhere" }, undefined)
    expect(todoOf("Gemini CLI", "Check every link")).toMatchObject({ status: "cancelled", reason: "done elsewhere" })
    await play(80)
    expect(todoOf("Gemini CLI", "Check every link").status).toBe("cancelled")
  })

  test("a todo can be done, undone, blocked and unblocked", async () => {
    const { source, mainOf, todoOf } = await demoAt(0)
    const { key } = mainOf("Codex")
    const { id } = todoOf("Codex", "Run the whole suite twice")
    const status = (): string => todoOf("Codex", "Run the whole suite twice").status
    await source.edit(key, { kind: "toggle", todo: id }, undefined)
    expect(status()).toBe("completed")
    await source.edit(key, { kind: "toggle", todo: id }, undefined)
    expect(status()).toBe("pending")
    await source.edit(key, { kind: "block", todo: id, reason: "no runner is free" }, undefined)
    expect(todoOf("Codex", "Run the whole suite twice")).toMatchObject({
      status: "blocked",
      reason: "no runner is free",
    })
    await source.edit(key, { kind: "block", todo: id }, undefined)
    expect(status()).toBe("pending")
  })

  test("undo takes back what a person did, not what the agent did since", async () => {
    const { source, play, mainOf, todoOf } = await demoAt(0)
    const { key } = mainOf("Codex")
    await source.edit(key, { kind: "add", content: "Tell the team" }, undefined)
    await play(13)
    await source.edit(key, { kind: "undo" }, undefined)
    expect(contentsOf(mainOf("Codex"))).not.toContain("Tell the team")
    expect(todoOf("Codex", "Fix the race in the price cache").status).toBe("completed")
    expect(await source.edit(key, { kind: "undo" }, undefined)).toEqual(refused("no edit to undo"))
  })

  test("the plan as a text can be changed and read again", async () => {
    const { source, play, mainOf, todoOf } = await demoAt(0)
    const { key, plan: shown } = mainOf("Codex")
    if (!shown) throw new Error("no plan")
    const text = source.textOf(shown).replace("Run the whole suite twice", "Run the whole suite three times")
    await play(13)
    await source.edit(key, { kind: "text", text }, shown)
    expect(contentsOf(mainOf("Codex"))).toContain("Run the whole suite three times")
    expect(todoOf("Codex", "Fix the race in the price cache").status).toBe("completed")
    expect(await source.edit(key, { kind: "text", text: " " }, shown)).toEqual(refused("nothing was changed"))
  })

  test("an impossible edit is reported and changes nothing", async () => {
    const { source, mainOf } = await demoAt(0)
    const { key, plan } = mainOf("Codex")
    expect(await source.edit("nobody", { kind: "toggle", todo: "1" }, undefined)).toEqual(refused("no longer exists"))
    expect(await source.edit(key, { kind: "toggle", todo: "99" }, undefined)).toEqual(refused("in the meantime"))
    expect(await source.edit(key, { kind: "add", content: " \u001b[2J " }, undefined)).toEqual(refused("needs text"))
    expect(await source.edit(key, { kind: "add", content: "x".repeat(100_000) }, undefined)).toEqual(refused("long"))
    expect(mainOf("Codex").plan).toBe(plan)
  })
})

describe("the clock", () => {
  test("runs at the speed it is given, from the moment it passes 0", async () => {
    let wall = 5_000
    const clock = createRunningClock(4, () => wall)
    await clock.until(-30)
    expect(clock.position).toBe(-30)
    await clock.until(0)
    const waiting = clock.until(0.004)
    wall += 500
    expect(clock.position).toBe(2)
    await waiting
    await clock.until(1)
  })

  test("waits no longer once there is no viewer", async () => {
    const clock = createRunningClock(1, () => 0)
    const leaving = new AbortController()
    const waiting = clock.until(3_600, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toThrow()
  })
})
