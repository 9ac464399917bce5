/** The MCP server over HTTP: who gets in, who stays, and what it holds on to. */
import { once } from "node:events"
import { connect as connectSocket, type Socket } from "node:net"
import { text as textOfStream } from "node:stream/consumers"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { afterEach, describe, expect, test } from "vitest"
import { type McpHttpLimits, serveMcp } from "../../../src/bridges/mcp/http.ts"
import { createMcpServer } from "../../../src/bridges/mcp.ts"
import { dialects } from "../../../src/dialects/index.ts"
import { makeToken } from "../../../src/home/serve/token.ts"
import { open, patch } from "../../tracker/open.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const serving = async (limits: Partial<McpHttpLimits> = {}) => {
  const tracker = await open()
  await patch(tracker, [{ content: "Secret step" }])
  const token = makeToken()
  const clock = { time: 0 }
  const current: { token: string | undefined } = { token }
  const { url, close } = await serveMcp({
    port: 0,
    token: () => current.token,
    now: () => clock.time,
    limits,
    createServer: () =>
      createMcpServer({
        version: "1",
        dialect: dialects.headway,
        env: {},
        planFor: async () => tracker,
        planAt: async () => tracker,
        plans: async () => [],
      }),
  })
  ends.push(close)
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const post = (body: object | string, more: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { ...headers, authorization: `Bearer ${token}`, ...more },
    })
  /** A client that says that it begins, and nothing more. */
  const initialise = (name = "somebody") => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name, version: "1" } }
    return post({ jsonrpc: "2.0", id: 1, method: "initialize", params })
  }
  const idOf = async (response: Response): Promise<string> => {
    await response.text()
    return response.headers.get("mcp-session-id") ?? ""
  }
  const listTools = (session: string) =>
    post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { "mcp-session-id": session })
  const socket = async (): Promise<Socket> => {
    const own = connectSocket(Number(new URL(url).port), "127.0.0.1")
    own.on("error", () => {})
    ends.push(() => own.destroy())
    await once(own, "connect")
    return own
  }
  return { url, token, clock, headers, post, initialise, idOf, listTools, socket, tracker, current }
}

const connected = async (address: string, headers: Record<string, string> = {}): Promise<Client> => {
  const client = new Client({ name: "opencode", version: "1" })
  const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } })
  await client.connect(transport as Parameters<Client["connect"]>[0])
  ends.push(() => client.close())
  return client
}

const read = async (client: Client): Promise<string> => {
  const { content } = (await client.callTool({ name: "todo", arguments: {} })) as CallToolResult
  return content[0]?.type === "text" ? content[0].text : ""
}

