/** Converts chunks of text or bytes to bytes, keeping characters that are split between two chunks. */

export type Chunk = string | Uint8Array

const nothing = new Uint8Array()

export const createEncoder = () => {
  /** The first half of a character beyond the basic plane. */
  let half = ""

  const finish = (): Uint8Array => {
    const bytes = half === "" ? nothing : Buffer.from(half)
    half = ""
    return bytes
  }

  return {
    push(chunk: Chunk): Uint8Array {
      if (typeof chunk !== "string") return half === "" ? chunk : Buffer.concat([finish(), chunk])
      const text = half + chunk
      const isCut = /[\ud800-\udbff]$/.test(text)
      half = isCut ? text.slice(-1) : ""
      return Buffer.from(isCut ? text.slice(0, -1) : text)
    },
    end: finish,
  }
}
