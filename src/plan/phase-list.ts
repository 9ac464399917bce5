/** The phases of a plan in their order, and how many todos stand in each, so that each question costs the same for any number. */

export type PhaseList = {
  has(name: string): boolean
  readonly size: number
  /** In their order. */
  names(): string[]
  /** The one before it, `""` for the first. */
  before(name: string): string
  /** The last one, `""` where there is none. */
  last(): string
  /** Puts a new one behind another, or at the very start, `""`. */
  put(name: string, after: string): void
  remove(name: string): void
  clear(): void
  /** A todo of the phase came, 1, or went, -1. */
  count(name: string | undefined, change: 1 | -1): void
  isUsed(name: string): boolean
}

type Link = { name: string; previous: Link; next: Link }

export const createPhaseList = (names: readonly string[]): PhaseList => {
  const edge = { name: "" } as Link
  edge.previous = edge
  edge.next = edge
  const links = new Map<string, Link>()
  const uses = new Map<string, number>()

  const linkOf = (name: string): Link => links.get(name) ?? edge

  const list: PhaseList = {
    has: (name) => links.has(name),
    get size() {
      return links.size
    },
    names() {
      const found: string[] = []
      for (let link = edge.next; link !== edge; link = link.next) found.push(link.name)
      return found
    },
    before: (name) => linkOf(name).previous.name,
    last: () => edge.previous.name,
    put(name, after) {
      const previous = linkOf(after)
      const link: Link = { name, previous, next: previous.next }
      previous.next.previous = link
      previous.next = link
      links.set(name, link)
    },
    remove(name) {
      const link = links.get(name)
      if (!link) return
      link.previous.next = link.next
      link.next.previous = link.previous
      links.delete(name)
    },
    clear() {
      links.clear()
      edge.previous = edge
      edge.next = edge
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
