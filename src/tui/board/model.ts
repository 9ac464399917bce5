/** The board as a thing that lives: takes keys, sizes and changes, carries out what they mean, and says when to draw again. */
import { messageOf } from "../../plan/headway-error.ts"
import { answered, type BoardWish, type SeenEdit, wished } from "../../views/board/edit.ts"
import { type BoardSize, frameOf } from "../../views/board/frame.ts"
import { isLive } from "../../views/board/glyphs.ts"
import type { BoardCommand } from "../../views/board/keys.ts"
import { boardLines } from "../../views/board/lines.ts"
import type { BoardSession, BoardSource } from "../../views/board/session.ts"
import { settled } from "../../views/board/settle.ts"
import { type BoardAction, type BoardView, boardAfter, newBoardView, plansInSight } from "../../views/board/view.ts"
import type { Line } from "../../views/span.ts"
import type { Key } from "../terminal/keyboard.ts"
import { createPace, systemTimer, type Timer } from "../terminal/pace.ts"
import { createBoardInput } from "./input.ts"

export type BoardModelOptions = {
  source: BoardSource
  size: BoardSize
  now: () => Date
  /** Lets a person write a text elsewhere; resolves with undefined when it stays as it was. */
  editText(text: string): Promise<string | undefined>
  onQuit(): void
  onPause(): void
  onRedraw(): void
  timer?: Timer
}

export type BoardModel = {
  readonly view: BoardView
  lines(): Line[]
  /** The listener is called whenever there is something new to draw. */
  subscribe(listener: () => void): () => void
  /** The keys of one read. */
  press(keys: readonly Key[]): void
  resize(size: BoardSize): void
  close(): void
}

/** Changes of the data that come faster than this are drawn together. */
const changeTime = 33

export const createBoardModel = (options: BoardModelOptions): BoardModel => {
  const { source, now, timer = systemTimer } = options
  let size = options.size
  /** The plans that come into sight are asked for; what is known about them is drawn at once. */
  const settle = (next: BoardView): BoardView => {
    const chosen = settled(next, source.sessions, size)
    const before = source.sessions
    source.show(plansInSight(chosen, before))
    return source.sessions === before ? chosen : settled(next, source.sessions, size)
  }
  let view = settle(newBoardView())
  let isClosed = false
  /** The editor has the terminal, and with it every key. */
  let isWriting = false
  const listeners = new Set<() => void>()

  const draw = (): void => {
    for (const listener of listeners) listener()
  }
  const turn = (next: BoardView): void => {
    if (isClosed) return
    view = settle(next)
    draw()
  }
  const act = (action: BoardAction): void => turn(boardAfter(view, action, source.sessions))
  const press = createBoardInput({
    place: () => (view.prompt ? "prompt" : (view.page ?? "board")),
    carryOut: (command) => {
      // What was typed ahead behind the key that quits or opens the editor is no longer meant for the board.
      if (isClosed || isWriting) return
      if (command.kind === "quit") close()
      carryOut(command)
    },
    type: (text) => act({ type: "insert", text }),
    say: (text) => act({ type: "notice", text }),
  })
  const editText = async (text: string): Promise<string | undefined> => {
    isWriting = true
    try {
      return await options.editText(text)
    } finally {
      isWriting = false
    }
  }
  const carryOut = createCarryOut({ ...options, editText }, { view: () => view, size: () => size, act })

  const pace = createPace(() => turn(view), changeTime, timer)
  const clock = createClock(() => source.sessions.some((one) => isLive(one) || isFresh(one, now())), draw, timer)
  const stopListening = source.subscribe(() => {
    pace.ask()
    clock.update()
    showNotice()
  })
  /** Shown once, and removed only as long as no other notice has taken its place. */
  let shownNotice: string | undefined
  const showNotice = (): void => {
    const { notice } = source
    if (notice === shownNotice) return
    const isStillShown = view.notice === shownNotice
    shownNotice = notice
    if (notice !== undefined || isStillShown) act({ type: "notice", text: notice ?? "" })
  }
  showNotice()
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    stopListening()
    clock.stop()
    pace.stop()
    listeners.clear()
  }

  return {
    get view() {
      return view
    },
    lines: () => boardLines(view, source.sessions, { ...size, now: now() }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    press,
    resize(next) {
      size = next
      turn(view)
    },
    close,
  }
}

type Board = { view(): BoardView; size(): BoardSize; act(action: BoardAction): void }

/** Does what a command says, on the board or beyond it. */
const createCarryOut = (
  { source, editText, onQuit, onPause, onRedraw }: BoardModelOptions,
  { view, size, act }: Board,
): ((command: BoardCommand) => void) => {
  const say = (text: string): void => act({ type: "notice", text })

  const change = async ({ session, edit, seen }: SeenEdit): Promise<void> =>
    say(await source.edit(session, edit, seen).catch(messageOf))

  /** The plan goes to the editor as it is shown now, so that what others do in the meantime can be told from what was written. */
  const write = async ({ key, plan }: BoardSession): Promise<void> => {
    if (!plan) return
    const shown = source.textOf(plan)
    const text = await editText(shown)
    if (text === undefined || text === shown) say("Nothing was changed.")
    else await change({ session: key, edit: { kind: "text", text }, seen: plan })
  }

  const fulfil = (wish: BoardWish): void => {
    const answer = wished(view(), source.sessions, wish)
    if ("refusal" in answer) say(answer.refusal)
    else if ("ask" in answer) act({ type: "ask", purpose: answer.ask })
    else if ("write" in answer) void write(answer.write).catch((cause) => say(messageOf(cause)))
    else void change(answer)
  }

  const finishLine = (): void => {
    const { prompt } = view()
    const result = prompt && answered(prompt)
    act({ type: "answered" })
    if (result) void change(result)
  }

  return (command) => {
    switch (command.kind) {
      case "action":
        return act(command.action)
      case "page":
        return act({ type: "move", by: command.by * Math.max(1, frameOf(view(), size()).body - 2) })
      case "filter":
        return act({ type: "ask", purpose: { kind: "filter", pane: view().pane } })
      case "other-pane":
        return act({ type: "focus", pane: view().pane === "plan" ? "sessions" : "plan" })
      case "wish":
        return fulfil(command.wish)
      case "answer":
        return finishLine()
      case "pause":
        return onPause()
      case "redraw":
        return onRedraw()
      default:
        return onQuit()
    }
  }
}

const [busyTick, idleTick] = [1_000, 30_000]

/** What was a moment ago is told in seconds. */
const isFresh = ({ updated }: BoardSession, now: Date): boolean => now.getTime() - Date.parse(updated) < 60_000

/** Lets times go on: every second while something is going on, else often enough to be true to the minute. */
const createClock = (isBusy: () => boolean, tick: () => void, timer: Timer): { update(): void; stop(): void } => {
  let callOff: (() => void) | undefined
  let waits = 0
  const update = (): void => {
    const wanted = isBusy() ? busyTick : idleTick
    if (callOff && waits <= wanted) return
    callOff?.()
    waits = wanted
    callOff = timer.after(wanted, () => {
      callOff = undefined
      tick()
      update()
    })
  }
  update()
  return { update, stop: () => callOff?.() }
}
