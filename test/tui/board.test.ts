/** The board on a screen: what each key shows and asks for. */

import { stripVTControlCharacters } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { createBoardModel } from "../../src/tui/board/model.ts"
import { createKeyboard } from "../../src/tui/terminal/keyboard.ts"
import { paintRows } from "../../src/tui/terminal/paint.ts"
import type { BoardSession } from "../../src/views/board/session.ts"
import { explorer, finished, morning, noon, shop, stalled, waiting } from "../views/board-sample.ts"
import { fakeKeyboard } from "./fake-keyboard.ts"
import { manualTimer } from "./manual-timer.ts"
import { memorySource, withPlan } from "./memory-source.ts"

const keys = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  pageDown: "\u001b[6~",
  home: "\u001b[H",
  end: "\u001b[F",
  escape: "\u001b",
  enter: "\r",
  tab: "\t",
  backspace: "\u007f",
  controlT: "\u0014",
  controlC: "\u0003",
  controlZ: "\u001a",
  controlL: "\u000c",
}

const open = async ({
  sessions = morning as readonly BoardSession[],
  columns = 80,
  rows = 24,
  colour = false,
  ascii = false,
  editText = async (text: string): Promise<string | undefined> => text,
} = {}) => {
  const source = memorySource(sessions)
  const keyboard = fakeKeyboard()
  const timer = manualTimer()
  const said: string[] = []
  const frames: string[] = []
  let time = noon.getTime()
  const model = createBoardModel({
    source,
    size: { columns, rows, ascii },
    now: () => new Date(time),
    editText,
    onQuit: () => said.push("quit"),
    onPause: () => said.push("pause"),
    onRedraw: () => said.push("redraw"),
    timer,
  })
  const draw = (): void => void frames.push(paintRows(model.lines(), colour))
  model.subscribe(draw)
  draw()
  const keyTimer = manualTimer()
  const keys = createKeyboard({ stdin: keyboard, onKeys: model.press, timer: keyTimer })
  keys.begin()
  onTestFinished(() => {
    model.close()
    keys.end()
  })
  const type = async (typed: string): Promise<void> => {
    await keyboard.type(typed)
    // Esc is known to be the key when nothing follows it for a moment.
    keyTimer.advance(50)
  }
  return {
    source,
    keyboard,
    model,
    said,
    frames,
    timer,
    type,
    keyTimer,
    /** Resolves when what has changed is drawn. */
    pass: async (seconds: number) => {
      time += seconds * 1_000
      timer.advance(seconds * 1_000)
      await keyboard.type("")
    },
    resize: async (next: { columns: number; rows: number }) => {
      model.resize({ ...next, ascii })
      await keyboard.type("")
    },
    screen: () => stripVTControlCharacters(frames.at(-1) ?? "").split("\n"),
    text: () => stripVTControlCharacters(frames.at(-1) ?? ""),
    foot: () =>
      stripVTControlCharacters(frames.at(-1) ?? "")
        .split("\n")
        .at(-1) ?? "",
  }
}

const selected = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith(">"))

