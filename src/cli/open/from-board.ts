/** Resumes a session from the board. */
import type { SessionRow } from "../../views/board/session.ts"
import { joinedHere } from "../choose/sessions-here.ts"
import type { Context } from "../command.ts"
import { openSession } from "./open-session.ts"
import { openingText } from "./opening-text.ts"

/**
 * Opens the session of a row. Outside tmux its client takes the terminal until it ends, so that the board must have given it
 * back before. `tell` is told before anything runs. Resolves with what to say then, nothing where the client has said it all;
 * rejects where it cannot be opened.
 */
export const openFromBoard =
  (context: Context, notify: (text: string) => void) =>
  async ({
    session,
    agent,
    agentType,
  }: Pick<SessionRow, "session" | "agent" | "agentType">): Promise<string | undefined> => {
    const known = [...(await joinedHere(context)).values()]
    const joined = known.find(
      ({ session: one }) => one.session === session && one.agent === agent && one.agentType === agentType,
    )
    if (!joined) return "That session no longer exists."
    const all = known.map((one) => one.session)
    const one = { ...joined.session, isStart: joined.seen?.isStart }
    const { how, command, code } = await openSession(one, context, {
      all,
      onStart: (command) => notify(openingText(one, all, command)),
    })
    if (how === "pane") return "It is already running; switched to its pane."
    if (how === "window") return `Opened in a new window of tmux, in ${command.folder}.`
    return code === 0 ? undefined : `${command.program} ended with exit code ${code}.`
  }
