/** The narration of the demo, and the edits made in it. */

export type Moment = {
  /** In seconds of the recordings. */
  at: number
  /** The recorded agent it is about; without it, all of them. */
  agent?: string
  say: string
  /** A person adds a todo after another one. */
  edit?: { by: string; add: string; after: string }
}

/** Each fits in one line of the board. */
export const moments: readonly Moment[] = [
  { at: 0, say: "Three agents from three vendors are at work. You join in the middle." },
  { at: 10.2, agent: "Claude Code", say: "Claude Code has started a sub-agent, which has its own plan." },
  { at: 14.2, agent: "Gemini CLI", say: "Gemini CLI drops the video: it stays on the list, but no longer counts." },
  {
    at: 24,
    agent: "Claude Code",
    say: "A person, Ada, adds a todo to Claude Code's plan. It survives every rewrite.",
    edit: { by: "Ada", add: "Keep the old webhook address for one release", after: "Run the payment tests" },
  },
  { at: 27.2, agent: "Gemini CLI", say: "Staging is down: Gemini CLI's screenshots are blocked, the links are not." },
  { at: 34.2, agent: "Gemini CLI", say: "Gemini CLI has stopped with one todo blocked: now it waits for you." },
  { at: 50.2, agent: "Claude Code", say: "Claude Code starts the todo that Ada added." },
  { at: 54.6, agent: "Codex", say: "Codex is finished." },
  { at: 70.6, agent: "Claude Code", say: "Claude Code is finished, with Ada's todo done too." },
]

export const toldSentence = (name: string): string => `${name} is told, with its next call, what was changed by hand.`

/** Said at the end, and on the board for as long as it stays open. */
export const endings = {
  board: "The demo is over. Press q to leave, then run headway for your own agents.",
  plain: `The demo is over. ${next()}`,
  /** Below the last picture of the board, once the terminal is the person's again. */
  left: `That was the demo. ${next()}`,
} as const

function next(): string {
  return 'Install the command with "npm install -g ." in Headway\'s own folder. Then "headway" shows your own agents, "headway setup" connects one, and "headway --help" lists everything else.'
}

/** Long enough to have read what was said last. */
export const endsAt = 76
