/**
 * Transforms a JSON schema: removes descriptions, replaces them with a host's, or makes the schema strict for model
 * services.
 */
import { HeadwayError } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"

export type JsonSchema = Record<string, unknown>

/** The bare schema, without descriptions. */
export const withoutWords = (schema: JsonSchema): JsonSchema => {
  const { description: _, ...bare } = schema
  return withParts(bare, (part) => withoutWords(part))
}

/**
 * The schema with the host's descriptions of some fields, each by its path: `todos.content`. List items add no part to
 * a path.
 */
export const withWords = (schema: JsonSchema, words: Readonly<Record<string, string>>): JsonSchema => {
  const known = new Set<string>()
  const reworded = (part: JsonSchema, path: string): JsonSchema => {
    known.add(path)
    const own = Object.hasOwn(words, path) ? words[path] : undefined
    const described = own === undefined ? part : { ...part, description: own }
    return withParts(described, (inner, key) =>
      reworded(inner, key === undefined ? path : path ? `${path}.${key}` : key),
    )
  }
  const changed = reworded(schema, "")
  const unknown = Object.keys(words).find((path) => !known.has(path))
  if (unknown === undefined) return changed
  const fields = [...known].filter((path) => path !== "").join(", ")
  throw new HeadwayError("unknown-field", `The tool has no field "${unknown}". Its fields are: ${fields}.`)
}

/**
 * The schema in the form that services need to enforce it: every object closed, every property required, and null
 * allowed for optional ones. Unsupported limits are dropped, as are properties that may have any value.
 */
export const strictSchema = (schema: JsonSchema): JsonSchema => {
  const { required = [], ...own } = schema
  const rest = Object.fromEntries(Object.entries(own).filter(([key]) => !bounds.includes(key)))
  if (!isRecord(schema.properties)) return withParts(rest, (part) => strictSchema(part))
  const properties = Object.entries(schema.properties).flatMap(([key, part]) => {
    if (!isRecord(part) || isOpen(part)) return []
    const strict = strictSchema(part)
    return [[key, Array.isArray(required) && required.includes(key) ? strict : orNull(strict)] as const]
  })
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    required: properties.map(([key]) => key),
    additionalProperties: false,
  }
}

/** An example input for a strict schema, with null for every omitted field. */
export const strictExample = (value: unknown, schema: JsonSchema): unknown => {
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isRecord) : []
  if (choices[0]) return value === undefined || value === null ? null : strictExample(value, choices[0])
  if (Array.isArray(value)) return value.map((part) => strictExample(part, isRecord(schema.items) ? schema.items : {}))
  if (!isRecord(value) || !isRecord(schema.properties)) return value
  const fields = Object.entries(schema.properties).filter(([, part]) => isRecord(part))
  return Object.fromEntries(fields.map(([key, part]) => [key, strictExample(value[key], part as JsonSchema)]))
}

const bounds = ["minLength", "maxLength", "minItems", "maxItems", "propertyNames"]

/** An object with keys of any name. */
const isOpen = ({ type, properties }: JsonSchema): boolean => type === "object" && properties === undefined

const orNull = ({ description, ...schema }: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: "null" }],
  ...(description === undefined ? {} : { description }),
})

/** The same schema with each part of it changed: a property has a key, the items of a list have none. */
const withParts = (
  schema: JsonSchema,
  change: (part: JsonSchema, key: string | undefined) => JsonSchema,
): JsonSchema => ({
  ...schema,
  ...(isRecord(schema.items) ? { items: change(schema.items, undefined) } : {}),
  ...(isRecord(schema.properties) ? { properties: withProperties(schema.properties, change) } : {}),
})

const withProperties = (
  properties: Record<string, unknown>,
  change: (part: JsonSchema, key: string) => JsonSchema,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, isRecord(part) ? change(part, key) : part]))
