/** A folded state as compact data: who and when is written once per stamp, not once per todo. */
import type { Plan, Todo, TodoStatus } from "../todo.ts"
import type { Burial } from "./burials.ts"
import type { Lease } from "./claims.ts"
import {
  createLedger,
  type Ledger,
  type MutableLedger,
  type Refused,
  type Stamp,
  type TodoRecord,
  type Tombstone,
  type Untold,
} from "./ledger.ts"
import type { Origin } from "./origins.ts"
import type { Replaced } from "./taken-back.ts"
import type { PartlyTold } from "./told.ts"

type StampIndex = number

/** `[id, added, since, fields set, spent, former wordings, lease, origin, known, former lease]`, cut off where the rest is empty. */
type PackedRecord = [
  id: string,
  added: StampIndex,
  since?: string | 0,
  set?: Record<string, StampIndex> | 0,
  spent?: Partial<Record<TodoStatus, number>> | 0,
  formerly?: readonly string[] | 0,
  lease?: Lease | 0,
  origin?: Origin | 0,
  isKnown?: 1 | 0,
  formerLease?: NonNullable<TodoRecord["formerLease"]>,
]

export type FoldSnapshot = {
  plan: Plan
  /** Ids that were used and are gone. */
  goneIds: string[]
  stamps: Stamp[]
  /** The entry that added the todos about which nothing more is known: all that have no record here. */
  plain: StampIndex
  records: PackedRecord[]
  removed: [stamp: StampIndex, todo: Todo, record?: PackedRecord][]
  buried: [text: string, burial: Burial][]
  untold: Untold[]
  toldAt: [entry: string, at: string][]
  /** Absent in what an earlier version wrote. */
  toldLately?: Untold[]
  partlyTold: PartlyTold[]
  agents: string[]
  replaced: [entry: string, replaced: readonly Replaced[]][]
  refused: [text: string, refused: Refused][]
  calls: string[]
  /** The ids of all entries, see `createSeenIds`. */
  seen: string
  behind: string[]
  facts: Pick<
    Ledger,
    | "opened"
    | "isOwned"
    | "called"
    | "paused"
    | "finished"
    | "moved"
    | "moves"
    | "entries"
    | "updated"
    | "lastWork"
    | "worked"
    | "from"
  >
}

export const packFold = (plan: Plan, goneIds: string[], ledger: Ledger): Omit<FoldSnapshot, "seen"> => {
  const stamps: Stamp[] = []
  const known = new Map<string, StampIndex>()
  const indexOf = (stamp: Stamp): StampIndex => {
    const { isUndo, former, entry } = stamp
    // One entry may have several stamps: what an undo brought back is stamped so with the entry that had added it, and one undo may
    // give fields back to several.
    const key = `${isUndo ? "undo" : ""} ${former ? indexOf(former) : former} ${entry}`
    const index = known.get(key) ?? stamps.push(stamp) - 1
    known.set(key, index)
    return index
  }
  const { todos, removed, buried, untold, toldAt, toldLately, partlyTold, agents, ...others } = ledger
  const { replaced, refused, calls, behind, ...facts } = others
  const records = [...todos].map(([id, record]) => packRecord(id, record, indexOf))
  const plain = commonest(records.flatMap((record) => (record.length === 2 ? [record[1]] : [])))
  return {
    plan,
    goneIds,
    plain,
    records: records.filter((record) => record.length > 2 || record[1] !== plain),
    removed: [...removed.values()].map(({ todo, record, ...stamp }) =>
      record ? [indexOf(stamp), todo, packRecord(todo.id, record, indexOf)] : [indexOf(stamp), todo],
    ),
    buried: [...buried],
    stamps,
    untold: [...untold.values()],
    toldAt: [...toldAt],
    toldLately: [...toldLately.values()],
    partlyTold: [...partlyTold.values()],
    agents: [...agents],
    replaced: [...replaced],
    refused: [...refused],
    calls: [...calls],
    behind: [...behind],
    facts,
  }
}

