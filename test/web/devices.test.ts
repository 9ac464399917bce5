/** Pairing a phone: a code that counts once and not for long, and a device that can be sent away. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Devices, Invite } from "../../src/web/api.ts"
import type { HandlerOptions } from "../../src/web/handler.ts"
import { homeWithAgent } from "../board/live-board.ts"
import { codeOf, cookieIn, eventsIn, servingAt } from "./serving.ts"

const phone = "https://192.168.1.20:4774"
const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"

const serving = async (options: Partial<HandlerOptions> = {}) => {
  const { home, says } = homeWithAgent()
  says(1, ["Read", "in_progress"])
  const paired: string[] = []
  const server = await servingAt(home, { remoteOrigin: () => phone, onPaired: (name) => paired.push(name), ...options })
  const { ask, bearer, handler } = server
  const invite = async (): Promise<Invite> =>
    (await (await ask("/api/invites", { method: "POST", headers: bearer })).json()) as Invite
  const askFrom = (path: string, init: RequestInit = {}) =>
    handler.handle(new Request(new URL(path, phone), init), { address: "192.168.1.30" })
  const pair = (code: string, headers: Record<string, string> = { origin: phone }) =>
    askFrom("/api/pair", {
      method: "POST",
      body: new URLSearchParams({ code }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": userAgent, ...headers },
    })
  const codeIn = ({ address }: Invite): string => new URL(address).searchParams.get("code") ?? ""
  /** A phone that has scanned a code. */
  const pairedPhone = async () => cookieIn(await pair(codeIn(await invite())))
  return { ...server, home, paired, invite, askFrom, pair, codeIn, pairedPhone }
}

describe("pairing", () => {
  test("opening the address changes nothing; its one button lets the device in", async () => {
    const { invite, askFrom, pair, codeIn, paired } = await serving()
    const { address } = await invite()
    expect(address).toMatch(/^https:\/\/192\.168\.1\.20:4774\/pair\?code=[\w-]{22}$/)
    for (let time = 0; time < 3; time += 1) {
      const page = await askFrom(new URL(address).pathname + new URL(address).search)
      expect(page.headers.get("content-security-policy")).toContain("form-action 'self'")
      expect(await page.text()).toContain("<button>Pair this device</button>")
    }
    expect(paired).toEqual([])
    const response = await pair(codeIn({ address, expires: "" }))
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"])
    expect(response.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
    expect(paired).toEqual(["iPhone (Safari)"])
    expect((await askFrom("/api/board", { headers: cookieIn(response) })).status).toBe(200)
  })

  test("a code counts once, for ten minutes, and only from the page it came with", async () => {
    const { invite, pair, codeIn, clock, paired } = await serving()
    const code = codeIn(await invite())
    for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[])
      expect((await pair(code, headers)).status).toBe(403)
    expect((await pair(code)).status).toBe(303)
    expect((await pair(code)).status).toBe(403)
    const late = codeIn(await invite())
    clock.time += 10 * 60_000
    expect(await (await pair(late)).text()).toContain("This code was already used, or has expired.")
    const lasting = codeIn(await invite())
    clock.time -= 60 * 60_000
    expect((await pair(lasting)).status).toBe(403)
    expect(paired).toHaveLength(1)
  })

  test("codes cannot be guessed", async () => {
    const { pair, invite, codeIn } = await serving()
    const code = codeIn(await invite())
    for (let time = 0; time < 40; time += 1) await pair(`${time}`.padStart(22, "0"))
    expect((await pair(code)).status).toBe(429)
  })

  test("an address with other text instead of the code cannot put HTML on the page", async () => {
    const { askFrom } = await serving()
    const text = await (await askFrom(`/pair?code=${encodeURIComponent('"><script>alert(1)</script>')}`)).text()
    expect(text).not.toContain("script")
    expect(text).toContain("This address cannot pair a device.")
  })

  test("needs a server that other devices reach", async () => {
    const { home } = homeWithAgent()
    const { ask, bearer } = await servingAt(home)
    expect(await codeOf(await ask("/api/invites", { method: "POST", headers: bearer }))).toEqual([409, "not-reachable"])
  })
})

