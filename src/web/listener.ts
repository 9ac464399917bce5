/** Connects the handler to Node's HTTP server: converts requests, and drops clients that do not read. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { getRequestListener } from "@hono/node-server"
import type { Handler } from "./handler.ts"

export type Listener = (request: IncomingMessage, response: ServerResponse, onKnown: () => void) => Promise<void>

/**
 * `silence` is how long a connection may stay idle, in milliseconds. Streams send keep-alives more often. @default a
 * minute
 */
export const createListener = ({ handle }: Pick<Handler, "handle">, { silence = 60_000 } = {}): Listener => {
  return async (request, response, onKnown) => {
    const { remoteAddress: address, localPort: port } = request.socket
    response.setTimeout(silence, () => response.destroy())
    const answer = getRequestListener((web) => handle(web, { address, port, onKnown }), {
      overrideGlobalObjects: false,
    })
    await answer(request, response)
  }
}
