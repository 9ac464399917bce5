/** Random numbers that can be had again: a seed and a name decide them. */
import { createHash } from "node:crypto"

/** Mulberry32: small, quick and good enough to choose moments and bytes. */
export const createRandom = (seed: number, name: string): (() => number) => {
  let state = createHash("sha256").update(`${seed} ${name}`).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A whole number from 0 up to, not including, a limit. */
export const below = (random: () => number, limit: number): number => Math.floor(random() * limit)

/** One of several values. */
export const pick = <Value>(random: () => number, values: readonly [Value, ...Value[]]): Value =>
  values[below(random, values.length)] ?? values[0]
