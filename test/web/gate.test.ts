/** Who gets in at the page's server, and what no request can do. */
import { describe, expect, test } from "vitest"
import { makeToken } from "../../src/home/token.ts"
import { proofOf } from "../../src/web/access.ts"
import { homeWithAgent } from "../board/live-board.ts"
import { codeOf, cookieIn, eventsIn, origin, servingAt } from "./serving.ts"

const serving = async () => {
  const { home, says } = homeWithAgent()
  says(1, ["Read", "in_progress"], ["Write", "pending"])
  return servingAt(home)
}

const data = [
  "/api/board",
  "/api/events",
  "/api/sessions/x",
  "/api/sessions/x/history",
  "/api/search?q=a",
  "/api/devices",
]

describe("the token", () => {
  test("is exchanged for a cookie that no script reads and no other site sends, and is not in the cookie", async () => {
    const { ask, current } = await serving()
    const response = await ask(`/?token=${current.token}`)
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"])
    const cookie = response.headers.get("set-cookie") ?? ""
    expect(cookie).toMatch(/^headway-4774=owner\.[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(current.token)
    expect((await ask("/api/board", { headers: cookieIn(response) })).status).toBe(200)
  })

  test("must be right: without it, with another, or with a forged cookie nothing is sent", async () => {
    const { ask, current } = await serving()
    expect(await codeOf(await ask(`/?token=${makeToken()}`))).toEqual([401, "wrong-token"])
    const wrong = [
      {},
      { authorization: `Bearer ${makeToken()}` },
      { authorization: `Basic ${current.token}` },
      { cookie: `headway-4774=${current.token}` },
      { cookie: `headway-4774=owner.${makeToken()}` },
      { cookie: "headway-4774=device.0123456789abcdef.x" },
    ]
    for (const headers of wrong)
      for (const path of data.slice(0, 3))
        expect(await codeOf(await ask(path, { headers: headers as Record<string, string> }))).toEqual([
          401,
          "unknown-caller",
        ])
  })

  test("that is wrong is explained to a person in a sentence, and to a program as data", async () => {
    const { ask } = await serving()
    const address = `/?token=${makeToken()}`
    const page = await ask(address, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
    expect([page.status, page.headers.get("content-type")]).toEqual([401, "text/plain; charset=utf-8"])
    expect(await page.text()).toBe('This address is out of date. Use the one that "headway serve" prints now.\n')
    expect((await ask(address)).headers.get("content-type")).toContain("application/json")
  })

  test("that is replaced accepts no old cookie, and an open stream sends nothing more", async () => {
    const { ask, browser, current, board, edit } = await serving()
    const headers = await browser()
    const stream = eventsIn(await ask("/api/events", { headers }))
    expect((await stream.next())?.data.isWhole).toBe(true)
    current.token = makeToken()
    expect(await codeOf(await ask("/api/board", { headers }))).toEqual([401, "unknown-caller"])
    await edit(
      board.row().key,
      { edit: { kind: "add", content: "Secret" } },
      { authorization: `Bearer ${current.token}` },
    )
    expect(await stream.next()).toBeUndefined()
  })

  test("that was removed admits no request", async () => {
    const { ask, current } = await serving()
    current.token = undefined
    for (const headers of [{ authorization: "Bearer undefined" }, { cookie: "headway-4774=owner.undefined" }])
      expect((await ask("/api/board", { headers })).status).toBe(401)
  })

  test("cannot be guessed for long", async () => {
    const { ask, bearer, clock } = await serving()
    const guess = (address: string) =>
      ask("/api/board", { headers: { authorization: `Bearer ${makeToken()}` } }, address)
    const tries = await Promise.all(Array.from({ length: 60 }, () => guess("10.0.0.9")))
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThan(20)
    expect((await guess("10.0.0.9")).headers.get("retry-after")).toBe("2")
    // Others are not kept out by it, and it is over after a while.
    expect((await guess("10.0.0.8")).status).toBe(401)
    expect((await ask("/api/board", { headers: bearer }, "10.0.0.9")).status).toBe(200)
    clock.time += 60_000
    expect((await guess("10.0.0.9")).status).toBe(401)
  })

  test("cannot be guessed in the address either", async () => {
    const { ask } = await serving()
    const tries = await Promise.all(Array.from({ length: 60 }, () => ask(`/?token=${makeToken()}`)))
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThan(20)
  })

  test("admits a browser although another port has put a cookie before its own", async () => {
    const { ask, browser } = await serving()
    const { cookie } = await browser()
    expect((await ask("/api/board", { headers: { cookie: `headway-4774=owner.x; ${cookie}` } })).status).toBe(200)
  })

  test("is proved for the port of the request, whatever the host name", async () => {
    const { handler, current } = await serving()
    const proved = async (port: number): Promise<string> => {
      const response = await handler.handle(new Request(`${origin}/hello?nonce=n`), { port })
      return ((await response.json()) as { proof: string }).proof
    }
    const token = current.token ?? ""
    expect(await proved(4774)).toBe(proofOf(token, { nonce: "n", port: 4774 }))
    expect(await proved(5000)).not.toBe(proofOf(token, { nonce: "n", port: 4774 }))
  })
})

describe("host names and origins", () => {
  test("a host name that only leads here gets nothing, not even the page", async () => {
    const { handler, bearer } = await serving()
    for (const name of ["evil.example", "127.0.0.1.evil.example", "10.0.0.1"])
      for (const path of ["/", "/api/board", "/openapi.json", "/hello?nonce=1"]) {
        const response = await handler.handle(new Request(`http://${name}:4774${path}`, { headers: bearer }))
        expect(await codeOf(response)).toEqual([403, "strange-host"])
      }
  })

  test("another origin gets nothing, and is never allowed", async () => {
    const { ask, browser } = await serving()
    const headers = await browser()
    for (const other of ["https://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:4774"]) {
      const response = await ask("/api/board", { headers: { ...headers, origin: other } })
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
      expect(await codeOf(response)).toEqual([403, "strange-origin"])
    }
    for (const site of ["cross-site", "same-site"])
      expect((await ask("/api/board", { headers: { ...headers, "sec-fetch-site": site } })).status).toBe(403)
    expect((await ask("/api/board", { method: "OPTIONS", headers: { origin: "https://evil.example" } })).status).toBe(
      403,
    )
    expect((await ask("/api/board", { headers: { ...headers, origin } })).status).toBe(200)
  })
})

describe("what a request can do", () => {
  test("a change needs the page's own origin and JSON", async () => {
    const { browser, edit, board, ask } = await serving()
    const [{ key }, headers] = [board.row(), await browser()]
    const change = { edit: { kind: "add", content: "More" } }
    expect(await codeOf(await edit(key, change, headers))).toEqual([403, "no-origin"])
    for (const type of ["text/plain", "application/x-www-form-urlencoded", ""])
      expect(await codeOf(await edit(key, change, { ...headers, origin, "content-type": type }))).toEqual([
        415,
        "not-json",
      ])
    expect(await board.todos()).toHaveLength(2)
    expect((await edit(key, change, { ...headers, origin })).status).toBe(200)
    expect(await board.todos()).toHaveLength(3)
    expect((await ask("/api/sessions/x/open", { method: "POST", headers })).status).toBe(403)
  })

  test("an unknown caller does not learn which addresses exist", async () => {
    const { ask } = await serving()
    for (const path of [
      "/api/none",
      "/health",
      "/.well-known/oauth-protected-resource",
      "/mcp/",
      "/session",
      "/assets/none.js",
    ])
      for (const method of ["GET", "POST", "PUT", "OPTIONS"])
        expect(await codeOf(await ask(path, { method }))).toEqual([401, "unknown-caller"])
  })

  test("nothing is changed by GET", async () => {
    const { ask, bearer, board, devices } = await serving()
    const key = encodeURIComponent(board.row().key)
    devices.add("Phone")
    for (const path of [`/api/sessions/${key}/edits`, `/api/sessions/${key}/open`, "/api/pair?code=1", "/api/invites"])
      expect((await ask(path, { headers: bearer })).status).toBe(404)
    for (const path of [...data, "/pair?code=1234567890123456789012"])
      await (await ask(path, { headers: bearer })).body?.cancel()
    expect([await board.todos(), devices.list().length]).toEqual([["in_progress Read", "pending Write"], 1])
  })

  test("a body over the limit or of another shape is refused with a sentence", async () => {
    const { edit, board } = await serving()
    const { key } = board.row()
    expect(await codeOf(await edit(key, { edit: { kind: "add", content: "x".repeat(300_000) } }))).toEqual([
      413,
      "too-large",
    ])
    expect(await codeOf(await edit(key, "{"))).toEqual([400, "not-json"])
    for (const wrong of [
      null,
      [],
      { edit: { kind: "text", text: "" } },
      { edit: { kind: "add" } },
      { edit: { kind: "add", content: "x".repeat(30_000) } },
    ])
      expect(await codeOf(await edit(key, wrong))).toEqual([400, "wrong-shape"])
    expect(await codeOf(await edit("none", { edit: { kind: "undo" } }))).toEqual([404, "no-session"])
  })

  test("one caller has a limited number of requests", async () => {
    const { ask, bearer, clock } = await serving()
    const statuses = new Map<number, number>()
    for (let number = 0; number < 2_100; number += 1) {
      const { status } = await ask("/api/devices", { headers: bearer })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [200, 2_000],
      [429, 100],
    ])
    clock.time += 1_000
    expect((await ask("/api/devices", { headers: bearer })).status).toBe(200)
  })

  test("every reply forbids scripts, styles and frames that are not the page's own", async () => {
    const { ask, bearer } = await serving()
    for (const path of ["/", "/api/board", "/api/none", "/pair?code=x", "/assets/none.js", "/openapi.json"]) {
      const { headers } = await ask(path, { headers: bearer })
      const policy = headers.get("content-security-policy") ?? ""
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*/)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("referrer-policy")).toBe("same-origin")
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin")
    }
  })
})

describe("the text of a plan", () => {
  test("is only ever JSON, without hidden characters", async () => {
    const { home, says } = homeWithAgent()
    const hostile = `<script>alert(1)</script>\u001b[31m\u202e"><img src=x onerror=alert(1)>`
    says(1, [hostile, "in_progress"])
    const { read, ask, rows, bearer } = await servingAt(home)
    const [row] = await rows()
    const response = await ask(`/api/sessions/${encodeURIComponent(row?.key ?? "")}`, { headers: bearer })
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8")
    const text = await response.text()
    expect(text).not.toMatch(/[\u001b\u202e]/)
    const { plan } = JSON.parse(text) as { plan: { todos: { content: string }[] } }
    expect(plan.todos[0]?.content).toBe('<script>alert(1)</script>"><img src=x onerror=alert(1)>')
    expect(JSON.stringify(await read("/api/board"))).not.toContain("\\u001b")
  })
})
