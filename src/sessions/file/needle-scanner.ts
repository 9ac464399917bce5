/**
 * Finds any of several byte strings in one pass over memory, sixteen positions at a time. Searching for each of them
 * separately would take most of the time of a first scan of gigabytes of sessions.
 */

/** Where the bytes must be for a scanner to see them. */
export const scannedMemory = (size: number): Buffer => {
  memory ??= newMemory(Math.ceil((size + slack) / pageSize))
  return memory ? Buffer.from(memory.buffer, 0, size) : Buffer.allocUnsafe(size)
}

/** The first position of any complete needle between two positions of the memory, or -1. */
export type Scanner = (from: number, end: number) => number

/** Undefined if it cannot be created; each needle must then be searched for separately. */
export const createScanner = (needles: readonly string[]): Scanner | undefined => {
  const key = needles.join("\n")
  if (!scanners.has(key)) scanners.set(key, newScanner(needles))
  return scanners.get(key)
}

const newScanner = (needles: readonly string[]): Scanner | undefined => {
  const all = needles.map((needle) => Buffer.from(needle))
  const compiled = memory && all.length > 0 && all.every(({ length }) => length >= 2) ? compile(all, memory) : undefined
  if (!compiled || !memory) return undefined
  const bytes = Buffer.from(memory.buffer)
  const isWhole = (at: number, end: number): boolean =>
    all.some((needle) => at + needle.length <= end && needle.equals(bytes.subarray(at, at + needle.length)))
  return (from, end) => {
    let at = compiled(from, end)
    // Bytes after the end are left over from before and may look like the rest of a needle.
    while (at >= 0 && !isWhole(at, end)) at = compiled(at + 1, end)
    return at
  }
}

type Memory = { buffer: ArrayBuffer }

/** As much as is used of it. A system that allows no code to be made at run time has none of it. */
type Wasm = {
  Memory: new (size: { initial: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { f?: Scanner } }
}

const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly
let memory: Memory | undefined
const scanners = new Map<string, Scanner | undefined>()

const pageSize = 65_536
/** How far beyond the end it looks, at most: two blocks and the longest needle. */
const slack = 256
const block = 16

const newMemory = (initial: number): Memory | undefined => {
  try {
    return wasm && new wasm.Memory({ initial })
  } catch {
    // It reserves gigabytes of address space, which may be limited for a process.
    return undefined
  }
}

const compile = (needles: readonly Buffer[], memory: Memory): Scanner | undefined => {
  try {
    return wasm && new wasm.Instance(new wasm.Module(programFor(needles)), { m: { m: memory } }).exports.f
  } catch {
    // Not every processor compares sixteen bytes at once.
    return undefined
  }
}

/** The codes of the few instructions that are used, as the WebAssembly specification numbers them. */
const code = {
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  again: [0x0c, 0],
  againFromIf: [0x0c, 1],
  return: [0x0f],
  atLeast: [0x4f],
  trailingZeros: [0x68],
  add: [0x6a],
  load: [0xfd, 0],
  splat: [0xfd, 15],
  equal: [0xfd, 35],
  and: [0xfd, 78],
  or: [0xfd, 80],
  anyTrue: [0xfd, 83],
  bitmask: [0xfd, 100],
} as const

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const keep = (local: number): number[] => [0x22, local]
const number = (value: number): number[] => [0x41, ...signed(value)]

const [at, end, mask, firstVector] = [0, 1, 2, 3]

/** A byte of a needle, so many places behind its beginning. */
type Place = { behind: number; value: number }

/**
 * `f(at, end)`: in each step two rare bytes of every needle are compared at 32 places; only where some fit, all bytes of the first
 * 16 are. Local variables hold each rare byte sixteen times, and what is in memory at each distance.
 */
const programFor = (needles: readonly Buffer[]): Uint8Array => {
  const rare = groupedPlaces(needles)
  const places = rare.flatMap(({ first, seconds }) => [first, ...seconds])
  const values = [...new Set(places.map(({ value }) => value))]
  const distances = [...new Set(places.map(({ behind }) => behind))]
  const firstLoaded = firstVector + values.length
  const allOf = (masks: readonly number[][]): number[] =>
    masks.flatMap((one, index) => [...one, ...(index ? code.and : [])])
  const anyOf = (masks: readonly number[][]): number[] =>
    masks.flatMap((one, index) => [...one, ...(index ? code.or : [])])
  const load = (distance: number): number[] => [...get(at), ...code.load, 0, ...unsigned(distance)]
  const isLoaded = ({ behind, value }: Place): number[] => [
    ...get(firstLoaded + distances.indexOf(behind)),
    ...[...get(firstVector + values.indexOf(value)), ...code.equal],
  ]
  const maybe = (start: number): number[] => [
    ...distances.flatMap((distance, index) => [...load(start + distance), ...set(firstLoaded + index)]),
    ...anyOf(rare.map(({ first, seconds }) => allOf([isLoaded(first), anyOf(seconds.map(isLoaded))]))),
  ]
  // These bytes are no variables: V8 would keep them at hand in each step.
  const isAt = (value: number, behind: number): number[] => [
    ...[...load(behind), ...number(value), ...code.splat, ...code.equal],
  ]
  const surely = anyOf(needles.map((needle) => allOf([...needle].map((value, behind) => isAt(value, behind)))))
  const forward = (count: number): number[] => [...get(at), ...number(count), ...code.add, ...set(at)]
  const body = [
    ...[1, ...unsigned(1 + values.length + distances.length), 0x7b],
    ...values.flatMap((value, index) => [...number(value), ...code.splat, ...set(firstVector + index)]),
    ...code.loop,
    ...[...get(at), ...get(end), ...code.atLeast, ...code.if, ...number(-1), ...code.return, ...code.end],
    ...[...maybe(0), ...maybe(block), ...code.or, ...code.anyTrue, ...code.if],
    ...[...surely, ...keep(mask), ...code.anyTrue, ...code.if],
    ...[...get(at), ...get(mask), ...code.bitmask, ...code.trailingZeros, ...code.add, ...code.return, ...code.end],
    ...[...forward(block), ...code.againFromIf, ...code.end],
    ...[...forward(2 * block), ...code.again, ...code.end],
    ...[...number(-1), ...code.end],
  ]
  const [i32, name] = [0x7f, [1, 0x6d]]
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, 2, i32, i32, 1, i32]),
    ...section(2, [...name, ...name, 2, 0, 1]),
    ...section(3, [0]),
    ...section(7, [1, 0x66, 0, 0]),
    ...section(10, [...unsigned(body.length), ...body]),
  ])
}

