/** The MCP server on a pipe: whatever comes, a request that follows is answered. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { createStdioTransport, mostMessageBytes } from "../../../src/bridges/mcp/stdio.ts"
import { createMcpServer } from "../../../src/bridges/mcp.ts"
import { dialects } from "../../../src/dialects/index.ts"
import { hostileTexts } from "../../contracts/model-text.ts"
import { rounds } from "../../rounds.ts"
import { temporaryFolder } from "../../stores/temporary.ts"
import { open } from "../../tracker/open.ts"

type Reply = { id?: unknown; result?: unknown; error?: { code: number; message: string } }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const nothingToSee = {
  version: "1",
  dialect: dialects.headway,
  env: {},
  planAt: async () => undefined,
  plans: async () => [],
}

/** A server behind two streams, as a client sees it. */
const piped = async (mostBytes?: number) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const tracker = await open()
  const server = createMcpServer({ ...nothingToSee, planFor: async () => tracker })
  await server.connect(createStdioTransport({ input, output, ...(mostBytes === undefined ? {} : { mostBytes }) }))
  ends.push(() => server.close())
  return talking(input, output)
}

const talking = (input: NodeJS.WritableStream, output: NodeJS.ReadableStream) => {
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const send = (message: object | string | Buffer): void => {
    input.write(typeof message === "string" || Buffer.isBuffer(message) ? message : `${JSON.stringify(message)}\n`)
  }
  const next = async (): Promise<Reply> => JSON.parse(String((await lines.next()).value))
  let pings = 0
  /** All replies before the one to a ping of our own, which must come. */
  const untilPing = async (): Promise<Reply[]> => {
    pings += 1
    const id = `ping-${pings}`
    send(`\n${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`)
    const replies: Reply[] = []
    for (;;) {
      const reply = await next()
      if (reply.id === id) {
        expect(reply.result).toEqual({})
        return replies
      }
      replies.push(reply)
    }
  }
  return { send, next, untilPing }
}

const running = () => {
  const home = temporaryFolder()
  const bin = fileURLToPath(new URL("../../../dist/bin/headway.js", import.meta.url))
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [bin, "mcp", "--session", "s"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  })
  ends.push(() => child.kill())
  child.stdin.on("error", () => {})
  return { child, ...talking(child.stdin, child.stdout) }
}

