/** Any character there is, as `unit: "binary"` of fast-check: that one keeps a table of all of them, which takes 120 MB in each worker. */
import fc from "fast-check"

const [firstSurrogate, surrogates, last] = [0xd800, 0x800, 0x10ffff]

export const anyCharacter = fc.nat({ max: last - surrogates }).map(
  (place) => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates),
  (text) => {
    const point = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1
    if (point < 0 || String.fromCodePoint(point) !== text || !text.isWellFormed()) throw new Error("no character")
    return point < firstSurrogate ? point : point - surrogates
  },
)
