/** Keeps the first of many items that come and go, in a pairing heap: adding takes one comparison, removing few. */

export type PriorityQueue<Item> = {
  readonly size: number
  readonly first: Item | undefined
  /** An item that is there already stays as it is. */
  add(item: Item): void
  remove(item: Item): void
}

type Node<Item> = {
  item: Item
  child: Node<Item> | undefined
  /** The next child of the same parent. */
  sibling: Node<Item> | undefined
  /** The child before it; its parent where it is the first child. */
  before: Node<Item> | undefined
}

/** The order of two items may not change while both are in the queue. */
export const createPriorityQueue = <Item>(isBefore: (one: Item, other: Item) => boolean): PriorityQueue<Item> => {
  const nodes = new Map<Item, Node<Item>>()
  let root: Node<Item> | undefined

  const joined = (one: Node<Item>, other: Node<Item>): Node<Item> => {
    const [parent, child] = isBefore(other.item, one.item) ? [other, one] : [one, other]
    child.sibling = parent.child
    if (parent.child) parent.child.before = child
    child.before = parent
    parent.child = child
    return parent
  }

  /** In pairs first and then together: that is what keeps removing cheap. */
  const joinedChildren = (node: Node<Item>): Node<Item> | undefined => {
    const pairs: Node<Item>[] = []
    for (let child = node.child; child; ) {
      const other = child.sibling
      const next: Node<Item> | undefined = other?.sibling
      detach(child)
      if (other) detach(other)
      pairs.push(other ? joined(child, other) : child)
      child = next
    }
    return pairs.reduceRight<Node<Item> | undefined>((all, pair) => (all ? joined(all, pair) : pair), undefined)
  }

  return {
    get size() {
      return nodes.size
    },
    get first() {
      return root?.item
    },
    add(item) {
      if (nodes.has(item)) return
      const node: Node<Item> = { item, child: undefined, sibling: undefined, before: undefined }
      nodes.set(item, node)
      root = root ? joined(root, node) : node
    },
    remove(item) {
      const node = nodes.get(item)
      if (!node) return
      nodes.delete(item)
      const rest = joinedChildren(node)
      if (node === root) {
        root = rest
        return
      }
      if (node.before?.child === node) node.before.child = node.sibling
      else if (node.before) node.before.sibling = node.sibling
      if (node.sibling) node.sibling.before = node.before
      if (root && rest) root = joined(root, rest)
    },
  }
}

const detach = (node: Node<unknown>): void => {
  node.sibling = undefined
  node.before = undefined
}
