/** The contract of a wire: one provider's HTTP interface, as much of it as a scripted model needs. */
import type { Asked, Failure, ModelReply } from "../exchange.ts"

/** A request as received, with other information a wire may need. */
export type WireRequest = {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  /** Parsed; undefined where there was none. */
  body: unknown
  /** Where a wire keeps what it said by id, because its clients may send the id in place of it. */
  memory: Map<string, unknown>
}

/** Who replies, and when. */
export type Speaker = { newId: (prefix: string) => string; now: () => Date }

/** One event of a stream. */
export type Frame = {
  event?: string
  /** Printed as JSON; text as it is. */
  data: unknown
  /** Carries a piece of what is said, and so counts for `drop` and `hang`. */
  isPiece?: boolean
}

export interface Wire {
  /** Equals the file name. */
  id: string
  title: string
  /** Whether a request to a model comes over this wire. */
  matches(request: WireRequest): boolean
  /** Whether a request that is for no model, or is unknown, comes from a client of this wire. */
  isFrom(request: WireRequest): boolean
  /** Total: what it does not know it leaves out. */
  read(request: WireRequest): Asked
  /** The whole answer as one JSON value. */
  whole(reply: ModelReply, asked: Asked, request: WireRequest, speaker: Speaker): unknown
  /** The same answer as a stream. */
  frames(reply: ModelReply, asked: Asked, request: WireRequest, speaker: Speaker): Frame[]
  failure(failure: Failure): unknown
  /** What else its clients ask for (models, counts); undefined is answered "not found". */
  other?(request: WireRequest): unknown
}
