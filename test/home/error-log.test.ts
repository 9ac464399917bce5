/** The error sink writes down what failed, stays small, and never fails itself. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createErrorSink } from "../../src/stores/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const now = (): Date => new Date("2030-01-01T00:00:00Z")
const env = {}

test("an error is written with time and stack, and passed to the host (C17)", () => {
  const home = join(temporaryFolder(), "new")
  const reported: unknown[] = []
  const error = new Error("no room")
  createErrorSink({ home, now, env, onError: (one) => reported.push(one) })(error)
  const text = readFileSync(join(home, "errors.log"), "utf8")
  expect(text).toContain("[2030-01-01T00:00:00.000Z] Error: no room\n")
  expect(text).toContain("error-log.test.ts")
  expect(reported).toEqual([error])
  expect(statSync(join(home, "errors.log")).mode & 0o777).toBe(0o600)
})

test("a thrown value that is not an error is written too (C17)", () => {
  const home = temporaryFolder()
  const sink = createErrorSink({ home, now, env })
  for (const value of ["text", undefined, null, 42, {}]) sink(value)
  expect(readFileSync(join(home, "errors.log"), "utf8").split("\n")).toHaveLength(6)
})

test("the file is bounded and keeps the newest lines whole (C17)", () => {
  const home = temporaryFolder()
  const sink = createErrorSink({ home, now, env })
  for (let count = 0; count < 300; count += 1) sink(`${count} ${"x".repeat(10_000)}`)
  const text = readFileSync(join(home, "errors.log"), "utf8")
  expect(text.length).toBeLessThan(1_100_000)
  expect(text).toContain("] 299 x")
  expect(text.split("\n").every((line) => line === "" || line.startsWith("[2030-"))).toBe(true)
})

test("one endless error does not fill the disk (C17)", () => {
  const home = temporaryFolder()
  createErrorSink({ home, now, env })(new Error("x".repeat(50_000_000)))
  expect(statSync(join(home, "errors.log")).size).toBeLessThan(100_000)
})

test("HEADWAY_NO_ERROR_LOG=1 switches the file off, not the host's handler (C17)", () => {
  const home = temporaryFolder()
  const reported: unknown[] = []
  createErrorSink({ home, now, env: { HEADWAY_NO_ERROR_LOG: "1" }, onError: (one) => reported.push(one) })("failed")
  expect(existsSync(join(home, "errors.log"))).toBe(false)
  expect(reported).toEqual(["failed"])
})

test("neither a host that throws nor a home that cannot be written makes it throw (C17)", () => {
  const home = temporaryFolder()
  const onError = () => {
    throw new Error("the host is broken too")
  }
  createErrorSink({ home, now, env, onError })("failed")
  expect(readFileSync(join(home, "errors.log"), "utf8")).toContain("failed")
  writeFileSync(join(home, "file"), "")
  createErrorSink({ home: join(home, "file", "home"), now, env })("failed")
  mkdirSync(join(home, "folder", "errors.log"), { recursive: true })
  createErrorSink({ home: join(home, "folder"), now, env })("failed")
})
