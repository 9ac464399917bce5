/** A client that does not say its session: whose call it makes is found out, and until then it has a plan of its own. */
import type { Caller } from "../../bridges/caller.ts"
import { takeAnnouncedCall } from "../../bridges/hooks/call-notes.ts"
import { type ClientOf, notedSession } from "../../bridges/hooks/client-notes.ts"
import type { CallFinder, CallOwner, MadeCall } from "../../sessions/find-call.ts"

export type UnnamedClientOptions = {
  /** Headway's home. */
  home: string
  /** The process of the client; undefined where it is not known, as over HTTP. */
  clientOf: (agentType: string) => ClientOf | undefined
  /** Looks for calls in the files of the agent's sessions; undefined for an agent whose files are not known. */
  finderOf: (agentType: string) => Promise<CallFinder | undefined>
  /** Names the plan of this client until its session is known. */
  newSession: () => string
  /** Whether a session is one of this agent's in this project, as far as a plan that is kept for it tells. */
  isOwn: (session: string, agentType: string) => Promise<boolean>
  /** Makes what was written to a plan of this client a part of that of its session. */
  join: (from: string, to: string) => Promise<void>
  now: () => Date
}

export type UnnamedClient = {
  /** Where this call belongs; `isNew` for a plan of the client's own. */
  keyFor(
    caller: Caller,
    call: { tool: string; input: unknown } | undefined,
  ): Promise<{ session: string; agent?: string; isNew?: boolean }>
  /** The call was made. From now on it is looked whose it was. */
  called(): void
  /** Looks once more whose the calls were. */
  close(): Promise<void>
}

export const createUnnamedClient = (options: UnnamedClientOptions): UnnamedClient => {
  const { home, clientOf, finderOf, newSession, isOwn, join, now } = options
  /** The plan of its own, as long as it has one. */
  let own: string | undefined
  /** The calls that were written to it. */
  let calls: MadeCall[] = []
  let known: CallOwner | undefined
  let agentType = ""
  let later: NodeJS.Timeout | undefined
  let working: Promise<unknown> = Promise.resolve()

  const noted = (input: unknown): CallOwner | undefined => {
    const client = clientOf(agentType)
    if (!client) return undefined
    const announced = takeAnnouncedCall(home, client, input)
    if (announced) return announced
    const session = notedSession(home, client)
    return session === undefined ? undefined : { session, agent: "main" }
  }

  const found = async (made: readonly MadeCall[]): Promise<CallOwner | undefined> => {
    if (made.length === 0) return undefined
    try {
      return await (await finderOf(agentType))?.find(made)
    } catch {
      return undefined
    }
  }

  /** What it wrote before is its session's too, also where the call of a sub-agent makes that known. False for a session of another. */
  const become = async (owner: CallOwner): Promise<boolean> => {
    if (owner.session !== known?.session && !(await isOwn(owner.session, agentType))) return false
    clearTimeout(later)
    known = owner
    if (own === undefined) return true
    const from = own
    own = undefined
    calls = []
    await join(from, owner.session)
    return true
  }

  /** Session files are written a little later than calls are made, hooks may come after them. */
  const lookAgain = (delays: readonly number[]): void => {
    clearTimeout(later)
    const [delay, ...rest] = delays
    if (delay === undefined || own === undefined) return
    later = setTimeout(() => {
      working = working.then(look).then(
        (isKnown) => isKnown || lookAgain(rest),
        () => lookAgain(rest),
      )
    }, delay)
    later.unref()
  }

  const look = async (): Promise<boolean> => {
    if (own === undefined) return true
    const client = clientOf(agentType)
    const session = client && notedSession(home, client)
    const owner = session === undefined ? await found(calls) : { session, agent: "main" }
    return owner !== undefined && become(owner)
  }

  const keyFor: UnnamedClient["keyFor"] = async (caller, call) => {
    agentType = caller.agentType ?? ""
    const made = call && { ...call, at: now() }
    const owner = noted(call?.input) ?? (await found(made ? [made] : [])) ?? known
    if (owner && (await become(owner))) return owner
    own ??= newSession()
    // A plan is joined only while no call changes it.
    clearTimeout(later)
    if (made) calls = [...calls, made].slice(-mostCalls)
    return { session: own, isNew: true }
  }

  const inOrder = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = working.then(action)
    working = result.catch(() => {})
    return result
  }

  return {
    keyFor: (caller, call) => inOrder(() => keyFor(caller, call)),
    called: () => lookAgain(pauses),
    close: () =>
      inOrder(async () => {
        clearTimeout(later)
        await look()
      }),
  }
}

/** In milliseconds. A client that has written its file by then, or called a hook, is known in the end. */
const pauses = [100, 400, 1_500, 5_000, 20_000]

/** The last ones are near the end of the file. */
const mostCalls = 8
