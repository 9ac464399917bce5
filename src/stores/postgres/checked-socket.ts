/** A connection to a server, with TLS where asked for, of which the driver gets only what it can read. */
import { EventEmitter } from "node:events"
import { isIP, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { HeadwayError } from "../../plan/index.ts"
import type { Address } from "./address.ts"
import { createMessageCheck } from "./checked-messages.ts"

/** The message that asks a server for TLS. */
const askForTls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * What the driver uses of a socket, and no stream: one around another would double the work for every statement. It emits
 * "data", "drain", "error" and "close".
 */
export type CheckedSocket = EventEmitter & {
  readonly readyState: "opening" | "open" | "readOnly" | "closed"
  write(chunk: Buffer, done?: () => void): boolean
  end(chunk: Buffer): void
  destroy(cause?: Error): void
  setKeepAlive(isOn: boolean, delay: number): void
}

/** Takes a socket that is opening. Everything that goes wrong is an error of the returned one, which closes with the socket. */
export const checkedSocket = (
  socket: Socket,
  { name, host, tls }: Pick<Address, "name" | "host" | "tls">,
): CheckedSocket => {
  const check = createMessageCheck()
  /** Once it is agreed upon. */
  let stream: Socket | TLSSocket | undefined
  /** Written before that. */
  const early: Parameters<CheckedSocket["write"]>[] = []
  let isEnded = false
  let isDestroyed = false

  const destroy = (cause?: Error): void => {
    if (isDestroyed) return
    isDestroyed = true
    stream?.destroy()
    socket.destroy()
    // The driver, which may have called this, hears of it afterwards, as from a socket.
    process.nextTick(() => {
      if (cause && outer.listenerCount("error") > 0) outer.emit("error", cause)
      outer.emit("close")
    })
  }
  const outer = Object.assign(new EventEmitter(), {
    write(chunk: Buffer, done?: () => void) {
      if (stream) return stream.write(chunk, done)
      early.push([chunk, done])
      return true
    },
    end(chunk: Buffer) {
      isEnded = true
      if (stream) stream.end(chunk)
      else socket.end()
    },
    destroy,
    setKeepAlive: (isOn: boolean, delay: number) => void socket.setKeepAlive(isOn, delay),
  })
  /**
   * Behind what the driver writes at the end of this turn: it would keep that, and send it over the next connection, in front of
   * everything else.
   */
  const close = (cause?: Error): void => void setImmediate(destroy, cause)
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
      else outer.emit("data", chunk)
    })
    agreed.on("drain", () => outer.emit("drain"))
    for (const words of early.splice(0)) agreed.write(...words)
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
  const readyState = (): CheckedSocket["readyState"] => {
    if (isDestroyed) return "closed"
    if (!stream) return "opening"
    return isEnded ? "readOnly" : "open"
  }
  return Object.defineProperty(outer, "readyState", { get: readyState }) as CheckedSocket
}
