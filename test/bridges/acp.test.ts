/** Plans over the Agent Client Protocol, both ways, checked against the protocol's own schemas. */
import { expect, test } from "vitest"
import { type AcpNotification, planUpdate, receivePlan, reportPlan } from "../../src/bridges/acp.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Store } from "../../src/stores/store.ts"
import { contentsOf, open, patch } from "../tracker/open.ts"

test("blocked and cancelled todos are never reported as completed", async () => {
  const tracker = await open()
  await patch(tracker, [
    { content: "Read", status: "completed", priority: "high" },
    { content: "Write", status: "in_progress" },
    { content: "Publish", status: "blocked", reason: "no access", waitsFor: "Ada" },
    { content: "Celebrate", status: "cancelled" },
  ])
  expect(planUpdate(tracker.plan)).toEqual({
    sessionUpdate: "plan",
    entries: [
      { content: "Read", priority: "high", status: "completed" },
      { content: "Write", priority: "medium", status: "in_progress" },
      { content: "Publish (blocked: no access; waits for Ada)", priority: "medium", status: "pending" },
    ],
  })
})

test("a plan is reported now and after every change, in order, though the connection fails once", async () => {
  const tracker = await open()
  await patch(tracker, [{ content: "Read" }])
  const sent: AcpNotification[] = []
  let fails = true
  const stop = await reportPlan(tracker, "s-1", (notification) => {
    fails = !fails
    if (fails) throw new Error("gone")
    sent.push(notification)
  })
  await patch(tracker, [{ content: "Write" }])
  await patch(tracker, [{ id: "1", status: "completed" }])
  await stop()
  expect(sent.map(({ sessionId, update }) => [sessionId, update.entries.map(({ status }) => status)])).toEqual([
    ["s-1", ["pending"]],
    ["s-1", ["completed", "pending"]],
  ])
})

test("changes that are read together are reported once", async () => {
  const store: Store = { ...createMemoryStore(), watch: async () => async () => {} }
  const [writer, reader] = [await open({ store }), await open({ store })]
  await patch(reader, [{ content: "Read" }])
  const sent: AcpNotification[] = []
  const stop = await reportPlan(reader, "s-1", (one) => sent.push(one))
  for (const content of ["Write", "Rest"]) await patch(writer, [{ content }])
  await reader.refresh()
  await stop()
  expect(sent.map(({ update }) => update.entries.length)).toEqual([1, 3])
})

test("an agent's plan update becomes the plan, and other updates are ignored", async () => {
  const tracker = await open()
  const update = { sessionUpdate: "plan", entries: [{ content: "Read", priority: "low", status: "in_progress" }] }
  await receivePlan(tracker, { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } })
  expect(contentsOf(tracker)).toEqual(["Read"])
  expect(await receivePlan(tracker, { update: { sessionUpdate: "agent_message_chunk", content: {} } })).toBeUndefined()
  expect(await receivePlan(tracker, "nothing")).toBeUndefined()
  await receivePlan(tracker, { update: { sessionUpdate: "plan", entries: [] } })
  expect(contentsOf(tracker)).toEqual([])
})
