/** Finds byte strings in a file chunk by chunk, in order of occurrence. */
import { createScanner, type Scanner } from "./needle-scanner.ts"

type Needle = {
  bytes: Buffer
  /** Needles that differ only in their last byte are searched together. */
  lasts: readonly number[] | undefined
  /** Where it occurs next in the chunk: 0 is not known yet, -1 nowhere. */
  next: number
  id?: string
  /** Up to where in the file it is looked for. */
  until: number
}

export type Search = ReturnType<typeof createSearch>

/** The maximum length of a needle: this much of a chunk must be kept for the next one. */
export const longestNeedle = 128

/** How far after a call its result is searched for, in bytes. */
const resultDistance = 16 << 20
const mostAwaited = 32

/** Creating a scanner takes as long as searching this many bytes without one. */
const worthScanning = 2 << 20
/** How many bytes have been searched for the same needles, in all files. */
const searched = new Map<string, number>()

/** The chunks must be in the memory that scanners can access. */
export const createSearch = (needles: readonly string[]) => {
  const key = needles.join("\n")
  let scanner = scannerFor(key, needles)
  let all = scanner ? [] : grouped(needles)
  /** The ids among them, which are asked for after every line. */
  let ids: readonly string[] = []
  let chunk = Buffer.alloc(0) as Buffer
  /** Where the scanner found the next needle in the chunk, or where none is left: -1. */
  let scanned = 0

  const find = ({ bytes, lasts }: Needle, from: number): number => {
    let at = chunk.indexOf(bytes, from)
    if (!lasts) return at
    while (at >= 0 && !lasts.includes(chunk[at + bytes.length] ?? -1)) at = chunk.indexOf(bytes, at + bytes.length)
    return at
  }

  const scan = (scanner: Scanner, from: number): number => {
    const place = chunk.byteOffset
    const found = scanner(place + from, place + chunk.length)
    return found < 0 ? found : found - place
  }

  const keep = (needles: Needle[]): void => {
    all = needles
    ids = needles.flatMap(({ id }) => id ?? [])
  }

  return {
    /** Another chunk, whose first byte is at this position in the file. */
    begin(bytes: Buffer, position: number): void {
      chunk = bytes
      scanned = 0
      if (!scanner && needles.length > 0) {
        searched.set(key, (searched.get(key) ?? 0) + bytes.length)
        scanner = scannerFor(key, needles)
        if (scanner) keep(all.filter(({ id }) => id !== undefined))
      }
      if (all.some(({ until }) => position >= until)) keep(all.filter(({ until }) => position < until))
      for (const needle of all) needle.next = 0
    },
    /** The place of the nearest needle from here on, or -1. */
    next(at: number): number {
      if (scanner && scanned >= 0 && (scanned < at || scanned === 0)) scanned = scan(scanner, at)
      let nearest = scanner ? scanned : -1
      for (const needle of all) {
        if (needle.next >= 0 && (needle.next < at || needle.next === 0)) needle.next = find(needle, at)
        if (needle.next >= 0 && (nearest < 0 || needle.next < nearest)) nearest = needle.next
      }
      return nearest
    },
    /** Nothing is left to search for. */
    isOver: (): boolean => !scanner && all.length === 0,
    /** Looks for the result of a call, which carries its id. */
    await(id: string, position: number): void {
      const bytes = Buffer.from(JSON.stringify(id).slice(1, -1))
      if (bytes.length === 0 || bytes.length > longestNeedle) return
      const awaited = all.filter(({ id }) => id !== undefined)
      const oldest = awaited.length < mostAwaited ? undefined : awaited[0]
      const needle = { bytes, lasts: undefined, next: 0, id, until: position + resultDistance }
      keep([...all.filter((one) => one !== oldest), needle])
    },
    /** The ids that are still looked for. */
    ids: (): readonly string[] => ids,
    found(id: string): void {
      keep(all.filter((needle) => needle.id !== id))
    },
  }
}

const scannerFor = (key: string, needles: readonly string[]): Scanner | undefined =>
  (searched.get(key) ?? 0) > worthScanning ? createScanner(needles) : undefined

const grouped = (needles: readonly string[]): Needle[] => {
  const starts = new Map<string, number[]>()
  for (const needle of needles) {
    const start = needle.slice(0, -1)
    starts.set(start, [...(starts.get(start) ?? []), needle.charCodeAt(needle.length - 1)])
  }
  return [...starts].map(([start, lasts]): Needle => {
    const isOne = lasts.length === 1
    const bytes = Buffer.from(isOne ? start + String.fromCharCode(...lasts) : start)
    return { bytes, lasts: isOne ? undefined : lasts, next: 0, until: Number.POSITIVE_INFINITY }
  })
}
