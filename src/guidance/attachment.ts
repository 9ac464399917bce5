/** Attachments of a conversation: as stored, and as the hidden message that the model reads. */
import { dataForModel, textForModel } from "../plan/index.ts"

/** The facts of an attachment as plain data, from which its text is made. */
export type AttachmentBody = { type: string }

export type Attachment<Body extends AttachmentBody = AttachmentBody> = {
  type: "attachment"
  attachment: Body
  uuid: string
  /** ISO 8601. */
  timestamp: string
}

export type AttachmentOptions = { now?: () => Date; newId?: () => string }

/** Makes an attachment from facts of any kind. Every string in them becomes safe for a model. */
export const createAttachment = <Body extends AttachmentBody>(
  body: Body,
  { now = () => new Date(), newId = () => crypto.randomUUID() }: AttachmentOptions = {},
): Attachment<Body> => ({
  type: "attachment",
  attachment: dataForModel(body),
  uuid: newId(),
  timestamp: now().toISOString(),
})

const reminderTags = ["system-reminder", "reminder"] as const
export type ReminderTag = (typeof reminderTags)[number]

/** Sent in the user role and never shown to the user. */
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

/** The message as transcripts store it. */
export type UserEntry = {
  type: "user"
  message: { role: "user"; content: string }
  isMeta: true
  uuid: string
  timestamp: string
}

export const userEntry = ({ role, content, ...about }: ReminderMessage): UserEntry => ({
  type: "user",
  message: { role, content },
  ...about,
})

/** The text between tags, each on its own line. The text cannot close the tags or open others. */
export const tagged = (text: string, tag: ReminderTag = "system-reminder"): string =>
  `<${tag}>\n${textForModel(text)}\n</${tag}>`
