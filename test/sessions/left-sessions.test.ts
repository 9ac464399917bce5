/** What a listing leaves out: sessions that are over are counted, and everything else is as if all had been read anew. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type DiscoveredSession, discover, discoverRecent, type OlderSessions } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import { rounds } from "../rounds.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { memoryIndex } from "./memory-index.ts"

const now = new Date("2026-11-16T12:00:00Z")
const day = 86_400_000
const folder = temporaryFolder()

const before = now.getTime() - 3 * day
const older = (more: Partial<OlderSessions> = {}): OlderSessions => ({ before, wanted: new Set(), least: 0, ...more })

type File = {
  id: string
  kind: "session" | "sub-agent" | "todos" | "tasks" | "codex" | "start"
  project: string
  /** How long ago it was last active, in hours; negative for what is ahead. */
  hours: number
  /** Its last call was not answered. */
  isOpen: boolean
}

const isoAt = (hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString()

const claudeLines = ({ id, project, hours, isOpen }: File, agent?: string): string => {
  const about = { sessionId: id, cwd: project, version: "2.1.120", timestamp: isoAt(hours) }
  const own = { ...about, isSidechain: agent !== undefined, ...(agent === undefined ? {} : { agentId: agent }) }
  const input = { todos: [{ content: `Do ${id}`, status: "in_progress", activeForm: `Doing ${id}` }] }
  const call = { type: "tool_use", id: "toolu_1", name: "TodoWrite", input }
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "Todos have been modified successfully." }
  const lines = [
    { ...own, uuid: "1", type: "user", message: { role: "user", content: `Work on ${id}` } },
    { ...own, uuid: "2", type: "assistant", message: { role: "assistant", content: [call] } },
    { ...own, uuid: "3", type: "user", message: { role: "user", content: [result] } },
  ]
  return textOf(isOpen ? lines.slice(0, 2) : lines)
}

const codexLines = ({ id, project, hours }: File): string => {
  const timestamp = isoAt(hours)
  const plan = JSON.stringify({ plan: [{ step: `Plan ${id}`, status: "pending" }] })
  return textOf([
    { timestamp, type: "session_meta", payload: { id, cwd: project, cli_version: "0.140.0", source: "cli" } },
    {
      timestamp,
      type: "response_item",
      payload: { type: "function_call", name: "update_plan", arguments: plan, call_id: "c" },
    },
    {
      timestamp,
      type: "response_item",
      payload: { type: "function_call_output", call_id: "c", output: "Plan updated" },
    },
  ])
}

const textOf = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("")

const list = (id: string): string => JSON.stringify([{ content: `Beside ${id}`, status: "pending", activeForm: "x" }])

const pathAndText = (file: File): [path: string, text: string] => {
  const { id, project, hours } = file
  const own = `.claude/projects/${project.replaceAll("/", "-")}`
  switch (file.kind) {
    case "session":
      return [`${own}/${id}.jsonl`, claudeLines(file)]
    case "sub-agent":
      return [`${own}/agent-${id.slice(0, 4)}.jsonl`, claudeLines(file, id.slice(0, 4))]
    case "todos":
      return [`.claude/todos/${id}-agent-${id}.json`, list(id)]
    case "tasks":
      return [`.claude/tasks/${id}/1.json`, JSON.stringify({ id: "1", subject: `Task ${id}`, status: "pending" })]
    case "codex":
      return [`.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-${id}.jsonl`, codexLines(file)]
    case "start":
      return [
        `.gemini/tmp/p/chats/session-2026-11-01T10-00-${id.slice(0, 8)}.jsonl`,
        textOf([{ id: "1", timestamp: isoAt(hours), type: "user", content: [{ text: `Ask ${id}` }] }]),
      ]
  }
}

