/** `headway events`: the lists in any agent's output or session file, as unified JSON lines. */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { agents, loadStreams } from "../../agents/index.ts"
import { foreignChunks } from "../../home/reading/foreign-file.ts"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { follow } from "../../sessions/index.ts"
import type { EvidenceTaker } from "../../streams/event-reader.ts"
import { createEventReader, type Stream } from "../../streams/index.ts"
import { isOtherText } from "../../streams/line.ts"
import { defineCommand } from "../command.ts"
import type { Io } from "../io.ts"
import { printJsonLine } from "../output/plan-json.ts"
import { createProgress } from "../output/progress.ts"
import { say } from "../output/say.ts"

export const events = defineCommand({
  usage: "events [--from AGENT] [FILE|-] [--follow] [--confirmed] [--evidence]",
  about:
    "Reads what an agent prints or leaves on disk, from FILE or standard input, and prints its todo lists and turns as JSON\nlines: one line for every change of a list, each with the whole list, and one for every turn that begins or ends.",
  options: {
    from: {
      type: "string",
      value: "AGENT",
      known: ["auto", ...Object.keys(agents)],
      about: "whose output it is: claude-code, openai-codex, google-gemini, opencode, …, or auto (default)",
    },
    follow: {
      type: "boolean",
      short: "f",
      about: "keep reading as FILE grows or is replaced, and wait for it if it does not exist",
    },
    confirmed: { type: "boolean", about: "print a list only once the result of its call has arrived" },
    evidence: { type: "boolean", about: "add one word of evidence to each done todo" },
  },
  maxWords: 1,
  examples: [
    "codex exec --json 'Fix the tests' | headway events",
    "headway events --from claude-code ~/.claude/projects/shop/my-session.jsonl",
    "headway events -f agent.jsonl | jq -r '.items[]? | \"\\(.status) \\(.text)\"'",
  ],
  async run({ io, values, words }) {
    const candidates = await loadStreams(values.from ?? "auto")
    const [name = "-", ...others] = words
    if (others.length > 0) throw new HeadwayError("usage", `One file at a time: "${name}" or "${others[0]}"?`)
    const createTaker = values.evidence
      ? (await import("../../sessions/evidence/evidence-taker.ts")).createEvidenceTaker
      : undefined
    const reading = createReading(io, { candidates, confirmed: values.confirmed === true, createTaker })
    if (name === "-") {
      if (io.isTerminal.in) io.err("headway: reading an agent's output from standard input; end it with Ctrl+D\n")
      for await (const chunk of io.chunks()) reading.push(chunk)
      return reading.end("standard input")
    }
    const path = resolve(io.cwd, name)
    if (values.follow) {
      await follow({ path, onBytes: reading.push, onRestart: reading.restart, signal: io.stopped() })
      reading.end(name)
      return 0
    }
    const about = statSync(path, { throwIfNoEntry: false })
    if (!about) throw new HeadwayError("not-found", `There is no file ${name}. With --follow, Headway waits for it.`)
    const progress = createProgress(io)
    let read = 0
    try {
      for await (const chunk of foreignChunks(path)) {
        progress.clear()
        reading.push(chunk)
        read += chunk.length
        progress.report(
          () => `${Math.min(100, Math.floor((100 * read) / about.size))}% of ${megabytes(about.size)} MB read`,
        )
      }
    } catch (cause) {
      throw isHeadwayError(cause) ? new HeadwayError(cause.code, `${name} cannot be read: ${cause.message}.`) : cause
    } finally {
      progress.clear()
    }
    return reading.end(name)
  },
})

const megabytes = (bytes: number): number => Math.ceil(bytes / (1 << 20))

/** Lines between those of the stream, such as warnings of programs: one sentence about all of them, at the end. */
type OtherText = { first: string; count: number }

const summaryOf = ({ first, count }: OtherText): string => (count === 1 ? first : `${first} (and ${count - 1} more)`)

type ReadingOptions = {
  candidates: readonly Stream[]
  confirmed: boolean
  /** Where evidence is wanted. */
  createTaker: (() => EvidenceTaker) | undefined
}

/** Prints the events of one stream, or of several in turn, and warns once of each kind of problem. */
const createReading = (io: Io, { createTaker, ...options }: ReadingOptions) => {
  const counts = new Map<string, number>()
  let printed = 0
  let otherText: OtherText | undefined
  const open = () =>
    createEventReader({
      ...options,
      evidence: createTaker?.(),
      now: io.now,
      onEvent: (event) => {
        if (event.type === "todo_list") printed += 1
        io.out(printJsonLine(event))
      },
    })
  let reader = open()

  const warn = (): void => {
    for (const [code, { problem }] of reader.problems) {
      if (counts.has(code) || isOtherText(problem)) continue
      counts.set(code, 0)
      say(io, problem.message)
    }
  }

  const finish = (): void => {
    reader.end()
    warn()
    for (const [code, { problem, count }] of reader.problems) {
      if (!isOtherText(problem)) counts.set(code, (counts.get(code) ?? 0) + count)
      else otherText = { first: otherText?.first ?? problem.message, count: count + (otherText?.count ?? 0) }
    }
  }

  return {
    push(chunk: Uint8Array): void {
      reader.push(chunk)
      warn()
    },
    restart(): void {
      finish()
      reader = open()
    },
    /** Returns the exit code. */
    end(name: string): number {
      finish()
      for (const [code, count] of counts) if (count > 1) io.err(`headway: ${code}: ${count} times in all\n`)
      if (otherText && reader.isRecognised) say(io, summaryOf(otherText))
      if (!reader.isRecognised && printed === 0) {
        const wanted = options.candidates.map(({ title }) => title).join(", ")
        say(io, `no known agent's output was found in ${name}. Headway knows: ${wanted}.`)
        return 1
      }
      if (printed === 0) say(io, `${name} holds no todo list (${reader.stream?.title})`)
      return 0
    },
  }
}
