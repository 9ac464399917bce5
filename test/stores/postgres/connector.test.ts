/** A server that accepts connections and closes each at once is not contacted again and again without a pause. */
import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { createConnector } from "../../../src/stores/postgres/connector.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"

/** Counts its connections, and does with each what it is told to do. */
const serverThat = async (accepts: (socket: Socket) => void): Promise<{ port: number; contacts: () => number }> => {
  let contacts = 0
  const server: Server = createServer((socket) => {
    contacts += 1
    socket.on("error", () => {})
    accepts(socket)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, contacts: () => contacts }
}

/** A connector that notes its pauses instead of waiting. */
const connectorTo = (port: number, random: number) => {
  const pauses: number[] = []
  const wait = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds)
  const connector = createConnector({ host: "127.0.0.1", port, name: "the database" }, { random: () => random, wait })
  const life = { isOver: false }
  const connectOnce = async (): Promise<void> => {
    const socket = await connector.open(life)
    if (!socket.destroyed) await once(socket, "close")
  }
  return { pauses, connector, life, connectOnce }
}

describe("a server that closes each connection at once", () => {
  test.each(["disable", "prefer"])(
    "is contacted a few times until the statement has no time left (%s)",
    async (mode) => {
      const { port, contacts } = await serverThat((socket) => socket.end())
      const url = `postgres://ada:secret@127.0.0.1:${port}/plans?sslmode=${mode}&statement_timeout=1000`
      const store = createPostgresStore({ url })
      await expect(store.load({ session: "s", agent: "main" })).rejects.toMatchObject({ code: "store-away" })
      await store.close()
      expect(contacts()).toBeGreaterThan(1)
      expect(contacts()).toBeLessThan(12)
    },
  )

  test("is contacted at once the first time, then after pauses that grow up to a limit", async () => {
    const { port } = await serverThat((socket) => socket.destroy())
    const { pauses, connectOnce } = connectorTo(port, 1)
    await connectOnce()
    expect(pauses).toEqual([])
    for (let attempt = 0; attempt < 9; attempt += 1) await connectOnce()
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000])
  })

  test("is contacted after different pauses by different processes", async () => {
    const { port } = await serverThat((socket) => socket.destroy())
    const { pauses, connectOnce } = connectorTo(port, 0)
    await connectOnce()
    await connectOnce()
    expect(pauses).toEqual([50])
  })

  test("is contacted without a pause once it has responded", async () => {
    const { port } = await serverThat((socket) => socket.destroy())
    const { pauses, connector, connectOnce } = connectorTo(port, 1)
    await connectOnce()
    connector.heard()
    await connectOnce()
    expect(pauses).toEqual([])
  })

  test("is not contacted for a client that was ended meanwhile", async () => {
    const { port, contacts } = await serverThat((socket) => socket.destroy())
    const { connector, life, connectOnce } = connectorTo(port, 1)
    await connectOnce()
    life.isOver = true
    await expect(connector.open(life)).rejects.toMatchObject({ code: "store-away" })
    expect(contacts()).toBe(1)
  })
})

test("several connections to a server that stays are opened without a pause", async () => {
  const sockets: Socket[] = []
  const { port } = await serverThat((socket) => void sockets.push(socket))
  const { pauses, connector, life } = connectorTo(port, 1)
  const opened = await Promise.all([1, 2, 3].map(() => connector.open(life)))
  await Promise.all(opened.map((socket) => once(socket, "connect")))
  await connector.open(life).then((socket) => opened.push(socket))
  expect(pauses).toEqual([])
  for (const socket of [...opened, ...sockets]) socket.destroy()
})
