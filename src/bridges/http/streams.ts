/** The open streams of clients: each ends when its token is no longer valid. */
import type { ServerResponse } from "node:http"

export type StreamsOptions = {
  /** The token that counts now. */
  token: () => string | undefined
  /** How often to look for a new one while a stream is open, in milliseconds. */
  interval: number
}

export type Streams = {
  /** `opened`: the token that counted when the stream was asked for. */
  hold(stream: ServerResponse, opened: string | undefined): void
}

export const createStreams = ({ token, interval }: StreamsOptions): Streams => {
  const open = new Map<ServerResponse, string | undefined>()
  let timer: NodeJS.Timeout | undefined

  const check = (): void => {
    const current = token()
    for (const [stream, opened] of open) if (opened !== current) stream.destroy()
  }

  return {
    hold(stream, opened) {
      open.set(stream, opened)
      timer ??= setInterval(check, interval).unref()
      stream.once("close", () => {
        open.delete(stream)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
  }
}
