/** Compressed files for tests, of which nothing is compressed. */

/** A frame of Zstandard whose blocks are stored as they are. */
export const stored = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])]
  const size = 100_000
  for (let at = 0; at < bytes.length; at += size) {
    const block = bytes.subarray(at, at + size)
    const isLast = at + size >= bytes.length
    const header = (block.length << 3) | (isLast ? 1 : 0)
    parts.push(Buffer.from([header & 255, (header >> 8) & 255, header >> 16]), block)
  }
  return Buffer.concat(parts)
}
