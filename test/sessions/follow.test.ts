import { spawn } from "node:child_process"
import {
  appendFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { follow } from "../../src/sessions/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { makePipe } from "../streams/pipes.ts"

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

test("existing lines are read, then new ones", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\n"])
  appendFileSync(path, "two\n")
  await eventually(read).toEqual(["one\ntwo\n"])
})

test("notifications of the system are enough, without polling", async () => {
  const path = newPath()
  writeFileSync(path, "one\n")
  const { read } = following(path, 3_600_000)
  await eventually(read).toEqual(["one\n"])
  appendFileSync(path, "two\n")
  await eventually(read).toEqual(["one\ntwo\n"])
})

test("a file that does not exist yet is awaited, its folder too", async () => {
  const folder = join(temporaryFolder(), "later")
  const path = join(folder, "agent.jsonl")
  const { read } = following(path)
  mkdirSync(folder)
  writeFileSync(path, "one\n")
  await eventually(read).toEqual(["one\n"])
})

test("a file that is cut short is read from its start", async () => {
  const path = newPath()
  writeFileSync(path, "one\ntwo\n")
  const { read } = following(path)
  await eventually(read).toEqual(["one\ntwo\n"])
  truncateSync(path)
  appendFileSync(path, "new\n")
  await eventually(read).toEqual(["one\ntwo\n", "new\n"])
})

test("a file that has grown past its old end since it was cut is read from its start, too", async () => {
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

test("it ends on request, also while there is no file", async () => {
  const { end } = following(newPath(), 3_600_000)
  await end()
})

test("a folder or a device is an error with its name", async () => {
  for (const path of [temporaryFolder(), "/dev/zero"]) {
    const { done } = following(path)
    ends.pop()
    await expect(done).rejects.toMatchObject({ code: "not-a-regular-file", message: expect.stringContaining(path) })
  }
})

describe("instead of a file", () => {
  const puts: [string, (path: string) => unknown][] = [
    ["a pipe", makePipe],
    ["a folder", (path) => mkdirSync(path)],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
  ]

  test.each(puts)("%s is not followed; the file that comes after it is", async (_, put) => {
    const path = newPath()
    writeFileSync(path, "one\n")
    const { read, end } = following(path)
    await eventually(read).toEqual(["one\n"])
    renameSync(path, `${path}.old`)
    put(path)
    // The old one is still read, which shows that the new one was seen and left alone.
    appendFileSync(`${path}.old`, "late\n")
    await eventually(read).toEqual(["one\nlate\n"])
    rmSync(path, { recursive: true })
    writeFileSync(path, "new\n")
    await eventually(read).toEqual(["one\nlate\n", "new\n"])
    await end()
  })

  test("a pipe does not delay the end", async () => {
    const path = newPath()
    writeFileSync(path, "one\n")
    const { read, end } = following(path, 3_600_000)
    await eventually(read).toEqual(["one\n"])
    rmSync(path)
    makePipe(path)
    await end()
    expect(read).toEqual(["one\n"])
  })
})

describe("a pipe that is named as a file", () => {
  test("is read to its end", async () => {
    const path = makePipe(newPath())
    const { read, done } = following(path)
    const writer = spawn("sh", ["-c", 'exec > "$1"; echo one; echo two', "sh", path])
    await done
    expect(read).toEqual(["one\ntwo\n"])
    expect(writer.exitCode ?? 0).toBe(0)
  })

  test("is left on request, though nothing was ever written", async () => {
    const { read, end } = following(makePipe(newPath()), 3_600_000)
    await end()
    expect(read).toEqual([""])
  })
})
