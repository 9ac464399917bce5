/** The phases of a plan in their order, and how many todos are in each, so that each query takes the same time for any number. */
import { createOrderedList, isBefore, type Link } from "./ordered-list.ts"

export type PhaseList = {
  has(name: string): boolean
  readonly size: number
  /** In their order. */
  names(): string[]
  /** The one before it, `""` for the first. */
  before(name: string): string
  /** The last one, `""` where there is none. */
  last(): string
  /** Whether the todos of a phase are read before those of another: first comes what has no phase, last what is not listed. */
  isFirst(one: string | undefined, other: string | undefined): boolean
  /** Inserts a new one after another, or at the very start, `""`. */
  put(name: string, after: string): void
  remove(name: string): void
  clear(): void
  /** A todo of the phase came, 1, or went, -1. */
  count(name: string | undefined, change: 1 | -1): void
  isUsed(name: string): boolean
}

export const createPhaseList = (names: readonly string[]): PhaseList => {
  const order = createOrderedList("")
  const links = new Map<string, Link<string>>()
  const uses = new Map<string, number>()

  const linkOf = (name: string): Link<string> => links.get(name) ?? order.edge

  const list: PhaseList = {
    has: (name) => links.has(name),
    get size() {
      return links.size
    },
    names: order.items,
    before: (name) => linkOf(name).previous.item,
    last: () => order.edge.previous.item,
    isFirst(one, other) {
      if (one === undefined || other === undefined) return one === undefined && other !== undefined
      const [link, otherLink] = [links.get(one), links.get(other)]
      return link !== undefined && (otherLink === undefined || isBefore(link, otherLink))
    },
    put(name, after) {
      links.set(name, order.insert(name, linkOf(after)))
    },
    remove(name) {
      const link = links.get(name)
      if (!link) return
      order.remove(link)
      links.delete(name)
    },
    clear() {
      links.clear()
      order.clear()
    },
    count(name, change) {
      if (name === undefined) return
      const count = (uses.get(name) ?? 0) + change
      if (count > 0) uses.set(name, count)
      else uses.delete(name)
    },
    isUsed: (name) => uses.has(name),
  }
  for (const name of names) if (!list.has(name)) list.put(name, list.last())
  return list
}
