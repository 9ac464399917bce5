/** One-time codes that pair a device within a short time; shown to a phone as a QR code. */
import { createHash, randomBytes } from "node:crypto"

export type Pairing = {
  /** Creates a code, and its expiry time in milliseconds. */
  begin(): { code: string; until: number }
  /** Returns whether the code is valid, and uses it up. */
  redeem(code: string): boolean
}

/** Ten minutes, in milliseconds. */
const lasts = 10 * 60_000

/** The most codes valid at once. A new code replaces the oldest one. */
const mostCodes = 8

export const isCode = (text: string): boolean => /^[\w-]{22}$/.test(text)

export const createPairing = (now: () => number): Pairing => {
  // Stored by digest, so that lookup time does not reveal a nearly correct code.
  const codes = new Map<string, number>()
  return {
    begin() {
      const code = randomBytes(16).toString("base64url")
      const until = now() + lasts
      const [oldest] = codes.keys()
      if (codes.size >= mostCodes && oldest !== undefined) codes.delete(oldest)
      codes.set(digestOf(code), until)
      return { code, until }
    },
    redeem(code) {
      const until = codes.get(digestOf(code))
      codes.delete(digestOf(code))
      const left = until === undefined ? 0 : until - now()
      // A clock that was set back must not make a code valid for longer.
      return left > 0 && left <= lasts
    },
  }
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("hex")