describe("a paired device", () => {
  test("sees and edits, and can neither pair nor remove others", async () => {
    const { pairedPhone, askFrom, devices, board } = await serving()
    const headers = await pairedPhone()
    devices.add("Tablet")
    const { devices: listed } = (await (await askFrom("/api/devices", { headers })).json()) as Devices
    expect(listed.map(({ name, isThis }) => [name, isThis]).toSorted()).toEqual([
      ["Tablet", false],
      ["iPhone (Safari)", true],
    ])
    const others = listed.find(({ isThis }) => !isThis)?.id
    const change = { method: "POST", headers: { ...headers, origin: phone, "content-type": "application/json" } }
    const key = encodeURIComponent(board.row().key)
    const body = JSON.stringify({ edit: { kind: "add", content: "From the sofa" } })
    expect((await askFrom(`/api/sessions/${key}/edits`, { ...change, body })).status).toBe(200)
    expect(await board.todos()).toContain("pending From the sofa")
    expect(await codeOf(await askFrom("/api/invites", change))).toEqual([403, "not-yours"])
    expect(await codeOf(await askFrom(`/api/devices/${others}`, { ...change, method: "DELETE" }))).toEqual([
      403,
      "not-yours",
    ])
  })

  test("cannot start anything on the computer, as its pairing page states", async () => {
    const opened: string[] = []
    const openInAgent = async ({ key }: { key: string }) => {
      opened.push(key)
      return { isOpened: true, message: "Opened." }
    }
    const { pairedPhone, askFrom, ask, bearer, board, invite } = await serving({ openInAgent })
    const { pathname, search } = new URL((await invite()).address)
    expect(await (await askFrom(pathname + search)).text()).toContain("it cannot start anything on the computer")
    const { key } = board.row()
    const path = `/api/sessions/${encodeURIComponent(key)}/open`
    const fromPhone = await askFrom(path, { method: "POST", headers: { ...(await pairedPhone()), origin: phone } })
    expect(await fromPhone.json()).toMatchObject({
      isOpened: false,
      message: expect.stringContaining("cannot start anything"),
    })
    expect(opened).toEqual([])
    expect(await (await ask(path, { method: "POST", headers: bearer })).json()).toMatchObject({ isOpened: true })
    expect(opened).toEqual([key])
  })

  test("that is revoked is locked out at once, also of an open stream", async () => {
    const { pairedPhone, askFrom, ask, bearer, devices, board, edit } = await serving()
    const headers = await pairedPhone()
    const stream = eventsIn(await askFrom("/api/events", { headers }))
    await stream.next()
    const [device] = devices.list()
    expect((await ask(`/api/devices/${device?.id}`, { method: "DELETE", headers: bearer })).status).toBe(200)
    await edit(board.row().key, { edit: { kind: "add", content: "Secret" } })
    expect(await stream.next()).toBeUndefined()
    expect(await codeOf(await askFrom("/api/board", { headers }))).toEqual([401, "unknown-caller"])
    expect((await ask(`/api/devices/${device?.id}`, { method: "DELETE", headers: bearer })).status).toBe(404)
  })

  test("that is revoked while its change is on the way changes nothing", async () => {
    const { pairedPhone, askFrom, devices, board } = await serving()
    const headers = { ...(await pairedPhone()), origin: phone, "content-type": "application/json" }
    const text = JSON.stringify({ edit: { kind: "add", content: "Too late" } })
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          for (const { id } of devices.list()) devices.remove(id)
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const slow = { method: "POST", headers, body, duplex: "half" as const }
    const path = `/api/sessions/${encodeURIComponent(board.row().key)}/edits`
    expect(await codeOf(await askFrom(path, slow))).toEqual([401, "unknown-caller"])
    expect(await board.todos()).not.toContain("pending Too late")
  })

  test("that opens many pages leaves room for the pages of others", async () => {
    const { pairedPhone, askFrom, ask, bearer } = await serving({ limits: { pages: 4, devicePages: 2 } })
    const [headers, others] = [await pairedPhone(), await pairedPhone()]
    const opened = async (from: { cookie: string }) => (await askFrom("/api/events", { headers: from })).status
    expect([await opened(headers), await opened(headers), await opened(headers)]).toEqual([200, 200, 503])
    expect(await opened(others)).toBe(200)
    expect((await ask("/api/events", { headers: bearer })).status).toBe(200)
  })

  test("has its secret to itself: the home keeps a digest, for its owner alone", async () => {
    const { pairedPhone, home } = await serving()
    const { cookie } = await pairedPhone()
    const folder = join(home, ".headway", "devices")
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
    expect(texts).toHaveLength(1)
    expect(texts[0]).not.toContain(cookie.split(".")[2])
  })
})
