/** Identifies the bytes read from a file: the bytes themselves if few, otherwise their hash. */
import type { Hash } from "node:crypto"
import { readSync } from "node:fs"

export type Witness = {
  readonly length: number
  /** The last bytes, up to a few hundred. */
  readonly tail: Buffer
  /** Returns the witness extended by these bytes; this one does not change. */
  and(more: Buffer): Witness
  digest(): string
}

const tailLength = 512

/** Most journals stay below this size; hashing would make every command load the hash module. */
const few = 65_536

type Part = { before: Part | undefined; bytes: Buffer }

/** The hash is of all but the last parts, which wait until there are enough of them: a copy of it for each would be dear. */
const witnessWith = (
  hash: Hash | undefined,
  last: Part | undefined,
  waiting: number,
  length: number,
  tail: Buffer,
): Witness => ({
  length,
  tail,
  and(more) {
    const [sum, end] = [length + more.length, tailOf(tail, more)]
    if (waiting + more.length > few) return witnessWith(hashOf(hash, last).update(more), undefined, 0, sum, end)
    return witnessWith(hash, { before: last, bytes: Buffer.from(more) }, waiting + more.length, sum, end)
  },
  digest: () => hashOf(hash, last).digest("hex"),
})

export const emptyWitness: Witness = witnessWith(undefined, undefined, 0, 0, Buffer.alloc(0))

/** For a reader that reads once and need not recognise the file again. */
export const noWitness: Witness = { ...emptyWitness, and: () => noWitness }

/** The witness of the first bytes of a file; of fewer, where it is shorter. */
export const witnessOf = (file: number, length: number): Witness => {
  const block = Buffer.allocUnsafe(Math.min(length, 1 << 20))
  let witness = emptyWitness
  while (witness.length < length) {
    const wanted = Math.min(block.length, length - witness.length)
    const read = readSync(file, block, 0, wanted, witness.length)
    if (read === 0) break
    witness = witness.and(block.subarray(0, read))
  }
  return witness
}

/** A hash for which no other bytes can be found. */
export const sha256 = (): Hash => process.getBuiltinModule("node:crypto").createHash("sha256")

const hashOf = (hash: Hash | undefined, last: Part | undefined): Hash => {
  const parts: Buffer[] = []
  for (let part = last; part; part = part.before) parts.push(part.bytes)
  const sum = hash ? hash.copy() : sha256()
  for (const bytes of parts.toReversed()) sum.update(bytes)
  return sum
}

const tailOf = (tail: Buffer, more: Buffer): Buffer => {
  const joined = Buffer.allocUnsafe(Math.min(tailLength, tail.length + more.length))
  const start = joined.length - more.length
  if (start > 0) tail.copy(joined, 0, tail.length - start)
  more.copy(joined, Math.max(0, start), Math.max(0, -start))
  return joined
}
