/** The sessions of all agents on this machine as they change, for as long as the board is open. */

import { messageOf } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/problem.ts"
import { createFolderAlarm } from "../sessions/folder-alarm.ts"
import { type WatchSessionsOptions, watchSessions } from "../sessions/watch-sessions.ts"
import type { SessionPlaces } from "./seen-sessions.ts"

export type WatchedSessions = {
  /** Requests that the times of the todos in a file are read, once. */
  wantWhole(path: string): void
  close(): Promise<void>
}

export type WatchedSessionsOptions = Pick<WatchSessionsOptions, "onChange" | "onProgress" | "now"> & {
  places: SessionPlaces
  /** Called after every scan, with what could not be read. */
  onRefreshed: (problems: readonly Problem[]) => void
}

/** Resolves after the first scan. */
export const watchAllSessions = async (options: WatchedSessionsOptions): Promise<WatchedSessions> => {
  const { places, now, onChange, onProgress, onRefreshed } = options
  const alarm = createFolderAlarm()
  const controller = new AbortController()
  let wanted = new Set<string>()
  const asked = new Set<string>()
  let problems: Problem[] = []
  let earlierProblems: readonly Problem[] = []
  let isFirst = true
  const { promise: refreshed, resolve } = withResolvers()

  const ended = watchSessions({
    ...places,
    now,
    signal: controller.signal,
    wait: alarm.wait,
    onChange,
    onProblem: (problem) => problems.push(problem),
    onProgress: (done, total) => {
      if (isFirst) onProgress?.(done, total)
    },
    onRefreshed: (isEverything) => {
      isFirst = false
      if (isEverything) {
        earlierProblems = problems
        problems = []
      }
      onRefreshed([...earlierProblems, ...problems])
      resolve()
    },
    wantedWhole: () => {
      const paths = wanted
      wanted = new Set()
      return paths
    },
  }).catch((cause: unknown) => {
    onRefreshed([warning("unreadable-folder", `The agents' sessions can no longer be followed: ${messageOf(cause)}`)])
    resolve()
  })
  await refreshed

  return {
    wantWhole(path) {
      if (asked.has(path)) return
      asked.add(path)
      wanted.add(path)
      alarm.ring()
    },
    async close() {
      controller.abort()
      await ended
      alarm.close()
    },
  }
}

const withResolvers = () => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
