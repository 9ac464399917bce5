/** The page behind a real socket: who does not read is cut off, and who reads is not. */
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { createListener } from "../../src/web/listener.ts"

/** A server whose every reply never ends, and how many of its replies were given up. */
const endless = async () => {
  let isCancelled = false
  const piece = new Uint8Array(256 << 10)
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(piece),
      cancel() {
        isCancelled = true
      },
    })
  const listener = createListener({ handle: async () => new Response(body()) }, { silence: 100 })
  const http = createServer((request, response) => void listener(request, response, () => {}))
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const open = (): Socket => {
    const socket = connect((http.address() as AddressInfo).port, "127.0.0.1")
    socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { http, open, isCancelled: () => isCancelled }
}

test("a client that does not read is cut off, and its reply ends", async () => {
  const { http, open, isCancelled } = await endless()
  const connected = once(http, "connection")
  const client = open()
  client.on("error", () => {})
  client.pause()
  const [socket] = (await connected) as [Socket]
  await once(socket, "close")
  while (!isCancelled()) await new Promise((resolve) => setImmediate(resolve))
  expect(isCancelled()).toBe(true)
})

test("a client that reads gets everything", async () => {
  const { open } = await endless()
  let bytes = 0
  for await (const chunk of open()) {
    bytes += (chunk as Buffer).length
    if (bytes > 20 << 20) break
  }
  expect(bytes).toBeGreaterThan(20 << 20)
})
