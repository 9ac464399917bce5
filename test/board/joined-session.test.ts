/** What is kept for a session and what its files show is one row, also where a file says only how the session's id begins. */
import { expect, test } from "vitest"
import { listSessions } from "../../src/board/joined-session.ts"
import { discover } from "../../src/sessions/discover.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/tracker.ts"
import { sources } from "../agents/loaded.ts"

const now = new Date("2026-11-16T02:16:00Z")

const rowsWith = async (session: string, agentType: string, project?: string) => {
  const store = createMemoryStore()
  const tracker = await openTracker({
    store,
    session,
    opened: { agentType, ...(project ? { project } : {}) },
    now: () => now,
  })
  await tracker.set({ kind: "agent", id: "main" }, [{ content: "Paint", status: "in_progress" }])
  const home = "test/fixtures/homes/gemini-0.61.0/twins-headerless/home"
  const seen = await discover({ sources, env: {}, home, now })
  const { plans } = await store.list()
  const rows = listSessions(plans, seen, now).map(({ session, current, isOwn }) => [
    session.slice(0, 9),
    isOwn,
    current,
  ])
  await tracker.close()
  return rows.sort()
}

const beta = ["b60aac9e-", false, "BETA test the thing"]

test("a plan belongs to the session whose id begins with the name of its file", async () => {
  expect(await rowsWith("67308247-59b9-40e0-a1bd-5e740de06b0e", "google-gemini")).toEqual([
    ["67308247-", true, "Paint"],
    beta,
  ])
})

test("a plan that only a person has changed is not in progress, and its agent works once it has written", async () => {
  const store = createMemoryStore()
  const tracker = await openTracker({ store, session: "mine", now: () => now })
  const stateNow = async () => listSessions((await store.list()).plans, [], now).map(({ state }) => state)
  await tracker.set({ kind: "person", id: "ada" }, [{ content: "Paint", status: "in_progress" }])
  expect(await stateNow()).toEqual(["idle"])
  await tracker.set({ kind: "agent", id: "main" }, [{ content: "Paint" }, { content: "Mix the colours" }])
  expect(await stateNow()).toEqual(["working"])
  await tracker.close()
})

test("a plan of another session, agent or project does not belong", async () => {
  const alpha = ["67308247", false, "ALPHA test the thing"]
  expect(await rowsWith("77308247-59b9", "google-gemini")).toEqual([alpha, ["77308247-", true, "Paint"], beta])
  const others = [alpha, ["67308247-", true, "Paint"], beta]
  expect(await rowsWith("67308247-59b9", "openai-codex")).toEqual(others)
  expect(await rowsWith("67308247-59b9", "google-gemini", "/another/project")).toEqual(others)
})
