import {
  appendFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { follow } from "../../src/streams/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Follows a file; what was read is a list of texts, one for each stream. */
const following = (path: string, interval = 5) => {
  const read = [""]
  const controller = new AbortController()
  const done = follow({
    path,
    interval,
    signal: controller.signal,
    onBytes: (chunk) => {
      read[read.length - 1] += Buffer.from(chunk).toString()
    },
    onRestart: () => read.push(""),
  })
  const end = async (): Promise<void> => {
    controller.abort()
    await done
  }
  ends.push(end)
  return { read, done, end }
}

const newPath = (): string => join(temporaryFolder(), "agent.jsonl")
const eventually = (read: readonly string[]) => expect.poll(() => read, { interval: 5, timeout: 10_000 })

test("what is there is read, then what comes", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\n"])
  appendFileSync(path, "two\n")
  await eventually(read).toEqual(["one\ntwo\n"])
})

test("the system's notice is enough; nobody needs to look", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path, 3_600_000)
  await eventually(read).toEqual(["one\n"])
  appendFileSync(path, "two\n")
  await eventually(read).toEqual(["one\ntwo\n"])
})

test("a file that does not exist yet is waited for, its folder too", async () => {
  const folder = join(temporaryFolder(), "later")
  const path = join(folder, "agent.jsonl")
  const { read } = following(path)
  mkdirSync(folder)
  writeFileSync(path, "one\n")
  await eventually(read).toEqual(["one\n"])
})

test("a file that is cut short begins anew", async () => {
  const path = newPath()
  writeFileSync(path, "one\ntwo\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\ntwo\n"])
  truncateSync(path)
  appendFileSync(path, "new\n")
  await eventually(read).toEqual(["one\ntwo\n", "new\n"])
})

test("so does one that has grown past its old end since it was cut", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\n"])
  writeFileSync(path, "another text that is longer than the first\n")
  await eventually(read).toEqual(["one\n", "another text that is longer than the first\n"])
})

test("a file that is renamed is read to its end, then the one in its place", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\n"])
  const old = openSync(path, "a")
  renameSync(path, `${path}.1`)
  writeSync(old, "late\n")
  await eventually(read).toEqual(["one\nlate\n"])
  writeSync(old, "last\n")
  writeFileSync(path, "new\n")
  await eventually(read).toEqual(["one\nlate\nlast\n", "new\n"])
})

test("a file that is removed and written again is another one", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\n"])
  rmSync(path)
  writeFileSync(path, "one\n")
  await eventually(read).toEqual(["one\n", "one\n"])
})

test("a file that is saved by renaming another over it is another one, many times", async () => {
  const path = newPath()
  const { read } = following(path)
  for (let count = 1; count <= 20; count += 1) {
    writeFileSync(`${path}.new`, `save ${count}\n`)
    renameSync(`${path}.new`, path)
    await eventually(read).toHaveLength(count)
    await expect.poll(() => read.at(-1)).toBe(`save ${count}\n`)
  }
})

test("it ends when it is told to, also while there is no file", async () => {
  const { end } = following(newPath(), 3_600_000)
  await end()
})

test("what cannot be read is an error", async () => {
  const { done } = following(temporaryFolder())
  ends.pop()
  await expect(done).rejects.toMatchObject({ code: "EISDIR" })
})
