/** The message before a session's client is started. */
import type { JoinedSession } from "../../board/joined-session.ts"
import { agentTitle, sessionName } from "../output/session-names.ts"
import type { ResumeCommand } from "./resume-command.ts"

export const openingText = (
  one: JoinedSession,
  all: readonly JoinedSession[],
  { program, folder, isCopy }: ResumeCommand,
): string =>
  [`opening ${sessionName(one, all)} with ${program} in ${folder}`, ...(isCopy ? [copyText(one)] : [])].join("; ")

/** For a client that cannot continue the session itself. */
export const copyText = ({ agentType }: JoinedSession): string =>
  `${agentTitle(agentType)} continues a copy of the session, under another id`
