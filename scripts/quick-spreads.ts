/**
 * Makes built code quicker that means the same: in Node 20, V8 makes a new hidden class for every single object that is written as
 * a copy of another with more fields, `{ ...one, more }`. That takes ten times as long, and so does each first look at the object.
 * What begins with a spread of nothing is filled field by field and shares its class with the others.
 */
import { parseAst } from "vite"
import { applied, type Edit, type Node, walk } from "./edit-syntax.ts"

export const withQuickSpreads = (text: string): string => {
  const edits: Edit[] = []
  walk(parseAst(text), 0, (node) => {
    if (node.type !== "ObjectExpression") return
    const [first, ...more] = node.properties as Node[]
    // A mere copy is quick as it is.
    if (first?.type !== "SpreadElement" || more.length === 0) return
    edits.push({ start: first.start, end: first.start, text: "...null," })
  })
  return applied(text, edits)
}
