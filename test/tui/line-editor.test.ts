/** The line a person types in: each key, wide and joined characters, several lines, and what was sent before. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type Editor,
  emptyEditor,
  inserted,
  longestText,
  pressed,
  rowsOf,
  sent,
} from "../../src/tui/terminal/line-editor.ts"
import { graphemesOf, widthOf } from "../../src/views/text/width.ts"
import { anyText } from "../views/any-plan.ts"

/** `left`, `ctrl+a`, or a letter. */
const press = (editor: Editor, ...names: string[]): Editor =>
  names.reduce((before, name) => {
    const [, modifier, key = ""] = /^(?:(ctrl|meta)\+)?([\s\S]+)$/u.exec(name) ?? []
    const text = [...key].length === 1 && modifier === undefined ? key : ""
    return pressed(before, { name: key, ctrl: modifier === "ctrl", meta: modifier === "meta", text }) ?? before
  }, editor)

const typed = (text: string): Editor => inserted(emptyEditor, text)

/** The text with a bar where the cursor stands. */
const shown = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`

describe("keys", () => {
  test.each([
    ["fix it", ["left", "left", "x"], "fix x|it"],
    ["fix it", ["ctrl+a", "right", "backspace"], "|ix it"],
    ["fix it", ["home", "delete", "ctrl+e", "!"], "ix it!|"],
    ["fix the test", ["ctrl+w"], "fix the |"],
    ["fix the  ", ["ctrl+w"], "fix |"],
    ["fix the test", ["meta+left", "meta+left", "ctrl+k"], "fix |"],
    ["fix the test", ["ctrl+left", "ctrl+u"], "|test"],
    ["fix", ["ctrl+a", "meta+right", "end", "ctrl+d"], "fix|"],
    ["fix", ["left", "ctrl+d"], "fi|"],
    ["", ["backspace", "delete", "left", "right", "up", "down", "ctrl+w", "ctrl+u", "ctrl+k"], "|"],
  ])("%j, then %j, is %j", (text, keys, after) => {
    expect(shown(press(typed(text), ...keys))).toBe(after)
  })

  test("a character of several parts is one step and is deleted as a whole", () => {
    const editor = typed("a👩‍👩‍👧‍👦é漢")
    expect(shown(press(editor, "left", "left"))).toBe("a👩‍👩‍👧‍👦|é漢")
    expect(press(editor, "backspace", "backspace", "backspace").text).toBe("a")
  })

  test("other keys change nothing and report that", () => {
    for (const name of ["f5", "tab", "pageup", "undefined"])
      expect(pressed(typed("a"), { name, ctrl: false, meta: false, text: "" })).toBeUndefined()
    expect(pressed(typed("a"), { name: "x", ctrl: true, meta: false, text: "x" })).toBeUndefined()
  })

  test("the arrow keys move between lines, and from the first and last through sent prompts", () => {
    const before = ["one", "two"].reduce((editor, text) => sent(inserted(editor, text)), emptyEditor)
    const editor = press(inserted(before, "ab"), "enter", "c")
    expect(shown(press(editor, "up"))).toBe("a|b\nc")
    expect(shown(press(editor, "up", "up"))).toBe("two|")
    expect(shown(press(editor, "up", "up", "up", "up"))).toBe("one|")
    expect(shown(press(editor, "up", "up", "up", "down", "down"))).toBe("ab\nc|")
  })

  test("the history has a repeated prompt once, and no empty one", () => {
    const editor = ["one", "one", "  ", ""].reduce((before, text) => sent(inserted(before, text)), emptyEditor)
    expect(editor.history).toEqual(["one"])
    expect(editor.text).toBe("")
  })
})

describe("pasted text", () => {
  test("keeps its lines and loses its escapes", () => {
    expect(typed("a\r\nb\tc\u001b[31md\u202e\rz").text).toBe("a\nb  cd\nz")
  })

  test("is never longer than its limit", () => {
    expect(typed("x".repeat(longestText + 5)).text).toHaveLength(longestText)
  })
})

test("rows contain all of a text, fit, and the cursor is in one of them", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 60 }), (text, width) => {
      const editor = press(typed(text), "left", "left")
      const { rows, row, before } = rowsOf(editor, width)
      const lines = editor.text.split("\n")
      expect(rows.map((one) => one.text).join("")).toBe(lines.join(""))
      expect(rows.every((one) => widthOf(one.text) < width || [...graphemesOf(one.text)].length === 1)).toBe(true)
      expect((rows[row]?.start ?? -1) + before.length).toBe(editor.cursor)
      expect(before.length).toBeLessThanOrEqual(rows[row]?.text.length ?? -1)
    }),
  )
})
