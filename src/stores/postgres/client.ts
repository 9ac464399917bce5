/** A client of the driver: our sockets and our pauses, and none of what the driver would ask for by itself. */
import postgres from "postgres"
import type { Address } from "./address.ts"
import { checkedSocket } from "./checked-socket.ts"
import type { ClientLife, Connector } from "./connector.ts"
import { passwordFor } from "./password.ts"

export type ClientEvents = { onnotify: (channel: string, payload: string) => void; onclose: () => void }

export type ClientOptions = Partial<ClientEvents> & {
  /** The most connections at once. */
  max: number
  /** Seconds after which a connection that is not used is given back; 0 for never. */
  idle: number
}

/** It connects on demand. */
export const openClient = (
  address: Address,
  connector: Connector,
  { max, idle, ...events }: ClientOptions,
): postgres.Sql => {
  const life: ClientLife = { isOver: false }
  const sql = postgres({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    password: () => passwordFor(address),
    // The socket is secured before the driver has it.
    ssl: false,
    max,
    connect_timeout: address.connectTimeout,
    // Asked for by the driver to read arrays, of which there are none.
    fetch_types: false,
    // The caller decides how long to wait before the next attempt. The driver makes one of its own, without a pause, where a
    // server closes a connection at once: the connector waits then.
    backoff: () => 0,
    socket: async () => checkedSocket(await connector.open(life), address),
    idle_timeout: idle,
    connection: { application_name: "headway" },
    onnotice: () => {},
    ...events,
  } as postgres.Options<Record<string, never>>)
  const { end } = sql
  return Object.assign(sql, {
    end: (how?: { timeout?: number }) => {
      life.isOver = true
      return end(how)
    },
  })
}
