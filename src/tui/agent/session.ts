/** The session of a person with an agent: input, runs, queue and interruptions, independent of drawing. */
import { contentById, emptyPlan, type Plan, workingPlan } from "../../plan/index.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Agent } from "../../reference-agent/agent.ts"
import type { AgentScreenOptions, ScreenListeners } from "../../reference-agent/screen.ts"
import type { Change } from "../../tracker/tracker.ts"
import { describeEvent } from "../../views/changes.ts"
import type { Key } from "../terminal/keyboard.ts"
import { inserted, pressed, replaced, sent } from "../terminal/line-editor.ts"
import { systemTimer, type Timer } from "../terminal/pace.ts"
import { isCommand } from "./command-line.ts"
import { createEventListener } from "./events.ts"
import { createQuestions, questionKeys, type SeenQuestion } from "./questions.ts"
import { createStage, type Stage } from "./stage.ts"
import { askedLines, notedLines, type Room } from "./transcript.ts"

export type SessionOptions = Pick<AgentScreenOptions, "command" | "view" | "describeCall"> & {
  /** The available columns and characters. Called whenever lines are written. */
  room: () => Room
  /** @default the system's clock */
  now?: () => Date
  /** The least time between two drawings, in milliseconds. @default 30 */
  pace?: number
  /** Measures how long a question is visible. @default the system's */
  timer?: Timer
}

export type AgentSession = Pick<Stage, "subscribe" | "takeWritten" | "note"> & {
  readonly state: Stage["state"]
  /** The agent's questions to the person. */
  readonly listeners: ScreenListeners
  begin(agent: Agent, prompt?: string): void
  /** Call this when the screen begins to show this question. */
  questionDrawn(question: Stage["state"]["question"]): void
  /** Handles a key. `seen` is the question that was visible when the key was pressed. */
  press(key: Key, seen?: SeenQuestion): void
  leave(): void
  /** Resolves when the person left or `leave` was called. */
  readonly left: Promise<void>
  /** Resolves when, after that, no part of the agent is running. */
  readonly over: Promise<void>
}

export const createAgentSession = (options: SessionOptions): AgentSession => {
  const { command, view, describeCall, now = () => new Date(), pace = 30, timer = systemTimer } = options
  const stage = createStage(options.room, pace)
  const { change, write, note, complain, room } = stage
  const plan = (): Plan => (agent ? workingPlan(agent.tracker.plan, agent.tracker.ledger) : emptyPlan)
  const { onEvent, endAnswer } = createEventListener(stage, { view, describeCall, plan })
  const questions = createQuestions(stage, timer)
  let agent: Agent | undefined
  let work: AbortController | undefined
  let settled: Promise<unknown> = Promise.resolve()
  let stopTelling = (): void => {}
  /** Whether the current change is already reported in other words. */
  let isTold = false
  let end = (): void => {}
  const left = new Promise<void>((resolve) => {
    end = resolve
  })

  /** Runs one piece of work at a time, then the input that was queued in the meantime. */
  const start = (act: (agent: Agent, signal: AbortSignal) => Promise<void>, doing?: string): void => {
    if (!agent) return
    const controller = new AbortController()
    work = controller
    const since = now()
    change({ isWorking: true, doing, since, tokens: { ...stage.state.tokens, now: 0 } })
    settled = act(agent, controller.signal)
      .catch((cause) => {
        if (!controller.signal.aborted) complain(cause)
      })
      .then(() => {
        endAnswer()
        work = undefined
        const worked = stage.state.worked + now().getTime() - since.getTime()
        change({ isWorking: false, doing: undefined, since: undefined, worked, running: [], members: [] })
        if (controller.signal.aborted) giveBackQueued()
        else runQueued()
      })
  }

  const runPrompt = (prompt: string): void => {
    write("asked", askedLines(prompt, room()))
    start(async ({ run }, signal) => {
      const { ending } = await run(prompt, signal)
      endAnswer()
      if (ending === "interrupted") note("Interrupted. Say what it should do instead.")
    })
  }

  const runQueued = (): void => {
    const [next, ...later] = stage.state.queued
    if (next === undefined || stage.state.isOver) return
    change({ queued: later })
    runPrompt(next)
  }

  /** After an interruption, moves the queued input back into the line, so that the person can reconsider. */
  const giveBackQueued = (): void => {
    const { queued, editor } = stage.state
    if (queued.length === 0) return
    const text = [...queued, editor.text].filter((part) => part !== "").join("\n")
    change({ queued: [], editor: replaced(editor, text) })
  }

  const interrupt = (): void => {
    work?.abort()
    change({ doing: "Interrupting" })
  }

  const answerCommand = async (line: string, given: Agent, signal: AbortSignal): Promise<void> => {
    isTold = true
    const {
      text,
      lines,
      isExit = false,
    } = await command(line, given, signal).finally(() => {
      isTold = false
    })
    if (text !== "") write("noted", lines ?? notedLines(text, room(), {}))
    if (/^\/help\b/.test(line)) note(keysText)
    if (isExit) leave()
  }

  const runCommand = (line: string): void => {
    write("asked", askedLines(line, room()))
    // Summarising takes time and needs the whole conversation. All other commands run at once, even during other work.
    if (/^\/compact\b/.test(line) && !stage.state.isWorking)
      start((given, signal) => answerCommand(line, given, signal), "Summarising the conversation")
    else if (agent) void answerCommand(line, agent, new AbortController().signal).catch(complain)
  }

  const submit = (): void => {
    const text = stage.state.editor.text.trim()
    change({ editor: sent(stage.state.editor) })
    if (text === "") return
    if (isCommand(text)) runCommand(text)
    else if (stage.state.isWorking) change({ queued: [...stage.state.queued, text] })
    else runPrompt(text)
  }

  /** Reports changes that a person made elsewhere. The agent's own changes are visible in its list. */
  const tellChange = ({ plan, events, entry }: Change): void => {
    if (entry.by.kind !== "person" || isTold) return
    const clauses = events.flatMap((event) => describeEvent(event, (id) => contentById(plan, id)) ?? [])
    if (clauses.length > 0) note(`${sanitise(entry.by.id)}: ${clauses.join("; ")}`)
  }

  const leave = (): void => {
    if (stage.state.isOver) return
    endAnswer()
    work?.abort()
    stopTelling()
    change({ isOver: true })
    stage.flush()
    end()
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
    else if (isWorking) interrupt()
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

  const press = (key: Key, seen: SeenQuestion = unseen): void => {
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

  return {
    get state() {
      return stage.state
    },
    subscribe: stage.subscribe,
    takeWritten: stage.takeWritten,
    note,
    listeners: { permit: questions.permit, confirm: questions.confirm, onEvent },
    begin(given, prompt = "") {
      agent = given
      stopTelling = given.tracker.subscribe(tellChange)
      change({ isPlanMode: given.planMode.isOn })
      if (prompt.trim() !== "") runPrompt(prompt.trim())
    },
    questionDrawn: questions.drawn,
    press,
    leave,
    left,
    over: left.then(() => settled).then(() => undefined),
  }
}

const unseen: SeenQuestion = { question: undefined, isAnswerable: false, rows: 0, page: 0, isTooSmall: true }

const keysText = `
enter   send; while it works, keep for its next turn
ctrl+j  a new line
ctrl+t  show or hide the todos
esc     interrupt
ctrl+c  clear the line or interrupt; twice: leave
ctrl+z  back to the shell; fg returns here`