describe("looking", () => {
  test("a frame has the size of the screen, and takes the size of another", async () => {
    const board = await open({ columns: 100, rows: 30 })
    expect(board.screen()).toHaveLength(30)
    await board.resize({ columns: 40, rows: 12 })
    expect(board.screen()).toHaveLength(12)
    expect(Math.max(...board.screen().map((line) => line.length))).toBeLessThanOrEqual(40)
  })

  test.each([
    ["arrows", keys.up, keys.down],
    ["letters", "k", "j"],
  ])("%s move the selection", async (_name, up, down) => {
    const board = await open()
    expect(selected(board.screen())[0]).toContain("openai-codex")
    await board.type(up)
    expect(selected(board.screen())[0]).toContain("explore")
    await board.type(down)
    await board.type(down)
    expect(selected(board.screen())[0]).toContain("no plan tool")
  })

  test("the plans in sight are asked for: the selected session's and those of its sub-agents", async () => {
    const board = await open()
    expect(board.source.inSight).toEqual([waiting.key])
    await board.type("k")
    await board.type("k")
    expect(board.model.view.session).toBe(shop.key)
    expect(board.source.inSight).toEqual([shop.key, explorer.key])
  })

  test("g, G, home and end go to the ends; keys that come together each count", async () => {
    const board = await open()
    await board.type("g")
    expect(board.model.view.session).toBe(stalled.key)
    await board.type(keys.end)
    expect(board.model.view.session).toBe("claude:8c424508")
    await board.type(keys.home)
    await board.type("jjj")
    expect(board.model.view.session).toBe(explorer.key)
    await board.type("G")
    expect(board.model.view.session).toBe("claude:8c424508")
    await board.type("\u001b[5~")
    expect(board.model.view.session).toBe(stalled.key)
    await board.type(keys.pageDown)
    expect(board.model.view.session).toBe("claude:8c424508")
  })

  test.each([
    ["enter and esc", keys.enter, keys.escape],
    ["right and left", keys.right, keys.left],
    ["l and h", "l", "h"],
    ["tab and tab", keys.tab, keys.tab],
  ])("%s go to the plan and back", async (_name, there, back) => {
    const board = await open()
    await board.type(there)
    expect(board.model.view.pane).toBe("plan")
    await board.type(back)
    expect(board.model.view.pane).toBe("sessions")
  })

  test("ctrl+t folds the plan, ? opens the keys, q leaves them before it quits", async () => {
    const board = await open()
    await board.type(keys.controlT)
    expect(board.model.view.isCollapsed).toBe(true)
    await board.type("?")
    expect(board.text()).toContain("next session that waits for you")
    await board.type("q")
    expect(board.said).toEqual([])
    await board.type("q")
    expect(board.said).toEqual(["quit"])
  })

  test("ctrl+z pauses, ctrl+l draws again and ctrl+c quits wherever it is pressed", async () => {
    const board = await open()
    await board.type("a")
    await board.type(keys.controlZ)
    await board.type(keys.controlL)
    await board.type(keys.controlC)
    expect(board.said).toEqual(["pause", "redraw", "quit"])
  })

  test("what was typed behind the key that quits is not carried out", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type("q d\r u")
    await board.type(" ")
    expect(board.said).toEqual(["quit"])
    expect(board.source.edits).toEqual([])
  })

  test("over the page of keys nothing can be changed, over the page of a todo that one", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type("?")
    for (const key of [" ", "d", keys.enter]) await board.type(key)
    expect(board.source.edits).toEqual([])
    expect(board.model.view.page).toBeUndefined()
    await board.type(keys.enter)
    await board.type(" ")
    expect(board.source.edits).toEqual([{ key: waiting.key, edit: { kind: "toggle", todo: "2" } }])
    expect(board.screen()[2]).toContain("✓ completed")
  })

  test("unknown keys do nothing", async () => {
    const board = await open()
    const before = board.text()
    for (const key of [
      "x",
      "\u001b[15~",
      "\u001b[?62;4c",
      "\u001b[I",
      "\u001bd",
      "\u001bOP",
      "\u001b[99;5~",
      "\u001b[31m",
      "é",
      "漢",
      "\u0000",
    ]) {
      await board.type(key)
    }
    expect(board.text()).toBe(before)
    expect(board.source.edits).toEqual([])
  })

  test("N10 / filters as it is typed; enter keeps it, esc clears it", async () => {
    const board = await open()
    await board.type("/")
    for (const letter of "gemini") await board.type(letter)
    expect(board.foot()).toBe(" Filter: gemini▏")
    expect(board.text()).not.toContain("opencode")
    await board.type(keys.enter)
    expect(board.text()).toContain("/gemini 1 of 6")
    await board.type(keys.escape)
    expect(board.text()).toContain("opencode")
  })

  test("times go on with the clock", async () => {
    const board = await open()
    await board.type("k")
    await board.type("k")
    expect(board.text()).toMatch(/Write the migration.* 9m/)
    await board.pass(60)
    expect(board.text()).toMatch(/Write the migration.* 10m/)
  })

  test("what finished a moment ago is shown to the second, but not after a minute", async () => {
    const board = await open({ sessions: [{ ...finished, updated: noon.toISOString() }] })
    expect(board.text()).toContain("0s ago")
    for (let count = 0; count < 5; count += 1) await board.pass(1)
    expect(board.text()).toContain("5s ago")
    await board.pass(60)
    const { length } = board.frames
    for (let count = 0; count < 60; count += 1) await board.pass(1)
    expect(board.frames.length - length).toBe(2)
  })

  test("a board where nothing goes on hardly draws", async () => {
    const board = await open({ sessions: [finished] })
    const { length } = board.frames
    for (let count = 0; count < 60; count += 1) await board.pass(1)
    expect(board.frames.length - length).toBe(2)
  })
})

