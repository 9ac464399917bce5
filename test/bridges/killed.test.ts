/** Killed at any moment, set-up and hooks leave nothing half done; `npm run attack` does the same with full counts. */
import { spawnSync } from "node:child_process"
import { readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openOwedNotices } from "../../src/bridges/hooks/owed-notice.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { atHome } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { killHooks, killSetups, killTellingHooks, scenarios } from "./killed.ts"

test("a set-up killed at any moment leaves each file old or new, and the next one undoes it byte for byte", () => {
  const { killed, steps } = killSetups({ folder: temporaryFolder(), rounds: scenarios.length })
  expect([killed, steps > 10]).toEqual([scenarios.length, true])
})

test("a hook killed at any moment loses nothing that was written before, and leaves no lock", async () => {
  const { killed } = await killHooks({ folder: temporaryFolder(), rounds: 4 })
  expect(killed).toBeGreaterThan(0)
})

test("a hook killed while it reports a person's edit leaves the report to the next one", async () => {
  const { killed } = await killTellingHooks({ folder: temporaryFolder(), rounds: 6 })
  expect(killed).toBeGreaterThan(0)
})

test("a report owed by a hook that is killed after another one found nothing is made by the next hook", async () => {
  const { home, run } = atHome()
  const bash = { session_id: "s", cwd: home, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {} }
  const fire = () => run(["hook", "claude-code"], { input: JSON.stringify(bash) })
  await run(["todo", "add", "Read", "--new", "--session", "s"])
  const owed = openOwedNotices(join(home, ".headway"), { session: "s", agent: "main" }, () => new Date("2030-01-01"))
  const store = createFileStore({ home: join(home, ".headway") })
  // A hook that runs beside the next one, as those of one answer do: this very process.
  const slow = await openTracker({ store, session: "s", onTelling: owed.owe })
  expect(await slow.tellAgent()).toContain("Read")
  expect((await fire()).out).not.toContain("Read")
  const notes = join(home, ".headway/cache/owed")
  const [note = ""] = readdirSync(notes)
  const { pid: dead } = spawnSync(process.execPath, ["--version"])
  renameSync(join(notes, note), join(notes, note.replace(`.${process.pid}-`, `.${dead}-`)))
  expect((await fire()).out).toContain("Read")
  expect(readdirSync(notes)).toEqual([])
  expect((await fire()).out).not.toContain("Read")
})

test("a report owed to one agent by a killed hook does not go to another whose id begins alike", () => {
  const home = temporaryFolder()
  const owedTo = (agent: string, minute: number) =>
    openOwedNotices(home, { session: "s", agent }, () => new Date(Date.UTC(2026, 0, 1, 0, minute)))
  owedTo("main.b", 0).owe({ entries: ["one"], text: "The person changed the plan of b." })
  const other = owedTo("main", 5)
  expect(other.takeOver(() => true)).toEqual([])
  other.settle()
  expect(owedTo("main.b", 5).takeOver(() => true)).toEqual(["The person changed the plan of b."])
})
