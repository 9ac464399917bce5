/**
 * A conversation with our reminders in it: each stays where it was first inserted, so that earlier messages do not
 * change.
 */
import { beforeTurn, createReminders, type RemindersOptions } from "../../guidance/remind.ts"
import type { TurnMessage } from "../../guidance/turns.ts"
import type { Tracker } from "../../tracker/tracker.ts"

export type RemindedOptions<Message> = {
  tracker: Tracker
  /** The reminders, their timing and wording. */
  reminders: RemindersOptions
  /** What a message of this API is to the counting of turns. */
  read: (message: Message) => TurnMessage
  /** A reminder as a message of this API. */
  write: (text: string) => Message
}

/** Call it with all messages before every request, and send what it returns. */
export type Remind<Message> = (messages: readonly Message[]) => Promise<Message[]>

export const createReminded = <Message>(options: RemindedOptions<Message>): Remind<Message> => {
  const { tracker, read, write } = options
  const reminders = createReminders(options.reminders)
  let seen = 0
  /** What was said, and behind how many messages of the host. */
  let inserted: { behind: number; message: Message }[] = []

  return async (messages) => {
    // A conversation that got shorter was compacted: what we said before went with the rest.
    const isCompacted = messages.length < seen
    if (isCompacted) {
      reminders.saw({ role: "compaction" })
      inserted = []
      seen = 0
    }
    for (const message of messages.slice(seen)) reminders.saw(read(message))
    seen = messages.length
    const due = await reminders.due(await beforeTurn(tracker, isCompacted ? { restored: "compact" } : {}))
    inserted.push(...due.map(({ message }) => ({ behind: messages.length, message: write(message.content) })))
    return messages.flatMap((message, index) => [
      message,
      ...inserted.filter(({ behind }) => behind === index + 1).map((one) => one.message),
    ])
  }
}
