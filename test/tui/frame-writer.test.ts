/** What reaches a terminal of the frames that are shown. */

import xterm from "@xterm/headless"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createFrameWriter } from "../../src/tui/terminal/frame-writer.ts"
import type { Painted } from "../../src/tui/terminal/paint.ts"
import { rounds } from "../rounds.ts"
import { manualTimer } from "./manual-timer.ts"

const outputOf = () => {
  const written: string[] = []
  const drains: (() => void)[] = []
  let isFull = false
  return {
    written,
    fill: () => {
      isFull = true
    },
    drain: () => {
      isFull = false
      for (const listener of drains.splice(0)) listener()
    },
    write: (text: string): boolean => {
      written.push(text)
      return !isFull
    },
    once: (_event: "drain", listener: () => void) => drains.push(listener),
  }
}

const open = () => {
  const output = outputOf()
  const timer = manualTimer()
  return { output, timer, writer: createFrameWriter(output, timer) }
}

const frame = (...rows: string[]): Painted => rows.join("\n") as Painted

describe("rows", () => {
  test("the first frame is written whole, later ones only where they changed", () => {
    const { output, timer, writer } = open()
    writer.show(frame("one", "two", "three"))
    expect(output.written.join("")).toContain("one\r\ntwo\r\nthree")
    output.written.length = 0
    timer.advance(100)
    writer.show(frame("one", "2", "three"))
    expect(output.written).toEqual(["\u001b[2;1H\u001b[K2"])
  })

  test("the same frame again writes nothing", () => {
    const { output, timer, writer } = open()
    writer.show(frame("one", "two"))
    timer.advance(100)
    writer.show(frame("one", "two"))
    timer.advance(100)
    expect(output.written).toHaveLength(1)
  })

  test("adjacent rows need no cursor in between, and come as one", () => {
    const { output, timer, writer } = open()
    writer.show(frame("a", "b", "c", "d", "e"))
    timer.advance(100)
    writer.show(frame("a", "B", "C", "d", "E"))
    expect(output.written[1]).toBe("\u001b[?2026h\u001b[2;1H\u001b[KB\r\n\u001b[KC\u001b[5;1H\u001b[KE\u001b[?2026l")
  })

  test("a forgotten row is written whole again", () => {
    const { output, timer, writer } = open()
    writer.show(frame("one", "two"))
    timer.advance(100)
    writer.forget()
    writer.show(frame("one", "two"))
    expect(output.written[1]).toBe(output.written[0])
  })

  test("rows of an ordinary length cost less than three times their bytes", () => {
    const { output, timer, writer } = open()
    const rows = Array.from({ length: 40 }, (_, index) => `Row number ${index}`)
    writer.show(frame(...rows))
    timer.advance(100)
    output.written.length = 0
    writer.show(frame(...rows.map((row, index) => (index === 17 ? `${row}!` : row))))
    expect(Buffer.byteLength(output.written.join(""))).toBeLessThan(3 * "Row number 17!".length)
  })
})

describe("pace", () => {
  test("of many frames in a moment the first and the last are written", () => {
    const { output, timer, writer } = open()
    for (let count = 0; count < 500; count += 1) writer.show(frame(`count ${count}`))
    expect(output.written).toHaveLength(1)
    timer.advance(33)
    expect(output.written).toHaveLength(2)
    expect(output.written[1]).toContain("count 499")
  })

  test("a second of changes makes about thirty frames", () => {
    const { output, timer, writer } = open()
    for (let count = 0; count < 1_000; count += 1) {
      writer.show(frame(`count ${count}`))
      timer.advance(1)
    }
    expect(output.written.length).toBeGreaterThan(25)
    expect(output.written.length).toBeLessThanOrEqual(31)
  })

  test("a blocked terminal gets nothing until it is ready, and then only the newest", () => {
    const { output, timer, writer } = open()
    output.fill()
    writer.show(frame("one"))
    for (const text of ["two", "three", "four"]) {
      timer.advance(100)
      writer.show(frame(text))
    }
    timer.advance(100)
    expect(output.written).toHaveLength(1)
    output.drain()
    timer.advance(100)
    expect(output.written).toHaveLength(2)
    expect(output.written[1]).toContain("four")
  })

  test("once closed it writes nothing, not even what was waiting", () => {
    const { output, timer, writer } = open()
    writer.show(frame("one"))
    writer.show(frame("two"))
    writer.close()
    timer.advance(1_000)
    writer.show(frame("three"))
    expect(output.written).toHaveLength(1)
  })
})

test("a terminal shows the last frame, whatever came before it", async () => {
  const row = fc.constantFrom("", "short", "x".repeat(30), `${"y".repeat(29)}z`, "\u001b[1mbold\u001b[22m", "漢字")
  const anyFrame = fc.array(row, { minLength: 6, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyFrame, fc.boolean()), { minLength: 1, maxLength: 8 }), async (frames) => {
      const emulator = new xterm.Terminal({ cols: 30, rows: 6, allowProposedApi: true })
      // As the board does: a row that is too wide ends at the edge.
      emulator.write("\u001b[?7l")
      const { output, timer, writer } = open()
      for (const [rows, isForgotten] of frames) {
        if (isForgotten) writer.forget()
        writer.show(frame(...rows))
        timer.advance(100)
      }
      await new Promise<void>((shown) => emulator.write(output.written.join(""), shown))
      const screen = Array.from({ length: 6 }, (_, index) =>
        emulator.buffer.active.getLine(index)?.translateToString(true),
      )
      const last = frames.at(-1)?.[0].map((text) => text.replace(/\u001b\[\d+m/g, ""))
      expect(screen.map((text) => text?.trimEnd())).toEqual(last)
      emulator.dispose()
    }),
    { numRuns: rounds(40) },
  )
})
