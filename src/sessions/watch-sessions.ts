/**
 * Follows the sessions of all agents on this machine: scans repeatedly, reads only what is new, and reports changes.
 */
import { createDiscovery, type DiscoveredSession, type DiscoverOptions } from "./discover.ts"

export type WatchSessionsOptions = Omit<DiscoverOptions, "now"> & {
  now: () => Date
  /** Called with all sessions, and those that have changed. */
  onChange: (sessions: DiscoveredSession[], changed: DiscoveredSession[]) => void
  /** Called after every scan, full or partial. */
  onRefreshed?: (isEverything: boolean) => void
  signal: AbortSignal
  /**
   * Waits until the next scan is due or the signal is aborted. It receives the folders to watch, and may return the
   * changed paths, so that only these are scanned.
   */
  wait: (signal: AbortSignal, folders: () => string[]) => Promise<ReadonlySet<string> | undefined>
  /** Files for which the times of todos are requested, each returned once; called before every scan. */
  wantedWhole?: () => Iterable<string>
}

/** How long the index may stay unsaved, in milliseconds: a working agent would otherwise cause constant writes. */
const unsavedFor = 30_000

/** Ends when the signal does. */
export const watchSessions = async (options: WatchSessionsOptions): Promise<void> => {
  const { onChange, onRefreshed, signal, wait, now, wantedWhole, ...rest } = options
  const discovery = createDiscovery(rest)
  let before = new Map<string, Seen>()
  let changedPaths: ReadonlySet<string> | undefined
  let saved = Number.NEGATIVE_INFINITY
  try {
    while (!signal.aborted) {
      const timed = new Set(wantedWhole?.())
      timed.forEach(discovery.wantWhole)
      const time = now()
      const sessions = await discovery.refresh(time, changedPaths)
      const seen = new Map<string, Seen>()
      const changed: DiscoveredSession[] = []
      for (const session of sessions) {
        const name = identityOf(session)
        const known = before.get(name)
        const isSame = known?.session === session
        const digest = isSame ? known.digest : digestOf(session)
        seen.set(name, { session, digest })
        if (!known || known.digest !== digest || (!isSame && timed.has(session.planPath))) changed.push(session)
      }
      const isAnyGone = [...before.keys()].some((name) => !seen.has(name))
      if (changed.length > 0 || isAnyGone) onChange(sessions, changed)
      onRefreshed?.(changedPaths === undefined)
      before = seen
      if (time.getTime() - saved >= unsavedFor) {
        discovery.save()
        saved = time.getTime()
      }
      changedPaths = await wait(signal, discovery.folders)
    }
  } finally {
    discovery.close()
  }
}

type Seen = { session: DiscoveredSession; digest: string }

const identities = new WeakMap<DiscoveredSession, string>()

const identityOf = (session: DiscoveredSession): string => {
  const known = identities.get(session)
  if (known !== undefined) return known
  const name = JSON.stringify([session.path, session.session, session.agent])
  identities.set(session, name)
  return name
}

/** The parts of a session that are visible to a person. */
const digestOf = (session: DiscoveredSession): string => {
  const { updated, state, waitsFor, error, planTool, summary, planned, facts, fingerprint } = session
  return JSON.stringify([updated, state, waitsFor, error, planTool, summary, planned, facts, fingerprint])
}
