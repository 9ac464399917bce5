/** The agent at a line-based terminal: output scrolls, questions are answered with a letter. */
import { createInterface, type Interface } from "node:readline"
import { sanitiseBlock, sanitiseOutput } from "../../plan/index.ts"
import { sanitiseShown } from "../../plan/text/sanitise.ts"
import type { Agent, AgentScreenOptions, Asker, Ending, Permission, Permitted } from "../../reference-agent/index.ts"
import { readingTime } from "../../tui/agent/questions.ts"
import { systemTimer } from "../../tui/terminal/pace.ts"
import { plainLine, standaloneListText } from "../../views/index.ts"
import { alwaysOffer, detailLines, hiddenNote } from "../../views/text/question.ts"
import { createProgressLines } from "./print-text.ts"

export const openPlainScreen = async (options: AgentScreenOptions): Promise<void> => {
  const { session, model, task, appearance, stopped, command, view } = options
  const width = process.stdout.columns || 80
  const print = (text: string): void => void process.stdout.write(`${sanitiseShown(text)}\n`)
  const reader = createReader(stopped)
  const lines = createProgressLines({ ascii: appearance.ascii, width, view })

  /** What the person has allowed until they leave. */
  const allowed = new Set<Permission["action"]>()

  /** Output is held back while a question is open, so that another agent's text cannot pose as a question. */
  const held: string[] = []
  let questions = 0
  const show = (text: string): void => void (questions > 0 ? held.push(text) : print(text))

  const undisturbed = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    questions += 1
    try {
      return await question()
    } finally {
      questions -= 1
      if (questions === 0) for (const text of held.splice(0)) print(text)
    }
  }

  /**
   * Prints the question with all details and waits for a line. A line that arrives too early to have read it is
   * ignored.
   */
  const askFor = async (question: string, detail: string, answers: string, signal: AbortSignal): Promise<string> => {
    const note = hiddenNote(question + detail)
    if (note !== undefined) print(note)
    const lines = detail === "" ? [] : detailLines(detail, { width, ascii: appearance.ascii }).map(plainLine)
    for (const line of lines) print(line)
    const above = lines.length > mostAtOnce ? ` (${lines.length} lines above)` : ""
    do {
      if (signal.aborted) return ""
      process.stdout.write(sanitiseShown(`${question}${above} `))
    } while (!(await reader.isQuietFor(readingTime)))
    reader.forget()
    return reader.ask(`${answers}: `)
  }

  const ask: typeof askFor = (...asked) => undisturbed(() => askFor(...asked))

  const permit = async (permission: Permission, { agent, depth, signal }: Asker): Promise<Permitted> => {
    const { action, question, detail = "" } = permission
    const always = alwaysOffer(permission)
    if (always !== undefined && allowed.has(action)) return true
    const answers = always === undefined ? "[y]es, [n]o" : `[y]es, [n]o, [a]${always.slice(1)}`
    const answer = await ask(`${depth > 0 ? `agent ${agent}: ` : ""}${question}`, detail, answers, signal)
    if (always === undefined || !isAlways.test(answer)) return isYes.test(answer)
    allowed.add(action)
    return true
  }

  const confirm = async (question: string, detail = "", { signal }: Asker): Promise<boolean> =>
    isYes.test(await ask(question, detail, "[y]es, [n]o", signal))

  const agent = await options.open({
    permit,
    confirm,
    onEvent: (event) => {
      if (event.type === "notice-given") show(sanitiseBlock(event.message))
      else for (const line of lines(event)) show(line)
    },
  })

  const work = async (words: string): Promise<void> => {
    const { ending, text } = await interruptible(reader, (signal) => agent.run(words, signal))
    if (text.trim() !== "" && ending === "done") print(sanitiseOutput(text).trim())
    if (ending !== "done") print(sayEnding[ending])
    const list = standaloneListText(agent.tracker.plan, { ascii: appearance.ascii, width })
    if (list !== "") print(list)
  }

  print(
    `Session ${session} (${model}). /help shows what you can type; Ctrl+C interrupts, or exits when nothing is running.`,
  )
  if (task !== undefined) await work(task)
  for (;;) {
    const words = (await reader.ask(promptOf(agent))).trim()
    if (reader.isClosed) break
    if (words === "") continue
    if (!words.startsWith("/")) {
      await work(words)
      continue
    }
    const { text, isExit = false } = await interruptible(reader, (signal) => command(words, agent, signal))
    if (text !== "") print(text)
    if (isExit) break
  }
  reader.close()
}

const promptOf = ({ planMode }: Agent): string => (planMode.isOn ? "plan> " : "> ")

/** Only a complete answer counts, not the first letters of other input. */
const isYes = /^\s*y(?:es)?\s*$/i
const isAlways = /^\s*a(?:lways)?\s*$/i

/** More lines than this may have run off the top of the screen. */
const mostAtOnce = 20

const sayEnding: Record<Exclude<Ending, "done">, string> = {
  interrupted: "Interrupted. Say what to do instead.",
  failed: "The agent could not continue.",
  "too-many-turns": "The agent was stopped after too many turns.",
}

type Reader = {
  /** The next line; empty if there are no more. */
  ask(question: string): Promise<string>
  /** Whether no line comes for this many milliseconds. One that comes sooner is dropped. */
  isQuietFor(milliseconds: number): Promise<boolean>
  /** Discards unsent input, which is not an answer and cannot be shown again. */
  forget(): void
  readonly isClosed: boolean
  /** Called at Ctrl+C while something runs; without it Ctrl+C closes. */
  onInterrupt: (() => void) | undefined
  close(): void
}

const createReader = (stopped: AbortSignal): Reader => {
  const lines: Interface = createInterface({ input: process.stdin, output: process.stdout })
  let answer: ((line: string) => void) | undefined
  const reply = (line: string): void => {
    const waiting = answer
    answer = undefined
    waiting?.(line)
  }
  const reader: Reader & { isClosed: boolean } = {
    isClosed: false,
    onInterrupt: undefined,
    ask: (question) =>
      new Promise((resolve) => {
        if (reader.isClosed) return resolve("")
        answer = resolve
        lines.question(question, reply)
      }),
    isQuietFor: (milliseconds) =>
      new Promise((resolve) => {
        if (reader.isClosed) return resolve(true)
        const wait = (time: number, then: () => void): void => {
          const callOff = systemTimer.after(time, then)
          answer = () => {
            callOff()
            resolve(false)
          }
        }
        // Lines that came while this process was busy are read between two timers, and are early too.
        wait(milliseconds, () =>
          wait(0, () => {
            answer = undefined
            resolve(true)
          }),
        )
      }),
    forget: () => void Object.assign(lines, { line: "", cursor: 0 }),
    close: () => lines.close(),
  }
  // Lines that were not asked for come here.
  lines.on("line", reply)
  lines.on("SIGINT", () => {
    process.stdout.write("\n")
    if (!reader.onInterrupt) return lines.close()
    reader.onInterrupt()
    // An open question is withdrawn.
    reply("")
  })
  lines.on("close", () => {
    reader.isClosed = true
    reader.onInterrupt?.()
    reply("")
  })
  stopped.addEventListener("abort", () => lines.close(), { once: true })
  return reader
}

const interruptible = async <Result>(
  reader: Reader,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  reader.onInterrupt = () => controller.abort()
  try {
    return await action(controller.signal)
  } finally {
    reader.onInterrupt = undefined
  }
}
