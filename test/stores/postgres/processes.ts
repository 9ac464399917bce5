/** Starts the processes of the fault tests, and what all of these tests ask afterwards. */
import { once } from "node:events"
import { expect } from "vitest"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import type { PlanKey } from "../../../src/stores/store.ts"
import { bundle, startWriter, type Writer } from "../faults.ts"
import { temporaryFolder } from "../temporary.ts"

let program: Promise<string> | undefined

export const startProcess = async (...words: string[]): Promise<Writer & { ended: Promise<unknown[]> }> => {
  program ??= bundle("./postgres/process.ts", temporaryFolder())
  const writer = startWriter(await program, words)
  return { ...writer, ended: once(writer.child, "close") }
}

/** Lets all begin at the same moment. */
export const begin = async (processes: readonly Writer[]): Promise<void> => {
  for (const { messages, nextLine } of processes) while (!messages.some(([word]) => word === "ready")) await nextLine()
  for (const { child } of processes) child.stdin?.write("go\n")
}

export const valuesOf = <Value>({ messages }: Writer, wanted: string): Value[] =>
  messages.flatMap(([word, value]) => (word === wanted ? [value as Value] : []))

/** Everything that was acknowledged is in the log, once, in the order every process saw. */
export const expectNothingLost = async (url: string, key: PlanKey, writers: readonly Writer[]): Promise<string[]> => {
  const store = createPostgresStore({ url })
  const { entries, problems } = await store.load(key)
  await store.close()
  expect(problems).toEqual([])
  const order = entries.map(({ id }) => id)
  expect(new Set(order).size).toBe(order.length)
  const acknowledged = writers.flatMap((writer) => valuesOf<string>(writer, "acknowledged"))
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(acknowledged.filter((id) => !order.includes(id))).toEqual([])
  for (const writer of writers) {
    const own = valuesOf<string>(writer, "acknowledged")
    const places = own.map((id) => order.indexOf(id))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    const [saw = []] = valuesOf<string[]>(writer, "saw")
    // From when it began to look, in one piece.
    const from = order.indexOf(saw[0] ?? "")
    expect(saw).toEqual(order.slice(from, from + saw.length))
  }
  return acknowledged
}
