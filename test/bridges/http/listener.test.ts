/** The listener behind a real socket: what one connection can have done without reading any reply. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { text as textOfStream } from "node:stream/consumers"
import { expect, onTestFinished, test } from "vitest"
import { type Answer, listenHttp } from "../../../src/bridges/http/listener.ts"

const listening = async (answer: Answer): Promise<() => Socket> => {
  const { port, close } = await listenHttp({ port: 0, answer, onFailure: (response) => response.destroy() })
  onTestFinished(close)
  return () => {
    const socket = connect(port, "127.0.0.1").on("error", () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }
}

const ask = (more = ""): string => `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`

test("a connection that sends requests without waiting for replies is ended after a few of them", async () => {
  let asked = 0
  const open = await listening(async () => {
    asked += 1
  })
  const socket = open()
  socket.write(ask().repeat(1_000))
  await once(socket.resume(), "close")
  expect(asked).toBeLessThanOrEqual(8)
  expect(asked).toBeGreaterThan(0)
})

test("many requests are answered on one connection, one after the other, and a few that come at once", async () => {
  const open = await listening(async (_, response) => {
    response.end("here")
  })
  const socket = open()
  for (let request = 0; request < 20; request += 1) {
    socket.write(ask())
    await once(socket, "data")
  }
  socket.write(ask().repeat(3) + ask("Connection: close\r\n"))
  expect((await textOfStream(socket)).split("here")).toHaveLength(5)
})
