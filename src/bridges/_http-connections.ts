/** Connections, capped: those that have not shown the token make room for each other, never one that has. */
import type { Server } from "node:http"
import type { Socket } from "node:net"

export type Connections = {
  /** The token came over it: it is trusted from then on. */
  know(socket: Socket): void
}

export const guardConnections = (
  http: Server,
  { most, mostStrangers }: { most: number; mostStrangers: number },
): Connections => {
  const strangers = new Set<Socket>()
  http.maxConnections = most + mostStrangers
  http.on("connection", (socket) => {
    strangers.add(socket)
    socket.once("close", () => strangers.delete(socket))
    const [oldest] = strangers
    if (strangers.size > mostStrangers) oldest?.destroy()
  })
  return { know: (socket) => void strangers.delete(socket) }
}
