/** Turns: how long one is waited for. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { takingTurns } from "../../../src/home/writing/take-turns.ts"
import { temporaryFolder } from "../../stores/temporary.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

test("a turn of a running process is awaited for seven seconds, however long each pause takes", async () => {
  const path = join(temporaryFolder(), "turn")
  writeFileSync(path, String(process.pid))
  let now = 0
  vi.spyOn(performance, "now").mockImplementation(() => now)
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((resume: () => void) => {
    now += 100
    queueMicrotask(resume)
  }) as unknown as typeof setTimeout)
  expect(await takingTurns(path, async () => "done")).toBe("done")
  expect(now).toBe(7_000)
})
