/** Bytes of a terminal become keys and pastes, wherever they are cut, and nothing that is sent makes the keyboard deaf. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createKeyReader, type Key, longestPaste } from "../../src/tui/terminal/keyboard.ts"
import { anyCharacter } from "../any-character.ts"
import { rounds } from "../rounds.ts"
import { manualTimer } from "./manual-timer.ts"

const open = () => {
  const timer = manualTimer()
  const keys: Key[] = []
  const { read, forget } = createKeyReader((told) => keys.push(...told), timer)
  return {
    keys,
    timer,
    forget,
    send: (...texts: string[]) => {
      for (const text of texts) read(Buffer.from(text))
    },
    sendBytes: read,
    /** `ctrl+c`, `meta+left`, `a`; pasted text in quotes. */
    names: () => keys.splice(0).map(keyName),
  }
}

const keyName = ({ name, ctrl, meta, text }: Key): string =>
  name === "paste" ? JSON.stringify(text) : `${ctrl ? "ctrl+" : ""}${meta ? "meta+" : ""}${name}`

describe("keys", () => {
  test.each([
    ["aG ~é漢👍", ["a", "g", "space", "~", "é", "漢", "👍"]],
    ["\r\n\t\b\u007f", ["return", "enter", "tab", "backspace", "backspace"]],
    ["\u0001\u0003\u001a\u0000", ["ctrl+a", "ctrl+c", "ctrl+z", "ctrl+@"]],
    ["\u001b[A\u001b[B\u001bOC\u001bOD\u001b[H\u001b[F", ["up", "down", "right", "left", "home", "end"]],
    ["\u001b[1~\u001b[3~\u001b[4~\u001b[5~\u001b[6~", ["home", "delete", "end", "pageup", "pagedown"]],
    [
      "\u001b[1;5C\u001b[1;3D\u001b[3;5~\u001b[5^\u001bOa",
      ["ctrl+right", "meta+left", "ctrl+delete", "ctrl+pageup", "ctrl+up"],
    ],
    ["\u001bb\u001b\r\u001b\u007f\u001b\u001b[D", ["meta+b", "meta+return", "meta+backspace", "meta+left"]],
    ["\u001b[Z\u001bOP\u001b[15~\u001b[24~", ["tab", "f1", "f5", "f12"]],
    // A mouse that was asked to tell numbers: press, wheel, release, another button, a drag.
    ["\u001b[<0;12;5M\u001b[<0;12;5m\u001b[<64;1;1M\u001b[<65;1;1M", ["click", "wheelup", "wheeldown"]],
    ["\u001b[<2;1;1M\u001b[<32;1;1M\u001b[<16;1;1M\u001b[<0;1M\u001b[<9999;1;1M", ["click"]],
    // One that cannot: its three characters are no keys.
    ["\u001b[M qqx", ["x"]],
    // Not ours: a focus report, an answer about the device, styles, the console's own F1, a broken sequence.
    ["\u001b[I\u001b[?62;4c\u001b[31m\u001b[99;5~\u001b[[A\u001b[2\u0003", ["ctrl+c"]],
    // What a terminal still replies to the program before: its colours, its name.
    ["\u001b]11;rgb:dddd/dddd/dddd\u0007\u001b]4;1;rgb:dd\u001b\\\u001bP1+r544e=78\u001b\\x", ["x"]],
    ["\u001b\u0003\u001b\u001ba", ["escape", "ctrl+c", "escape", "meta+a"]],
  ])("%j is %j", (text, names) => {
    const { send, names: told } = open()
    send(text)
    expect(told()).toEqual(names)
  })

  test("of a mouse have a position from 0, also when they come in pieces", () => {
    const { send, keys } = open()
    send("\u001b[<0;12", ";5M\u001b[", "M q")
    expect(keys).toEqual([{ name: "click", ctrl: false, meta: false, text: "", at: { column: 11, row: 4 } }])
    send("q")
    send("x")
    expect(keys.map(({ name }) => name)).toEqual(["click", "x"])
  })

  test("have the text a person sees, and none with a modifier or an action", () => {
    const { send, keys } = open()
    send("aG 漢\r\u0001\u001bb\u001b[A\u0085")
    expect(keys.map(({ text }) => text)).toEqual(["a", "G", " ", "漢", "", "", "", "", ""])
  })

  test("include Esc alone, after a moment without another byte", () => {
    const { send, names, timer } = open()
    send("\u001b")
    expect(names()).toEqual([])
    timer.advance(50)
    expect(names()).toEqual(["escape"])
    send("\u001b", "\u001b")
    timer.advance(50)
    expect(names()).toEqual(["escape", "escape"])
  })

  test("do not include the late rest of a sequence as text", () => {
    const { send, names, timer } = open()
    send("\u001b")
    timer.advance(60)
    send("[200~d\r\u001b[201~")
    expect(names()).toEqual(["escape", '"d\\r"'])
    send("\u001b[20")
    timer.advance(900)
    send("0~d\u001b[201~")
    expect(names()).toEqual(['"d"'])
  })

  test("typed after a sequence that never ends are not delayed", () => {
    const { send, names, timer } = open()
    send("\u001b]1")
    for (let count = 0; count < 10; count += 1) {
      send("x")
      timer.advance(100)
    }
    send("q")
    expect(names()).toEqual(["q"])
    send("\u001b[")
    timer.advance(1_000)
    send(`\u001b[${"1".repeat(5_000)}`, "1".repeat(5_000), "~", "q")
    expect(names()).toEqual(["meta+[", "q"])
  })

  test("that break a sequence off are typed, wherever it was cut", () => {
    const { send, names } = open()
    send("\u001bO[11")
    expect(names()).toEqual(["1", "1"])
    send("\u001bO[1", "1")
    expect(names()).toEqual(["1", "1"])
  })

  test("that are incomplete are forgotten when the keyboard is given away", () => {
    const { send, names, forget, timer, sendBytes } = open()
    send("\u001b[200~half")
    forget()
    sendBytes(Buffer.from("漢").subarray(0, 2))
    forget()
    send("\u001b")
    forget()
    send("q")
    timer.advance(10_000)
    expect(names()).toEqual(["q"])
  })
})

