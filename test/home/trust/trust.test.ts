/** Which repositories are trusted: what several processes change at once is all kept. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { expect, test } from "vitest"
import { distrustProject, isTrusted, trustedProjects, trustProject } from "../../../src/home/trust/trust.ts"
import { temporaryFolder } from "../../stores/temporary.ts"

const now = new Date(0)

const fileIn = (home: string): string => join(home, "trusted-projects.json")

/** Another process has its turn: it has read the file, and writes it some time later. */
const changedByAnother = async (home: string, paths: readonly string[]): Promise<Worker> => {
  const turn = join(home, "cache", "turns", "trust")
  mkdirSync(join(home, "cache", "turns"), { recursive: true })
  writeFileSync(turn, String(process.pid))
  const text = JSON.stringify({ v: 1, projects: paths.map((path) => ({ path, since: now.toISOString() })) })
  const code = `const { rmSync, writeFileSync } = require("node:fs")
    const { parentPort, workerData: { file, text, turn } } = require("node:worker_threads")
    parentPort.postMessage("begun")
    setTimeout(() => { writeFileSync(file, text); rmSync(turn) }, 200)`
  const worker = new Worker(code, { eval: true, workerData: { file: fileIn(home), text, turn } })
  await new Promise((resolve) => worker.once("message", resolve))
  return worker
}

test("trust that is given while another process changes it is added to what that one leaves", async () => {
  const home = temporaryFolder()
  const worker = await changedByAnother(home, ["/theirs"])
  trustProject(home, "/ours", now)
  await new Promise((resolve) => worker.once("exit", resolve))
  expect(trustedProjects(home).map(({ path }) => path)).toEqual(["/theirs", "/ours"])
})

test("trust that is ended while another process changes it stays ended", async () => {
  const home = temporaryFolder()
  trustProject(home, "/ours", now)
  const worker = await changedByAnother(home, ["/ours", "/theirs"])
  expect(distrustProject(home, "/ours")).toBe(true)
  await new Promise((resolve) => worker.once("exit", resolve))
  expect(isTrusted(home, "/ours")).toBe(false)
  expect(isTrusted(home, "/theirs")).toBe(true)
})

test("ending a trust that was never given changes nothing", () => {
  const home = temporaryFolder()
  trustProject(home, "/one", now)
  const before = readFileSync(fileIn(home), "utf8")
  expect(distrustProject(home, "/other")).toBe(false)
  expect(readFileSync(fileIn(home), "utf8")).toBe(before)
})

test("what a newer Headway wrote is not overwritten, and counts as far as it is understood", () => {
  const home = temporaryFolder()
  const newer = JSON.stringify({ v: 2, projects: [{ path: "/", since: now.toISOString() }], more: ["later"] })
  writeFileSync(fileIn(home), newer)
  expect(() => trustProject(home, "/ours", now)).toThrow("newer Headway")
  expect(() => distrustProject(home, "/")).toThrow("newer Headway")
  expect(readFileSync(fileIn(home), "utf8")).toBe(newer)
  expect(isTrusted(home, "/")).toBe(true)
})

test("a list that cannot be read now is not replaced by an empty one", () => {
  const home = temporaryFolder()
  mkdirSync(fileIn(home))
  expect(() => trustProject(home, "/ours", now)).toThrow("cannot be read, so it is not changed")
})
