/** The current content of the agent's screen, and the lines waiting for the scroll-back. */
import { messageOf } from "../../plan/headway-error.ts"
import type { Plan } from "../../plan/todo.ts"
import type { Line } from "../../views/text/span.ts"
import { type Editor, emptyEditor } from "../terminal/line-editor.ts"
import { notedLines, type Room } from "./transcript.ts"

export type StageState = {
  readonly isWorking: boolean
  /** When the current work began. */
  readonly since: Date | undefined
  /** Milliseconds of work before that. The clock stops while the agent waits for the person. */
  readonly worked: number
  /** The tokens that the model wrote: since the current work began, and in total. */
  readonly tokens: { now: number; all: number }
  /** The spinner shows this instead of the todo in progress. */
  readonly doing: string | undefined
  /** The row of the answer that the model is writing. */
  readonly tail: string
  readonly thought: string
  /** The running calls. */
  readonly running: readonly { id: string; label: string; progress: string }[]
  /** Sub-agents at work, and their lists. */
  readonly members: readonly { agent: string; description: string; plan: Plan }[]
  readonly question: OpenQuestion | undefined
  /** Whether the question has been visible long enough to be read. */
  readonly isAnswerable: boolean
  /** How many rows of the question's subject are scrolled away. */
  readonly scrolled: number
  readonly queued: readonly string[]
  readonly isPlanMode: boolean
  /** The key that leaves the screen if it is pressed again. */
  readonly armed: "esc" | "ctrl+c" | undefined
  readonly editor: Editor
  readonly isOver: boolean
}

export type OpenQuestion = {
  text: string
  /** The question's subject in full, with invisible characters made visible. */
  detail?: string | undefined
  /** What the answer "always" allows, if it is offered. */
  always?: string | undefined
}

/**
 * Blocks of one kind follow each other directly. An empty row separates two kinds, and surrounds questions, messages
 * and lists.
 */
export type BlockKind = "asked" | "said" | "done" | "noted" | "shown" | "listed"

export type Stage = {
  readonly state: StageState
  /** The currently available columns and characters. */
  room(): Room
  change(part: Partial<StageState>): void
  /** `isMore` continues the previous text, unless something else came in between. */
  write(kind: BlockKind, lines: readonly Line[], isMore?: boolean): void
  /** A sentence for the person. */
  note(text: string): void
  /** Reports an error to the person. */
  complain(cause: unknown): void
  /**
   * Calls the listener at once, then at most once per `pace`: a model or a command may report faster than a screen
   * draws.
   */
  subscribe(listener: () => void): () => void
  /** Calls the listeners now, instead of at the end of the pause. */
  flush(): void
  /** Takes the lines that are not in the scroll-back yet. */
  takeWritten(): readonly Line[]
}

/** `pace` is the least time between two calls of a listener, in milliseconds. */
export const createStage = (room: () => Room, pace: number): Stage => {
  const listeners = new Set<() => void>()
  let state = idle
  let written: Line[] = []
  let last: BlockKind | undefined

  let isDue = false
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    isDue = false
    for (const listener of listeners) listener()
    if (pace > 0) timer = setTimeout(endPause, pace)
  }
  const endPause = (): void => {
    timer = undefined
    if (isDue) flush()
  }
  const change = (part: Partial<StageState>): void => {
    state = { ...state, ...part }
    if (timer === undefined) flush()
    else isDue = true
  }
  const write: Stage["write"] = (kind, lines, isMore = false) => {
    if (lines.length === 0) return
    const isNew = last !== kind || kind === "asked" || kind === "listed" || (kind === "said" && !isMore)
    const isApart = last !== undefined && isNew
    written.push(...(isApart ? [[]] : []), ...lines)
    last = kind
    change({})
  }
  return {
    get state() {
      return state
    },
    room,
    flush,
    change,
    write,
    note: (text) => write("noted", notedLines(text, room())),
    complain(cause) {
      const text = messageOf(cause)
      write("noted", notedLines(text, room(), { colour: "yellow" }))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    takeWritten() {
      const taken = written
      written = []
      return taken
    },
  }
}

const idle: StageState = {
  isWorking: false,
  since: undefined,
  worked: 0,
  tokens: { now: 0, all: 0 },
  doing: undefined,
  tail: "",
  thought: "",
  running: [],
  members: [],
  question: undefined,
  isAnswerable: false,
  scrolled: 0,
  queued: [],
  isPlanMode: false,
  armed: undefined,
  editor: emptyEditor,
  isOver: false,
}
