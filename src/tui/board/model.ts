/** The running board: handles keys, sizes and changes, and reports when to redraw. */
import { messageOf } from "../../plan/headway-error.ts"
import { type EditAction, editFromPrompt, type SeenEdit, startEdit } from "../../views/board/edit.ts"
import { foldedBefore } from "../../views/board/fold.ts"
import { type BoardSize, frameOf } from "../../views/board/frame.ts"
import { isLive } from "../../views/board/glyphs.ts"
import type { BoardCommand } from "../../views/board/keys.ts"
import { boardLines } from "../../views/board/lines.ts"
import { clicked, wheeled } from "../../views/board/pointer.ts"
import type { BoardFound, BoardSession, BoardSource } from "../../views/board/session.ts"
import { settled } from "../../views/board/settle.ts"
import {
  type BoardAction,
  type BoardView,
  boardAfter,
  newBoardView,
  plansInSight,
  selectedSession,
} from "../../views/board/view.ts"
import type { Line } from "../../views/text/span.ts"
import type { Key } from "../terminal/keyboard.ts"
import { createPace, systemTimer, type Timer } from "../terminal/pace.ts"
import { createBoardInput } from "./input.ts"

export type BoardModelOptions = {
  source: BoardSource
  size: BoardSize
  now: () => Date
  /** Opens a text in an editor; resolves with undefined if it was not changed. */
  editText(text: string): Promise<string | undefined>
  /** Resumes a session in its agent; resolves with a message. Without it the key is absent. */
  openInAgent?: ((session: BoardSession) => Promise<string | undefined>) | undefined
  /** Searches the text of all sessions for the words of a filter. Without it, only the rows are searched. */
  find?: ((words: string) => Promise<readonly BoardFound[]>) | undefined
  /** Days after which ended sessions are folded. If negative, none is. @default 3 */
  foldDays?: number | undefined
  /** Whether the terminal reports clicks and the wheel. @default false */
  hasMouse?: boolean | undefined
  /** Begins with older sessions listed. @default false */
  isUnfolded?: boolean | undefined
  onQuit(): void
  onPause(): void
  onRedraw(): void
  timer?: Timer
}

export type BoardModel = {
  readonly view: BoardView
  lines(): Line[]
  /** Calls the listener whenever the board must be redrawn. */
  subscribe(listener: () => void): () => void
  /** Handles the keys of one read. */
  press(keys: readonly Key[]): void
  resize(size: BoardSize): void
  close(): void
}

/** Changes of the data within this time are drawn together. In milliseconds. */
const changeTime = 33

export const createBoardModel = (options: BoardModelOptions): BoardModel => {
  const { source, now, timer = systemTimer } = options
  let size = options.size
  /** Requests the plans that become visible. Plans that are already in memory are drawn immediately. */
  const settle = (given: BoardView): BoardView => {
    const next = { ...given, before: foldedBefore(now(), options.foldDays) }
    const chosen = settled(next, source.sessions, size)
    const before = source.sessions
    source.show(plansInSight(chosen, before))
    return source.sessions === before ? chosen : settled(next, source.sessions, size)
  }
  const { openInAgent, hasMouse: mouse = false } = options
  const can = { open: openInAgent !== undefined, search: options.find !== undefined, mouse }
  let view = settle(newBoardView({ isUnfolded: options.isUnfolded ?? false, can }))
  let isClosed = false
  /** Whether an editor has the terminal and receives all keys. */
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
  const act = (action: BoardAction): void => {
    const before = view.filters.sessions
    turn(boardAfter(view, action, source.sessions))
    if (view.filters.sessions !== before) search.ask(view.filters.sessions)
  }
  const search = createSearch(options.find, (filter, sessions) => act({ type: "found", filter, sessions }), timer)
  const press = createBoardInput({
    place: () => (view.prompt ? "prompt" : (view.page ?? "board")),
    carryOut: (command) => {
      // Input typed after the key that quits or opens the editor is not meant for the board.
      if (isClosed || isWriting) return
      if (command.kind === "quit") close()
      carryOut(command)
    },
    type: (text) => act({ type: "insert", text }),
    point: ({ name, at }) => {
      if (isClosed || isWriting) return
      const board = { view, sessions: source.sessions, size }
      const actions = name === "click" ? clicked(board, at) : wheeled(board, at, name === "wheelup" ? -1 : 1)
      for (const action of actions) act(action)
    },
    say: (text) => act({ type: "notice", text }),
  })
  const away = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    isWriting = true
    try {
      return await task()
    } finally {
      isWriting = false
    }
  }
  const carryOut = createCarryOut(
    {
      ...options,
      editText: (text) => away(() => options.editText(text)),
      openInAgent: openInAgent && ((session) => away(() => openInAgent(session))),
    },
    { view: () => view, size: () => size, act },
  )

  const pace = createPace(() => turn(view), changeTime, timer)
  const clock = createClock(() => source.sessions.some((one) => isLive(one) || isFresh(one, now())), draw, timer)
  const stopListening = source.subscribe(() => {
    pace.ask()
    clock.update()
    showNotice()
  })
  /** The source's notice. Shown once, and removed unless another notice has replaced it. */
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
    search.stop()
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

