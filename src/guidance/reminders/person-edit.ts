/** Reports a person's changes to the model. */
import { escapeForModel } from "../../plan/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import { shortenedBlock } from "../shortened.ts"
import type { ReminderRule } from "./reminder.ts"

type PersonEditBody = AttachmentBody & { type: "person_edit"; text: string }

const longest = 4000

export const personEdit: ReminderRule<PersonEditBody> = {
  id: "person-edit",
  type: "person_edit",
  about: "a person changed the list by hand and the model has not been told",
  speaksOfEmptyPlan: true,
  tellsList: true,
  due: ({ edits }) => (edits ? { type: "person_edit", text: shortenedBlock(edits, longest) } : undefined),
  text: ({ text }) => escapeForModel(shortenedBlock(text, longest)),
}
