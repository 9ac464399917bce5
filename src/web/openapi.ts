/** The OpenAPI description of the page's API, made from the schemas that validate requests. */
import { z } from "zod"
import * as api from "./api.ts"

type Operation = {
  about: string
  reply: z.ZodType
  /** The request's JSON body. */
  body?: z.ZodType
  query?: Record<string, string>
  /** The reply's media type. @default JSON */
  media?: string
  /** Whether the operation needs no token. @default false */
  isOpen?: boolean
}

/** All operations of the handler, by path and method. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  "/api/board": { get: { about: "All sessions.", reply: api.boardSchema } },
  "/api/events": {
    get: {
      about:
        "Changes of the board as server-sent events named `change`, starting after `Last-Event-ID` or `after`; without either, starting with the whole board.",
      reply: api.changeSchema,
      query: { after: "The cursor of a board that the client has read." },
      media: "text/event-stream",
    },
  },
  "/api/sessions/{key}": { get: { about: "One session with its plan.", reply: api.sessionSchema } },
  "/api/sessions/{key}/history": { get: { about: "The history of its plan.", reply: api.historySchema } },
  "/api/sessions/{key}/history/{entry}": { get: { about: "The plan after an entry.", reply: api.momentSchema } },
  "/api/sessions/{key}/edits": {
    post: { about: "A person's edit.", reply: api.editReplySchema, body: api.editRequestSchema },
  },
  "/api/sessions/{key}/open": { post: { about: "Opens the session in its agent.", reply: api.openReplySchema } },
  "/api/search": {
    get: {
      about: "Sessions that contain the given words.",
      reply: api.foundSchema,
      query: { q: "The words, separated by spaces." },
    },
  },
  "/api/devices": { get: { about: "Paired devices.", reply: api.devicesSchema } },
  "/api/devices/{id}": { delete: { about: "Revokes a device.", reply: z.object({ isRemoved: z.boolean() }) } },
  "/api/invites": { post: { about: "An address that pairs one device.", reply: api.inviteSchema } },
  "/api/pair": {
    post: {
      about: "Exchanges a code for a cookie.",
      reply: api.pairReplySchema,
      body: api.pairRequestSchema,
      isOpen: true,
    },
  },
}

export const openApi = (version: string): object => ({
  openapi: "3.1.0",
  info: {
    title: "Headway",
    version,
    description: "The plans of all coding agents on this machine, as `headway serve` shows them.",
  },
  security: [{ token: [] }, { cookie: [] }],
  paths: Object.fromEntries(
    Object.entries(operations).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operationOf(path, one)])),
    ]),
  ),
  components: {
    schemas: named(),
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "The token in the address that `headway serve` prints." },
      cookie: {
        type: "apiKey",
        in: "cookie",
        name: "headway-PORT",
        description: "The cookie that the browser gets for the token.",
      },
    },
  },
})

const operationOf = (
  path: string,
  { about, reply, body, query = {}, media = json, isOpen = false }: Operation,
): object => ({
  summary: about,
  ...(isOpen ? { security: [] } : {}),
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: text })),
    ...Object.entries(query).map(([name, description]) => ({ name, in: "query", description, schema: text })),
  ],
  ...(body ? { requestBody: { required: true, content: { [json]: { schema: schemaOf(body) } } } } : {}),
  responses: {
    200: { description: "The reply.", content: { [media]: { schema: schemaOf(reply) } } },
    default: { description: "The reason for the refusal.", content: { [json]: { schema: schemaOf(api.errorSchema) } } },
  },
})

const json = "application/json"
const text = { type: "string" }

const idOf = (schema: z.ZodType): string | undefined => z.globalRegistry.get(schema)?.id

const refTo = (id: string): string => `#/components/schemas/${id}`

const schemaOf = (schema: z.ZodType): object => {
  const id = idOf(schema)
  return id === undefined ? plain(z.toJSONSchema(schema, { io: "input" })) : { $ref: refTo(id) }
}

/** Every schema with a name. */
const named = (): Record<string, object> => {
  const registry = z.registry<{ id: string }>()
  for (const schema of Object.values(api)) {
    const id = schema instanceof z.ZodType ? idOf(schema) : undefined
    if (id !== undefined) registry.add(schema, { id })
  }
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, io: "input" })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)]))
}

/** A schema without `$schema`, because the document names the schema dialect once for all. */
const plain = ({ $schema: _, $id: __, id: ___, ...schema }: Record<string, unknown>): object => schema