describe("changing", () => {
  const openPlan = async (options: Parameters<typeof open>[0] = {}) => {
    const board = await open(options)
    await board.type(keys.enter)
    return board
  }

  test("space is done and not done, and the answer is shown until the next key", async () => {
    const board = await openPlan()
    await board.type(" ")
    expect(board.source.edits).toEqual([{ key: waiting.key, edit: { kind: "toggle", todo: "2" } }])
    expect(board.text()).toContain("✓ Choose a payment provider")
    expect(board.foot()).toBe(" Done: toggle.")
    await board.type("j")
    expect(board.foot()).toContain("q quit")
  })

  test("a asks for words and adds them behind the cursor", async () => {
    const board = await openPlan()
    await board.type("a")
    expect(board.foot()).toBe(" Add: ▏")
    await board.type("Ask Ada jj q")
    await board.type(keys.enter)
    expect(board.source.edits).toEqual([
      { key: waiting.key, edit: { kind: "add", content: "Ask Ada jj q", after: "2" } },
    ])
    expect(board.text()).toContain("○ Ask Ada jj q")
  })

  test("nothing is added without words, or after esc", async () => {
    const board = await openPlan()
    await board.type("a")
    await board.type(keys.enter)
    await board.type("a")
    await board.type("Never mind")
    await board.type(keys.escape)
    expect(board.source.edits).toEqual([])
  })

  test("b and d ask why; the todo is the one that was meant, whatever happens in the meantime", async () => {
    const board = await openPlan()
    await board.type("b")
    await board.type("no card")
    board.source.change(
      board.source.sessions.map((one) =>
        one.key === waiting.key && one.plan ? withPlan(one, { ...one.plan, todos: one.plan.todos.toReversed() }) : one,
      ),
    )
    board.timer.advance(100)
    await board.type(keys.enter)
    expect(board.source.seen).toBe(waiting.plan)
    await board.type("d")
    await board.type(keys.enter)
    expect(board.source.seen?.todos.map(({ id }) => id)).toEqual(["4", "3", "2", "1"])
    expect(board.source.edits).toEqual([
      { key: waiting.key, edit: { kind: "block", todo: "2", reason: "no card" } },
      { key: waiting.key, edit: { kind: "drop", todo: "2" } },
    ])
  })

  test("u takes the last change back", async () => {
    const board = await openPlan()
    await board.type(" ")
    await board.type("u")
    expect(board.foot()).toBe(" Took back the last change.")
    expect(board.text()).toContain("▶ Choose a payment provider")
  })

  test("without a todo under the cursor, or where nothing may be changed, a key says why it does nothing", async () => {
    const board = await open()
    await board.type(" ")
    expect(board.foot()).toBe(" Choose a todo first: enter goes to the plan.")
    await board.type("g")
    await board.type("j")
    await board.type(keys.enter)
    expect(board.model.view.session).toBe(finished.key)
    await board.type(" ")
    expect(board.foot()).toBe(" This plan is read-only.")
    expect(board.source.edits).toEqual([])
  })

  test("e hands the plan to an editor and takes what comes back, together with what was shown", async () => {
    const board = await openPlan({ editText: async (text) => `${text}One more\n` })
    await board.type("e")
    await board.type("")
    expect(board.source.edits).toEqual([
      {
        key: waiting.key,
        edit: { kind: "text", text: expect.stringMatching(/^Sketch the checkout page\n.*One more\n$/s) },
      },
    ])
    expect(board.source.seen).toBe(waiting.plan)
    expect(board.foot()).toBe(" Done: text.")
  })

  test("a second e, or any key behind the first, opens nothing while the editor is open", async () => {
    const opened: string[] = []
    let close = (_text: string | undefined): void => {}
    const board = await openPlan({
      editText: (text) => {
        opened.push(text)
        return new Promise((resolve) => {
          close = resolve
        })
      },
    })
    await board.type("ee d\r")
    await board.type("e")
    expect(opened).toHaveLength(1)
    close(undefined)
    await board.type("")
    expect(board.foot()).toBe(" Nothing was changed.")
    expect(board.source.edits).toEqual([])
    await board.type("e")
    expect(opened).toHaveLength(2)
    close(undefined)
  })

  test("an editor that changes nothing changes nothing; one that fails says so", async () => {
    const board = await openPlan()
    await board.type("e")
    expect(board.foot()).toBe(" Nothing was changed.")
    const failing = await openPlan({
      editText: () => Promise.reject(new Error("The editor is \u001b[31mgone.")),
    })
    await failing.type("e")
    expect(failing.foot()).toBe(" The editor is gone.")
    expect([...board.source.edits, ...failing.source.edits]).toEqual([])
  })

  test("the plan of a sub-agent is changed where it belongs", async () => {
    const board = await open({ sessions: [shop, explorer] })
    await board.type(keys.enter)
    await board.type("G")
    await board.type(" ")
    expect(board.source.edits).toEqual([{ key: explorer.key, edit: { kind: "toggle", todo: "2" } }])
  })
})

