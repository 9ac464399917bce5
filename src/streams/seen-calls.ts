/** Tracks which calls of a stream were seen before: a client may repeat one, and some model services reuse ids. */
import { hash } from "node:crypto"

/** A call by its id, with a fingerprint of its input. */
export type SeenId = [id: string, fingerprint: string]

/** The same for two calls with the same input. */
export const fingerprintOf = (input: unknown): string => hash("sha256", contentOf(input), "base64url").slice(0, 16)

export type SeenCalls = {
  has(callId: string): boolean
  /** Takes a call. Returns whether it differs from the last call with its id. */
  isNew(callId: string, input: unknown): boolean
  /** Returns the last calls, the oldest first. */
  last(count: number): SeenId[]
}

export const createSeenCalls = (from: readonly SeenId[] = []): SeenCalls => {
  const fingerprints = new Map(from)
  return {
    has: (callId) => fingerprints.has(callId),
    isNew(callId, input) {
      const fingerprint = fingerprintOf(input)
      if (fingerprints.get(callId) === fingerprint) return false
      fingerprints.delete(callId)
      fingerprints.set(callId, fingerprint)
      return true
    },
    last: (count) => [...fingerprints].slice(-count),
  }
}

/** An input that is nested too deeply for JSON is treated as empty, and so equals any other such input. */
const contentOf = (input: unknown): string => {
  try {
    return typeof input === "string" ? input : (JSON.stringify(input) ?? "")
  } catch {
    return ""
  }
}
