/** Follows the sessions of all agents on this machine: looks again and again, reads only what is new, tells what changed. */
import { type DiscoveredSession, type DiscoverOptions, discover } from "./discover.ts"

export type WatchSessionsOptions = Omit<DiscoverOptions, "now"> & {
  now: () => Date
  /** Called with all sessions, and those of them that look different from before. */
  onChange: (sessions: DiscoveredSession[], changed: DiscoveredSession[]) => void
  signal: AbortSignal
  /** Waits until it is time to look again, or the signal ends it. */
  wait: (signal: AbortSignal) => Promise<void>
}

/** Ends when the signal does. The index is read from its place once and then kept in mind. */
export const watchSessions = async ({
  onChange,
  signal,
  wait,
  now,
  index,
  ...options
}: WatchSessionsOptions): Promise<void> => {
  let text = index?.load()
  const remembered = {
    load: () => text,
    save: (next: string): void => {
      text = next
      index?.save(next)
    },
  }
  let before = new Map<string, string>()
  while (!signal.aborted) {
    const sessions = await discover({ ...options, index: remembered, now: now() })
    const looks = new Map(sessions.map((session) => [nameOf(session), lookOf(session)]))
    const changed = sessions.filter((session) => before.get(nameOf(session)) !== lookOf(session))
    const isAnyGone = [...before.keys()].some((name) => !looks.has(name))
    if (changed.length > 0 || isAnyGone) onChange(sessions, changed)
    before = looks
    await wait(signal)
  }
}

const nameOf = ({ path, session, agent }: DiscoveredSession): string => JSON.stringify([path, session, agent])

/** All of a session that a person could see change. */
const lookOf = ({ updated, state, planTool, summary, activity }: DiscoveredSession): string =>
  JSON.stringify([updated, state, planTool, summary, activity])
