/** The board on a screen: what each key shows and asks for. */

import { stripVTControlCharacters } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { type BoardModelOptions, createBoardModel } from "../../src/tui/board/model.ts"
import { createKeyboard } from "../../src/tui/terminal/keyboard.ts"
import { paintRows } from "../../src/tui/terminal/paint.ts"
import type { BoardSession } from "../../src/views/board/session.ts"
import { explorer, finished, morning, noon, shop, stalled, waiting } from "../views/board/sample.ts"
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

type OpenOptions = Partial<Pick<BoardModelOptions, "editText" | "openInAgent" | "find" | "foldDays" | "isUnfolded">> & {
  sessions?: readonly BoardSession[]
  columns?: number
  rows?: number
  colour?: boolean
  ascii?: boolean
}

const open = async ({
  sessions = morning,
  columns = 80,
  rows = 24,
  colour = false,
  ascii = false,
  editText = async (text: string): Promise<string | undefined> => text,
  ...options
}: OpenOptions = {}) => {
  const source = memorySource(sessions)
  const keyboard = fakeKeyboard()
  const timer = manualTimer()
  const calls: string[] = []
  const frames: string[] = []
  let time = noon.getTime()
  const model = createBoardModel({
    source,
    size: { columns, rows, ascii },
    now: () => new Date(time),
    editText,
    onQuit: () => calls.push("quit"),
    onPause: () => calls.push("pause"),
    onRedraw: () => calls.push("redraw"),
    timer,
    hasMouse: true,
    ...options,
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
    calls,
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

describe("viewing", () => {
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
    expect(selected(board.screen())[0]).toContain("Checkout page")
    await board.type(down)
    expect(selected(board.screen())[0]).toContain("Upgrade the fra")
    await board.type(down)
    await board.type(down)
    expect(selected(board.screen())[0]).toContain("explore: Who reads")
    await board.type(up)
    expect(selected(board.screen())[0]).toContain("Move the orders")
  })

  test("requests the visible plan, and the plans of working sessions for their times", async () => {
    const board = await open()
    expect(board.source.inSight).toEqual([waiting.key, shop.key, explorer.key])
    await board.type("jj")
    expect(board.model.view.session).toBe(shop.key)
    expect(board.source.inSight).toEqual([shop.key, explorer.key])
  })

  test("g, G, home and end go to the ends; keys that come together each count", async () => {
    const board = await open()
    await board.type("g")
    expect(board.model.view.session).toBe(waiting.key)
    await board.type(keys.end)
    expect(board.model.view.session).toBe("claude:8c424508")
    await board.type(keys.home)
    await board.type("jjj")
    expect(board.model.view.session).toBe(explorer.key)
    await board.type("G")
    expect(board.model.view.session).toBe("claude:8c424508")
    await board.type("\u001b[5~")
    expect(board.model.view.session).toBe(waiting.key)
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
    expect(board.calls).toEqual([])
    await board.type("q")
    expect(board.calls).toEqual(["quit"])
  })

  test("ctrl+z pauses, ctrl+l redraws and ctrl+c quits wherever it is pressed", async () => {
    const board = await open()
    await board.type("a")
    await board.type(keys.controlZ)
    await board.type(keys.controlL)
    await board.type(keys.controlC)
    expect(board.calls).toEqual(["pause", "redraw", "quit"])
  })

  test("keys typed after the one that quits have no effect", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type("q d\r u")
    await board.type(" ")
    expect(board.calls).toEqual(["quit"])
    expect(board.source.edits).toEqual([])
  })

  test("on the page of keys nothing can be changed, on the page of a todo only that one", async () => {
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
      "v",
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
    expect(board.text()).toContain("/gemini 1 of 5")
    await board.type(keys.escape)
    expect(board.text()).toContain("opencode")
  })

  test("times follow the clock", async () => {
    const board = await open()
    await board.type("jj")
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

  test("a board without activity hardly draws", async () => {
    const board = await open({ sessions: [finished] })
    const { length } = board.frames
    for (let count = 0; count < 60; count += 1) await board.pass(1)
    expect(board.frames.length - length).toBe(2)
  })
})

describe("editing", () => {
  const openPlan = async (options: Parameters<typeof open>[0] = {}) => {
    const board = await open(options)
    await board.type(keys.enter)
    return board
  }

  test("space completes and reopens, and the reply is shown until the next key", async () => {
    const board = await openPlan()
    await board.type(" ")
    expect(board.source.edits).toEqual([{ key: waiting.key, edit: { kind: "toggle", todo: "2" } }])
    expect(board.text()).toContain("✓ Choose a payment provider")
    expect(board.foot()).toBe(" Done: toggle.")
    await board.type("j")
    expect(board.foot()).toContain("q quit")
  })

  test("a asks for a text and adds it after the cursor", async () => {
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

  test("nothing is added without a text, or after esc", async () => {
    const board = await openPlan()
    await board.type("a")
    await board.type(keys.enter)
    await board.type("a")
    await board.type("Never mind")
    await board.type(keys.escape)
    expect(board.source.edits).toEqual([])
  })

  test("b and d ask why, for the todo that was selected, whatever happens in the meantime", async () => {
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

  test("without a todo under the cursor, or where nothing may be changed, a key reports why it does nothing", async () => {
    const board = await open()
    await board.type(" ")
    expect(board.foot()).toBe(" Choose a todo first: enter goes to the plan.")
    await board.type("G")
    await board.type("k")
    await board.type(keys.enter)
    expect(board.model.view.session).toBe(finished.key)
    await board.type(" ")
    expect(board.foot()).toBe(" This plan is read-only.")
    expect(board.source.edits).toEqual([])
  })

  test("e opens the plan in an editor and returns the text, together with what was shown", async () => {
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

  test("a second e, or any later key, has no effect while the editor is open", async () => {
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

  test("an editor without changes changes nothing; one that fails is reported", async () => {
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

  test("the plan of a sub-agent is changed in its own plan", async () => {
    const board = await open({ sessions: [shop, explorer] })
    await board.type(keys.enter)
    await board.type("G")
    await board.type(" ")
    expect(board.source.edits).toEqual([{ key: explorer.key, edit: { kind: "toggle", todo: "2" } }])
  })

  test.each([
    ["s starts a todo", "s", { kind: "start", todo: "2" }],
    ["x removes a todo", "x", { kind: "remove", todo: "2" }],
    ["K moves a todo up", "K", { kind: "move", todo: "2", by: -1 }],
    ["J moves a todo down", "J", { kind: "move", todo: "2", by: 1 }],
    ["U does again what was undone", "U", { kind: "redo" }],
    ["ctrl+r does so too", "\u0012", { kind: "redo" }],
  ])("%s", async (_name, key, edit) => {
    const board = await openPlan()
    await board.type(key)
    expect(board.source.edits).toEqual([{ key: waiting.key, edit }])
  })

  test("n asks for a note, and adds none without a text", async () => {
    const board = await openPlan()
    await board.type("n")
    expect(board.foot()).toBe(" Note: ▏")
    await board.type(keys.enter)
    await board.type("nask Ada")
    await board.type(keys.enter)
    expect(board.source.edits).toEqual([{ key: waiting.key, edit: { kind: "note", todo: "2", text: "ask Ada" } }])
  })

  test("r rewords a todo in place: the line begins with its text", async () => {
    const board = await openPlan()
    await board.type("r")
    expect(board.foot()).toBe(" Reword: Choose a payment provider▏")
    await board.type(" soon")
    await board.type(keys.enter)
    expect(board.text()).toContain("▶ Choose a payment provider soon")
  })

  test("r in the list renames the session, but not one that is read-only", async () => {
    const board = await open()
    await board.type("r")
    expect(board.foot()).toBe(" New title (empty: the agent's own title): Checkout page▏")
    await board.type("\u0015Pay")
    await board.type(keys.enter)
    expect(board.source.edits).toEqual([{ key: waiting.key, edit: { kind: "rename", title: "Pay" } }])
    await board.type("Gkr")
    expect(board.model.view.prompt).toBeUndefined()
    expect(board.foot()).toBe(" This plan is read-only.")
  })
})

describe("older sessions", () => {
  const old = { ...finished, key: "old", title: "Long ago", updated: "2026-11-01T00:00:00.000Z" }

  test("are folded after three days, and A lists them", async () => {
    const board = await open({ sessions: [...morning, old] })
    expect(board.text()).toContain("▸ 1 older")
    expect(board.text()).not.toContain("Long ago")
    await board.type("A")
    expect(board.foot()).toBe(" 1 older session is listed below the others.")
    await board.type("G")
    expect(selected(board.screen())[0]).toContain("Long ago")
  })

  test("are listed from the start if the person wants all, or has configured more days", async () => {
    for (const options of [{ isUnfolded: true }, { foldDays: 30 }, { foldDays: -1 }]) {
      expect((await open({ sessions: [...morning, old], rows: 40, ...options })).text()).toContain("Long ago")
    }
  })
})

describe("with the mouse", () => {
  /** A press of the left button, counted from 1 as terminals do. */
  const click = (column: number, row: number): string => `\u001b[<0;${column};${row}M\u001b[<0;${column};${row}m`
  const wheel = (direction: "up" | "down", column: number): string =>
    `\u001b[<${direction === "up" ? 64 : 65};${column};9M`
  const rowOf = (lines: readonly string[], text: string): number => lines.findIndex((line) => line.includes(text)) + 1

  test("a click selects a session, and a second one opens its plan", async () => {
    const board = await open()
    await board.type(click(10, rowOf(board.screen(), "Move the orders")))
    expect(board.model.view).toMatchObject({ session: shop.key, pane: "sessions" })
    // Its second line is part of it.
    await board.type(click(10, rowOf(board.screen(), "Writing the migration")))
    expect(board.model.view).toMatchObject({ session: shop.key, pane: "plan" })
  })

  test("a click selects a todo, and a second one shows all of it", async () => {
    const board = await open()
    const row = rowOf(board.screen(), "Build it")
    await board.type(click(50, row))
    expect(board.model.view).toMatchObject({ pane: "plan", cursor: { session: waiting.key, todo: "3" } })
    await board.type(click(50, rowOf(board.screen(), "Build it")))
    expect(board.model.view.page).toBe("todo")
  })

  test("a click on older sessions lists them", async () => {
    const old = { ...finished, key: "old", title: "Long ago", updated: "2026-11-01T00:00:00.000Z" }
    const board = await open({ sessions: [...morning, old] })
    await board.type(click(5, rowOf(board.screen(), "1 older")))
    expect(board.text()).toContain("Long ago")
  })

  test("the wheel moves in the pane under the pointer", async () => {
    const board = await open()
    await board.type(wheel("down", 5))
    expect(board.model.view).toMatchObject({ session: stalled.key, pane: "sessions" })
    await board.type(wheel("up", 5))
    await board.type(wheel("down", 60))
    expect(board.model.view).toMatchObject({ session: waiting.key, pane: "plan", cursor: { todo: "4" } })
    await board.type("?")
    await board.type(wheel("down", 5))
    expect(board.model.view.pageTop).toBe(3)
  })

  test("clicks on headings, bars and pages, other buttons and drags change nothing", async () => {
    const board = await open()
    const before = board.model.view
    for (const row of [1, 2, 3, 23, 24, 99]) await board.type(click(5, row))
    for (const code of ["<1;5;8M", "<2;5;8M", "<32;5;8M", "<35;5;8M", "<0;5;8m", "M !!", "<;;M"])
      await board.type(`\u001b[${code}`)
    expect(board.model.view).toEqual(before)
    await board.type("?")
    await board.type(click(5, 8))
    expect(board.model.view.page).toBe("help")
  })

  test("a click while a line is typed for a plan loses no part of it; a filter ends", async () => {
    const board = await open()
    await board.type("aAsk Ada")
    await board.type(click(10, rowOf(board.screen(), "Move the orders")))
    expect(board.model.view).toMatchObject({ session: waiting.key, prompt: { text: "Ask Ada" } })
    await board.type(keys.escape)
    await board.type("/orders")
    await board.type(click(10, rowOf(board.screen(), "explore:")))
    expect(board.model.view).toMatchObject({
      session: explorer.key,
      prompt: undefined,
      filters: { sessions: "orders" },
    })
  })
})

describe("back into the agent", () => {
  test("o opens the selected session, and reports the result", async () => {
    const opened: string[] = []
    const board = await open({
      openInAgent: async ({ key }) => {
        opened.push(key)
        return "Codex has been closed."
      },
    })
    expect(board.foot()).toContain("o open in agent")
    await board.type("o")
    expect(opened).toEqual([waiting.key])
    expect(board.foot()).toBe(" Codex has been closed.")
    await board.type("?")
    expect(board.text()).toContain("open the session in its agent")
  })

  test("a failure is reported, and keys meant for the agent do not reach the board", async () => {
    let fail = (_cause: Error): void => {}
    const board = await open({
      openInAgent: () =>
        new Promise((_, reject) => {
          fail = reject
        }),
    })
    await board.type("oo jq")
    expect(board.calls).toEqual([])
    fail(new Error("There is no codex here."))
    await board.type("")
    expect(board.foot()).toBe(" There is no codex here.")
  })

  test("a board without agents to open has no key for it", async () => {
    const board = await open()
    expect(board.foot()).not.toContain("agent")
    const before = board.text()
    await board.type("o")
    expect(board.text()).toBe(before)
    await board.type("?")
    expect(board.text()).not.toContain("open the session in its agent")
  })
})

describe("searching", () => {
  test("/ also finds what only a full search finds, once the person pauses", async () => {
    const asked: string[] = []
    const board = await open({
      find: async (words) => {
        asked.push(words)
        return [{ key: finished.key, text: "…paint the zebra…" }]
      },
    })
    await board.type("/")
    for (const letter of "zebra") await board.type(letter)
    expect(board.text()).toContain("Nothing matches.")
    expect(asked).toEqual([])
    await board.pass(0.2)
    expect(asked).toEqual(["zebra"])
    expect(board.model.view.session).toBe(finished.key)
    expect(board.text()).toContain("…paint the zebra…")
    await board.type(keys.escape)
    expect(board.text()).not.toContain("zebra")
  })

  test("a search that fails leaves the filter as it is", async () => {
    const board = await open({ find: () => Promise.reject(new Error("no index")) })
    await board.type("/gemini")
    await board.pass(0.2)
    expect(board.text()).toContain("/gemini 1 of 5")
    expect(board.foot()).toBe(" Filter: gemini▏")
  })
})

describe("pasting", () => {
  const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

  test("pasted text is one safe line in a prompt, and no keys", async () => {
    const board = await open()
    await board.type("a")
    await board.type(paste("Fix the\r\n\u001b[31mlogin\u0003\tbug\u001b[99;5~\n"))
    expect(board.model.view.prompt?.text).toBe("Fix the login bug ")
    expect(board.calls).toEqual([])
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
    expect(board.calls).toEqual(["quit"])
  })

  test("a paste whose first marker is split between two reads drops no todo", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type("\u001b[20")
    await board.type("0~draft of\rall\u001b[201~")
    expect(board.source.edits).toEqual([])
    expect(board.model.view.prompt).toBeUndefined()
    expect(board.foot()).toBe(" Text can only be pasted into a prompt: press a or / first.")
  })

  test("a paste that never ends returns the keys to the board after a while", async () => {
    const board = await open()
    await board.type("\u001b[200~half a text")
    board.keyTimer.advance(1_000)
    await board.type("?")
    expect(board.model.view.page).toBe("help")
  })

  test("pasted text is not read as keys without a prompt", async () => {
    const board = await open()
    await board.type(keys.enter)
    await board.type(paste("d\rb\r u q"))
    expect(board.source.edits).toEqual([])
    expect(board.calls).toEqual([])
    expect(board.foot()).toBe(" Text can only be pasted into a prompt: press a or / first.")
    await board.type("j")
    expect(board.model.view.cursor?.todo).toBe("3")
  })

  test("text that comes at once without markers is typed text; only its last line break is a key", async () => {
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

  test("colours depend on the appearance alone", async () => {
    const plain = await open({ colour: false })
    expect(plain.frames.join("")).not.toMatch(/\u001b\[[\d;]*m/)
    const coloured = await open({ colour: true })
    expect(coloured.frames.at(-1)).toContain("\u001b[1;35m")
    expect(coloured.frames.at(-1)).toContain("\u001b[7m")
    const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd())
    expect(trimmed(coloured.screen())).toEqual(trimmed(plain.screen()))
  })

  test("the line between the panes is set by its column where a name may be drawn in another width", async () => {
    const board = await open({ sessions: [{ ...shop, title: "👩‍👩‍👧‍👦 shop" }] })
    const rows = (board.frames.at(-1) ?? "").split("\n")
    expect(rows[3]).toMatch(/shop .*\u001b\[35G│/)
    expect(rows[4]).toMatch(/Writing the migration .*│/)
  })

  test("an ASCII board is ASCII", async () => {
    const board = await open({ ascii: true })
    await board.type("/")
    expect(board.text()).toMatch(/^[\n -~]*$/)
  })

  test("escapes in agents' text do not reach the screen (G8)", async () => {
    const hostile = { ...shop, agentType: "\u001b[2Jgone", current: "\u001b]0;title\u0007", project: "a\nb" }
    const board = await open({ sessions: [hostile], colour: false })
    expect(board.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    expect(board.screen()).toHaveLength(24)
  })
})
