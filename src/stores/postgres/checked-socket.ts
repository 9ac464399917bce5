/** A connection to a server, with TLS where asked for, of which the driver gets only what it can read. */
import { isIP, type Socket } from "node:net"
import { Duplex } from "node:stream"
import type { TLSSocket } from "node:tls"
import { HeadwayError } from "../../plan/index.ts"
import type { Address } from "./address.ts"
import { createMessageCheck } from "./checked-messages.ts"

/** The message that asks a server for TLS. */
const askForTls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** With what the driver uses of a socket. */
export type CheckedSocket = Duplex & { readonly readyState: string; setKeepAlive(isOn: boolean, delay: number): void }

/** Takes a socket that is opening. Everything that goes wrong is an error of the returned one, which closes with the socket. */
export const checkedSocket = (
  socket: Socket,
  { name, host, tls }: Pick<Address, "name" | "host" | "tls">,
): CheckedSocket => {
  const check = createMessageCheck()
  /** Once it is agreed upon. */
  let stream: Socket | TLSSocket | undefined
  let sendFirst = () => {}

  const outer = new Duplex({
    read: () => void stream?.resume(),
    write(chunk, _, done) {
      const send = (): void => {
        if (stream?.write(chunk)) done()
        else stream?.once("drain", () => done())
      }
      if (stream) send()
      else sendFirst = send
    },
    final(done) {
      ;(stream ?? socket).end()
      done()
    },
    destroy(cause, done) {
      stream?.destroy()
      socket.destroy()
      done(cause)
    },
  })
  /**
   * Behind what the driver writes at the end of this turn: it would keep that, and send it over the next connection, in front of
   * everything else.
   */
  const close = (cause?: Error): void => void setImmediate(() => outer.destroy(cause))
  const leave = (what: string, code = "store-away"): void => {
    close(new HeadwayError(code, `Headway closed the connection to ${name}: ${what}.`))
    socket.destroy()
  }

  const use = (agreed: Socket | TLSSocket): void => {
    stream = agreed
    agreed.on("data", (chunk) => {
      if (socket.destroyed) return
      const wrong = check(chunk)
      if (wrong !== undefined) leave(`${wrong}, so it may not be a PostgreSQL server`)
      else if (!outer.push(chunk)) agreed.pause()
    })
    sendFirst()
  }

  const secure = (): void => {
    // Loaded here: most databases that are near are reached without.
    const { connect } = process.getBuiltinModule("node:tls")
    const options = tls === "prefer" || tls === false ? { rejectUnauthorized: false } : tls
    const secured = connect({ socket, ...(isIP(host) === 0 ? { servername: host } : {}), ...options })
    secured.on("error", close).on("close", () => close())
    secured.once("secureConnect", () => use(secured))
  }

  const agree = (reply: Buffer): void => {
    const offer = reply.toString("latin1")
    if (offer === "S") secure()
    else if (offer === "N" && tls === "prefer") use(socket)
    else if (offer === "N") leave("it does not offer TLS, which its sslmode asks for", "store-refused")
    else leave("it does not respond as PostgreSQL does")
  }

  socket.on("error", close).on("close", () => close())
  socket.once("connect", () => {
    if (tls === false) return use(socket)
    socket.once("data", agree)
    socket.write(askForTls)
  })
  const readyState = (): string => {
    if (outer.destroyed) return "closed"
    if (!stream) return "opening"
    return outer.writable ? "open" : "readOnly"
  }
  Object.defineProperty(outer, "readyState", { get: readyState })
  return Object.assign(outer as CheckedSocket, {
    setKeepAlive: (isOn: boolean, delay: number) => void socket.setKeepAlive(isOn, delay),
  })
}
