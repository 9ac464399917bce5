/** Folded states next to the log, so that opening a plan costs the state and what came after, however long the log is. */
import { createHash } from "node:crypto"
import type { FoldSnapshot } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { foldVersion, type PlanKey, type Snapshot } from "../store.ts"
import type { Database } from "./database.ts"
import { keyDigest } from "./keys.ts"
import type { Place } from "./log.ts"

export type Snapshots = {
  read(key: PlanKey): Promise<Snapshot | undefined>
  wants(place: Place): boolean
  write(place: Place, state: FoldSnapshot): Promise<void>
}

/** Versions that fold differently keep their own snapshots. */
const format = createHash("sha256").update(foldVersion).digest("hex").slice(0, 32)

/** How far the last snapshot reaches, and how long it is, in characters. */
type Known = { bytes: number; size: number }

export const createSnapshots = ({ query, schema }: Database): Snapshots => {
  const known = new Map<number, Known>()
  return {
    async read(key) {
      const [row] = await query(
        `select p.id, s.seq, s.bytes, s.state from ${schema}.plans p join ${schema}.snapshots s on s.plan = p.id
         where p.key = $1::uuid and s.format = $2::uuid and s.seq <= p.last and pg_catalog.octet_length(s.state) <= $3::bigint`,
        [keyDigest(key), format, longestState],
      )
      if (!row) return undefined
      const text = String(row.state)
      const state = parseJson(text)
      const cursor: Place = { log: Number(row.id), seq: Number(row.seq), bytes: Number(row.bytes) }
      known.set(cursor.log, { bytes: cursor.bytes, size: text.length })
      return isRecord(state) ? { cursor, state: { ...state, seen: "" } as FoldSnapshot, problems: [] } : undefined
    },
    wants({ log, bytes }) {
      const last = known.get(log) ?? { bytes: 0, size: 0 }
      return bytes - last.bytes > smallest && bytes - last.bytes > 2 * last.size
    },
    async write({ log, seq, bytes }, state) {
      // Which ids there are is known to the database, which takes none twice: they would be all there is to a long log.
      const text = JSON.stringify({ ...state, seen: "" })
      // A snapshot that cannot be written is not retried with every entry.
      known.set(log, { bytes, size: text.length })
      await query(`select ${schema}.keep_snapshot($1::bigint, $2::uuid, $3::bigint, $4::bigint, $5)`, [
        ...[log, format, seq, bytes],
        text,
      ])
    },
  }
}

const smallest = 65_536

/** In bytes. A longer one was not written by Headway: the log is read instead. */
const longestState = 64 << 20
