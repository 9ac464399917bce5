/** The description of the page's API for other programs, made of the schemas that requests are checked by. */
import { ZodType, z } from "zod"
import * as api from "./api.ts"

type Operation = {
  about: string
  reply: ZodType
  /** What is sent, as JSON. */
  body?: ZodType
  query?: Record<string, string>
  /** Other than JSON. */
  media?: string
  /** Needs no token. @default false */
  isOpen?: boolean
}

/** By path and method, as the handler has them. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  "/api/board": { get: { about: "All sessions.", reply: api.boardSchema } },
  "/api/events": {
    get: {
      about:
        "Changes of the board as server-sent events named `change`, starting after `Last-Event-ID` or `after`; without either, starting with the whole board.",
      reply: api.changeSchema,
      query: { after: "The cursor of a board that was read before." },
      media: "text/event-stream",
    },
  },
  "/api/sessions/{key}": { get: { about: "One session with its plan.", reply: api.sessionSchema } },
  "/api/sessions/{key}/history": { get: { about: "What happened to its plan.", reply: api.historySchema } },
  "/api/sessions/{key}/history/{entry}": { get: { about: "The plan after an entry.", reply: api.momentSchema } },
  "/api/sessions/{key}/edits": {
    post: { about: "A person's edit.", reply: api.editReplySchema, body: api.editRequestSchema },
  },
  "/api/sessions/{key}/open": { post: { about: "Opens the session in its agent.", reply: api.openReplySchema } },
  "/api/search": {
    get: {
      about: "Sessions in which words occur.",
      reply: api.foundSchema,
      query: { q: "The words, with spaces between." },
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
        description: "The cookie that the token is exchanged for.",
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
    200: { description: "What was asked for.", content: { [media]: { schema: schemaOf(reply) } } },
    default: { description: "Why it was refused.", content: { [json]: { schema: schemaOf(api.errorSchema) } } },
  },
})

const json = "application/json"
const text = { type: "string" }

const idOf = (schema: ZodType): string | undefined => z.globalRegistry.get(schema)?.id

const refTo = (id: string): string => `#/components/schemas/${id}`

const schemaOf = (schema: ZodType): object => {
  const id = idOf(schema)
  return id === undefined ? plain(z.toJSONSchema(schema, { io: "input" })) : { $ref: refTo(id) }
}

/** Every schema that has a name. */
const named = (): Record<string, object> => {
  const registry = z.registry<{ id: string }>()
  for (const schema of Object.values(api)) {
    const id = schema instanceof ZodType ? idOf(schema) : undefined
    if (id !== undefined) registry.add(schema, { id })
  }
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, io: "input" })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)]))
}

/** The document says which dialect of schemas it uses, once for all of them. */
const plain = ({ $schema: _, $id: __, id: ___, ...schema }: Record<string, unknown>): object => schema
