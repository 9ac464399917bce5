/** Checks that a value from outside has the fields a type of ours has, field by field, quickly. */

export type Check = (value: unknown) => boolean

/** A check of a field that must be there. */
export type Needed = Check & { isNeeded: true }

export const needed = (check: Check): Needed =>
  Object.assign((value: unknown): boolean => check(value), { isNeeded: true as const })

/** A check for each field of a type; the compiler sees to it that none is forgotten. */
export type Shape<Thing> = { readonly [Field in keyof Thing]-?: undefined extends Thing[Field] ? Check : Needed }

export type Fitting = {
  fits: Check
  /** The first field that is missing or not as it must be. */
  wrongField(value: object): string | undefined
}

/** A field nobody knows is let through, as long as it is shallow: a newer Headway may have written it, and it is kept. */
export const shapeOf = <Thing>(fields: Shape<Thing>): Fitting => {
  const checks = new Map<string, Check>(Object.entries(fields))
  const requiredFields = [...checks].flatMap(([field, check]) => ("isNeeded" in check ? [field] : []))
  const wrongField = (value: object): string | undefined => {
    const record = value as Record<string, unknown>
    for (const field of requiredFields) if (record[field] === undefined) return field
    for (const field of Object.keys(record)) {
      const part = record[field]
      // What is undefined is not written.
      if (part !== undefined && !(checks.get(field) ?? isShallow)(part)) return field
    }
    return undefined
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
