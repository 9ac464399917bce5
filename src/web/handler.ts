/** The page and its JSON API as one function from a request to a response: it has no sockets, files or clock. */
import { randomInt } from "node:crypto"
import { Hono } from "hono"
import type { Board } from "../board/board.ts"
import type { BoardFound, SessionRow } from "../views/board/session.ts"
import { type AccessOptions, type Caller, createAccess, proofOf } from "./access.ts"
import { editRequestSchema, type Invite, type OpenReply, type Row } from "./api.ts"
import { readJson } from "./body.ts"
import { createDeviceApi, pairStyle } from "./device-api.ts"
import { createEvents, type EventsLimits } from "./events.ts"
import { createGate, portOf, type RequestSource, unknownCaller } from "./gate.ts"
import { openApi } from "./openapi.ts"
import type { Page } from "./page.ts"
import { jsonReply, type Refusal, refuse, refused, refusedAddress, withSafeHeaders } from "./reply.ts"
import { rowFor } from "./row.ts"
import { createSessionApi, type Resume } from "./session-api.ts"

export type HandlerOptions = AccessOptions & {
  /** The caller closes the board, after the handler. */
  board: Board
  page: Page
  /** Whether this host name, without port, is allowed. */
  isHost: (name: string) => boolean
  /** Returns the sessions that contain all words, the best match first. */
  find: (words: string) => Promise<readonly BoardFound[]>
  /** Returns the command that resumes a session. */
  resumeOf: (row: SessionRow) => Resume | undefined
  openInAgent: (row: SessionRow) => Promise<OpenReply>
  /** The address for other devices; undefined if none can reach the server. @default none can */
  remoteOrigin?: () => string | undefined
  /** Called with the name of every newly paired device. */
  onPaired?: (name: string) => void
  version: string
  /** In milliseconds. @default the machine's clock */
  now?: () => number
  limits?: Partial<EventsLimits>
}

export type Handler = {
  handle(request: Request, from?: RequestSource): Promise<Response>
  /** Returns an address that pairs one device; undefined if no other device can reach the server. */
  invite(): Invite | undefined
  /** Ends the streams of all pages. */
  close(): void
}

type Env = { Bindings: RequestSource; Variables: { caller: Caller } }

