/** Opens the sockets of a process to one database, with a pause after the server has closed one without having said anything. */
import { connect, type Socket } from "node:net"
import { HeadwayError } from "../../plan/index.ts"
import type { Address } from "./address.ts"

/** A client of the driver, until it is ended. */
export type ClientLife = { isOver: boolean }

export type Connector = {
  /** Opens a socket for a client. Rejects if the client is over by then. */
  open(life: ClientLife): Promise<Socket>
  /** The server has responded to a statement: the next socket is opened without a pause. */
  heard(): void
}

type Attempt = { socket: Socket; isReached: boolean }

/** In milliseconds. The longest pause is far shorter than a statement may take, so that each one has several attempts. */
const [firstPause, longestPause] = [100, 2_000]

/** So many attempts are remembered: the pause does not grow any more then. */
const mostAttempts = 8

export const createConnector = (
  { host, port, name }: Pick<Address, "host" | "port" | "name">,
  {
    random = Math.random,
    wait = pauseFor,
  }: { random?: () => number; wait?: (milliseconds: number) => Promise<void> } = {},
): Connector => {
  /** Those since the server last responded. */
  let attempts: Attempt[] = []

  return {
    async open(life) {
      // A server that cannot be reached at all is reported to the caller, who decides when to try again.
      const failures = attempts.filter(({ socket, isReached }) => isReached && socket.destroyed).length
      if (failures > 0) await wait(pauseAfter(failures, random()))
      if (life.isOver) throw new HeadwayError("store-away", `${name} is closed.`)
      const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
      const attempt = { socket, isReached: false }
      socket.once("connect", () => {
        attempt.isReached = true
      })
      attempts = [...attempts.slice(1 - mostAttempts), attempt]
      return socket
    },
    heard() {
      if (attempts.length > 0) attempts = []
    },
  }
}

const pauseAfter = (failures: number, random: number): number =>
  spread(Math.min(firstPause * 2 ** (failures - 1), longestPause), random)

/** Different for each process: a server that comes back is not contacted by all of them at once. */
export const spread = (pause: number, random: number = Math.random()): number => pause * (0.5 + random / 2)

const pauseFor = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
