/** Walks over the syntax of a text, and changes parts of the text. */

export type Node = { type: string; start: number; end: number } & Record<string, unknown>
export type Edit = { start: number; end: number; text: string }

/** `depth` counts the functions around a node. */
export const walk = (node: unknown, depth: number, visit: (node: Node, depth: number) => void): void => {
  if (Array.isArray(node)) for (const one of node) walk(one, depth, visit)
  else if (typeof node === "object" && node !== null) {
    const { type } = node as Node
    if (typeof type === "string") visit(node as Node, depth)
    const inside = /Function/.test(String(type)) ? depth + 1 : depth
    for (const value of Object.values(node)) if (typeof value === "object") walk(value, inside, visit)
  }
}

export const applied = (text: string, edits: readonly Edit[]): string => {
  let [result, from] = ["", 0]
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return result + text.slice(from)
}
