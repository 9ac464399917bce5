/** Runs a piece of work for each of many things, a few at once, and gives the results in their order. */
export const atOnce = async <Thing, Result>(
  things: readonly Thing[],
  most: number,
  work: (thing: Thing, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < things.length) {
      const index = next
      next += 1
      results[index] = await work(things[index] as Thing, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, things.length) }, worker))
  return results
}
