/** A list whose items can be added, removed and moved anywhere, and that can compare the positions of two items quickly. */

export type Link<Item> = {
  item: Item
  previous: Link<Item>
  next: Link<Item>
  /** Rises along the list. Links may be given other labels, but their order never changes. */
  label: number
}

export type OrderedList<Item> = {
  /** Stands before the first item and after the last. */
  readonly edge: Link<Item>
  insert(item: Item, previous: Link<Item>): Link<Item>
  remove(link: Link<Item>): void
  clear(): void
  /** In their order. */
  items(): Item[]
}

/** Labels are whole numbers between 0 and this one. */
const top = 2 ** 52

/** How far apart the labels of items are that come one after the other at either end. */
const step = 2 ** 20

export const createOrderedList = <Item>(edgeItem: Item): OrderedList<Item> => {
  const edge = { item: edgeItem, label: 0 } as Link<Item>
  edge.previous = edge
  edge.next = edge

  return {
    edge,
    insert(item, previous) {
      const label = labelBehind(previous, edge) ?? labelAfterMakingRoom(previous, edge)
      const link: Link<Item> = { item, previous, next: previous.next, label }
      previous.next.previous = link
      previous.next = link
      return link
    },
    remove(link) {
      link.previous.next = link.next
      link.next.previous = link.previous
    },
    clear() {
      edge.previous = edge
      edge.next = edge
    },
    items() {
      const items: Item[] = []
      for (let link = edge.next; link !== edge; link = link.next) items.push(link.item)
      return items
    },
  }
}

/** Whether a link is before another of the same list. */
export const isBefore = (one: Link<unknown>, other: Link<unknown>): boolean => one.label < other.label

/** A label between those of two neighbours; undefined where none is left. */
const labelBehind = (previous: Link<unknown>, edge: Link<unknown>): number | undefined => {
  const { next } = previous
  if (next === previous) return top / 2
  const high = next === edge ? top : next.label
  const middle = Math.floor((previous.label + high) / 2)
  if (middle === previous.label) return undefined
  if (next === edge) return Math.min(middle, previous.label + step)
  return previous === edge ? Math.max(middle, high - step) : middle
}

const labelAfterMakingRoom = (previous: Link<unknown>, edge: Link<unknown>): number => {
  makeRoom(previous === edge ? edge.next : previous, edge)
  return labelBehind(previous, edge) ?? top
}

/**
 * Spreads the labels around a link evenly. The range that is spread is the smallest that is sparse enough, and the larger
 * a range, the sparser it has to be: so it takes as many insertions as there are links in it until it is full again, and
 * an insertion costs the logarithm of the list's length on average, wherever all of them go.
 */
const makeRoom = (link: Link<unknown>, edge: Link<unknown>): void => {
  let first = link
  let last = link
  let count = 1
  for (let size = 2, capacity = 1.5; ; size *= 2, capacity *= 1.5) {
    const start = Math.floor(link.label / size) * size
    for (; first.previous !== edge && first.previous.label >= start; count += 1) first = first.previous
    for (; last.next !== edge && last.next.label < start + size; count += 1) last = last.next
    const gap = size / (count + 1)
    if (size < top && (count > capacity || gap < 4)) continue
    for (let place = 1, one = first; place <= count; place += 1, one = one.next)
      one.label = start + Math.floor(gap * place)
    return
  }
}
