/** The connection to a remote store: opened on demand, asked within a time limit, and not tried while it is known to be away. */
import type { Store } from "../../store.ts"
import { awayError, isForbidden, readOnly, wasReached } from "./errors.ts"
import type { KeptNote } from "./kept-note.ts"
import { type Answered, within } from "./within.ts"

export type ConnectionOptions = {
  name: string
  note: KeptNote
  open: () => Promise<Store>
  /** The most milliseconds to wait for an answer before continuing without it. */
  timeout: number
  /** Whether a request waits for another process of this home, and not for the remote store. */
  isWaiting: () => boolean
}

export type Connection = {
  opened(): Promise<Store>
  /** Runs a request within the time limit. Rejects if the store cannot be reached. */
  ask<Result>(request: Request<Result>, wait: number): Promise<Result>
  /** The same, unless the store is known to be unreachable, which gives undefined. */
  tryTo<Result>(request: Request<Result>): Promise<Result | undefined>
  /** The same for what cannot be done without the store, which `what` says in the message. */
  reachable<Result>(action: (remote: Store, answered: Answered) => Promise<Result>, what: string): Promise<Result>
  /** The right may have been given meanwhile, while the process that carries is connected since before. */
  assertWritable(): Promise<void>
  /** How long what cannot do without the store waits for it, in milliseconds. */
  requestTimeout: number
  /** The connection broke: the next request opens another one. */
  dropped(cause: unknown): void
  isBegun(): boolean
  /** Nothing is tried any more. */
  stop(): void
  isStopped(): boolean
  /** Waits for at most some milliseconds. */
  close(wait: number): Promise<void>
}

export type Request<Result> = (answered: Answered) => Promise<Result>

/** What cannot do without the remote store waits longer for it. */
const requestTimeouts = 5

export const createConnection = (options: ConnectionOptions): Connection => {
  const { name, note, timeout, isWaiting } = options
  const requestTimeout = timeout * requestTimeouts
  let opening: Promise<Store> | undefined
  let isStopped = false

  const opened = (): Promise<Store> => {
    opening ??= open().catch((cause: unknown) => {
      opening = undefined
      throw cause
    })
    return opening
  }

  const open = async (): Promise<Store> => {
    const remote = await options.open()
    try {
      const [mayWrite, identity] = await Promise.all([remote.mayWrite?.(), remote.identity?.()])
      if (mayWrite !== undefined) note.mayChange(mayWrite)
      note.identified(identity)
      return remote
    } catch (cause) {
      // The next attempt opens another one.
      remote.close().catch(() => {})
      throw cause
    }
  }

  const ask = async <Result>(request: Request<Result>, wait: number): Promise<Result> => {
    try {
      const result = await within(wait, request, name)
      note.reached()
      return result
    } catch (cause) {
      if (isForbidden(cause)) note.mayChange(false)
      if (wasReached(cause)) note.reached()
      // What only waited for another process says nothing of the store, which that process is asking.
      else if (!isWaiting()) note.lost(cause)
      throw cause
    }
  }

  const tryTo = async <Result>(request: Request<Result>): Promise<Result | undefined> => {
    if (isStopped || note.paused()) return undefined
    return ask(request, timeout).catch(() => undefined)
  }

  return {
    opened,
    ask,
    tryTo,
    async reachable(action, what) {
      const away = note.paused()
      if (away) throw awayError(name, away.since, what)
      return ask(async (answered) => action(await opened(), answered), requestTimeout)
    },
    async assertWritable() {
      if (!note.read().isReadOnly) return
      if (await tryTo(async () => (await opened()).mayWrite?.())) note.mayChange(true)
      else throw readOnly(name)
    },
    requestTimeout,
    dropped(cause) {
      opening = undefined
      note.lost(cause)
    },
    isBegun: () => opening !== undefined,
    stop() {
      isStopped = true
    },
    isStopped: () => isStopped,
    async close(wait) {
      const closing = opening?.then((remote) => remote.close())
      if (closing) await within(wait, closing, name).catch(() => {})
    },
  }
}
