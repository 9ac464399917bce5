/** An index that rests in memory, as text that a test can look at and change. */
import type { PartedIndexFile } from "../../src/sessions/session-index.ts"

export type MemoryIndex = { index: PartedIndexFile; kept: { text: string | undefined; saved: number } }

export const memoryIndex = (text?: string): MemoryIndex => {
  const kept = { text, saved: 0 }
  const index: PartedIndexFile = {
    load() {
      const { text } = kept
      const bytes = Buffer.from(text ?? "")
      const read = (start: number, length: number) =>
        kept.text === text ? bytes.subarray(start, start + length) : undefined
      return text === undefined ? undefined : { size: bytes.length, read }
    },
    save(content) {
      kept.text = content.toString("utf8")
      kept.saved += 1
    },
  }
  return { index, kept }
}
