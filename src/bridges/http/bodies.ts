/** Request bodies with a limit for each and for all together; a body counts until its request is answered. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Refusal } from "./gate.ts"

export type BodiesOptions = {
  /** Of one body. */
  mostBytes: number
  /** Of all bodies whose requests are not answered yet. */
  mostTogether: number
}

/** The parsed body, or why it was refused. */
export type Body = { value: unknown } | { refusal: Refusal }

export type Bodies = { read(request: IncomingMessage, response: ServerResponse): Promise<Body> }

type Receiving = { size: number; stop(refusal: Refusal): void }

export const createBodies = ({ mostBytes, mostTogether }: BodiesOptions): Bodies => {
  const receiving = new Set<Receiving>()
  let together = 0
  const tooLarge: Refusal = { status: 413, message: `A request may have at most ${mostBytes} bytes.` }

  /** The largest goes first, so that many that never end do not keep out a small one. */
  const makeRoom = (): void => {
    while (together > mostTogether && receiving.size > 0) {
      const largest = [...receiving].reduce((one, other) => (other.size > one.size ? other : one))
      largest.stop(busy)
    }
  }

  const receive = (request: IncomingMessage, response: ServerResponse): Promise<Buffer | Refusal> =>
    new Promise((resolve) => {
      let chunks: Buffer[] = []
      const take = (chunk: Buffer): void => {
        own.size += chunk.length
        together += chunk.length
        chunks.push(chunk)
        if (own.size > mostBytes) own.stop(tooLarge)
        else makeRoom()
      }
      const leave = (): void => {
        receiving.delete(own)
        request.off("data", take)
      }
      /** Reserved space is released once, however the request ends. */
      const release = (): void => {
        leave()
        together -= own.size
        own.size = 0
        chunks = []
      }
      const own: Receiving = {
        size: 0,
        stop(refusal) {
          release()
          resolve(refusal)
        },
      }
      receiving.add(own)
      request.on("data", take)
      request.once("end", () => {
        leave()
        const bytes = Buffer.concat(chunks)
        chunks = []
        resolve(bytes)
      })
      response.once("close", () => own.stop(gone))
    })

  return {
    async read(request, response) {
      if (Number(request.headers["content-length"] ?? 0) > mostBytes) return { refusal: tooLarge }
      const bytes = await receive(request, response)
      if (!Buffer.isBuffer(bytes)) return { refusal: bytes }
      try {
        return { value: JSON.parse(bytes.toString("utf8")) }
      } catch {
        return { refusal: { status: 400, message: "The request is not JSON.", code: -32700 } }
      }
    },
  }
}

const busy: Refusal = {
  status: 503,
  message: "Too much is being sent at once; try again in a moment.",
  headers: { "retry-after": "5" },
}

const gone: Refusal = { status: 400, message: "The request ended before its body did." }
