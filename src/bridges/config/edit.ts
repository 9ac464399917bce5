/** Edits of a configuration file as data, and the check that a changed text means exactly what was intended. */
import { HeadwayError } from "../../plan/headway-error.ts"

export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

/** Keys and positions from the root. */
export type Path = readonly (string | number)[]

export type Edit =
  /** Sets a value, creating missing parents. */
  | { type: "set"; path: Path; value: Value }
  /** Puts a value at the end of a list, which is made where it is missing. */
  | { type: "add"; path: Path; value: Value }
  | { type: "remove"; path: Path }

/** One configuration format. Works on text, so that everything else stays unchanged. */
export interface ConfigFormat {
  /** Parses the text. Throws a HeadwayError that names line and column. */
  parse(text: string): Record<string, unknown>
  /** A sentence about a key on the way to a place that occurs twice, in a format that does not forbid it. */
  repeated?(text: string, path: Path): string | undefined
  /** The text with one thing changed. May trust that the text can be parsed. */
  edit(text: string, edit: Edit): string
  /** Empty containers must be removed. */
  dropsEmpty?: boolean
  /** An empty file is removed. */
  dropsFile?: boolean
}

/** Returns the text with all edits applied. Every step is verified by parsing the result. */
export const applyEdits = (format: ConfigFormat, text: string, edits: readonly Edit[]): string =>
  edits.reduce((before, edit) => {
    const meant = changed(format.parse(before), edit)
    const repeated = format.repeated?.(before, edit.path)
    if (repeated !== undefined) throw new HeadwayError("repeated-key", repeated)
    const after = format.edit(before, edit)
    if (says(format, after, meant)) return after
    if (format.dropsEmpty && edit.type === "remove" && says(format, after, withoutEmpty(meant, edit.path))) return after
    throw new HeadwayError(
      "unsafe-edit",
      `${settingNameOf(edit.path)} cannot be changed safely here. Change it by hand.`,
    )
  }, text)

const says = (format: ConfigFormat, text: string, meant: unknown): boolean => {
  try {
    return isSame(format.parse(text), meant)
  } catch {
    return false
  }
}

/** Without the containers on the way that hold nothing any more, the innermost first. */
const withoutEmpty = (root: unknown, path: Path): unknown => {
  for (let way = path.slice(0, -1); way.length > 0 && isContainer(root); way = way.slice(0, -1)) {
    const holder = valueAt(root, way)
    if (!isContainer(holder) || Object.keys(holder).length > 0) return root
    removed(root, way)
  }
  return root
}

/** The value at a place, or undefined. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (at, key) => (isContainer(at) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  )

export const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Places on the way to an edit that do not exist yet, the outermost first. */
export const missingOnTheWay = (value: unknown, edit: Edit): Path[] => {
  if (edit.type === "remove") return []
  const inner = edit.type === "add" ? edit.path : edit.path.slice(0, -1)
  return inner.map((_, index) => inner.slice(0, index + 1)).filter((path) => valueAt(value, path) === undefined)
}

/** How a place is named to a person. */
export const settingNameOf = (path: Path): string => `"${path.join(".")}"`

export const isSame = (one: unknown, other: unknown): boolean => {
  if (!isContainer(one) || !isContainer(other)) return Object.is(one, other)
  if (one instanceof Date || other instanceof Date) return String(one) === String(other)
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  )
}

/** How deep things may be nested. Deeper nesting is not a configuration, but an attempt to break its reader. */
export const mostDepth = 500

export const tooDeep = (): HeadwayError =>
  new HeadwayError("invalid-config", `It is nested more than ${mostDepth} levels deep. Make it flatter.`)

/** Level by level: a key with many dots makes things as deep as it likes. */
export const assertShallow = (root: object): void => {
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostDepth) throw tooDeep()
    level = level.flatMap((one) => Object.values(one).filter(isContainer))
  }
}

/** Applies the same edit to the value in place, as the expected result. */
export const changed = (root: Record<string, unknown>, edit: Edit): unknown => {
  if (edit.type === "remove") return removed(root, edit.path)
  const way = edit.type === "add" ? edit.path : edit.path.slice(0, -1)
  const holder = way.reduce<object>((at, key, index) => {
    if (valueAt(at, [key]) === undefined) {
      Reflect.set(at, key, edit.type === "add" && index === way.length - 1 ? [] : {})
    }
    return containerAt(at, key, way.slice(0, index + 1))
  }, root)
  const isList = Array.isArray(holder)
  if (edit.type === "add" && !isList) throw wrongShape(way, "an object", "a list")
  if (edit.type === "set" && isList !== (typeof edit.path.at(-1) === "number"))
    throw wrongShape(way, "a list", "an object")
  if (edit.type === "set") Reflect.set(holder, edit.path.at(-1) ?? "", edit.value)
  else if (isList) holder.push(edit.value)
  return root
}

const containerAt = (holder: object, key: string | number, path: Path): object => {
  const value = valueAt(holder, [key])
  if (!isContainer(value)) throw wrongShape(path, shownValue(value), "an object or a list")
  if (Array.isArray(holder) === (typeof key === "number")) return value
  throw wrongShape(path.slice(0, -1), Array.isArray(holder) ? "a list" : "an object", "something else")
}

/** A whole number may be larger than JSON knows, and a text longer than anyone wants to read. */
const shownValue = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : String(value)

const removed = (root: object, path: Path): unknown => {
  const holder = valueAt(root, path.slice(0, -1)) ?? root
  const key = path.at(-1) ?? ""
  if (Array.isArray(holder) && typeof key === "number") holder.splice(key, 1)
  else if (isContainer(holder)) Reflect.deleteProperty(holder, key)
  return root
}

const wrongShape = (path: Path, is: string, wanted: string): HeadwayError =>
  new HeadwayError("unexpected-config", `${settingNameOf(path)} is ${is} there, where ${wanted} was expected.`)
