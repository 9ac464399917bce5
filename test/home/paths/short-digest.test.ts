import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { sha256Of } from "../../../src/home/paths/short-digest.ts"

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

test("a short digest is the one that Node computes, whatever the text is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256Of(text)).toBe(digestOf(text))
    }),
  )
})

test("a short digest is the one that Node computes, at every length around the end of a block", () => {
  for (let length = 0; length <= 260; length += 1) {
    const text = "x".repeat(length)
    expect(sha256Of(text)).toBe(digestOf(text))
  }
})
