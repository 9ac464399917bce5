/** Sends a person's edit and shows the result: with an undo button, or an alert that says why nothing was done. */
import { messageOf } from "../../../plan/headway-error.ts"
import type { Edit, EditReply, EditRequest } from "../../api.ts"
import type { Page } from "../page.ts"
import { send, sessionPath } from "../request.ts"

/** Edits of one session are sent one after the other, in order. */
const lasts = new Map<string, Promise<unknown>>()

/** Resolves with whether the edit changed anything; never rejects. */
export const editSession = (page: Page, key: string, edit: Edit, seen: EditRequest["seen"] = []): Promise<boolean> => {
  const sent = (lasts.get(key) ?? Promise.resolve()).then(() => sendEdit(page, key, { edit, seen }))
  lasts.set(key, sent)
  return sent
}

const sendEdit = async (page: Page, key: string, request: EditRequest): Promise<boolean> => {
  const { toasts } = page
  try {
    const { outcome, message, entry } = await send<EditReply>("POST", sessionPath(key, "/edits"), request)
    // Undoes exactly this entry, because the plan may have changed since.
    const undo = { label: "Undo", run: () => void editSession(page, key, { kind: "undo", entry }) }
    if (outcome === "refused") toasts.alert(`Not done: ${message}`)
    else if (entry !== undefined) toasts.say(`You ${message}`, undo)
    else toasts.say(sentence(message))
    return outcome === "changed"
  } catch (cause) {
    toasts.alert(`Not done: ${messageOf(cause)}`)
    return false
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