describe("who gets in", () => {
  test("a client with the token, in the address or as a bearer, gets in", async () => {
    const { url, token } = await serving()
    expect(await read(await connected(`${url}?token=${token}`))).toContain("Secret step")
    expect(await read(await connected(url, { Authorization: `Bearer ${token}` }))).toContain("Secret step")
  })

  test("no client gets in without the token or with another one, whatever it asks", async () => {
    const { url, token, idOf, initialise, headers } = await serving()
    const session = await idOf(await initialise())
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "todo", arguments: {} } }
    const wrong = [
      {},
      { authorization: "Bearer" },
      { authorization: `Bearer ${makeToken()}` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Basic ${token}` },
      { cookie: `token=${token}` },
    ]
    const paths = [
      "/mcp",
      "/mcp?token=",
      `/mcp?token=${makeToken()}`,
      "/",
      "/.well-known/oauth-protected-resource",
      "//",
    ]
    for (const more of wrong)
      for (const path of paths)
        for (const method of ["POST", "GET", "DELETE", "PUT", "OPTIONS"]) {
          const body = method === "POST" ? JSON.stringify(call) : null
          const response = await fetch(new URL(url).origin + path, {
            method,
            body,
            headers: { ...headers, "mcp-session-id": session, ...(more as Record<string, string>) },
          })
          expect(response.status).toBe(401)
          const refusal = (await response.json()) as { error: { message: string } }
          expect(refusal).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32000, message: expect.any(String) } })
          expect(refusal.error.message).toBe(
            'A token is needed: use the address "headway serve" printed, or send "Authorization: Bearer TOKEN".',
          )
        }
    await expect(connected(url)).rejects.toThrow()
  })

  test("a client without a token is told so before it sends a body", async () => {
    const { socket, url } = await serving()
    const own = await socket()
    own.write(`POST /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 1000000000\r\n\r\n`)
    expect(await textOfStream(own)).toMatch(/^HTTP\/1.1 401 [\s\S]*A token is needed/)
  })

  test("only requests by a loopback name get in, and none from pages elsewhere", async () => {
    const { socket, url, token, post } = await serving()
    const { host } = new URL(url)
    const statusFor = async (name: string): Promise<string> => {
      const own = await socket()
      own.end(`GET /mcp?token=${token} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
      return (await textOfStream(own)).slice(9, 12)
    }
    for (const name of ["evil.example", `${host}.evil.example`, "127.0.0.1@evil.example", "10.0.0.1", "localhost.", ""])
      expect(await statusFor(name)).toBe("403")
    expect(await statusFor("localhost")).toBe("400")
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", "file://"])
      expect((await post({}, { origin })).status).toBe(403)
    expect((await post("{", { origin: "http://localhost:3000" })).status).toBe(400)
  })

  test("an unknown path is not found", async () => {
    const { url, token, post } = await serving()
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(url.replace("/mcp", "/else"), { headers })).status).toBe(404)
    expect((await fetch(url, { method: "PUT", headers })).status).toBe(405)
    expect((await post("{}", { "content-type": "text/plain" })).status).toBe(415)
    expect((await post({ jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(400)
    expect((await post("{}", { "mcp-session-id": "gone" })).status).toBe(404)
  })
})

describe("who stays", () => {
  test("sixty clients that only begin do not end the session of one that works", async () => {
    const { initialise, idOf, listTools, url, token } = await serving({ clients: 8 })
    const client = await connected(`${url}?token=${token}`)
    const quiet = await idOf(await initialise("quiet"))
    expect((await listTools(quiet)).status).toBe(200)
    for (let number = 0; number < 60; number += 1)
      expect(await idOf(await initialise(number % 2 === 0 ? "quiet" : `other-${number}`))).not.toBe("")
    expect(await read(client)).toContain("Secret step")
    expect((await listTools(quiet)).status).toBe(200)
  })

  test("where all slots are in use a new client waits; one that is silent for long makes room, its own kind first", async () => {
    const { initialise, idOf, listTools, clock } = await serving({ clients: 3, idleAfter: 1000 })
    const ids: string[] = []
    for (const name of ["other", "same", "same"]) {
      const id = await idOf(await initialise(name))
      await (await listTools(id)).text()
      ids.push(id)
    }
    const refused = await initialise("same")
    expect(refused.status).toBe(503)
    expect(refused.headers.get("retry-after")).toBe("60")
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("Too many clients") } })
    clock.time = 2000
    expect((await initialise("same")).status).toBe(200)
    const after = await Promise.all(ids.map(async (id) => (await listTools(id)).status))
    expect(after).toEqual([200, 404, 200])
  })

  test("a session that was started wrongly takes no slot", async () => {
    const { initialise, post } = await serving({ clients: 1 })
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }
    const wrong = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params }, { accept: "text/plain" })
    expect(wrong.status).toBe(406)
    expect((await initialise()).status).toBe(200)
  })

  test("a client that says good-bye frees its slot", async () => {
    const { initialise, idOf, listTools, url, token } = await serving({ clients: 1 })
    const id = await idOf(await initialise())
    await (await listTools(id)).text()
    expect((await initialise()).status).toBe(503)
    const headers = { authorization: `Bearer ${token}`, "mcp-session-id": id }
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(200)
    expect((await initialise()).status).toBe(200)
  })
})