export const createHandler = (options: HandlerOptions): Handler => {
  const { board, page, isHost, find, resumeOf, openInAgent, token, devices, now = Date.now, limits = {} } = options
  const { remoteOrigin = () => undefined, onPaired = () => {}, version } = options
  const access = createAccess({ token, devices })
  const gate = createGate({ access, isHost, now })
  // Random, so that a page that outlives the server does not confuse rows of the next run with those it has.
  const firstVersion = randomInt(2 ** 47)
  const pageRow = (row: SessionRow): Row => {
    // Reading the plan requests its times, which arrive with a later change.
    if (isTimeWanted(row)) board.planAtHand(row.key)
    return rowFor({ ...row, version: firstVersion + row.version }, resumeOf(row) !== undefined)
  }
  const events = createEvents({ board, rowFor: pageRow, limits })
  const sessions = createSessionApi({ board, rowFor: pageRow, resumeOf, openInAgent })
  const pairing = createDeviceApi({ access, gate, devices, now, remoteOrigin, onPaired })
  /** Computed once, because unknown callers may request it. */
  let description: object | undefined
  const isStill = (caller: Caller, { headers, url }: Request): boolean =>
    isSameCaller(access.callerOf(headers, portOf({ url })), caller)
  const app = new Hono<Env>()

  app.use(async (context, next) => {
    const refusal = gate.check(context.req.raw, context.env)
    if (refusal) return withSafeHeaders(refuse(refusal))
    await next()
    withSafeHeaders(context.res)
    // A HEAD response has no reader, so its body would never be closed.
    if (context.req.raw.method === "HEAD") await context.res.body?.cancel()
    return undefined
  })

  // Handled before authentication, because it authenticates.
  app.post("/api/pair", ({ req, env }) => pairing.pair(req.raw, env))
  app.get("/pair", ({ req }) => pairing.askPage(req.raw))
  app.get("/pair.css", () => new Response(pairStyle, { headers: { "content-type": "text/css; charset=utf-8" } }))
  app.get("/openapi.json", () => {
    description ??= openApi(version)
    return jsonReply(description)
  })
  app.get("/hello", ({ req, env: { port } }) => {
    const [nonce, current] = [req.query("nonce") ?? "", token()]
    return current === undefined || port === undefined || nonce.length > longestNonce
      ? refuse(nothing)
      : jsonReply({ headway: version, proof: proofOf(current, { nonce, port }) })
  })

  app.use("/api/*", async (context, next) => {
    const admitted = gate.admit(context.req.raw, context.env)
    if ("refusal" in admitted) return refused(admitted)
    context.set("caller", admitted)
    if (admitted.kind === "device") devices.note(admitted.device.id)
    await next()
    return undefined
  })

  app.get("/", async ({ req, env }) => {
    const given = req.query("token")
    if (given !== undefined) return exchange(req.raw, given, env)
    return (await page("/", req.raw.headers)) ?? refuse(nothing)
  })

  app.get("/api/board", () => {
    const body = `{"cursor":${JSON.stringify(events.cursor())},${events.wholeBody()}}\n`
    return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } })
  })

  app.get("/api/events", ({ req, get }) => {
    const after = req.header("last-event-id") ?? req.query("after")
    const caller = get("caller")
    const device = caller.kind === "device" ? caller.device.id : undefined
    const stream = events.open(after, { isAllowed: () => isStill(caller, req.raw), device })
    if (!stream) return refuse(tooManyPages, { "retry-after": "10" })
    return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8" } })
  })

  app.get("/api/sessions/:key", async ({ req }) => found(await sessions.read(req.param("key"))))
  app.get("/api/sessions/:key/history", async ({ req }) => found(await sessions.history(req.param("key"))))
  app.get("/api/sessions/:key/history/:entry", async ({ req }) =>
    found(await sessions.moment(req.param("key"), req.param("entry")), noEntry),
  )

  app.post("/api/sessions/:key/edits", async ({ req, get }) => {
    const body = await readJson(req.raw, editRequestSchema)
    // The body may take long, and the device may have been revoked in the meantime.
    if (!isStill(get("caller"), req.raw)) return refuse(unknownCaller)
    return "refusal" in body ? refuse(body.refusal) : found(await sessions.edit(req.param("key"), body.value))
  })

  // Whoever paired a device allowed it to see and change plans, not to start programs.
  app.post("/api/sessions/:key/open", async ({ req, get }) =>
    found(get("caller").kind === "owner" ? await sessions.open(req.param("key")) : notFromDevices),
  )

  app.get("/api/search", async ({ req }) => {
    const words = (req.query("q") ?? "").slice(0, longestSearch).trim()
    return jsonReply({ found: words === "" ? [] : await find(words) })
  })

  app.get("/api/devices", ({ get }) => jsonReply(pairing.list(get("caller"))))
  app.delete("/api/devices/:id", ({ req, get }) => pairing.remove(get("caller"), req.param("id")))
  app.post("/api/invites", ({ get }) => {
    if (get("caller").kind !== "owner") return refuse(ownersOnly)
    return found(pairing.invite(), notReachable)
  })

  app.get("*", async ({ req, env }) => (await page(req.path, req.raw.headers)) ?? unknownAddress(req.raw, env))
  app.all("*", ({ req, env }) => unknownAddress(req.raw, env))
  app.onError(() => withSafeHeaders(refuse(failed)))

  /** Unknown callers do not even learn which addresses exist. */
  const unknownAddress = (request: Request, from: RequestSource): Response => {
    const admitted = gate.admit(request, from)
    return "refusal" in admitted ? refused(admitted) : refuse(nothing)
  }

  /** Removes the token from the address at once. The browser keeps only a cookie, which no script can read. */
  const exchange = (request: Request, given: string, from: RequestSource): Response => {
    const url = new URL(request.url)
    const about = { port: portOf(request), isSecure: url.protocol === "https:" }
    const cookie = access.isToken(given) ? access.ownerCookie(about) : undefined
    if (cookie === undefined) return refusedAddress(request, gate.tryOnce(from) ?? { refusal: wrongToken })
    return new Response(null, { status: 303, headers: { location: "/", "set-cookie": cookie } })
  }

  return {
    handle: async (request, from = {}) => app.fetch(request, from),
    invite: pairing.invite,
    close: events.close,
  }
}

/** Whether the row needs its times. For sessions that are over, reading a whole file is not worth it. */
const isTimeWanted = ({ state, current, currentSince }: SessionRow): boolean =>
  current !== undefined && currentSince === undefined && ["working", "waiting", "stalled"].includes(state)

/** In characters. */
const longestSearch = 200
const longestNonce = 100

const isSameCaller = (one: Caller | undefined, other: Caller): boolean =>
  one?.kind === other.kind && (one.kind === "owner" || (other.kind === "device" && one.device.id === other.device.id))

const found = (value: object | undefined, refusal: Refusal = noSession): Response =>
  value ? jsonReply(value) : refuse(refusal)

const notFromDevices: OpenReply = {
  isOpened: false,
  message: "A paired device cannot start anything on the computer. Copy the command and run it in a terminal there.",
}

const noSession: Refusal = { status: 404, code: "no-session", message: "That session no longer exists." }
const noEntry: Refusal = {
  status: 404,
  code: "no-entry",
  message: "The history of this plan does not have that entry.",
}
const nothing: Refusal = { status: 404, code: "not-found", message: "There is nothing at this address." }
const failed: Refusal = { status: 500, code: "failed", message: "The request could not be handled." }

const ownersOnly: Refusal = {
  status: 403,
  code: "not-yours",
  message: "Devices can only be paired from the computer itself.",
}

const notReachable: Refusal = {
  status: 409,
  code: "not-reachable",
  message: "No other device can reach this server. Start it with headway serve --lan.",
}

const wrongToken: Refusal = {
  status: 401,
  code: "wrong-token",
  message: 'This address is out of date. Use the one that "headway serve" prints now.',
}

const tooManyPages: Refusal = {
  status: 503,
  code: "too-many-pages",
  message: "Too many pages are open; close some of them.",
}