/** Common bytes in prose, code and JSON, the most common first; all others are rarer. */
const commonBytes = Buffer.from(' etaoinsrhldcu"mpfgy,.w_bv:/-\\k(){}=0T1SA')

/** The last byte counts only in short ones: several needles that differ in nothing else are then one comparison. */
const rarestOf = (needle: Buffer): number[] => {
  const compared = needle.subarray(0, needle.length > 4 ? -1 : needle.length)
  const rarity = (place: number): number =>
    (commonBytes.indexOf(needle[place] ?? 0) + commonBytes.length) % commonBytes.length
  return [...compared.keys()].sort((one, other) => rarity(other) - rarity(one)).slice(0, 2)
}

/** Two rare bytes of each needle. Needles with the same rarest byte at the same place share that comparison. */
const groupedPlaces = (needles: readonly Buffer[]): { first: Place; seconds: Place[] }[] => {
  const groups = new Map<string, { first: Place; seconds: Map<string, Place> }>()
  for (const needle of needles) {
    const [first, second] = rarestOf(needle).map((behind): Place => ({ behind, value: needle[behind] ?? 0 }))
    if (!first || !second) continue
    const group = groups.get(keyOf(first)) ?? { first, seconds: new Map() }
    group.seconds.set(keyOf(second), second)
    groups.set(keyOf(first), group)
  }
  return [...groups.values()].map(({ first, seconds }) => ({ first, seconds: [...seconds.values()] }))
}

const keyOf = ({ behind, value }: Place): string => `${behind} ${value}`

/** A section with one member. */
const section = (id: number, member: readonly number[]): number[] => [id, ...unsigned(member.length + 1), 1, ...member]

const unsigned = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)])

/** Of numbers between -64 and 8191. */
const signed = (value: number): number[] => (value < 64 ? [value & 127] : [(value & 127) | 128, value >>> 7])
