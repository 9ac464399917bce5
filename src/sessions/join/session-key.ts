/** The key of a session, unique among the sessions of all agents. */
import type { Candidate } from "./merge-sessions.ts"

export const sessionKey = (agentType: string, session: string): string => `${agentType}\n${session}`

export const sessionIn = (key: string): string => key.slice(key.indexOf("\n") + 1)

export const candidateKey = ({ found, session }: Candidate): string => sessionKey(found.source.agentType, session)
