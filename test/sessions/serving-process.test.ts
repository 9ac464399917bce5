/** The process that works on a session: one that has said so, one that was called with it, or the only one that can be. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { sessions as source } from "../../src/agents/claude-code/sessions.ts"
import { noteClient } from "../../src/home/processes/clients.ts"
import type { Processes, RunningProcess } from "../../src/home/processes/processes.ts"
import { processNotesIn } from "../../src/sessions/lookup/process-notes.ts"
import { findServingProcess } from "../../src/sessions/serving-process.ts"
import { temporaryFolder } from "../stores/temporary.ts"

type Running = { pid: number; words: readonly string[]; folder: string; started?: string }

const processesOf = (...all: Running[]): Processes => {
  const running = ({ pid, started = "2030-01-01T09:00:00Z" }: Running): RunningProcess => ({
    pid,
    parent: 1,
    user: 0,
    start: `start-${pid}`,
    started: Date.parse(started),
  })
  return {
    find: (pid) => all.filter((one) => one.pid === pid).map(running)[0],
    wordsOf: (pid) => all.find((one) => one.pid === pid)?.words ?? [],
    withWords: (isWanted) =>
      all.filter(({ words }) => isWanted(words)).map((one) => ({ ...running(one), words: one.words })),
    folderOf: (pid) => all.find((one) => one.pid === pid)?.folder,
    childrenOf: () => [],
  }
}

const session = (id: string, updated = "2030-01-01T10:00:00Z") => ({
  agentType: "claude-code",
  session: id,
  project: "/shop",
  updated,
})

const [mine, other] = [session("mine"), session("other")]
const claude = (pid: number, ...words: string[]): Running => ({ pid, words: ["claude", ...words], folder: "/shop" })

test("a process whose hooks last named the session works on it, as long as it runs", async () => {
  const home = temporaryFolder()
  const process = { pid: 7, start: "start-7" }
  const noted = { session: "mine", through: "hook", isCurrent: true } as const
  await noteClient(home, { agentType: "claude-code", process }, noted, new Date())
  const all = [mine, other]
  const two = processesOf(claude(7), claude(8))
  expect(findServingProcess(mine, { home, all, processes: two })).toEqual({ pid: 7, isCertain: true })
  expect(findServingProcess(other, { home, all, processes: two })).toBeUndefined()
  expect(findServingProcess(mine, { home, all, processes: processesOf(claude(8), claude(9)) })).toBeUndefined()
  // It has gone on to another session since.
  await noteClient(home, { agentType: "claude-code", process }, { ...noted, session: "other" }, new Date())
  expect(findServingProcess(mine, { home, all, processes: two })).toBeUndefined()
  expect(findServingProcess(other, { home, all, processes: two })).toEqual({ pid: 7, isCertain: true })
})

test("a process that was started with the id of the session works on it", () => {
  const processes = processesOf(claude(7), claude(8, "--resume", "mine"))
  const options = { home: temporaryFolder(), all: [mine, other], processes }
  expect(findServingProcess(mine, options)).toEqual({ pid: 8, isCertain: true })
  expect(findServingProcess(other, options)).toBeUndefined()
})

test("the only process in the folder works on the only session that continued since it was started", () => {
  const home = temporaryFolder()
  const processes = processesOf(claude(7), { pid: 8, words: ["claude"], folder: "/elsewhere" })
  const old = session("old", "2030-01-01T08:00:00Z")
  expect(findServingProcess(mine, { home, all: [mine, old], processes })).toEqual({ pid: 7, isCertain: false })
  expect(findServingProcess(old, { home, all: [mine, old], processes })).toBeUndefined()
  // Either of them may be the one.
  expect(findServingProcess(mine, { home, all: [mine, other], processes })).toBeUndefined()
  const codex = { ...mine, agentType: "openai-codex" }
  expect(findServingProcess(codex, { home, all: [codex], processes })).toBeUndefined()
})

test("a process whose hooks named another session works on no other", async () => {
  const home = temporaryFolder()
  const told = { session: "fresh", through: "hook", isCurrent: true } as const
  await noteClient(home, { agentType: "claude-code", process: { pid: 7, start: "start-7" } }, told, new Date())
  // The session it is in has written nothing yet, so that the other one is the only one that went on.
  expect(findServingProcess(mine, { home, all: [mine], processes: processesOf(claude(7)) })).toBeUndefined()
  // It was called with one session, and has gone on to a new one since.
  const resumed = processesOf(claude(7, "--resume", "mine"))
  expect(findServingProcess(mine, { home, all: [mine], processes: resumed })).toBeUndefined()
  // The other process in the folder is the one, then.
  const two = processesOf(claude(7), claude(8))
  expect(findServingProcess(mine, { home, all: [mine], processes: two })).toEqual({ pid: 8, isCertain: false })
})

test("a process that has noted its own session works on that one and on no other", async () => {
  const home = temporaryFolder()
  const folder = join(home, ".claude", "sessions")
  mkdirSync(folder, { recursive: true })
  const note = (pid: number, more: object) =>
    writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ pid, startedAt: "2030-01-01T09:00:01Z", ...more }))
  note(7, { sessionId: "fresh" })
  note(8, { sessionId: "mine" })
  // Its number was given to another process since.
  note(9, { sessionId: "other", startedAt: "2029-01-01T09:00:00Z" })
  writeFileSync(join(folder, "10.json"), '{"pid":')
  mkdirSync(join(folder, "11.json"))
  const notes = await processNotesIn({ source, env: {}, home })
  expect(notes.map(({ pid }) => pid).sort()).toEqual([7, 8, 9])
  const options = { home, all: [mine], notes }
  expect(findServingProcess(mine, { ...options, processes: processesOf(claude(7)) })).toBeUndefined()
  const all = processesOf(claude(7), claude(8), claude(9))
  expect(findServingProcess(mine, { ...options, processes: all })).toEqual({ pid: 8, isCertain: true })
  expect(findServingProcess(session("fresh"), { ...options, processes: all })).toEqual({ pid: 7, isCertain: true })
  expect(findServingProcess(other, { ...options, processes: all })).toBeUndefined()
  // Hooks may have been told earlier.
  const told = { session: "other", through: "hook", isCurrent: true } as const
  await noteClient(home, { agentType: "claude-code", process: { pid: 8, start: "start-8" } }, told, new Date())
  expect(findServingProcess(mine, { ...options, processes: all })).toEqual({ pid: 8, isCertain: true })
})
