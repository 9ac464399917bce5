/** What views say of a session: by what was last seen of it, and when. */
import { expect, test } from "vitest"
import { type SessionFacts, stalledFor, stateOf, waitingFor, workingFor } from "../../src/sessions/activity.ts"

const now = new Date("2030-01-01T12:00:00Z")
const ago = (milliseconds: number): string => new Date(now.getTime() - milliseconds).toISOString()
const state = (facts: Partial<SessionFacts>) => stateOf({ updated: ago(0), ...facts }, now)

test.each(["tool", "prompt", "text"] as const)("%s just now is work", (kind) => {
  expect(state({ activity: { kind, at: ago(workingFor - 1) } })).toBe("working")
})

test.each(["tool", "prompt"] as const)("%s after which nothing came has stalled, and long after is idle", (kind) => {
  expect(state({ activity: { kind, at: ago(workingFor) } })).toBe("stalled")
  expect(state({ activity: { kind, at: ago(stalledFor) } })).toBe("idle")
})

test.each(["turn-ended", "waiting"] as const)("N9 %s waits for the person, for half a day", (kind) => {
  expect(state({ activity: { kind, at: ago(0) } })).toBe("waiting")
  expect(state({ activity: { kind, at: ago(waitingFor - 1) } })).toBe("waiting")
  expect(state({ activity: { kind, at: ago(waitingFor) } })).toBe("idle")
})

test("words after which nothing came end a turn", () => {
  expect(state({ activity: { kind: "text", at: ago(workingFor) } })).toBe("waiting")
  expect(state({ activity: { kind: "text", at: ago(waitingFor) } })).toBe("idle")
})

test("N9 a turn that ended with nothing left to do is finished, and so is a process that said so", () => {
  expect(state({ activity: { kind: "turn-ended", at: ago(0) }, isPlanFinished: true })).toBe("finished")
  expect(state({ activity: { kind: "ended", at: ago(waitingFor) } })).toBe("finished")
})

test("a question still waits when all todos are done", () => {
  expect(state({ activity: { kind: "waiting", at: ago(0) }, isPlanFinished: true })).toBe("waiting")
})

test("a sub-agent never waits for the person", () => {
  expect(state({ activity: { kind: "turn-ended", at: ago(0) }, isSubAgent: true })).toBe("finished")
})

test("without any activity the time of the file decides, and nothing stalls", () => {
  expect(state({ updated: ago(workingFor - 1) })).toBe("working")
  expect(state({ updated: ago(workingFor) })).toBe("idle")
  expect(state({ updated: ago(workingFor), isPlanFinished: true })).toBe("finished")
})

test("a time that cannot be read is long ago", () => {
  expect(state({ updated: "yesterday" })).toBe("idle")
})

test("what is dated ahead of now is as recent as its file", () => {
  const activity = { kind: "tool", at: ago(-10 * workingFor) } as const
  expect(state({ activity, updated: ago(workingFor - 1) })).toBe("working")
  expect(state({ activity, updated: ago(stalledFor) })).toBe("idle")
})

test("what is dated ahead of now, as its file is, is not known to be recent", () => {
  const at = "2099-01-01T00:00:00Z"
  expect(state({ updated: at })).toBe("idle")
  expect(state({ activity: { kind: "tool", at }, updated: at })).toBe("idle")
  expect(state({ activity: { kind: "waiting", at }, updated: at })).toBe("idle")
})

test("clocks may differ a little", () => {
  expect(state({ activity: { kind: "tool", at: ago(-60_000) }, updated: ago(stalledFor) })).toBe("working")
})
