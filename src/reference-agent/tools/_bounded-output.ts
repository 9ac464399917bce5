/** Keeps only the beginning and the end of a long output in memory. */

export type BoundedOutput = { push(text: string): void; text(): string }

export const createBoundedOutput = (most: number): BoundedOutput => {
  const half = Math.floor(most / 2)
  let [head, tail, dropped] = ["", "", 0]
  return {
    push(text) {
      const room = half - head.length
      head += text.slice(0, Math.max(0, room))
      tail += text.slice(Math.max(0, room))
      // Not for every piece, because each cut copies all that is kept.
      if (tail.length > 2 * half) cut()
    },
    text() {
      cut()
      return dropped === 0
        ? head + tail
        : `${head.trimEnd()}\n\n… (${dropped} characters left out) …\n\n${tail.trimStart()}`
    },
  }

  function cut(): void {
    if (tail.length <= half) return
    dropped += tail.length - half
    tail = tail.slice(-half)
  }
}
