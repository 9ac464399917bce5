/** Following sessions on disk: what changed is told once, and nothing is read twice. */

import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { DiscoveredSession } from "../../src/sessions/discover.ts"
import { watchSessions } from "../../src/sessions/watch-sessions.ts"
import { sources } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const told = (sessions: DiscoveredSession[]): string[] =>
  sessions.map(({ plan }) => (plan?.todos ?? []).map(({ content, status }) => `${content}: ${status}`).join(", "))

test("A1 a session is reported when it appears, when its file grows, and when it disappears, and not in between", async () => {
  const home = temporaryFolder()
  const fixture = "test/fixtures/streams/claude-2.1.197/todowrite/home"
  const folder = join(home, ".claude", "projects", "-home-user-project")
  const controller = new AbortController()
  const changes: string[][] = []
  let bytes = 0
  const readAt: number[] = []
  let lines: string[] = []
  let file = ""
  const steps = [
    () => {
      cpSync(fixture, home, { recursive: true })
      file = join(folder, readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "")
      lines = readFileSync(file, "utf8").trimEnd().split("\n")
      truncateSync(file)
      appendFileSync(file, `${lines.slice(0, -12).join("\n")}\n`)
    },
    () => {},
    () => appendFileSync(file, `${lines.slice(-12).join("\n")}\n`),
    () => rmSync(join(home, ".claude"), { recursive: true }),
    () => controller.abort(),
  ]
  await watchSessions({
    sources,
    env: {},
    home,
    now: () => new Date("2026-11-15T19:00:00Z"),
    signal: controller.signal,
    onRead: (more) => {
      bytes += more
    },
    onChange: (sessions) => changes.push(told(sessions)),
    wait: async () => {
      readAt.push(bytes)
      steps.shift()?.()
    },
  })
  expect(changes).toHaveLength(3)
  expect(changes[1]).toEqual([expect.stringContaining("Left open at the end")])
  expect(changes[2]).toEqual([])
  const [, afterFirst, afterSilence, afterGrowth] = readAt
  expect(afterSilence).toBe(afterFirst)
  expect((afterGrowth ?? 0) - (afterSilence ?? 0)).toBeGreaterThan(0)
})
