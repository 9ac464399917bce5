import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createLineSplitter } from "../../src/streams/lines.ts"
import { collectGarbage } from "../collect-garbage.ts"

const split = (bytes: Uint8Array, size = bytes.length, maxLength?: number) => {
  const lines: string[] = []
  const skipped: number[] = []
  const splitter = createLineSplitter({
    onLine: (line) => lines.push(line),
    onSkipped: (length) => skipped.push(length),
    ...(maxLength === undefined ? {} : { maxLength }),
  })
  const buffer = Buffer.alloc(Math.max(size, 1))
  for (let at = 0; at < bytes.length; at += size) {
    // One buffer for all chunks, as a file is read: a reader that keeps a part of it must copy.
    const length = Buffer.from(bytes.subarray(at, at + size)).copy(buffer)
    splitter.push(buffer.subarray(0, length))
  }
  splitter.end()
  return { lines, skipped }
}

const text = (value: string): Buffer => Buffer.from(value)

describe.each([1, 7, 65_536])("in chunks of %i bytes", (size) => {
  test("lines end at LF; a CR before it is not part of them", () => {
    expect(split(text("a\nb\r\n\r\nc\rd\n"), size).lines).toEqual(["a", "b", "c\rd"])
  })

  test("the last line needs no line end", () => {
    expect(split(text("a\nlast"), size).lines).toEqual(["a", "last"])
    expect(split(text("a\nlast\r"), size).lines).toEqual(["a", "last"])
    expect(split(text(""), size).lines).toEqual([])
  })

  test("other line separators are part of a line", () => {
    expect(split(text("a\u2028b\u2029c\u0085d\n"), size).lines).toEqual(["a\u2028b\u2029c\u0085d"])
  })

  test("a character stays one however it is cut", () => {
    expect(split(text("“quoted” 🐛 日本\né"), size).lines).toEqual(["“quoted” 🐛 日本", "é"])
  })

  test("a line over the bound is skipped with its length, the next one is read", () => {
    expect(split(text(`${"x".repeat(21)}\nok\n${"y".repeat(20)}\n`), size, 20)).toEqual({
      lines: ["ok", "y".repeat(20)],
      skipped: [21],
    })
    expect(split(text("x".repeat(30)), size, 20)).toEqual({ lines: [], skipped: [30] })
  })

  test("NULs before a line are a hole in the file and bounded by nothing; inside they stay", () => {
    expect(split(Buffer.concat([Buffer.alloc(100), text("a\u0000b\n")]), size, 20)).toEqual({
      lines: ["a\u0000b"],
      skipped: [],
    })
    expect(split(Buffer.alloc(100), size, 20)).toEqual({ lines: [], skipped: [] })
  })

  test("invalid UTF-8 becomes replacement characters and affects no other line", () => {
    const bytes = Buffer.concat([
      text("a"),
      Buffer.from([0xff, 0xc3]),
      text("\n"),
      Buffer.from([0xf0, 0x9f]),
      text("\nb"),
    ])
    expect(split(bytes, size).lines).toEqual(["a\ufffd\ufffd", "\ufffd", "b"])
  })
})

test("any bytes in chunks of any size give the lines that reading them whole gives", () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((found) => found.map((byte) => (byte % 5 === 0 ? 10 : byte)))
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 50 }), (all, size) => {
      expect(split(all, size, 30)).toEqual(split(all, undefined, 30))
    }),
  )
})

test("a long line does not stay in memory", () => {
  const chunk = Buffer.alloc(1 << 20, "x")
  let skipped = 0
  const splitter = createLineSplitter({
    onLine: () => expect.unreachable(),
    onSkipped: (length) => {
      skipped = length
    },
  })
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  for (let megabytes = 0; megabytes < 300; megabytes += 1) splitter.push(chunk)
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 << 20)
  splitter.end()
  expect(skipped).toBe(300 << 20)
})

test("empty lines count on request", () => {
  const lines: string[] = []
  const splitter = createLineSplitter({ onLine: (line) => lines.push(line), keepsEmpty: true })
  splitter.push(text("a\n\n\r\nb\n"))
  splitter.end()
  expect(lines).toEqual(["a", "", "", "b"])
})