/** Carries out a command, on the board or outside it. */
const createCarryOut = (
  { source, editText, openInAgent, onQuit, onPause, onRedraw }: BoardModelOptions,
  { view, size, act }: Board,
): ((command: BoardCommand) => void) => {
  const say = (text: string): void => act({ type: "notice", text })

  const change = async ({ session, edit, seen }: SeenEdit): Promise<void> =>
    say((await source.edit(session, edit, seen)).message)

  /**
   * Opens the plan in the editor as it is now, so that the person's edits can be distinguished from later changes by
   * others.
   */
  const write = async ({ key, plan }: BoardSession): Promise<void> => {
    if (!plan) return
    const shown = source.textOf(plan)
    const text = await editText(shown)
    if (text === undefined || text === shown) say("Nothing was changed.")
    else await change({ session: key, edit: { kind: "text", text }, seen: plan })
  }

  const carryOutEdit = (action: EditAction): void => {
    const answer = startEdit(view(), source.sessions, action)
    if ("refusal" in answer) say(answer.refusal)
    else if ("ask" in answer) act({ type: "ask", purpose: answer.ask })
    else if ("write" in answer) void write(answer.write).catch((cause) => say(messageOf(cause)))
    else void change(answer)
  }

  const enterAgent = async (): Promise<void> => {
    const session = selectedSession(view(), source.sessions)
    if (!openInAgent || !session) return
    const message = await openInAgent(session).catch(messageOf)
    if (message !== undefined) say(message)
  }

  const finishLine = (): void => {
    const { prompt } = view()
    const result = prompt && editFromPrompt(prompt)
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
      case "edit":
        return carryOutEdit(command.action)
      case "enter-agent":
        return void enterAgent()
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

/** The pause after the last letter before a search begins, in milliseconds. */
const typingTime = 150

/** Searches for the words of a filter when the person pauses. Results for earlier words are ignored. */
const createSearch = (
  find: BoardModelOptions["find"],
  onFound: (filter: string, found: ReadonlyMap<string, string>) => void,
  timer: Timer,
): { ask(filter: string): void; stop(): void } => {
  let callOff: (() => void) | undefined
  const search = async (filter: string): Promise<void> => {
    // If the search fails, the filter still applies to the rows.
    const found = (await find?.(filter).catch(() => undefined)) ?? []
    onFound(filter, new Map(found.map(({ key, text }) => [key, text])))
  }
  return {
    ask(filter) {
      callOff?.()
      callOff = find && filter.trim() !== "" ? timer.after(typingTime, () => void search(filter)) : undefined
    },
    stop: () => callOff?.(),
  }
}

const [busyTick, idleTick] = [1_000, 30_000]

/** Whether the row's time is less than a minute ago, and so shown in seconds. */
const isFresh = ({ updated }: BoardSession, now: Date): boolean => now.getTime() - Date.parse(updated) < 60_000

/** Updates times: every second while something is active, otherwise often enough to be accurate to the minute. */
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
