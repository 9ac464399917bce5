/** Which ids were seen, in eight bytes each: a log of a hundred thousand entries must not keep them all as texts. */

export type SeenIds = {
  has(id: string): boolean
  /** Returns whether the id is new. */
  add(id: string): boolean
  /** As a text from which `createSeenIds` can continue. */
  pack(): string
}

/**
 * Each id is kept as its hash of 64 bits, two words in a table, at its own place or soon after. That two of a hundred
 * thousand ids share a hash happens in one of a thousand million such logs.
 */
export const createSeenIds = (packed = ""): SeenIds => {
  let count = 0
  let table = new Uint32Array(128)

  /** Where the two words are, or the free place where they belong. */
  const placeOf = (low: number, high: number): number => {
    const mask = table.length - 1
    let place = (saltedOf(low, high) << 1) & mask
    while (table[place + 1] !== 0 && !(table[place] === low && table[place + 1] === high)) place = (place + 2) & mask
    return place
  }

  const put = (low: number, high: number): boolean => {
    const place = placeOf(low, high)
    if (table[place + 1] !== 0) return false
    table[place] = low
    table[place + 1] = high
    count += 1
    if (count * 4 > table.length) grow()
    return true
  }

  const grow = (): void => {
    const old = table
    table = new Uint32Array(old.length * 2)
    count = 0
    putAll(old)
  }

  const putAll = (words: Uint32Array): void => {
    for (let index = 0; index + 1 < words.length; index += 2) {
      const high = words[index + 1] ?? 0
      if (high !== 0) put(words[index] ?? 0, high)
    }
  }

  const words = unpack(packed)
  while (words.length * 2 > table.length) table = new Uint32Array(table.length * 2)
  putAll(words)
  return {
    has: (id) => withHash(id, (low, high) => table[placeOf(low, high) + 1] !== 0),
    add: (id) => withHash(id, put),
    pack: () => pack(table, count),
  }
}

/** Another one in every process: a log cannot contain ids that were chosen to collide, which would be slow to find. */
const salt = Math.floor(Math.random() * 2 ** 32)

const saltedOf = (low: number, high: number): number => {
  const first = Math.imul(low ^ salt, 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 15) ^ high, 0xc2b2ae35)
  return second ^ (second >>> 16)
}

let lastText = ""
let lastLow = 0
let lastHigh = 0

/** The hash of a text. An id is asked for, added and asked for again: each is hashed once. */
const withHash = <Result>(text: string, use: (low: number, high: number) => Result): Result => {
  if (text !== lastText || lastHigh === 0) hash(text)
  return use(lastLow, lastHigh)
}

/** Two plain hashes of a text, well mixed at the end so that similar texts get distant values. The second is never 0: that is free. */
const hash = (text: string): void => {
  let low = 0x811c9dc5
  let high = 0x2f0b4f1d
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x9e3779b1)
    high = Math.imul(high ^ code ^ (low >>> 15), 0x85ebca6b)
  }
  low = Math.imul(low ^ (high >>> 16), 0xc2b2ae35)
  high = Math.imul(high ^ (low >>> 13), 0x27d4eb2f)
  lastText = text
  lastLow = (low ^ (low >>> 16)) >>> 0
  lastHigh = (high ^ (high >>> 15)) >>> 0 || 1
}

const pack = (table: Uint32Array, count: number): string => {
  const words = new Uint32Array(count * 2)
  let length = 0
  for (let place = 0; place < table.length; place += 2) {
    if (table[place + 1] === 0) continue
    words[length] = table[place] ?? 0
    words[length + 1] = table[place + 1] ?? 0
    length += 2
  }
  // In one order, whatever way the table was filled: the same ids are the same text.
  new BigUint64Array(words.buffer).sort()
  const bytes = new Uint8Array(words.buffer)
  let text = ""
  // In pieces: a call takes only a limited number of arguments.
  for (let from = 0; from < bytes.length; from += piece)
    text += String.fromCharCode(...bytes.subarray(from, from + piece))
  return btoa(text)
}

const piece = 8_192

const unpack = (packed: string): Uint32Array => {
  const text = atob(packed)
  const bytes = new Uint8Array(text.length - (text.length % 8))
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = text.charCodeAt(index)
  return new Uint32Array(bytes.buffer)
}
