/** A client that does not name its session: its session is inferred, and until then it has a separate plan. */
import { setTimeout as setTimeoutAsync } from "node:timers/promises"
import type { Caller } from "../../../bridges/calls/caller.ts"
import { takeAnnouncedCall } from "../../../bridges/hooks/call-notes.ts"
import { type ClientProcess, clientIn } from "../../../home/processes/clients.ts"
import type { CallFinder, CallOwner, MadeCall } from "../../../sessions/lookup/find-call.ts"

export type UnnamedClientOptions = {
  /** Headway's home. */
  home: string
  /** The process of the client; undefined where it is not known, as over HTTP. */
  clientOf: (agentType: string) => ClientProcess | undefined
  /** Looks for calls in the files of the agent's sessions; undefined for an agent whose files are not known. */
  finderOf: (agentType: string) => Promise<CallFinder | undefined>
  /** Whether its hooks know only the session, so that its files are searched for the agent first. */
  asksFilesFirst?: (agentType: string) => boolean
  /** The name of this client's plan until its session is known. */
  newSession: () => string
  /** Whether a session belongs to this agent and project, according to its kept plan. */
  isOwn: (session: string, agentType: string) => Promise<boolean>
  /** Notes the calls that were written to a plan of this client: another process may have to find its session. */
  keepCalls: (session: string, agentType: string, calls: readonly MadeCall[]) => Promise<void>
  /** Makes what was written to a plan of this client a part of that of its session. */
  join: (from: string, to: CallOwner, agentType: string) => Promise<void>
  now: () => Date
}

export type UnnamedClient = {
  /** The plan of this call; `isNew` for a separate plan of the client. */
  keyFor(
    caller: Caller,
    call: { tool: string; input: unknown } | undefined,
  ): Promise<{ session: string; agent?: string; isNew?: boolean }>
  /** The session that the client's process is in, as its hooks have recorded it. */
  current(agentType: string): string | undefined
  /** The separate plan of the client, as long as it has one. */
  own(): string | undefined
  /** Records that the call was made, and starts to search for its session. */
  called(): void
  /** Searches again for the session of the calls. */
  close(): Promise<void>
}

export const createUnnamedClient = (options: UnnamedClientOptions): UnnamedClient => {
  const { home, clientOf, finderOf, asksFilesFirst, newSession, isOwn, keepCalls, join, now } = options
  /** Its own plan, as long as it has one. */
  let own: string | undefined
  /** The calls that were written to it. */
  let calls: MadeCall[] = []
  /** The session of the last call that was known. */
  let known: string | undefined
  let agentType = ""
  let later: NodeJS.Timeout | undefined
  let working: Promise<unknown> = Promise.resolve()

  const currentOf = (agentType: string): string | undefined => {
    const client = clientOf(agentType)
    return client && clientIn(home, client)?.session
  }

  const current = (): CallOwner | undefined => {
    const session = currentOf(agentType)
    return session === undefined ? undefined : { session, agent: main }
  }

  /** Whose call the hook before it said it was. */
  const announced = (input: unknown): CallOwner | undefined => {
    const client = clientOf(agentType)
    return client && takeAnnouncedCall(home, client, input)
  }

  const found = async (made: readonly MadeCall[]): Promise<CallOwner | undefined> => {
    if (made.length === 0) return undefined
    try {
      return await (await finderOf(agentType))?.find(made)
    } catch {
      return undefined
    }
  }

  /** A call may be written down while it is being made. */
  const foundSoon = async (made: MadeCall): Promise<CallOwner | undefined> => {
    for (const pause of shortPauses) {
      if (pause > 0) await setTimeoutAsync(pause)
      const owner = await found([made])
      if (owner) return owner
    }
    return undefined
  }

  /**
   * Called when the session is known: the client's separate plan is merged into it. If one agent of that session made every
   * call, into that agent's plan; otherwise into the main agent's, because earlier calls may be from another agent than the
   * one whose call made the session known. Returns false if the session belongs to another agent or project.
   */
  const become = async ({ session }: CallOwner, maker?: CallOwner): Promise<boolean> => {
    if (session !== known && !(await isOwn(session, agentType))) return false
    clearTimeout(later)
    known = session
    if (own === undefined) return true
    const owner = maker ?? (await found(calls))
    await join(own, owner?.session === session ? owner : { session, agent: main }, agentType)
    // Only now: where there was no room for it, it is joined with the next call.
    own = undefined
    calls = []
    return true
  }

  /** Session files are written a little later than calls are made, hooks may come after them. */
  const lookAgain = (delays: readonly number[]): void => {
    clearTimeout(later)
    const [delay, ...rest] = delays
    if (delay === undefined || own === undefined) return
    later = setTimeout(() => {
      working = working.then(search).then(
        (isKnown) => isKnown || lookAgain(rest),
        () => lookAgain(rest),
      )
    }, delay)
    later.unref()
  }

  /** Returns whether it is known now whose the calls were. */
  const search = async (): Promise<boolean> => {
    if (own === undefined) return true
    const told = current()
    const maker = told ? undefined : await found(calls)
    const owner = told ?? maker
    return owner !== undefined && become(owner, maker)
  }

  const keyFor: UnnamedClient["keyFor"] = async (caller, call) => {
    agentType = caller.agentType ?? ""
    const made = call && { ...call, at: now() }
    const announcedBy = announced(call?.input)
    const waits = announcedBy === undefined && made !== undefined && asksFilesFirst?.(agentType) === true
    const told = announcedBy ?? (waits ? await foundSoon(made) : undefined) ?? current()
    const owner = told ?? (await found(made ? [made] : [])) ?? ofKnown()
    if (owner && (await become(owner))) return owner
    own ??= newSession()
    // A plan is joined only while no call changes it.
    clearTimeout(later)
    if (made) {
      calls = [...calls, made].slice(-mostCalls)
      await keepCalls(own, agentType, calls)
    }
    return { session: own, isNew: true }
  }

  /** A call without any record is attributed to the main agent, never to the sub-agent that called last. */
  const ofKnown = (): CallOwner | undefined => (known === undefined ? undefined : { session: known, agent: main })

  const inOrder = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = working.then(action)
    working = result.catch(() => {})
    return result
  }

  return {
    keyFor: (caller, call) => inOrder(() => keyFor(caller, call)),
    current: currentOf,
    own: () => own,
    called: () => lookAgain(pauses),
    close: () =>
      inOrder(async () => {
        clearTimeout(later)
        await search()
      }),
  }
}

/** In milliseconds. A client that has written its file by then, or called a hook, is known in the end. */
const pauses = [100, 400, 1_500, 5_000, 20_000]

/** The same while the model waits. */
const shortPauses = [0, 50, 100, 200]

const main = "main"

/** The last ones are near the end of the file. */
const mostCalls = 8
