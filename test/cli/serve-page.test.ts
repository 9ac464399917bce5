/** `headway serve` as a real process with real sockets: who reaches the page, and how a second one finds the first. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { request } from "node:https"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, test } from "vitest"
import { homeWithAgent } from "../board/live-board.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type Printed = { page: string; mcp: string; lan: string[]; invite?: { address: string } }

const personAt = (env: Record<string, string> = {}) => {
  const { home, says } = homeWithAgent()
  says(1, ["Read", "in_progress"])
  const start = (argv: string[]) => {
    const child = spawn(process.execPath, [bin, "serve", ...argv], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    ends.push(() => child.kill("SIGKILL"))
    return child
  }
  /** Runs to its end. */
  const run = async (...argv: string[]) => {
    const child = start(argv)
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")])
    return { out, err, code: code as number }
  }
  /** Serves until the test ends; resolves when it says so. */
  const serve = async (...argv: string[]) => {
    const child = start(["--json", ...argv])
    const output = { out: "", err: "" }
    child.stdout.on("data", (chunk) => {
      output.out += chunk
    })
    child.stderr.on("data", (chunk) => {
      output.err += chunk
    })
    while (!output.err.includes("serving until Ctrl+C"))
      await Promise.race([
        once(child.stderr, "data"),
        once(child, "exit").then(() => Promise.reject(new Error(output.err))),
      ])
    const printed = JSON.parse(output.out) as Printed
    return {
      child,
      output,
      ...printed,
      origin: new URL(printed.page).origin,
      token: new URL(printed.page).searchParams.get("token") ?? "",
    }
  }
  return { home, says, run, serve }
}

describe("the page of a real server", () => {
  test("is behind the token; MCP keeps its address, behind the same token, and accepts no cookie", async () => {
    const { serve } = personAt()
    const { page, mcp, origin, token } = await serve("--port", "0")
    const exchanged = await fetch(page, { redirect: "manual" })
    const cookie = exchanged.headers.get("set-cookie")?.split(";")[0] ?? ""
    expect(exchanged.status).toBe(303)
    const board = await fetch(`${origin}/api/board`, { headers: { cookie } })
    expect(await board.json()).toMatchObject({ rows: [{ agentType: "claude-code", todos: 1 }] })
    expect((await fetch(`${origin}/api/board`)).status).toBe(401)
    expect((await fetch(new URL("/mcp", mcp), { headers: { cookie } })).status).toBe(401)
    expect((await fetch(new URL("/mcp", mcp), { headers: { authorization: `Bearer ${token}` } })).status).toBe(400)
  })

  test("sends a change on disk to every page without another request", async () => {
    const { serve, says } = personAt()
    const { origin, token } = await serve("--port", "0")
    const headers = { authorization: `Bearer ${token}` }
    const pages = await Promise.all(Array.from({ length: 20 }, () => fetch(`${origin}/api/events`, { headers })))
    const told = pages.map(async ({ body }) => {
      let seen = ""
      const decoder = new TextDecoder()
      for await (const chunk of body ?? []) {
        seen += decoder.decode(chunk as Uint8Array, { stream: true })
        if (seen.includes("Write the page")) return true
      }
      return false
    })
    says(2, ["Read", "completed"], ["Write the page", "in_progress"])
    expect(new Set(await Promise.all(told))).toEqual(new Set([true]))
  })

  test("refuses a host name that only leads here, and a body without end", async () => {
    const { serve } = personAt()
    const { origin, token } = await serve("--port", "0")
    const { port, host } = new URL(origin)
    const replyTo = async (head: string): Promise<string> => {
      const socket = connect(Number(port), "127.0.0.1")
      ends.push(() => socket.destroy())
      socket.on("error", () => {})
      socket.write(head)
      return text(socket)
    }
    expect(
      await replyTo(
        `GET /api/board HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 403/)
    const path = `/api/sessions/${encodeURIComponent('["11111111-2222-4333-8444-555555555555","main"]')}/edits`
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    expect(await replyTo(`${head}Content-Length: 1000000000\r\nConnection: close\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413/)
  })
})

describe("a second serve", () => {
  test("finds the first, prints its address and ends; another port is another server", async () => {
    const { serve, run, home } = personAt()
    const { page, child, origin } = await serve("--port", "0")
    const { port } = new URL(origin)
    const second = await run("--port", port)
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining(page) })
    expect(second.err).toContain(`process ${child.pid} already serves these`)
    const other = await serve("--port", "0")
    expect(other.origin).not.toBe(origin)
    expect(readFileSync(join(home, ".headway", "serve.json"), "utf8")).not.toContain(
      new URL(page).searchParams.get("token"),
    )
  })

  test("does not trust a note whose server cannot prove that it knows the token, and does not send the token", async () => {
    const { serve, run, home } = personAt()
    const seen: string[] = []
    const stranger: Server = createServer((asked, response) => {
      seen.push(`${asked.url} ${JSON.stringify(asked.headers)}`)
      response.end(JSON.stringify({ headway: "1", proof: "none" }))
    })
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve))
    ends.push(() => stranger.close())
    const { port } = stranger.address() as AddressInfo
    mkdirSync(join(home, ".headway"), { mode: 0o700 })
    writeFileSync(
      join(home, ".headway", "serve.json"),
      JSON.stringify({ v: 1, pid: 1, origin: `http://127.0.0.1:${port}` }),
    )
    const { token, child } = await serve("--port", "0")
    expect(seen).toHaveLength(0)
    child.kill("SIGTERM")
    await once(child, "exit")
    writeFileSync(
      join(home, ".headway", "serve.json"),
      JSON.stringify({ v: 1, pid: 1, origin: `http://127.0.0.1:${port}` }),
    )
    const taken = await run("--port", String(port))
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} is in use.`) })
    expect(seen).toHaveLength(1)
    expect(seen[0]).not.toContain(token)
  })

  test("leaves no note behind when it ends", async () => {
    const { serve, home } = personAt()
    const { child } = await serve("--port", "0")
    expect(existsSync(join(home, ".headway", "serve.json"))).toBe(true)
    child.kill("SIGTERM")
    expect(await once(child, "exit")).toEqual([0, null])
    expect(existsSync(join(home, ".headway", "serve.json"))).toBe(false)
  })
})

test("--open hands the browser a file of the person's, so that no other user reads the token in a list of processes", async () => {
  const folder = homeWithAgent().home
  const seen = join(folder, "seen")
  for (const name of ["xdg-open", "open"])
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`, {
      mode: 0o755,
    })
  const { serve, home } = personAt({ PATH: `${folder}:${process.env.PATH}` })
  const { page, token } = await serve("--port", "0", "--open")
  while (!existsSync(seen)) await new Promise((resolve) => setImmediate(resolve))
  const given = readFileSync(seen, "utf8")
  expect(given).toBe(`file://${join(home, ".headway", "open.html")}\n`)
  expect(given).not.toContain(token)
  expect(readFileSync(join(home, ".headway", "open.html"), "utf8")).toContain(page)
})

