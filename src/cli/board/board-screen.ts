/** Puts a live board on the terminal of this process, with notifications where they are wanted. */
import { constants } from "node:os"
import { loadSettings } from "../../home/settings.ts"
import type { BoardFound } from "../../views/board/session.ts"
import { asksForOne } from "../choose/asked-for.ts"
import { wantsColour } from "../colour.ts"
import type { Context } from "../command.ts"
import { editText } from "../edit/editor.ts"
import type { Io } from "../io.ts"
import { createProgress } from "../output/progress.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import type { Option } from "../words/option.ts"
import { notifyOf, type notifyOption } from "./notify.ts"
import type { LiveBoard } from "./open-board.ts"

/** The context of a command that takes `--notify`. */
export type NotifyingContext = Context<{ notify: typeof notifyOption }>

/** The context of a command that shows the board. */
export type BoardContext = Context<{ notify: typeof notifyOption; all: typeof allOption }>

export const allOption = {
  type: "boolean",
  about: "also older sessions, and sub-agents that never had a plan",
} as const satisfies Option

export type OpenLiveBoard = (onProgress: (done: number, total: number) => void) => Promise<LiveBoard>

/** The first scan may take a while; the board opens after it. */
export const openSaying = async ({ io }: Context, open: OpenLiveBoard): Promise<LiveBoard> => {
  const progress = createProgress(io)
  try {
    return await open((done, total) => progress.report(() => `${done} of ${total} session files read`))
  } finally {
    progress.clear()
  }
}

export const showBoard = async (context: BoardContext, open: OpenLiveBoard): Promise<number> => {
  const { io, values } = context
  const source = await openSaying(context, open)
  const settings = loadSettings(homeOf(context))
  const failures: string[] = []
  // Problems with agents' files are shown on the board itself.
  const quiet = { ...context, io: Object.create(io, { err: { value: () => {} } }) as Io }
  let find: ((words: string) => Promise<BoardFound[]>) | undefined
  try {
    const stop = notifying(context, source, (message) => failures.push(message))
    const { openBoardScreen } = await import("../../tui/board/screen.ts")
    const { input, output } = io.terminal()
    const ending = await openBoardScreen({
      source,
      stdin: input,
      stdout: output,
      appearance: { colour: wantsColour(context), ascii: values.ascii === true },
      now: io.now,
      editText: (text) => editText(text, io),
      openInAgent: async (session) => {
        const { openFromBoard } = await import("../open/from-board.ts")
        return openFromBoard(quiet, (text) => say(io, text))(session)
      },
      find: async (words) => {
        find ??= (await import("../find/find-sessions.ts")).findForBoard(quiet)
        return find(words)
      },
      foldDays: settings["board.foldAfterDays"],
      isUnfolded: values.all === true || asksForOne(context),
      hasMouse: settings["board.mouse"],
    })
    stop()
    // Said when the screen is theirs again.
    for (const message of failures) say(io, message)
    return ending === undefined ? 0 : endedBy + (constants.signals[ending] ?? 0)
  } finally {
    await source.close()
  }
}

/** The exit code of a shell for a program ended by a signal. */
const endedBy = 128

/** Notifies the person as `--notify` says. Returns a function that stops it. */
export const notifying = (
  { io, values }: NotifyingContext,
  source: LiveBoard,
  onFailure: (message: string) => void,
): (() => void) => (values.notify === undefined ? () => {} : notifyOf(source, { how: values.notify, io, onFailure }))
