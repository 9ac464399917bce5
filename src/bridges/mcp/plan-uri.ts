/** A plan as an address, `plan://session/agent`, and back. */
import type { PlanKey } from "../../stores/store.ts"

export const uriOf = ({ session, agent }: PlanKey): string =>
  `plan://${encodeURIComponent(session)}/${encodeURIComponent(agent)}`

/** The plan an address names; the main agent's where it names no agent. Undefined when it is not such an address. */
export const keyIn = (uri: string): PlanKey | undefined => {
  const [, session, agent = "main"] = /^plan:\/\/([^/?#]+)(?:\/([^/?#]+))?$/.exec(uri) ?? []
  try {
    return session === undefined
      ? undefined
      : { session: decodeURIComponent(session), agent: decodeURIComponent(agent) }
  } catch {
    return undefined
  }
}
