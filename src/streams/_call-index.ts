/** The kept calls of all agents by their ids: which of them wait for results, and which call is a repetition. */
import type { ToolCall } from "../dialects/dialect.ts"
import { addTo } from "../plan/grouped.ts"
import type { CallLog, KeptCall } from "./_call-log.ts"
import type { ObservedAgent } from "./observe.ts"
import { fingerprintOf, type SeenId } from "./seen-calls.ts"

export type Observed = { agent: ObservedAgent; log: CallLog }

/** A call and the agent whose list it changes. */
export type Named = { observed: Observed; made: KeptCall }

export type CallIndex = {
  /** The ids of calls whose results are pending. */
  readonly open: ReadonlySet<string>
  add(named: Named): void
  /** The call is no longer kept. Only that it was there is remembered. */
  forget(made: KeptCall): void
  /** Whether the call is a repetition. A different call with a reused id has another input. */
  isRepeated(call: ToolCall): boolean
  findOpen(id: string): Named | undefined
  /** The last call of an id that is open or was accepted. */
  findAccepted(id: string): Named | undefined
  /** To be called after an open call was accepted or refused. */
  close(id: string): void
  /** The last calls that are not among these ids, by which repetitions are recognised later. */
  lastSettled(stillKept: ReadonlySet<string>): SeenId[]
}

/** The most ids remembered of calls that are no longer kept, and their longest length. */
const [mostSettled, longestId] = [1_000, 200]
/** The most open calls of all agents, because each further line is searched for their ids. */
const mostOpen = 200
/** The most ids of settled calls in a snapshot. */
const recognised = 50
/** The most calls with the same id that can still be answered or rewound. */
const mostOfOneId = 20

/** `from`: the settled calls of a snapshot. */
export const createCallIndex = (from: readonly SeenId[] = []): CallIndex => {
  /** Some model services reuse ids, so there may be several calls of one, in order. */
  const byId = new Map<string, Named[]>()
  const open = new Set<string>()
  const settled = new Map(from)

  const close = (id: string): void => {
    if (!byId.get(id)?.some(isOpen)) open.delete(id)
  }

  return {
    open,
    add(named) {
      const { callId: id } = named.made.call
      if (id === undefined) return
      addTo(byId, id, named)
      const calls = byId.get(id) ?? []
      if (calls.length > mostOfOneId) calls.shift()
      if (isOpen(named)) open.add(id)
      if (open.size > mostOpen) removeFirst(open)
    },
    forget(made) {
      const { callId: id, input } = made.call
      if (id === undefined) return
      const others = byId.get(id)?.filter((one) => one.made !== made) ?? []
      if (others.length > 0) byId.set(id, others)
      else byId.delete(id)
      close(id)
      if (id.length > longestId) return
      settled.delete(id)
      settled.set(id, fingerprintOf(input))
      if (settled.size > mostSettled) removeFirst(settled)
    },
    isRepeated({ callId, input }) {
      if (callId === undefined) return false
      const last = byId.get(callId)?.at(-1)
      const known = last ? fingerprintOf(last.made.call.input) : settled.get(callId)
      return known !== undefined && known === fingerprintOf(input)
    },
    findOpen: (id) => byId.get(id)?.findLast(isOpen),
    findAccepted: (id) => byId.get(id)?.findLast(({ made }) => made.state !== "refused"),
    close,
    lastSettled(stillKept) {
      const last = [...byId].slice(-recognised).flatMap(([id, calls]): SeenId[] => {
        const call = calls.at(-1)?.made.call
        return call ? [[id, fingerprintOf(call.input)]] : []
      })
      const seen = [...new Map([...settled, ...last])].filter(([id]) => !stillKept.has(id))
      return seen.slice(-recognised)
    },
  }
}

const isOpen = ({ made }: Named): boolean => made.state === "open"

const removeFirst = (ids: Pick<Set<string>, "keys" | "delete">): void => {
  for (const id of ids.keys()) {
    ids.delete(id)
    return
  }
}