const write = (home: string, file: File): void => {
  const [path, text] = pathAndText(file)
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

const homeWith = (files: readonly File[]): string => {
  const home = mkdtempSync(join(folder, "home-"))
  for (const file of files) write(home, file)
  return home
}

/** Everything of a session that a person can see. */
const seen = (one: DiscoveredSession): [key: string, text: string] => {
  const { plan, times, isWhole, isTimed, readPlan: _, ...rest } = one
  return [`${one.session}/${one.agent}`, JSON.stringify({ ...rest, plan, times, isWhole, isTimed })]
}

const ids = [
  "00000000-aaaa-4000-8000-000000000001",
  "00000000-bbbb-4000-8000-000000000002",
  "11111111-aaaa-4000-8000-000000000003",
]

const anyFile: fc.Arbitrary<File> = fc.record({
  id: fc.constantFrom(...ids, "one", "two", "three", "four"),
  kind: fc.constantFrom("session", "session", "session", "sub-agent", "todos", "tasks", "codex", "start"),
  project: fc.constantFrom("/p", "/q"),
  hours: fc.constantFrom(-48, 0, 1, 6, 30, 71, 73, 100, 1_000, 1_001),
  isOpen: fc.boolean(),
})

const both = async (home: string, index: ReturnType<typeof memoryIndex>["index"], how: OlderSessions, at = now) => {
  const options = { sources, env: {}, home, now: at }
  const all = new Map((await discover(options)).map((one) => [seen(one)[0], one]))
  const recent = await discoverRecent({ ...options, index, older: how })
  return { all, recent }
}

describe("sessions that are left out", () => {
  test("are over and alone, and the others are the same as without an index", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFile, { maxLength: 9 }),
        fc.array(anyFile, { maxLength: 2 }),
        fc.nat(3),
        fc.constantFrom(0, 90, 1_000),
        async (files, added, least, hoursLater) => {
          const home = homeWith(files)
          try {
            const { index } = memoryIndex()
            await discover({ sources, env: {}, home, now, index })
            for (const file of added) write(home, file)
            const at = new Date(now.getTime() + hoursLater * 3_600_000)
            const wanted = new Set(["two"])
            const { all, recent } = await both(
              home,
              index,
              older({ least, wanted, before: at.getTime() - 3 * day }),
              at,
            )
            const shown = new Map(recent.sessions.map(seen))
            expect(shown.size).toBe(recent.sessions.length)
            for (const [key, text] of shown) expect(text).toBe(seen(all.get(key) as DiscoveredSession)[1])
            const left = [...all].flatMap(([key, one]) => (shown.has(key) ? [] : one))
            expect(left).toHaveLength(recent.older)
            for (const { agent, session, updated, state } of left) {
              expect([agent, session === "two", Date.parse(updated) < at.getTime() - 3 * day]).toEqual([
                "main",
                false,
                true,
              ])
              expect(["idle", "finished", "ended", "failed"]).toContain(state)
            }
            const newest = left
              .map(({ updated }) => updated)
              .sort()
              .at(-1)
            const notOlder = recent.sessions.filter(({ updated }) => newest === undefined || updated >= newest)
            if (left.length > 0) expect(notOlder.length).toBeGreaterThanOrEqual(least)
          } finally {
            rmSync(home, { recursive: true })
          }
        },
      ),
      { numRuns: rounds(60) },
    )
  })

  const old = (id: string, more: Partial<File> = {}): File => ({
    id,
    kind: "session",
    project: "/p",
    hours: 1_000,
    isOpen: false,
    ...more,
  })

  test("are most of a large home, and only the newest and the requested ones are built", async () => {
    const home = homeWith(Array.from({ length: 20 }, (_, at) => old(`s${at}`, { hours: 1_000 + at })))
    const { index } = memoryIndex()
    await discover({ sources, env: {}, home, now, index })
    const { recent } = await both(home, index, older({ least: 2, wanted: new Set(["s9"]) }))
    expect(recent.sessions.map(({ session }) => session).sort()).toEqual(["s0", "s1", "s9"])
    expect(recent.older).toBe(17)
  })

  test("come back when their file grows", async () => {
    const home = homeWith([old("one"), old("two")])
    const { index } = memoryIndex()
    await discover({ sources, env: {}, home, now, index })
    appendFileSync(join(home, ".claude/projects/-p/one.jsonl"), claudeLines(old("one", { hours: 0 })))
    const { recent } = await both(home, index, older())
    expect([recent.sessions.map(({ session }) => session), recent.older]).toEqual([["one"], 1])
  })

  test("are none without an index", async () => {
    const home = homeWith([old("one")])
    const recent = await discoverRecent({ sources, env: {}, home, now, older: older() })
    expect([recent.sessions.length, recent.older]).toEqual([1, 0])
  })
})
