/** A server that is not what it claims: it neither stops the process, nor ends it, nor makes it print or reveal anything. */
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { TLSSocket } from "node:tls"
import { expect, onTestFinished, test, vi } from "vitest"
import { ownCertificate } from "../../../src/cli/serve/certificate.ts"
import { readAddress } from "../../../src/stores/postgres/address.ts"
import { createMessageCheck } from "../../../src/stores/postgres/checked-messages.ts"
import type { Database } from "../../../src/stores/postgres/database.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import { createLog, placeOf } from "../../../src/stores/postgres/log.ts"
import { temporaryFolder } from "../temporary.ts"

const message = (type: string, ...parts: (string | number)[]): Buffer => {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : number(part))),
  )
  return Buffer.concat([Buffer.from(type), number(body.length + 4), body])
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const granted = Buffer.concat([message("R", 0), message("K", 1, 2), message("Z", "I")])
const scram = message("R", 10, "SCRAM-SHA-256\0\0")
const refusal = (text: string): Buffer => message("E", `SFATAL\0C28000\0M${text}\0\0`)

const tlsRequest = 80_877_103

type Script = {
  /** To the request for TLS. */
  tls?: Buffer
  /** To what the client sends after its first message, one after the other. */
  replies?: readonly (Buffer | ((sent: string) => Buffer))[]
  start: Buffer
}

/** Speaks the wire protocol as a script says. */
const serve = async ({ tls = Buffer.from("N"), start, replies = [] }: Script, secured?: object) => {
  const talk = (socket: Socket): void => {
    let turn = 0
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        if (turn === 0) socket.write(start)
        const reply = turn > 0 ? replies[turn - 1] : undefined
        turn += 1
        if (reply) socket.write(typeof reply === "function" ? reply(chunk.toString("latin1")) : reply)
      })
  }
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", (chunk) => {
      if (chunk.readInt32BE(4) !== tlsRequest) {
        talk(socket)
        socket.emit("data", chunk)
        return
      }
      socket.write(tls)
      talk(secured ? new TLSSocket(socket, { isServer: true, ...secured }) : socket)
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** What a command says about it. */
const failureOf = async (port: number, parameters = "sslmode=disable"): Promise<Error & { code?: string }> => {
  const url = `postgres://ada:open%20sesame@127.0.0.1:${port}/plans?statement_timeout=20000&${parameters}`
  const store = createPostgresStore({ url, mayCreate: false })
  try {
    return await store.load({ session: "s", agent: "main" }).then(
      () => new Error("it was read"),
      (cause) => cause,
    )
  } finally {
    await store.close()
  }
}

const challenge = (rounds: string) => (sent: string) =>
  message("R", 11, `r=${sent.slice(sent.indexOf("r=") + 2)}more,s=AAAA,i=${rounds}`)

