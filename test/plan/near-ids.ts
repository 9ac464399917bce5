/** Ids of entries that were chosen to be slow to find. */

/** Texts whose hash, as `seen-ids.ts` makes it without its salt, ends in nearly the same bits. */
export const nearIds = (count: number): string[] => {
  const ids: string[] = []
  for (let start = 0x100; ids.length < count; start += 1) {
    const low = Math.imul(0x811c9dc5 ^ start, 0x9e3779b1)
    const high = Math.imul(0x2f0b4f1d ^ start ^ (low >>> 15), 0x85ebca6b)
    for (let code = 0x100; code < 0xd800 && ids.length < count; code += 1) {
      const nextLow = Math.imul(low ^ code, 0x9e3779b1)
      const nextHigh = Math.imul(high ^ code ^ (nextLow >>> 15), 0x85ebca6b)
      const mixed = Math.imul(nextLow ^ (nextHigh >>> 16), 0xc2b2ae35)
      if (((mixed ^ (mixed >>> 16)) & 0xffff) < 32) ids.push(String.fromCharCode(start, code))
    }
  }
  return ids
}