describe("pasting", () => {
  const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

  test("pasted text is one safe line where something is being typed, and no keys", async () => {
    const board = await open()
    await board.type("a")
    await board.type(paste("Fix the\r\n\u001b[31mlogin\u0003\tbug\u001b[99;5~\n"))
    expect(board.model.view.prompt?.text).toBe("Fix the login bug ")
    expect(board.said).toEqual([])
  })

  test("a paste that comes in pieces is one paste, and ctrl+c ends one that never ends", async () => {
    const board = await open()
    await board.type("a")
    await board.type("\u001b[200~one ")
    await board.type("j\u001b[20")
    await board.type("1~")
    expect(board.model.view.prompt?.text).toBe("one j")
    await board.type(`\u001b[200~${"x".repeat(50_000)}`)
    await board.type(keys.controlC)
    board.keyTimer.advance(100)
    expect(board.said).toEqual(["quit"])
  })

  test("a paste whose first mark is split between two reads drops no todo", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type("\u001b[20")
    await board.type("0~draft of\rall\u001b[201~")
    expect(board.source.edits).toEqual([])
    expect(board.model.view.prompt).toBeUndefined()
    expect(board.foot()).toBe(" Text can only be pasted into a prompt: press a or / first.")
  })

  test("a paste that never ends leaves the keys to the board after a while", async () => {
    const board = await open()
    await board.type("\u001b[200~half a text")
    board.keyTimer.advance(1_000)
    await board.type("?")
    expect(board.model.view.page).toBe("help")
  })

  test("pasted text is not taken for keys where nothing is being typed", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type(paste("d\rb\r u q"))
    expect(board.source.edits).toEqual([])
    expect(board.said).toEqual([])
    expect(board.foot()).toBe(" Text can only be pasted into a prompt: press a or / first.")
    await board.type("j")
    expect(board.model.view.cursor?.todo).toBe("3")
  })

  test("text that comes at once without marks is typed text; only its last line break is a key", async () => {
    const board = await open()
    await board.type("aOne\rtwo\r")
    expect(board.source.edits).toEqual([{ key: waiting.key, edit: { kind: "add", content: "One two" } }])
  })

  test("a word that is also the name of a key is a word", async () => {
    const board = await open()
    await board.type("a")
    await board.type("home")
    await board.type("enter")
    expect(board.model.view.prompt?.text).toBe("homeenter")
  })
})

describe("drawing", () => {
  test("many changes of the data at once are drawn together", async () => {
    const board = await open()
    const { length } = board.frames
    for (let count = 0; count < 200; count += 1) {
      board.source.change([...morning])
      await board.pass(0)
    }
    await board.pass(0.04)
    expect(board.frames.length - length).toBeLessThanOrEqual(3)
  })

  test("colours are the look's decision alone", async () => {
    const plain = await open({ colour: false })
    expect(plain.frames.join("")).not.toMatch(/\u001b\[[\d;]*m/)
    const coloured = await open({ colour: true })
    expect(coloured.frames.at(-1)).toContain("\u001b[1;35m")
    expect(coloured.frames.at(-1)).toContain("\u001b[7m")
    const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd())
    expect(trimmed(coloured.screen())).toEqual(trimmed(plain.screen()))
  })

  test("the line between the panes is set by its column where a name may be drawn in another width", async () => {
    const board = await open({ sessions: [{ ...shop, project: "👩‍👩‍👧‍👦 shop" }] })
    const rows = (board.frames.at(-1) ?? "").split("\n")
    expect(rows[2]).toMatch(/shop *\u001b\[33G│/)
    expect(rows[4]).toMatch(/Writing the migration *│/)
  })

  test("an ASCII board is ASCII", async () => {
    const board = await open({ ascii: true })
    await board.type("/")
    expect(board.text()).toMatch(/^[\n -~]*$/)
  })

  test("escapes in what agents say reach no screen (G8)", async () => {
    const hostile = { ...shop, agentType: "\u001b[2Jgone", current: "\u001b]0;title\u0007", project: "a\nb" }
    const board = await open({ sessions: [hostile], colour: false })
    expect(board.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    expect(board.screen()).toHaveLength(24)
  })
})
