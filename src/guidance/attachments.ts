/** Headway's own attachments: creates them from facts, and rebuilds their texts from stored facts. */
import type { Todo } from "../plan/index.ts"
import {
  type Attachment,
  type AttachmentBody,
  type AttachmentOptions,
  createAttachment,
  type ReminderMessage,
  type ReminderTag,
  reminderMessage,
} from "./attachment.ts"
import { type ChangedFileBody, changedFileText, changedFileType } from "./changed-files.ts"
import { type QueuedMessageBody, queuedMessageText, queuedMessageType } from "./queued-messages.ts"
import { type ListBody, listForModel, reminders, type TodoBody } from "./reminders/index.ts"
import type { ReminderRule } from "./reminders/reminder.ts"
import type { GuidanceTools } from "./tools.ts"

/**
 * `todo`: the list changed or is empty; with `post-compact`, it is restored after a compaction, and an empty list has no text
 * (behaviour C18).
 */
export const todoAttachment = (
  todos: readonly Todo[],
  { context, ...options }: AttachmentOptions & { context?: "post-compact" } = {},
): Attachment<TodoBody> =>
  createAttachment<TodoBody>({ type: "todo", ...listForModel(todos), ...(context ? { context } : {}) }, options)

/** `todo_reminder`: the list has not been used for a long time (behaviour C20). */
export const todoReminderAttachment = (
  todos: readonly Todo[],
  options: AttachmentOptions = {},
): Attachment<ListBody & { type: "todo_reminder" }> =>
  createAttachment({ type: "todo_reminder" as const, ...listForModel(todos) }, options)

/** `edited_text_file`: a file that the model has read has changed. */
export const changedFileAttachment = (
  file: Omit<ChangedFileBody, "type">,
  options: AttachmentOptions = {},
): Attachment<ChangedFileBody> => createAttachment({ ...file, type: changedFileType }, options)

/** `queued_command`: a message that the person sent while the agent was working. */
export const queuedMessageAttachment = (
  prompt: string,
  options: AttachmentOptions = {},
): Attachment<QueuedMessageBody> => createAttachment({ type: queuedMessageType, prompt }, options)

/** The text for the model of one of Headway's attachments; undefined for a host's own, and for an empty list that is restored. */
export const attachmentText = (
  { attachment }: Pick<Attachment, "attachment">,
  tools: GuidanceTools,
): string | undefined => {
  const rule = wordings.find(({ type }) => type === attachment.type)
  return rule?.text(attachment, tools) || undefined
}

/** An attachment as a message for the model (behaviour C19); undefined if it has no text. */
export const attachmentMessage = (
  attachment: Attachment,
  tools: GuidanceTools,
  tag?: ReminderTag,
): ReminderMessage | undefined => {
  const text = attachmentText(attachment, tools)
  return text === undefined ? undefined : reminderMessage(attachment, text, tag)
}

type Wording = { type: string; text(body: AttachmentBody, tools: GuidanceTools): string }

const wordings: readonly Wording[] = [
  ...(Object.values(reminders) as readonly ReminderRule[]),
  { type: changedFileType, text: (body) => changedFileText(body as ChangedFileBody) },
  { type: queuedMessageType, text: (body) => queuedMessageText(body as QueuedMessageBody) },
]