describe.runIf(process.platform === "linux")("other devices", () => {
  /** A phone that takes the certificate as it is. */
  const ask = (address: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string; fingerprint: string }>(
      (resolve, reject) => {
        const asked = request(
          address,
          { method: init.method ?? "GET", headers: init.headers ?? {}, rejectUnauthorized: false, agent: false },
          async (response) => {
            const { fingerprint256 } = (response.socket as import("node:tls").TLSSocket).getPeerCertificate()
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: await text(response),
              fingerprint: fingerprint256,
            })
          },
        )
        asked.on("error", reject)
        asked.end(init.body)
      },
    )

  test("reach nothing by default; on request the page over HTTPS, and never MCP", async () => {
    const { serve, run } = personAt()
    const alone = await serve("--port", "0")
    expect([alone.lan, alone.invite]).toEqual([[], undefined])
    await expect(ask(`https://127.0.0.2:${new URL(alone.origin).port}/`)).rejects.toThrow()
    const { lan, output, token, invite } = await serve("--port", "0", "--host", "127.0.0.2")
    const [remote = ""] = lan
    expect(output.err).toContain(`WARNING: everyone in your network can reach ${remote}`)
    const page = await ask(`${remote}/`)
    expect(page.status).toBe(200)
    expect(output.err).toContain(page.fingerprint)
    expect((await ask(`${remote}/api/board`)).status).toBe(401)
    expect(
      (await ask(`${remote}/mcp`, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: "{}" }))
        .status,
    ).toBe(404)
    const code = new URL(invite?.address ?? "").searchParams.get("code") ?? ""
    const paired = await ask(`${remote}/api/pair`, {
      method: "POST",
      headers: { origin: remote, "content-type": "application/json", "user-agent": "Android Mobile Firefox" },
      body: JSON.stringify({ code }),
    })
    expect(JSON.parse(paired.body)).toEqual({ name: "Android phone (Firefox)" })
    const cookie = String(paired.headers["set-cookie"]).split(";")[0] ?? ""
    expect((await ask(`${remote}/api/board`, { headers: { cookie } })).status).toBe(200)
    const listed = await run("devices")
    expect(listed.out).toContain("Android phone (Firefox)")
    expect(await run("revoke", "")).toMatchObject({ code: 2, err: expect.stringContaining("Name the device") })
    expect((await run("revoke", listed.out.slice(0, 4))).out).toContain("revoked Android phone (Firefox)")
    expect((await ask(`${remote}/api/board`, { headers: { cookie } })).status).toBe(401)
    expect(JSON.parse((await run("pair", "--json")).out)).toMatchObject({
      address: expect.stringContaining(`${remote}/pair?code=`),
    })
  })

  test("get the same certificate after a restart", async () => {
    const { serve } = personAt()
    const fingerprints: string[] = []
    for (let time = 0; time < 2; time += 1) {
      const { lan, child } = await serve("--port", "0", "--host", "127.0.0.2")
      fingerprints.push((await ask(`${lan[0]}/`)).fingerprint)
      child.kill("SIGTERM")
      await once(child, "exit")
    }
    expect(fingerprints[0]).toBe(fingerprints[1])
  })

  test("wrong certificates and addresses are refused in a sentence", async () => {
    const { run, home } = personAt()
    expect((await run("--cert", "a.pem")).err).toContain("--cert and --key go together")
    expect((await run("--cert", "a.pem", "--key", "b.pem")).err).toContain("--cert needs --lan or --host")
    expect((await run("--host", "127.0.0.2", "--cert", "a.pem", "--key", "b.pem")).err).toContain(
      "a.pem cannot be read",
    )
    writeFileSync(join(home, "a.pem"), "no")
    expect((await run("--host", "127.0.0.2", "--cert", "a.pem", "--key", "a.pem")).err).toContain(
      "are not a certificate and its key",
    )
    expect((await run("--port", "0", "--host", "203.0.113.7")).err).toContain("is not an address of this machine")
    for (const name of ["", "0", "a b", "::1%lo", "a".repeat(64), "a.".repeat(40_000)])
      expect((await run("--port", "0", "--host", name)).err).toContain(
        "--host takes an address or a name of this machine",
      )
    expect(await run("bogus")).toMatchObject({ code: 2, err: expect.stringContaining("devices, revoke, pair") })
    expect((await run("pair")).err).toContain("No server is running.")
    expect((await run("revoke", "x")).err).toContain('There is no device "x" here.')
  })
})
