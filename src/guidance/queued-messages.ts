/** A queue for messages that a person sends while the agent works. The model gets them before its next turn. */
import { textForModel } from "../plan/index.ts"
import type { AttachmentBody } from "./attachment.ts"
import type { ReminderGenerator } from "./remind.ts"

export const queuedMessageType = "queued_command"

/** The person's message, complete and unchanged. */
export type QueuedMessageBody = AttachmentBody & { type: typeof queuedMessageType; prompt: string }

export type QueuedMessages = {
  /** Adds a message to the queue; an empty one is ignored. */
  push(prompt: string): void
  /** The waiting messages, oldest first. */
  readonly waiting: readonly string[]
  /** Removes and returns all messages, for a host whose agent has stopped in the meantime. */
  take(): string[]
  /** For `generators`: reports each waiting message once. */
  generator: ReminderGenerator
}

/** For a single agent: its sub-agents do not get the messages. */
export const createQueuedMessages = ({ agent = "main" }: { agent?: string } = {}): QueuedMessages => {
  let waiting: string[] = []
  const take = (): string[] => {
    const taken = waiting
    waiting = []
    return taken
  }
  return {
    push(prompt) {
      if (prompt.trim() !== "") waiting.push(prompt)
    },
    get waiting() {
      return waiting
    },
    take,
    generator: (situation) =>
      situation.agent === agent
        ? take().map((prompt) => {
            const body: QueuedMessageBody = { type: queuedMessageType, prompt }
            return { body, text: queuedMessageText(body) }
          })
        : undefined,
  }
}

export const queuedMessageText = ({ prompt }: Pick<QueuedMessageBody, "prompt">): string =>
  [
    "The user sent this while you were working:",
    "",
    textForModel(prompt),
    "",
    "Take it into account now: it may change, stop or add to what you are doing. If it adds work, put it on the list.",
  ].join("\n")
