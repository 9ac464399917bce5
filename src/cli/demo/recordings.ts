/** The recorded agents of the demo: names, folders, and timed output. */
import { claudeStream } from "../../agents/claude-code/stream.ts"
import { geminiStream } from "../../agents/google-gemini/stream.ts"
import { codexRollout } from "../../agents/openai-codex/rollout.ts"
import type { Stream } from "../../streams/stream.ts"
import { claudeCode } from "./claude-code.ts"
import { codex } from "./codex.ts"
import { gemini } from "./gemini.ts"

/** A line as its agent printed it. `at` is in seconds; what is before 0 had happened before the board was opened. */
export type RecordedLine = { at: number; text: string }

export type Recording = {
  name: string
  agentType: string
  /** Not every stream says where its agent works. */
  project: string
  /** Nor what it was asked to do. */
  title: string
  stream: Stream
  lines: readonly RecordedLine[]
}

/** Second 0 of all recordings, by the clock of their lines. */
export const recordedAt = Date.parse("2026-11-15T18:54:00Z")

const linesOf = (recorded: string): RecordedLine[] =>
  recorded
    .trim()
    .split("\n")
    .map((line) => {
      const space = line.indexOf(" ")
      return { at: Number(line.slice(0, space)), text: line.slice(space + 1) }
    })

type Told = Pick<Recording, "name" | "project" | "title" | "stream">

const recording = (told: Told, recorded: string): Recording => ({
  ...told,
  agentType: told.stream.agentType,
  lines: linesOf(recorded),
})

export const recordings: readonly Recording[] = [
  recording(
    {
      ...{ name: "Claude Code", project: "~/code/checkout", stream: claudeStream },
      title: "Move the checkout to the new payment API",
    },
    claudeCode,
  ),
  recording(
    {
      name: "Codex",
      project: "~/code/price-engine",
      stream: codexRollout,
      title: "Fix the nightly failure of the price cache",
    },
    codex,
  ),
  recording(
    { name: "Gemini CLI", project: "~/code/docs-site", stream: geminiStream, title: "Write the upgrade guide" },
    gemini,
  ),
]
