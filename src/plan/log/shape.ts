/** Checks that a value from outside has the fields a type of ours has, field by field, quickly. */

export type Check = (value: unknown) => boolean

/** A check of a field that must be there. */
export type Needed = { needed: Check }

export const needed = (check: Check): Needed => ({ needed: check })

/** A check for each field of a type; the compiler sees to it that none is forgotten. */
export type Shape<Thing> = { readonly [Field in keyof Thing]-?: undefined extends Thing[Field] ? Check : Needed }

export type Fitting = {
  fits: Check
  /** The first field that is missing or not as it must be. */
  wrongField(value: object): string | undefined
}

export const checkOf = (row: Check | Needed): Check => (typeof row === "function" ? row : row.needed)

/** No Headway adds as many fields to one thing. A todo is copied with each change, so that more would cost each time. */
const mostUnknown = 100

/** Unknown fields are let through, as long as they are few and shallow: a newer Headway may have written them, and they are kept. */
export const shapeOf = <Thing>(fields: Shape<Thing>): Fitting => {
  const rows = Object.entries<Check | Needed>(fields)
  const checks = new Map(
    rows.map(([field, row]) => [field, { check: checkOf(row), isNeeded: typeof row === "object" }]),
  )
  const mustHave = rows.flatMap(([field, row]) => (typeof row === "object" ? [field] : []))
  const wrongField = (value: object): string | undefined => {
    const record = value as Record<string, unknown>
    let had = 0
    let unknown = 0
    // Every line of every journal comes this way: no list of its fields is made, and each is looked up once.
    for (const field in record) {
      const part = record[field]
      // What is undefined is not written.
      if (part === undefined) continue
      const row = checks.get(field)
      if (!row) unknown += 1
      if (!(row ? row.check(part) : isShallow(part) && unknown <= mostUnknown)) return field
      if (row?.isNeeded) had += 1
    }
    return had === mustHave.length ? undefined : mustHave.find((field) => record[field] === undefined)
  }
  return { fits: (value) => isRecord(value) && wrongField(value) === undefined, wrongField }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === "string"

export const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

const deepest = 40

/** JSON that can be walked and printed step by step: not nested without end, and nothing JSON has no form for. */
export const isShallow = (value: unknown, depth = 0): boolean => {
  if (typeof value === "bigint") return false
  if (typeof value !== "object" || value === null) return true
  if (depth >= deepest) return false
  for (const part of Object.values(value)) if (!isShallow(part, depth + 1)) return false
  return true
}
