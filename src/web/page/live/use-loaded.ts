/** Data from the server, read again whenever it may have changed. The old value stays in the meantime. */
import { useCallback, useEffect, useMemo, useState } from "react"
import { messageOf } from "../../../plan/headway-error.ts"
import { load } from "../request.ts"

export type Loaded<Reply> = {
  value: Reply | undefined
  /** Why the last try failed. */
  error: string | undefined
  /** Resolves when the state at the time of the call has been read. */
  reload(): Promise<void>
}

/** Reads a path, and reads it again for each new `version`. Reads nothing without a path. */
export const useLoaded = <Reply>(path: string | undefined, version: unknown = 0): Loaded<Reply> => {
  const [state, setState] = useState<{ path: string | undefined; value?: Reply; error?: string }>({ path: undefined })
  const reader = useMemo(() => createReader<Reply>(path, setState), [path])
  useEffect(() => {
    void version
    void reader.read()
  }, [reader, version])
  useEffect(() => () => reader.end(), [reader])
  const isOwn = state.path === path
  const reload = useCallback(() => reader.read(), [reader])
  return { value: isOwn ? state.value : undefined, error: isOwn ? state.error : undefined, reload }
}

type Take<Reply> = (
  change: (before: { path: string | undefined; value?: Reply }) => {
    path: string | undefined
    value?: Reply
    error?: string
  },
) => void

/** Makes one request at a time. All changes during a request lead to a single further one. */
const createReader = <Reply>(path: string | undefined, take: Take<Reply>) => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let ended = new AbortController()
  const once = async (): Promise<void> => {
    if (path === undefined) return
    const { signal } = ended
    try {
      const value = await load<Reply>(path, signal)
      if (!signal.aborted) take(() => ({ path, value }))
    } catch (cause) {
      if (signal.aborted) return
      const error = messageOf(cause)
      take((before) => (before.path === path ? { ...before, error } : { path, error }))
    }
  }
  const read = (): Promise<void> => {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return read()
      })
      return next
    }
    if (ended.signal.aborted) ended = new AbortController()
    running = once().finally(() => {
      running = undefined
    })
    return running
  }
  return { read, end: () => ended.abort() }
}
