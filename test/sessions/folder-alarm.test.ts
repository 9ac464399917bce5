/** Being woken when something changes in one of many folders. */
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createFolderAlarm } from "../../src/sessions/folder-alarm.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const { signal } = new AbortController()

/** Patient: only what is heard wakes it. */
const opened = async (folders: () => string[], options = { interval: 60_000, gap: 1 }) => {
  const alarm = createFolderAlarm(options)
  onTestFinished(alarm.close)
  // Folders are watched from the first wait on, and what happened before that is anywhere.
  expect(await alarm.wait(signal, folders)).toBeUndefined()
  return alarm
}

test("the paths that changed are reported, those of a burst together", async () => {
  const folders = [temporaryFolder(), temporaryFolder()]
  const [one = "", other = ""] = folders.map((folder) => join(folder, "session.jsonl"))
  for (const path of [one, other]) writeFileSync(path, "")
  const alarm = await opened(() => folders, { interval: 60_000, gap: 100 })
  const waiting = alarm.wait(signal, () => folders)
  appendFileSync(one, "a\n")
  appendFileSync(other, "b\n")
  expect(await waiting).toEqual(new Set([one, other]))
})

test("a change while there is no waiter wakes the next one", async () => {
  const folder = temporaryFolder()
  const alarm = await opened(() => [folder])
  const first = alarm.wait(signal, () => [folder])
  writeFileSync(join(folder, "first"), "")
  expect(await first).toEqual(new Set([join(folder, "first")]))
  writeFileSync(join(folder, "second"), "")
  expect(await alarm.wait(signal, () => [folder])).toEqual(new Set([join(folder, "second")]))
})

test("a replaced folder is watched again after everything was scanned", async () => {
  const parent = temporaryFolder()
  const folder = join(parent, "projects")
  mkdirSync(folder)
  const folders = (): string[] => [parent, folder]
  const alarm = await opened(folders)
  renameSync(folder, join(parent, "away"))
  mkdirSync(folder)
  expect(await alarm.wait(signal, folders)).toBeUndefined()
  const alarmed = alarm.wait(signal, folders)
  writeFileSync(join(folder, "new"), "")
  expect(await alarmed).toContain(join(folder, "new"))
})

test("a new folder is watched as soon as it is reported, before anything is in it", async () => {
  const parent = temporaryFolder()
  const folder = join(parent, "new-project")
  const alarm = await opened(() => [parent])
  const first = alarm.wait(signal, () => [parent])
  mkdirSync(folder)
  expect(await first).toEqual(new Set([folder]))
  // What came into it before it was watched may be anything.
  expect(await alarm.wait(signal, () => [parent, folder])).toBeUndefined()
  const second = alarm.wait(signal, () => [parent, folder])
  writeFileSync(join(folder, "session.jsonl"), "")
  expect(await second).toContain(join(folder, "session.jsonl"))
})

test("it wakes by itself now and then, when it is triggered, and when it is over", async () => {
  const quick = await opened(() => [temporaryFolder()], { interval: 1, gap: 1 })
  // Everything is looked at, or nothing but the clock.
  expect((await quick.wait(signal, () => [])) ?? new Set()).toEqual(new Set())
  const alarm = await opened(() => [temporaryFolder()])
  const rung = alarm.wait(signal, () => [])
  alarm.ring()
  expect(await rung).toBeUndefined()
  const controller = new AbortController()
  const over = alarm.wait(controller.signal, () => [])
  controller.abort()
  await over
})

test("folders that are missing or disappear cause no trouble", async () => {
  const folder = join(temporaryFolder(), "projects")
  mkdirSync(folder)
  const folders = (): string[] => ["/no/such/folder", folder]
  const alarm = await opened(folders)
  const waiting = alarm.wait(signal, folders)
  rmSync(folder, { recursive: true })
  await waiting
  alarm.ring()
  await alarm.wait(signal, folders)
})