describe.each([makeToken(), undefined])("with another token, or none", (next) => {
  test("a stream that was opened before ends, and one that is opened after stays", async () => {
    const { url, token, current, headers, initialise, idOf } = await serving({ tokenTime: 5 })
    const session = await idOf(await initialise())
    const streamWith = (bearer: string) =>
      fetch(url, { headers: { ...headers, authorization: `Bearer ${bearer}`, "mcp-session-id": session } })
    const stream = await streamWith(token)
    expect(stream.status).toBe(200)
    const ended = stream.text().catch(() => "ended")
    current.token = next
    expect(await ended).toBe("ended")
    expect((await streamWith(token)).status).toBe(401)
    expect((await streamWith(next ?? "undefined")).status).toBe(next ? 200 : 401)
  })

  test("a call that is still on the way changes nothing", async () => {
    const { url, token, current, initialise, idOf, socket, tracker } = await serving()
    const session = await idOf(await initialise())
    const params = { name: "todo", arguments: { todos: [{ content: "Too late" }] } }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params })
    const own = await socket()
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${token}`,
      `Mcp-Session-Id: ${session}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "Expect: 100-continue",
      `Content-Length: ${body.length}\r\n\r\n`,
    ]
    own.write(head.join("\r\n"))
    expect(String((await once(own, "data"))[0])).toContain("100 Continue")
    current.token = next
    own.write(body)
    expect(String((await once(own, "data"))[0])).toContain("HTTP/1.1 401")
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Secret step"])
  })
})

describe("limits", () => {
  const begun = (url: string, token: string, length: number): string =>
    [
      "POST /mcp HTTP/1.1",
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      `Content-Length: ${length}\r\n\r\n`,
    ].join("\r\n")

  test("forty bodies without end take no more than the budget together, and a small request gets through", async () => {
    const { socket, url, token, initialise } = await serving({ body: 100_000, bodies: 300_000 })
    const own = await Promise.all(Array.from({ length: 40 }, socket))
    const refused: string[] = []
    const isFull = new Promise<void>((resolve) => {
      const count = (head: string): void => {
        refused.push(head)
        if (refused.length === 37) resolve()
      }
      for (const one of own) void textOfStream(one).then(count, () => {})
    })
    for (const one of own) {
      one.write(begun(url, token, 99_000))
      one.write("x".repeat(90_000))
    }
    await isFull
    expect(refused.filter((head) => head.startsWith("HTTP/1.1 503"))).toHaveLength(37)
    expect((await initialise()).status).toBe(200)
  })

  test("a body over the limit is refused, with or without its length", async () => {
    const { socket, url, token } = await serving({ body: 1000 })
    const told = await socket()
    told.write(begun(url, token, 1001))
    expect(await textOfStream(told)).toMatch(/^HTTP\/1.1 413/)
    const untold = await socket()
    untold.write(begun(url, token, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked"))
    untold.write(`400\r\n${"x".repeat(1024)}\r\n`)
    expect(await textOfStream(untold)).toMatch(/^HTTP\/1.1 413/)
  })

  test("slow headers and slow bodies are not waited for", async () => {
    const { socket, url, token } = await serving({ headersTime: 30, requestTime: 60 })
    const headers = await socket()
    headers.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
    const body = await socket()
    body.write(begun(url, token, 500))
    expect(await textOfStream(headers)).toMatch(/^HTTP\/1.1 408/)
    await textOfStream(body).catch(() => "")
    expect(body.destroyed || body.readableEnded).toBe(true)
  })

  test("a hundred connections of strangers make room for each other, not for those of clients that work", async () => {
    const { socket, url, token } = await serving({ strangers: 4 })
    const client = await connected(`${url}?token=${token}`)
    const strangers: Socket[] = []
    for (let number = 0; number < 100; number += 1) strangers.push(await socket())
    await Promise.all(strangers.slice(0, 90).map((one) => one.closed || once(one, "close")))
    expect(await read(client)).toContain("Secret step")
    expect(await read(await connected(`${url}?token=${token}`))).toContain("Secret step")
  })
})
