/** What rides along with a conversation: an attachment as it is kept, and the hidden message the model reads. */
import { textForModel } from "../plan/index.ts"

/** The facts of an attachment, as plain data: the text follows from them. */
export type AttachmentBody = { type: string }

export type Attachment<Body extends AttachmentBody = AttachmentBody> = {
  type: "attachment"
  attachment: Body
  uuid: string
  /** ISO 8601. */
  timestamp: string
}

export const reminderTags = ["system-reminder", "reminder"] as const
export type ReminderTag = (typeof reminderTags)[number]

/** Spoken in the user's role and never shown to the user. */
export type ReminderMessage = {
  role: "user"
  content: string
  isMeta: true
  uuid: string
  timestamp: string
}

export const reminderMessage = (
  { uuid, timestamp }: Pick<Attachment, "uuid" | "timestamp">,
  text: string,
  tag: ReminderTag = "system-reminder",
): ReminderMessage => ({ role: "user", content: tagged(text, tag), isMeta: true, uuid, timestamp })

/** The text between its tags, each on a line of its own. Nothing in it can close them or open others. */
export const tagged = (text: string, tag: ReminderTag = "system-reminder"): string =>
  `<${tag}>\n${textForModel(text)}\n</${tag}>`
