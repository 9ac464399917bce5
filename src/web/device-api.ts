/** Pairs devices by a code, and lists and revokes paired devices. */
import type { Access, Caller, CookieAbout, DeviceList } from "./access.ts"
import { type Devices, pairRequestSchema } from "./api.ts"
import { mediaTypeOf, readJson, readText } from "./body.ts"
import { deviceName } from "./device-name.ts"
import { type Gate, portOf, type RequestSource } from "./gate.ts"
import { createPairing, isCode } from "./pairing.ts"
import { jsonReply, type Refusal, refuse, refused, withSafeHeaders } from "./reply.ts"

export type DeviceApiOptions = {
  access: Access
  gate: Pick<Gate, "tryOnce">
  devices: DeviceList
  /** In milliseconds. */
  now: () => number
  /** The address for other devices; undefined if none can reach the server. */
  remoteOrigin: () => string | undefined
  /** Called with the name of every newly paired device. */
  onPaired: (name: string) => void
}

export type DeviceApi = {
  /**
   * Returns an address that pairs a device, for the owner to show; undefined if no other device can reach the server.
   */
  invite(): { address: string; expires: string } | undefined
  /** Returns a page with one button that pairs the device. Opening the address alone changes nothing. */
  askPage(request: Request): Response
  /** Exchanges a code for a cookie. Used by the page's button and by programs. */
  pair(request: Request, from: RequestSource): Promise<Response>
  list(caller: Caller): Devices
  remove(caller: Caller, id: string): Response
}

export const createDeviceApi = (options: DeviceApiOptions): DeviceApi => {
  const { access, gate, devices, now, remoteOrigin, onPaired } = options
  const pairing = createPairing(now)

  const letIn = (request: Request, code: string): { cookie: string; name: string } | undefined => {
    if (!pairing.redeem(code)) return undefined
    const { device, secret } = devices.add(deviceName(request.headers.get("user-agent") ?? ""))
    onPaired(device.name)
    return { cookie: access.deviceCookie(device.id, secret, cookieAbout(request)), name: device.name }
  }

  return {
    invite() {
      const origin = remoteOrigin()
      if (origin === undefined) return undefined
      const { code, until } = pairing.begin()
      return { address: `${origin}/pair?code=${code}`, expires: new Date(until).toISOString() }
    },
    askPage(request) {
      const code = new URL(request.url).searchParams.get("code") ?? ""
      const body = isCode(code)
        ? askText(code)
        : pageText("<p>This address cannot pair a device. Scan the code again.</p>")
      const headers = { "content-type": "text/html; charset=utf-8" }
      return withSafeHeaders(new Response(body, { headers }), { isForm: true })
    },
    async pair(request, from) {
      const tooMany = gate.tryOnce(from)
      if (tooMany) return refused(tooMany)
      if (request.headers.get("origin") === null) return refuse(noOrigin)
      const isForm = mediaTypeOf(request) === "application/x-www-form-urlencoded"
      const body = isForm ? await readForm(request) : await readJson(request, pairRequestSchema)
      if ("refusal" in body) return refuse(body.refusal)
      const paired = letIn(request, body.value.code)
      if (!paired) return isForm ? oldCodePage() : refuse(oldCode)
      const headers = { "set-cookie": paired.cookie }
      if (!isForm) return jsonReply({ name: paired.name }, { headers })
      return new Response(null, { status: 303, headers: { ...headers, location: "/" } })
    },
    list: (caller) => ({
      devices: devices.list().map(({ id, name, paired, seen }) => ({
        id,
        name,
        paired,
        ...(seen === undefined ? {} : { seen }),
        isThis: isOwn(caller, id),
      })),
    }),
    remove(caller, id) {
      // A stolen device must not be able to revoke the others.
      if (caller.kind !== "owner" && !isOwn(caller, id)) return refuse(notYours)
      return devices.remove(id) ? jsonReply({ isRemoved: true }) : refuse(noDevice)
    },
  }
}

const cookieAbout = (request: Request): CookieAbout => ({
  port: portOf(request),
  isSecure: new URL(request.url).protocol === "https:",
})

const isOwn = (caller: Caller, id: string): boolean => caller.kind === "device" && caller.device.id === id

const readForm = async (request: Request): Promise<{ value: { code: string } } | { refusal: Refusal }> => {
  const text = await readText(request)
  return { value: { code: new URLSearchParams(text ?? "").get("code") ?? "" } }
}

const pageText = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pair with Headway</title>
<link rel="stylesheet" href="/pair.css">
</head>
<body>
<main>
<h1>Headway</h1>
${body}
</main>
</body>
</html>
`

/** The caller has checked the shape of the code, so it contains nothing with a meaning in HTML. */
const askText = (code: string): string =>
  pageText(`<p>Pair this device? It can then see your sessions and change your plans, but it cannot start anything on the computer. Access ends when you revoke it.</p>
<form method="post" action="/api/pair">
<input type="hidden" name="code" value="${code}">
<button>Pair this device</button>
</form>`)

export const pairStyle = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1c1d20; background: #fafafa; }
main { max-width: 26rem; margin: 15vh auto 0; padding: 0 1.25rem; }
h1 { font-size: 1.25rem; }
button { width: 100%; min-height: 3rem; border: 0; border-radius: 0.5rem; font: inherit; font-weight: 600; color: #fff; background: #2a5bd7; }
@media (prefers-color-scheme: dark) { body { color: #ececee; background: #17181b; } button { background: #3d6ee8; } }
`

const oldCodePage = (): Response =>
  withSafeHeaders(
    new Response(pageText(`<p>${oldCode.message}</p>`), {
      status: oldCode.status,
      headers: { "content-type": "text/html; charset=utf-8" },
    }),
  )

const oldCode: Refusal = {
  status: 403,
  code: "old-code",
  message: "This code was already used, or has expired. Run headway serve pair on the computer for a new one.",
}

const noOrigin: Refusal = {
  status: 403,
  code: "no-origin",
  message: "Pairing needs the Origin header of the page it comes from.",
}

const notYours: Refusal = {
  status: 403,
  code: "not-yours",
  message: "Other devices can only be revoked on the computer itself.",
}

const noDevice: Refusal = { status: 404, code: "no-device", message: "There is no such device." }