test.each<[string, Script, RegExp]>([
  ["asks for rounds that take hours", { start: scram, replies: [challenge("2147483647")] }, /2147483647 rounds/],
  ["asks for no number of rounds", { start: scram, replies: [challenge("many")] }, /asks for the password/],
  ["challenges without a salt", { start: scram, replies: [message("R", 11, "r=x")] }, /asks for the password/],
  ["sends an empty request", { start: message("R") }, /asks for the password/],
  [
    "asks for the password twice",
    { start: Buffer.concat([message("R", 3), message("R", 3)]) },
    /asks for the password/,
  ],
  ["asks for a ticket of Kerberos", { start: message("R", 7) }, /login of kind 7/],
  [
    "sends a notification without an end",
    { start: Buffer.concat([granted, message("A", 1, "channel")]) },
    /notification has no end/,
  ],
  ["describes rows without an end", { start: granted, replies: [message("T", "\0\x01name")] }, /description of rows/],
  ["wants to copy", { start: granted, replies: [message("G", "\0\0\0")] }, /does not send here/],
  ["suspends what was not begun", { start: Buffer.concat([granted, message("s")]) }, /does not send here/],
  ["sends messages that do not exist", { start: Buffer.alloc(10_000, 1) }, /does not send here/],
])("a server that %s is left at once", async (_, script, words) => {
  const printed = vi.spyOn(console, "error").mockReturnValue()
  const cause = await failureOf(await serve(script))
  expect(cause).toMatchObject({ code: "store-away", message: expect.stringMatching(words) })
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

test("messages that arrive in pieces are read as whole ones", () => {
  const sent = Buffer.concat([
    scram,
    granted,
    message("T", "\0\x01name\0", 0, "\0\0", 23, "\0\x04", -1, "\0\0"),
    message("A", 1, "a\0b\0"),
  ])
  const whole = createMessageCheck()
  expect(whole(sent)).toBeUndefined()
  for (const size of [1, 3, 5, 7]) {
    const check = createMessageCheck()
    for (let at = 0; at < sent.length; at += size) expect(check(sent.subarray(at, at + size))).toBeUndefined()
    expect(check(message("A", 1, "a"))).toContain("has no end")
  }
})

test("a password that a server repeats is not shown", async () => {
  const port = await serve({ start: message("R", 3), replies: [(sent) => refusal(`you sent ${sent.slice(5, -1)}.`)] })
  const { message: text } = await failureOf(port)
  expect(text).toContain("you sent ***.")
  expect(text).not.toContain("sesame")
})

test.each(["require", "verify-ca", "verify-full"])("without TLS nothing is sent to a server (%s)", async (mode) => {
  const cause = await failureOf(await serve({ start: message("R", 3) }), `sslmode=${mode}`)
  expect(cause).toMatchObject({ code: "store-refused", message: expect.stringContaining("does not offer TLS") })
})

test("what a server says before the connection is secured does not count", async () => {
  const tls = Buffer.concat([Buffer.from("S"), granted])
  const cause = await failureOf(await serve({ tls, start: granted }), "sslmode=prefer")
  expect(cause).toMatchObject({ code: "store-away", message: expect.stringContaining("does not respond") })
})

test("a connection is secured as its sslmode says", async () => {
  const home = temporaryFolder()
  const certificate = ownCertificate(home, ["127.0.0.1"], new Date())
  const other = ownCertificate(temporaryFolder(), ["127.0.0.1"], new Date())
  const root = join(home, "root.pem")
  const said = async (parameters: string, { cert, key } = certificate) => {
    writeFileSync(root, certificate.cert)
    const port = await serve({ tls: Buffer.from("S"), start: refusal("only over TLS") }, { cert, key })
    return (await failureOf(port, parameters)).message
  }
  for (const mode of ["prefer", "require"]) expect(await said(`sslmode=${mode}`)).toContain("(only over TLS)")
  expect(await said(`sslmode=verify-full&sslrootcert=${root}`)).toContain("(only over TLS)")
  expect(await said(`sslmode=verify-full&sslrootcert=${root}`, other)).toContain(
    "is not secure as its sslmode asks for",
  )
  expect(await said("sslmode=verify-full")).toContain("is not secure as its sslmode asks for")
})

test.each([
  ["sends the same entries of a plan again and again", { seq: 1, last: 9, is_same: true }],
  ["numbers entries with words", { seq: "many", last: 9, is_same: true }],
  ["replaces a plan whenever it is asked for it", { seq: 5, last: 9, is_same: false }],
])("a server that %s is not read for ever", async (_, row) => {
  const query = async () => [{ log: 1, id: "0".repeat(32), entry: "{}", ...row }]
  const address = readAddress("postgres://ada@127.0.0.1:1/plans")
  const log = createLog({ query, address, schema: "headway", version: () => 1 } as unknown as Database)
  const reading = log.load({ session: "s", agent: "main" }, placeOf(undefined))
  await expect(reading).rejects.toMatchObject({ code: "store-away" })
})
