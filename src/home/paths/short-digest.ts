/**
 * SHA-256 of short texts such as ids and paths. Loading `node:crypto` takes a fifth of a start of Node, and hooks need one digest at
 * most. Longer data are hashed ten times as fast there.
 */

/** The digest in hexadecimal digits, as `node:crypto` has it. */
export const sha256Of = (text: string): string => {
  const words = paddedWords(Buffer.from(text))
  const state = [...firstState]
  for (let start = 0; start < words.length; start += blockWords)
    addBlock(state, words.subarray(start, start + blockWords))
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}

/** The standard calls it 512 bits. */
const blockWords = 16

/** The text, a bit that ends it, zeros, and its length in bits, in whole blocks. */
const paddedWords = (bytes: Buffer): Int32Array => {
  const words = new Int32Array(Math.ceil((bytes.length + 9) / 64) * blockWords)
  const add = (value: number, place: number): void => {
    words[place >> 2] = (words[place >> 2] ?? 0) | (value << (24 - 8 * (place & 3)))
  }
  for (const [place, value] of bytes.entries()) add(value, place)
  add(0x80, bytes.length)
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29)
  words[words.length - 1] = bytes.length << 3
  return words
}

const turned = (word: number, count: number): number => (word >>> count) | (word << (32 - count))

const scheduleOf = (block: Int32Array): Int32Array => {
  const schedule = new Int32Array(roundConstants.length)
  schedule.set(block)
  const at = (round: number): number => schedule[round] ?? 0
  for (let round = blockWords; round < schedule.length; round += 1) {
    const [older, newer] = [at(round - 15), at(round - 2)]
    const first = turned(older, 7) ^ turned(older, 18) ^ (older >>> 3)
    const second = turned(newer, 17) ^ turned(newer, 19) ^ (newer >>> 10)
    schedule[round] = at(round - 16) + first + at(round - 7) + second
  }
  return schedule
}

/** The letters are those of the standard, FIPS 180-4. */
const addBlock = (state: number[], block: Int32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (const [round, word] of scheduleOf(block).entries()) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (roundConstants[round] ?? 0) + word
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [place, value] of [a, b, c, d, e, f, g, h].entries()) state[place] = ((state[place] ?? 0) + value) | 0
}

const wordsIn = (digits: string): number[] => digits.split(" ").map((word) => Number.parseInt(word, 16))

const firstState = wordsIn("6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19")

const roundConstants = wordsIn(
  "428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2",
)
