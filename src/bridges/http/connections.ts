/** Limits connections: unauthenticated ones make room for each other, authenticated ones are kept. */
import type { Server } from "node:http"
import type { Socket } from "node:net"

export type Connections = {
  /** It is authenticated from now on. */
  know(socket: Socket): void
}

export const guardConnections = (
  http: Server,
  { most, mostStrangers }: { most: number; mostStrangers: number },
): Connections => {
  const strangers = new Map<string, Socket>()
  http.maxConnections = most + mostStrangers
  http.on("connection", (socket: Socket) => {
    const end = endOf(socket)
    strangers.set(end, socket)
    socket.once("close", () => {
      if (strangers.get(end) === socket) strangers.delete(end)
    })
    const [oldest] = strangers.values()
    if (strangers.size > mostStrangers) oldest?.destroy()
  })
  return { know: (socket) => void strangers.delete(endOf(socket)) }
}

/** The other end of a connection. With HTTPS requests come by a socket that is made around the one that connected. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
