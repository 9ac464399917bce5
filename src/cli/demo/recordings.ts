/** The recorded agents of the demo: who they are, where they work, and what they printed when. */
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
  /** What a person asked for. No stream says it. */
  title: string
  /** Not every stream says where its agent works. */
  project: string
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

const recording = (
  name: string,
  { title, project }: Pick<Recording, "title" | "project">,
  stream: Stream,
  recorded: string,
): Recording => ({
  name,
  title,
  agentType: stream.agentType,
  project,
  stream,
  lines: linesOf(recorded),
})

export const recordings: readonly Recording[] = [
  recording(
    "Claude Code",
    { title: "Move to the new payment API", project: "~/code/checkout" },
    claudeStream,
    claudeCode,
  ),
  recording("Codex", { title: "Fix the nightly test failure", project: "~/code/price-engine" }, codexRollout, codex),
  recording(
    "Gemini CLI",
    { title: "Write the upgrade guide for version 3", project: "~/code/docs-site" },
    geminiStream,
    gemini,
  ),
]
