/** The demo on the live board: the recordings play as they happened, and the person who watches may use every key. */
import type { BoardScreenOptions } from "../../tui/board/screen.ts"
import { type Line, plainLine } from "../../views/text/span.ts"
import { wrap } from "../../views/text/wrap.ts"
import { editText } from "../edit/editor.ts"
import type { Io } from "../io.ts"
import { createRunningClock } from "./clock.ts"
import { createPlay } from "./play.ts"
import { recordedAt } from "./recordings.ts"
import { createDemoSource } from "./source.ts"
import { endings, endsAt, toldSentence } from "./story.ts"

export type LiveOptions = Pick<BoardScreenOptions, "stdin" | "stdout" | "appearance"> & { io: Io; speed: number }

/** In milliseconds: long enough to read a sentence, and the keys of the board are seen again. */
const readingTime = 6_000

/** Resolves when the board was left, with the name of the signal if one ended it. */
export const showDemo = async ({ io, speed, ...screen }: LiveOptions): Promise<NodeJS.Signals | undefined> => {
  const clock = createRunningClock(speed, () => io.now().getTime())
  const now = (): Date => new Date(recordedAt + clock.position * 1000)
  const source = createDemoSource(now)
  const leaving = new AbortController()
  let reading: NodeJS.Timeout | undefined
  const say = (text: string): void => {
    clearTimeout(reading)
    source.say(text)
    reading = setTimeout(() => source.say(undefined), readingTime)
  }
  const { signal } = leaving
  const play = createPlay({
    clock,
    source,
    signal,
    onMoment: (moment) => say(moment.say),
    onTold: (agent) => say(toldSentence(agent)),
  })
  const playOn = async (): Promise<void> => {
    await play(Number.POSITIVE_INFINITY)
    await clock.until(endsAt, signal)
    clearTimeout(reading)
    source.say(endings.board)
  }

  await play(0)
  const { openBoardScreen } = await import("../../tui/board/screen.ts")
  const failed = new AbortController()
  const left = openBoardScreen({
    ...screen,
    source,
    now,
    editText: (text) => editText(text, io),
    signal: failed.signal,
    onLeft: (lines) => {
      io.out(withoutKeys(lines))
      io.out(`\n${wrap(endings.left, io.columns ?? 80).lines.join("\n")}\n`)
    },
  })
  const over = playOn().catch((cause) => {
    if (!signal.aborted) failed.abort(cause)
  })
  try {
    const ended = await left
    failed.signal.throwIfAborted()
    return ended
  } finally {
    leaving.abort()
    clearTimeout(reading)
    await over
  }
}

/** The picture without the row of keys, which no longer do anything, and without rows above it that only draw the frame. */
const withoutKeys = (lines: readonly Line[]): readonly Line[] => {
  // A notice may take several lines, all of them bold.
  const isOfNotice = (line: Line): boolean => line.length === 1 && line[0]?.style?.bold === true
  const end = lines.findLastIndex((line, index) => index < lines.length - 1 && !isOfNotice(line))
  const above = lines.slice(0, end + 1)
  return above.slice(0, above.findLastIndex((line) => /[^\s│|─┴+-]/.test(plainLine(line))) + 1)
}