export const unpackLedger = ({
  plan,
  stamps,
  plain,
  records,
  removed,
  buried,
  untold,
  toldAt,
  toldLately = [],
  partlyTold,
  agents,
  replaced,
  refused,
  calls,
  behind,
  facts,
}: FoldSnapshot): MutableLedger => {
  const stampAt = (index: StampIndex): Stamp => stamps[index] ?? { at: "", by: { kind: "system", id: "" }, entry: "" }
  return {
    ...createLedger(),
    ...facts,
    todos: unpackRecords(plan, plain, records, stampAt),
    removed: new Map(
      removed.map(([index, todo, packed]): [string, Tombstone] => {
        const record = packed && unpackRecord(packed, stampAt)
        return [todo.id, { ...stampAt(index), todo, ...(record ? { record } : {}) }]
      }),
    ),
    buried: new Map(buried),
    untold: new Map(untold.map((change) => [change.entry, change])),
    toldAt: new Map(toldAt),
    toldLately: new Map(toldLately.map((change) => [change.entry, change])),
    partlyTold: new Map(partlyTold.map((partly) => [partly.change.entry, partly])),
    agents: new Set(agents),
    replaced: new Map(replaced),
    refused: new Map(refused),
    calls: new Set(calls),
    behind: new Set(behind),
  }
}

const packRecord = (
  id: string,
  { added, since, set, spent, formerly, lease, origin, isKnown, formerLease }: TodoRecord,
  indexOf: (stamp: Stamp) => StampIndex,
): PackedRecord => {
  const fields = Object.entries(set).flatMap(([field, stamp]) => (stamp ? [[field, indexOf(stamp)] as const] : []))
  const packed: PackedRecord = [id, indexOf(added)]
  const isPlain = since === added.at && fields.length === 0 && Object.keys(spent).length === 0
  const rest = [formerly, lease, origin, isKnown && 1, formerLease]
  const length = rest.findLastIndex((part) => part !== undefined) + 1
  if (isPlain && length === 0) return packed
  packed.push(since === added.at ? 0 : since, fields.length > 0 ? Object.fromEntries(fields) : 0)
  packed.push(Object.keys(spent).length > 0 ? spent : 0)
  return [...packed, ...rest.slice(0, length).map((part) => part ?? 0)] as PackedRecord
}

const unpackRecord = (
  [, index, since, set, spent, formerly, lease, origin, isKnown, formerLease]: PackedRecord,
  stampAt: (index: StampIndex) => Stamp,
): TodoRecord => {
  const added = stampAt(index)
  const fields = Object.entries(set || {}).map(([field, stamp]) => [field, stampAt(stamp)] as const)
  return {
    added,
    set: Object.fromEntries(fields),
    since: since || added.at,
    spent: { ...(spent || {}) },
    ...(formerly ? { formerly } : {}),
    ...(lease ? { lease } : {}),
    ...(origin ? { origin } : {}),
    ...(isKnown ? { isKnown: true as const } : {}),
    ...(formerLease ? { formerLease } : {}),
  }
}

/** Records are never changed in place, so todos of which only the adding is known can share one. */
const unpackRecords = (
  { todos }: Plan,
  plain: StampIndex,
  records: readonly PackedRecord[],
  stampAt: (index: StampIndex) => Stamp,
): Map<string, TodoRecord> => {
  const shared = unpackRecord(["", plain], stampAt)
  const unpacked = new Map<string, TodoRecord>()
  for (const { id } of todos) unpacked.set(id, shared)
  for (const record of records) unpacked.set(record[0], unpackRecord(record, stampAt))
  return unpacked
}

const commonest = (indexes: readonly StampIndex[]): StampIndex => {
  const counts = new Map<StampIndex, number>()
  for (const index of indexes) counts.set(index, (counts.get(index) ?? 0) + 1)
  let most: StampIndex = -1
  for (const [index, count] of counts) if (count > (counts.get(most) ?? 0)) most = index
  return most
}