describe("pastes", () => {
  test.each(Array.from({ length: 12 }, (_, index) => index + 1))("split after %i characters are pastes", (at) => {
    const { send, names, timer } = open()
    const text = "\u001b[200~d\r\u001b[201~q"
    send(text.slice(0, at), text.slice(at))
    timer.advance(50)
    expect(names()).toEqual(['"d\\r"', "q"])
  })

  test("that lose their end are delivered after a second of silence, and keys are keys again", () => {
    const { send, names, timer } = open()
    send("\u001b[200~half a te")
    timer.advance(999)
    send("xt\u001b[20")
    timer.advance(999)
    expect(names()).toEqual([])
    timer.advance(1)
    send("q")
    expect(names()).toEqual(['"half a text"', "q"])
  })

  test("that lose their end are ended by Ctrl+C; one inside a paste is text", () => {
    const { send, names, timer } = open()
    send("\u001b[200~half\u0003", "more\u001b[201~")
    expect(names()).toEqual(['"half\\u0003more"'])
    send("\u001b[200~half")
    timer.advance(500)
    send("\u0003")
    timer.advance(100)
    expect(names()).toEqual(['"half"', "ctrl+c"])
  })

  test.each([
    ["\u001b[200~\u001b[201~y\u001b[201~", ['"y"']],
    ["\u001b[200~a\u001b[201~y\r\u001b[200~b\u001b[201~", ['"a"', '"y\\r"', '"b"']],
    [`\u001b[200~\u001b[201~${"y".repeat(2_000)}\u001b[201~`, [`"${"y".repeat(2_000)}"`]],
  ])("that forge their own end are not taken for keys: %j", (text, names) => {
    const { send, names: told, timer } = open()
    send(text)
    timer.advance(50)
    expect(told()).toEqual(names)
    for (const character of text) send(character)
    timer.advance(50)
    send("q")
    const pieces = told()
    expect(pieces.slice(0, -1).every((name) => name.startsWith('"'))).toBe(true)
    expect(pieces.at(-1)).toBe("q")
  })

  test("are followed by keys once a moment has passed", () => {
    const { send, names, timer } = open()
    send("\u001b[200~a\u001b[201~\r")
    expect(names()).toEqual(['"a"'])
    timer.advance(50)
    expect(names()).toEqual(["return"])
    send("\u001b[201~y")
    expect(names()).toEqual(["y"])
  })

  test("are kept up to a length, and longer text is still no key", () => {
    const { send, keys, timer } = open()
    send("\u001b[200~", "x".repeat(longestPaste), "d\r".repeat(longestPaste), "\u001b[20", "1~q")
    timer.advance(50)
    expect(keys.map(({ text }) => text.length)).toEqual([longestPaste, 1])
  })
})

test("any bytes cut at any places give the same keys", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "\u001b",
      "\u001b[",
      "\u001bO",
      "\u001b]1",
      "\u001bP1",
      "[",
      "~",
      ";",
      "200~",
      "201~",
      "1",
      "A",
      " ",
    ),
    fc.constantFrom(
      "\u001b[200~",
      "\u001b[201~",
      "\u0003",
      "\u0007",
      "\\",
      "d\r",
      "漢👩‍👩‍👧é",
      "1".repeat(70),
      "\ufeff",
    ),
    fc.string({ unit: anyCharacter, maxLength: 4 }),
  )
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(""))),
    fc.uint8Array({ maxLength: 40 }),
  )
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60), { maxLength: 12 }), (sent, cuts) => {
      const [whole, cut] = [open(), open()]
      whole.sendBytes(sent)
      const places = [0, ...cuts.filter((at) => at <= sent.length).sort((one, other) => one - other), sent.length]
      for (const [index, end] of places.slice(1).entries()) cut.sendBytes(sent.subarray(places[index], end))
      expect(cut.keys).toEqual(whole.keys)
      for (const { timer } of [whole, cut]) timer.advance(10_000)
      expect(cut.keys).toEqual(whole.keys)
    }),
    { numRuns: rounds(500) },
  )
})
