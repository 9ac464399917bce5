/** Buttons that resume a session in its agent, or copy the command for it. */
import { messageOf } from "../../../plan/headway-error.ts"
import type { OpenReply, Row, SessionReply } from "../../api.ts"
import { type Page, usePage } from "../page.ts"
import { load, send, sessionPath } from "../request.ts"

export const OpenButtons = ({
  row,
  isFew = false,
}: {
  row: Row /** Shows less conspicuous buttons with shorter labels. */
  isFew?: boolean
}) => {
  const page = usePage()
  return (
    <p className="actions">
      <button type="button" className={isFew ? "button" : "button main"} onClick={() => openInAgent(page, row)}>
        Open in {row.agentName}
      </button>
      <button type="button" className="button" onClick={() => copyCommand(page, row)}>
        Copy<span className={isFew ? "hidden" : ""}> command</span>
      </button>
    </p>
  )
}

export const openInAgent = async (page: Page, row: Row): Promise<void> => {
  const { toasts } = page
  const { key, canOpen, agentName } = row
  if (!canOpen) return toasts.alert(`There is no command to resume this session of ${agentName}.`)
  try {
    const { isOpened, message } = await send<OpenReply>("POST", sessionPath(key, "/open"))
    toasts.say(message, isOpened ? undefined : { label: "Copy command", run: () => void copyCommand(page, row) })
  } catch (cause) {
    toasts.alert(messageOf(cause))
  }
}

const copyCommand = async ({ toasts }: Page, { key }: Row): Promise<void> => {
  try {
    const { resume } = await load<SessionReply>(sessionPath(key))
    if (!resume) return toasts.alert("There is no command to resume this session.")
    const { command } = resume
    try {
      await navigator.clipboard.writeText(command)
      toasts.say(`Copied: ${command}`)
    } catch {
      // Without a clipboard, the person can still select the command in the message.
      toasts.say(command)
    }
  } catch (cause) {
    toasts.alert(messageOf(cause))
  }
}
