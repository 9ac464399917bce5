/** The contract of a wire: the part of a provider's HTTP interface that a scripted model needs. */
import type { Asked, Failure, ModelReply } from "../exchange.ts"

/** A request as received, with other information that a wire may need. */
export type WireRequest = {
  method: string
  /** The path without its query. */
  path: string
  query: URLSearchParams
  /** The headers, with names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  /** The parsed body; undefined if there was none. */
  body: unknown
  /** Earlier replies by id, because clients may send an id instead of the reply. */
  memory: Map<string, unknown>
}

/** Makes the ids and times of a reply. */
export type Speaker = { newId: (prefix: string) => string; now: () => Date }

/** One event of a stream. */
export type Frame = {
  event?: string
  /** Sent as JSON; a string is sent as it is. */
  data: unknown
  /** Whether it contains a piece of the answer, and so counts for `drop` and `hang`. */
  isPiece?: boolean
}

export interface Wire {
  /** Equals the file name. */
  id: string
  title: string
  /** Whether this is a request to a model over this wire. */
  matches(request: WireRequest): boolean
  /** Whether any other request comes from a client of this wire. */
  isFrom(request: WireRequest): boolean
  /** Reads a request. Never throws: unknown parts are left out. */
  read(request: WireRequest): Asked
  /** The whole answer as one JSON value. */
  whole(reply: ModelReply, asked: Asked, request: WireRequest, speaker: Speaker): unknown
  /** The same answer as a stream. */
  frames(reply: ModelReply, asked: Asked, request: WireRequest, speaker: Speaker): Frame[]
  failure(failure: Failure): unknown
  /** Responds to its clients' other requests, such as for models or token counts. Undefined means "not found". */
  other?(request: WireRequest): unknown
}
