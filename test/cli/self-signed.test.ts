/** The certificate that `headway serve` makes: a client that trusts it connects by each of its names, and by no other. */
import { X509Certificate } from "node:crypto"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { connect } from "node:tls"
import { expect, test } from "vitest"
import { selfSigned } from "../../src/cli/serve/self-signed.ts"

const time = { from: new Date("2026-11-17T08:09:10Z"), until: new Date("2027-12-19T08:09:10Z") }
const names = ["a-machine.local", "localhost", "127.0.0.1", "::1", "fe80::1:2"]

test("a certificate names its hosts and addresses, lasts as long as asked, and is signed with its own key", () => {
  const { cert, key } = selfSigned("a server", names, time)
  const x509 = new X509Certificate(cert)
  expect(x509.subject).toBe("CN=a server")
  expect(x509.issuer).toBe("CN=a server")
  expect(x509.subjectAltName).toBe(
    "DNS:a-machine.local, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:0:1:2",
  )
  expect([new Date(x509.validFrom), new Date(x509.validTo)]).toEqual([time.from, time.until])
  expect(x509.ca).toBe(false)
  expect(x509.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"])
  expect(x509.verify(x509.publicKey)).toBe(true)
  expect(key).toContain("PRIVATE KEY")
})

test("each certificate has its own number, and years after 2049 are written out", () => {
  const made = Array.from({ length: 40 }, () => new X509Certificate(selfSigned("s", ["localhost"], time).cert))
  expect(new Set(made.map(({ serialNumber }) => serialNumber)).size).toBe(40)
  const late = selfSigned("s", ["localhost"], { from: time.from, until: new Date("2051-01-02T03:04:05Z") })
  expect(new Date(new X509Certificate(late.cert).validTo)).toEqual(new Date("2051-01-02T03:04:05Z"))
})

test("a client that trusts it connects by its names only", async () => {
  const now = Date.now()
  const { cert, key } = selfSigned("s", ["localhost", "127.0.0.1"], {
    from: new Date(now - 1e6),
    until: new Date(now + 1e9),
  })
  const server = createServer({ cert, key })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  const asked = (servername: string): Promise<string> =>
    new Promise((done) => {
      const socket = connect({ port, host: "127.0.0.1", servername, ca: cert }, () => {
        socket.destroy()
        done("connected")
      })
      socket.on("error", (cause: NodeJS.ErrnoException) => done(cause.code ?? ""))
    })
  expect(await asked("localhost")).toBe("connected")
  expect(await asked("elsewhere.example")).toBe("ERR_TLS_CERT_ALTNAME_INVALID")
  await new Promise((done) => server.close(done))
})
