/** Reading what others wrote: nothing but regular files, no waiting, and no more than is allowed. */

import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { foreignChunks, foreignTextIn, openForeign, readForeignText } from "../../../src/home/reading/foreign-file.ts"
import { temporaryFolder } from "../../stores/temporary.ts"
import { makePipe } from "../../streams/pipes.ts"

const collected = async (path: string): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of foreignChunks(path)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test("a file is read, through a link too", async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "file"), "héllo")
  symlinkSync("file", join(folder, "link"))
  expect(readForeignText(join(folder, "link"))).toBe("héllo")
  expect(await collected(join(folder, "link"))).toBe("héllo")
})

describe("anything that is not a regular file is refused at once", () => {
  const places: Record<string, (path: string) => unknown> = {
    "a pipe": makePipe,
    "a folder": (path) => mkdirSync(path),
    "a device": (path) => symlinkSync("/dev/zero", path),
  }

  test.each(Object.entries(places))("%s", (kind, make) => {
    const path = join(temporaryFolder(), "it")
    make(path)
    expect(() => readForeignText(path)).toThrow(`it is ${kind} and not a regular file`)
    expect(foreignTextIn(path)).toBeUndefined()
  })

  test("a socket", async () => {
    const path = join(temporaryFolder(), "it")
    const server = createServer().listen(path)
    await new Promise((resolve) => server.once("listening", resolve))
    expect(() => readForeignText(path)).toThrow("it is a socket and not a regular file")
    server.close()
  })

  test("a device is not read in chunks either", async () => {
    const path = join(temporaryFolder(), "it")
    symlinkSync("/dev/zero", path)
    await expect(collected(path)).rejects.toMatchObject({ code: "not-a-regular-file" })
  })
})

test("a pipe that is opened to be followed is reported and not awaited", async () => {
  const { kind, handle } = await openForeign(makePipe(join(temporaryFolder(), "pipe")))
  expect(kind).toBe("pipe")
  await handle.close()
})

describe("reading a whole file has a limit", () => {
  test("of its own", () => {
    const path = join(temporaryFolder(), "file")
    writeFileSync(path, "12345")
    expect(readForeignText(path, 5)).toBe("12345")
    expect(() => readForeignText(path, 4)).toThrow("larger than 1 KiB")
  })

  test("that spares a file of ten gigabytes that is one hole", () => {
    const path = join(temporaryFolder(), "file")
    writeFileSync(path, "")
    truncateSync(path, 10 * 2 ** 30)
    expect(() => readForeignText(path)).toThrow("larger than 16 MiB")
  })

  test.skipIf(process.platform !== "linux")("that holds for a file that claims to be empty", () => {
    expect(readForeignText("/proc/self/status")).toMatch(/^Name:/)
    expect(() => readForeignText("/proc/self/status", 100)).toThrow("larger than 1 KiB")
  })
})
