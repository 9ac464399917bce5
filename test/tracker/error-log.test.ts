/** What goes wrong outside the work of a library user is written to the error log of the home, unless the host listens itself (C17). */
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openStore, openTracker } from "../../src/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { pending, todoWrite } from "./open.ts"

const damagedHome = async (): Promise<string> => {
  const home = temporaryFolder()
  const tracker = await openTracker({ store: await openStore(`file:${home}`), session: "s" })
  await todoWrite(tracker, pending("Read"))
  await tracker.close()
  appendFileSync(join(home, "journal", "s-agent-main.jsonl"), "no entry at all\n")
  return home
}

test("C17 a line that cannot be read is written to errors.log", async () => {
  const home = await damagedHome()
  const tracker = await openTracker({ store: await openStore(`file:${home}`), session: "s" })
  await tracker.close()
  expect(readFileSync(join(home, "errors.log"), "utf8")).toContain("s-agent-main.jsonl")
})

test("C17 a host with a handler gets it instead", async () => {
  const home = await damagedHome()
  const reported: string[] = []
  const onProblem = ({ message }: { message: string }) => reported.push(message)
  const tracker = await openTracker({ store: await openStore(`file:${home}`), session: "s", onProblem })
  await tracker.close()
  expect(reported).toHaveLength(1)
  expect(existsSync(join(home, "errors.log"))).toBe(false)
})

test("C17 a model's mistake is in the reply, and not in the log", async () => {
  const home = temporaryFolder()
  const tracker = await openTracker({ store: await openStore(`file:${home}`), session: "s" })
  expect((await todoWrite(tracker, [{}])).ok).toBe(false)
  expect(existsSync(join(home, "errors.log"))).toBe(false)
})