describe("a line that is not a message is refused by the protocol, and the next one is answered", () => {
  test.each<[string, string | object, number, unknown]>([
    ["a line that is not JSON", "this is no message\n", -32700, null],
    ["a line cut off", '{"jsonrpc":"2.0","id":7,"meth\n', -32700, null],
    ["bytes that are not text", "\ufffd\u0001\n", -32700, null],
    ["a value that is not an object", "42\n", -32600, null],
    ["a list of messages", [{ jsonrpc: "2.0", id: 1, method: "ping" }], -32600, null],
    ["another protocol", { jsonrpc: "1.0", id: 7, method: "ping" }, -32600, 7],
    ["a request without a method", { jsonrpc: "2.0", id: "seven" }, -32600, "seven"],
    ["an id that is not an id", { jsonrpc: "2.0", id: { a: 1 }, method: "ping" }, -32600, null],
    ["params that are a list", { jsonrpc: "2.0", id: 7, method: "tools/list", params: [] }, -32600, 7],
    ["an unknown method", { jsonrpc: "2.0", id: 7, method: "nobody/knows" }, -32601, 7],
    ["a method of objects", { jsonrpc: "2.0", id: 7, method: "__proto__" }, -32601, 7],
    ["a resource by number", { jsonrpc: "2.0", id: 7, method: "resources/read", params: { uri: 7 } }, -32602, 7],
    ["a call without a name", { jsonrpc: "2.0", id: 7, method: "tools/call", params: {} }, -32602, 7],
    ["an empty start", { jsonrpc: "2.0", id: 7, method: "initialize", params: {} }, -32602, 7],
  ])("%s", async (_, message, code, id) => {
    const { send, untilPing } = await piped()
    send(message)
    const replies = await untilPing()
    expect(replies).toEqual([{ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } }])
    const sentence = replies[0]?.error?.message ?? ""
    expect(sentence).toMatch(/^[A-Z].*[.a-z]$/)
    expect(sentence.length).toBeLessThan(200)
  })

  test.each([[[]], ["text"], [7], [true]])("arguments %j are refused in a sentence for the model", async (input) => {
    const { send, untilPing } = await piped()
    send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "todo", arguments: input } })
    const text = "The arguments of a tool call are one JSON object with the fields of the tool."
    expect(await untilPing()).toMatchObject([{ id: 7, result: { isError: true, content: [{ type: "text", text }] } }])
  })

  test.each([
    ["lists", "[", "]"],
    ["objects", '{"todos":', "}"],
  ])(
    "arguments with %s nested in each other without end are refused in a sentence, and change nothing",
    async (_, ...ends) => {
      const { send, next } = await piped()
      const [open = "", close = ""] = ends.map((end) => end.repeat(20_000))
      const params = (todos: string): string => `{"name":"todo","arguments":{"todos":${todos}}}`
      const call = (id: number, todos: string): string =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params(todos)}}\n`
      send(call(7, `${open}1${close}`))
      const text =
        "The arguments of a tool call are nested too deep, and nothing was changed. A list needs only a few levels."
      expect(await next()).toMatchObject({ id: 7, result: { isError: true, content: [{ type: "text", text }] } })
      send(call(8, '[{"content":"Read"}]'))
      expect(await next()).toMatchObject({ id: 8, result: { content: [{ text: expect.stringContaining("Read") }] } })
    },
  )

  test("arguments of null count as none", async () => {
    const { send, next } = await piped()
    send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "todo", arguments: null } })
    expect(await next()).toMatchObject({ id: 7, result: { content: [{ text: "No todos." }] } })
  })

  test("a line over the limit is refused, wherever it is cut into pieces", async () => {
    const { send, untilPing } = await piped(1000)
    for (let piece = 0; piece < 50; piece += 1) send("x".repeat(100))
    expect(await untilPing()).toMatchObject([{ id: null, error: { code: -32700 } }])
    send(`${"y".repeat(1001)}\n\n \n`)
    expect(await untilPing()).toMatchObject([{ id: null, error: { message: expect.stringContaining("1000 bytes") } }])
  })

  test("arbitrary bytes are survived", async () => {
    const { send, untilPing } = await piped(2000)
    const request = fc.record({
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(
        fc.constantFrom("tools/call", "initialize", "resources/read", "prompts/get", "ping"),
        fc.string(),
      ),
      params: fc.oneof(fc.record({ name: fc.constant("todo"), arguments: fc.jsonValue() }), fc.jsonValue()),
    })
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
      fc.jsonValue().map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
      request.map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
      fc.constantFrom(...hostileTexts).map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
        for (const bytes of lines) send(bytes)
        for (const reply of await untilPing()) expect(reply).toHaveProperty("id")
      }),
      { numRuns: rounds(100) },
    )
  })
})

describe("a client that does not read its replies", () => {
  test("is read no further, and gets all replies when it reads again", async () => {
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })]
    const server = createMcpServer({ ...nothingToSee, planFor: () => open() })
    await server.connect(createStdioTransport({ input, output, mostBytes: 1_000 }))
    ends.push(() => server.close())
    const ids = Array.from({ length: 200 }, (_, id) => id)
    for (const id of ids) {
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(input.isPaused()).toBe(true)
    expect(input.readableLength + input.writableLength).toBeGreaterThan(5_000)
    const { next } = talking(input, output)
    for (const id of ids) expect(await next()).toMatchObject({ id, result: {} })
  })

  test("and cancels its requests is read on", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const server = createMcpServer({ ...nothingToSee, planFor: () => new Promise(() => {}) })
    await server.connect(createStdioTransport({ input, output, mostBytes: 1_000 }))
    ends.push(() => server.close())
    const { send, untilPing } = talking(input, output)
    for (let id = 0; id < 50; id += 1) {
      send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "todo", arguments: {} } })
      send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })
    }
    expect(await untilPing()).toEqual([])
  })
})

describe("the command", () => {
  test("survives a line longer than the limit and one nested a million times", async () => {
    const { send, next, untilPing } = running()
    const piece = Buffer.alloc(1 << 20, "x")
    for (let sent = 0; sent <= mostMessageBytes; sent += piece.length) send(piece)
    expect(await untilPing()).toMatchObject([{ id: null, error: { code: -32700 } }])
    const nested = `${"[".repeat(1e6)}${"]".repeat(1e6)}`
    send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"todo","arguments":{"todos":${nested}}}}\n`)
    expect(await next()).toMatchObject({ id: 1 })
    send(`{"jsonrpc":"2.0","id":2,"result":{"a":${nested}}}\n`)
    send(Buffer.from([0xff, 0xfe, 0x00, 0x0a]))
    expect((await untilPing()).length).toBeGreaterThan(0)
  })

  test("ends with 0 when its client is gone, also one that no longer reads", async () => {
    const { child, send, untilPing } = running()
    await untilPing()
    child.stdout.destroy()
    for (let number = 0; number < 20; number += 1) send("this is no message\n")
    child.stdin.end()
    expect(await once(child, "exit")).toEqual([0, null])
  })
})
