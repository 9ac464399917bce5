/** Checks that plans can be kept: the home, its plans, recent errors, and a sample call. */
import { accessSync, constants, existsSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { headway } from "../../dialects/headway.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { makeScratchFolder } from "../../home/writing/scratch-folder.ts"
import { tryWriting } from "../../home/writing/write-file.ts"
import { messageOf, type Plan } from "../../plan/index.ts"
import { type WaitingStore, waitingText } from "../../stores/delivered/waiting-stores.ts"
import { createFileStore } from "../../stores/file/index.ts"
import type { Store } from "../../stores/store.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { Tracker } from "../../tracker/tracker.ts"

export type Finding = { name: "home" | "plans" | "undelivered" | "errors" | "sample call"; ok: boolean; note: string }

export type StoreHealthOptions = {
  home: string
  /** Opens the store. Its caller closes it. */
  store: () => Promise<Store>
  /** Other stores for which changes wait in the home. */
  waiting: readonly WaitingStore[]
  now: Date
}

export const storeHealth = async (options: StoreHealthOptions): Promise<Finding[]> => [
  homeFinding(options.home),
  await plansFinding(options.store),
  ...options.waiting.map((one): Finding => ({ name: "undelivered", ok: false, note: waitingText(one) })),
  errorsFinding(options),
  await sampleFinding(options.now),
]

/** A full disk shows only when something is written. */
const homeFinding = (home: string): Finding => {
  const isThere = existsSync(home)
  try {
    accessSync(isThere ? home : nearest(home), constants.W_OK)
  } catch {
    return { name: "home", ok: false, note: `${home} is not writable` }
  }
  if (!isThere) return { name: "home", ok: true, note: `${home}, created when it is first needed` }
  try {
    tryWriting(join(home, "tmp"), sampleLength)
    return { name: "home", ok: true, note: home }
  } catch (cause) {
    return { name: "home", ok: false, note: `nothing can be written to ${home}: ${messageOf(cause)}` }
  }
}

/** In bytes: as long as a change to a large plan. */
const sampleLength = 64 << 10

const nearest = (path: string): string => (existsSync(dirname(path)) ? dirname(path) : nearest(dirname(path)))

/** Problems of a remote store that are no plan's, and whether they are broken: a database that was replaced can be used. */
const aboutStore: Record<string, boolean> = { "store-away": true, undelivered: true, "other-database": false }

const plansFinding = async (open: () => Promise<Store>): Promise<Finding> => {
  try {
    const store = await open()
    const { plans, problems } = await store.list()
    const unread = problems.filter(({ code }) => aboutStore[code] === undefined)
    const others = problems.filter(({ code }) => aboutStore[code] !== undefined)
    const count = plans.length === 1 ? "1 plan" : `${plans.length} plans`
    const [first] = unread
    const state = first ? [`${unread.length} not read in full: ${first.message}`] : []
    const ok = !first && !others.some(({ code }) => aboutStore[code])
    const said = [...(ok ? [`${count}, all readable`] : [count, ...state]), ...others.map(({ message }) => message)]
    return { name: "plans", ok, note: said.join("; ") }
  } catch (cause) {
    return { name: "plans", ok: false, note: messageOf(cause) }
  }
}

const week = 7 * 24 * 60 * 60 * 1000

/** Past errors are informative and do not count as broken. */
const errorsFinding = ({ home, now }: StoreHealthOptions): Finding => {
  const entries = [...(foreignTextIn(join(home, "errors.log")) ?? "").matchAll(/^\[(\d{4}-[^\]]+)\] (.*)$/gm)]
  const recent = entries.filter(([, time = ""]) => now.getTime() - Date.parse(time) < week)
  const last = recent.at(-1)?.[2]
  const note = last === undefined ? "none in the last week" : `${recent.length} in the last week, the last: ${last}`
  return { name: "errors", ok: true, note }
}

/** Makes a sample call through the same code as a real one, in a temporary folder. */
const sampleFinding = async (now: Date): Promise<Finding> => {
  const name = "sample call"
  const home = makeScratchFolder("doctor")
  try {
    const { text, plan } = await writeSample(createFileStore({ home }), now)
    const ok = plan.todos[0]?.content === "Look" && text.includes("Look")
    return { name, ok, note: ok ? "written, kept, read back" : "what was written could not be read back" }
  } catch (cause) {
    return { name, ok: false, note: messageOf(cause) }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const writeSample = async (store: Store, now: Date): Promise<{ text: string; plan: Plan }> => {
  // Closed before the folder is removed: a list that is published later would make it again.
  const opened: Tracker[] = []
  const open = async (): Promise<Tracker> => {
    const tracker = await openTracker({ store, session: "doctor", now: () => now })
    opened.push(tracker)
    return tracker
  }
  try {
    const { text } = await (await open()).write({ tool: "todo", input: { todos: [{ content: "Look" }] } }, headway)
    return { text, plan: (await open()).plan }
  } finally {
    for (const tracker of opened) await tracker.close()
    await store.close()
  }
}
