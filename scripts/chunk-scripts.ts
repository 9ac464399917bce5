/** Turns the chunks that esbuild splits a program into, which are modules, into functions of a script: V8 keeps compiled scripts only. */
import { basename } from "node:path"
import { parseAst } from "vite"
import { applied, type Edit, type Node, walk } from "./edit-syntax.ts"

/** What the text of a chunk is made from: an import of another file becomes a call with its number. */
export type ChunkNumbers = ReadonlyMap<string, number>

/**
 * The body of a function that is given `exports`, beside `require`, `__parts` and `__here` around it. An export is read once, when the
 * chunk that imports it begins, so one that changes later is refused.
 */
export const chunkBody = (text: string, numbers: ChunkNumbers): string => {
  const program = parseAst(text) as unknown as { body: Node[] }
  const edits: Edit[] = []
  const head: string[] = []
  const tail: string[] = []
  const exported: string[] = []
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      head.push(importLine(node, numbers))
      edits.push({ start: node.start, end: node.end, text: "" })
    } else if (node.type === "ExportNamedDeclaration" && !node.declaration && !node.source) {
      const pairs = (node.specifiers as Node[]).map(
        ({ local, exported: as }) => [identifierOf(local), identifierOf(as)] as const,
      )
      exported.push(...pairs.map(([local]) => local))
      tail.push(`Object.assign(exports,{${pairs.map(([local, as]) => `${JSON.stringify(as)}:${local}`).join()}});`)
      edits.push({ start: node.start, end: node.end, text: "" })
    } else if (node.type.startsWith("Export"))
      throw new Error(`A chunk has an export of a kind that is not known: ${node.type}`)
  }
  const isExported = new Set(exported)
  walk(program, 0, (node, depth) => {
    if (node.type === "ImportExpression")
      edits.push({ start: node.start, end: node.end, text: dynamicImport(node, numbers) })
    const changed =
      node.type === "AssignmentExpression"
        ? identifierOf(node.left)
        : node.type === "UpdateExpression"
          ? identifierOf(node.argument)
          : ""
    if (depth > 0 && isExported.has(changed))
      throw new Error(`A chunk exports ${changed}, which changes after it has begun.`)
  })
  return [...head, applied(text, edits), ...tail].join("\n")
}

/** The files and packages that a module loads with itself, and those that it asks for later. */
export const importsOf = (text: string): { now: string[]; later: string[] } => {
  const program = parseAst(text) as unknown as { body: Node[] }
  const now = program.body.filter(({ source }) => source).map(sourceOf)
  const later: string[] = []
  walk(program, 0, (node) => {
    if (node.type === "ImportExpression") later.push(sourceOf(node))
  })
  return { now, later }
}

const importLine = (node: Node, numbers: ChunkNumbers): string => {
  const source = sourceOf(node)
  const number = numberOf(source, numbers)
  const value = number === undefined ? `require(${JSON.stringify(source)})` : `__parts.use(${number})`
  const specifiers = node.specifiers as Node[]
  const names = specifiers.filter(({ type }) => type === "ImportSpecifier")
  // Only Node's own modules are imported whole or by default, and there both are what `require` returns.
  const whole = specifiers
    .filter(({ type }) => type !== "ImportSpecifier")
    .map(({ local }) => `const ${identifierOf(local)}=${value};`)
  const picked = names.map(({ imported, local }) => `${JSON.stringify(identifierOf(imported))}:${identifierOf(local)}`)
  const some = picked.length > 0 ? [`const {${picked.join()}}=${value};`] : []
  return specifiers.length === 0 ? `${value};` : [...whole, ...some].join("")
}

const dynamicImport = (node: Node, numbers: ChunkNumbers): string => {
  const source = sourceOf(node)
  const number = numberOf(source, numbers)
  if (number !== undefined) return `__parts.load(${number})`
  if (source.startsWith("src/")) throw new Error(`${source} is in no pack.`)
  return `__parts.${source.startsWith(".") ? "module" : "installed"}(${JSON.stringify(source)})`
}

const numberOf = (source: string, numbers: ChunkNumbers): number | undefined =>
  numbers.get(source) ?? numbers.get(basename(source))

const sourceOf = ({ source }: Node): string => String((source as Node).value)

const identifierOf = (node: unknown): string => {
  const { name, value } = (node ?? {}) as { name?: string; value?: string }
  return name ?? value ?? ""
}
