/** What each key of the person does: it stops the work, answers a question, or edits and sends the line. */
import type { Key } from "../terminal/keyboard.ts"
import { inserted, pressed, replaced, sent } from "../terminal/line-editor.ts"
import { isCommand } from "./command-line.ts"
import type { Commands } from "./commands.ts"
import { type Questions, questionKeys, type SeenQuestion } from "./questions.ts"
import type { Stage } from "./stage.ts"
import type { Work } from "./work.ts"

export type KeysOptions = {
  stage: Stage
  questions: Pick<Questions, "press">
  work: Pick<Work, "runPrompt" | "interrupt">
  commands: Pick<Commands, "run">
  leave: () => void
}

/** Handles a key. `seen` is the question that was visible when the key was pressed. */
export type Press = (key: Key, seen?: SeenQuestion) => void

export const createKeys = ({ stage, questions, work, commands, leave }: KeysOptions): Press => {
  const { change } = stage

  const submit = (): void => {
    const text = stage.state.editor.text.trim()
    change({ editor: sent(stage.state.editor) })
    if (text === "") return
    if (isCommand(text)) commands.run(text)
    else if (stage.state.isWorking) change({ queued: [...stage.state.queued, text] })
    else work.runPrompt(text)
  }

  /** Esc and Ctrl+C interrupt the work, Ctrl+C first clears the line; pressed again, they leave. */
  const pressToStop = (key: "esc" | "ctrl+c"): void => {
    const { armed, editor, isWorking } = stage.state
    if (armed === key) {
      leave()
      return
    }
    if (key === "ctrl+c" && editor.text !== "")
      change({ editor: { ...replaced(editor, ""), at: editor.history.length } })
    else if (isWorking) work.interrupt()
    // During work, Esc only interrupts, however often it is pressed.
    change({ armed: key === "esc" && isWorking ? undefined : key })
  }

  /**
   * While the line has text, every letter belongs to the line, even after a pause. On an empty line, any letter that is
   * not an answer begins a text, so the letters after it are not answers either.
   */
  const isForQuestion = ({ name, ctrl, meta }: Key): boolean =>
    stage.state.question !== undefined && stage.state.editor.text === "" && !ctrl && !meta && questionKeys.has(name)

  const pressInLine = (key: Key): void => {
    const { editor, question } = stage.state
    if (key.name === "paste") change({ editor: inserted(editor, key.text) })
    else if (key.name === "return" && !key.meta) {
      // A command could change the subject of the question.
      if (!question || !isCommand(editor.text.trim())) submit()
    } else change({ editor: pressed(editor, key) ?? editor })
  }

  return (key, seen = unseen) => {
    if (stage.state.isOver) return
    if (key.name === "escape") pressToStop("esc")
    else if (key.ctrl && key.name === "c") pressToStop("ctrl+c")
    else {
      if (stage.state.armed) change({ armed: undefined })
      if (key.ctrl && key.name === "d" && stage.state.editor.text === "") leave()
      else if (isForQuestion(key)) questions.press(key.name, seen)
      else pressInLine(key)
    }
  }
}

const unseen: SeenQuestion = { question: undefined, isAnswerable: false, rows: 0, page: 0, isTooSmall: true }
