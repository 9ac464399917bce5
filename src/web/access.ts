/** Who sends a request: the owner, by the token or the cookie it was exchanged for, or a device the owner has paired. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** A browser on another device that the owner has let in. */
export type Device = { id: string; name: string; paired: string; seen?: string | undefined }

/** The paired devices as they are kept. */
export type DeviceList = {
  list(): readonly Device[]
  /** The device that has this secret. */
  find(id: string, secret: string): Device | undefined
  /** Keeps a new one. The secret is told once, and only its digest is kept. */
  add(name: string): { device: Device; secret: string }
  /** False where there is no such device. */
  remove(id: string): boolean
  /** Notes that it was here. */
  note(id: string): void
}

export type AccessOptions = {
  /** Asked for at each request, so that a replaced one no longer counts; undefined lets no one in. */
  token: () => string | undefined
  devices: DeviceList
}

export type Caller = { kind: "owner" } | { kind: "device"; device: Device }

export type Access = {
  /** Who may be behind these headers; undefined for a stranger. `port` is that of the server. */
  callerOf(headers: Headers, port: string): Caller | undefined
  /** Whether this is the token. */
  isToken(given: string): boolean
  /** The cookies that let a browser in from now on. Undefined without a token. */
  ownerCookie(about: CookieAbout): string | undefined
  deviceCookie(id: string, secret: string, about: CookieAbout): string
}

export type CookieAbout = { port: string; isSecure: boolean }

export const createAccess = ({ token, devices }: AccessOptions): Access => {
  const isToken = (given: string): boolean => {
    const current = token()
    return current !== undefined && isSame(given, current)
  }

  const isOwner = (value: string): boolean => {
    const current = token()
    return current !== undefined && isSame(value, ownerValue(current))
  }

  const fromCookie = (value: string): Caller | undefined => {
    const [kind, id = "", secret = ""] = value.split(".")
    if (kind === "owner") return isOwner(value) ? { kind } : undefined
    const device = kind === "device" ? devices.find(id, secret) : undefined
    return device && { kind: "device", device }
  }

  return {
    callerOf(headers, port) {
      const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? []
      if (bearer !== undefined) return isToken(bearer) ? { kind: "owner" } : undefined
      // Another port of this machine can put a cookie of the same name before ours.
      for (const value of cookiesIn(headers.get("cookie") ?? "", cookieName(port))) {
        const caller = fromCookie(value)
        if (caller) return caller
      }
      return undefined
    },
    isToken,
    ownerCookie(about) {
      const current = token()
      return current === undefined ? undefined : cookie(ownerValue(current), about)
    },
    deviceCookie: (id, secret, about) => cookie(`device.${id}.${secret}`, about),
  }
}

/** Not the token itself: who sees a cookie can use the page as long as the token counts, and not what else the token opens. */
const ownerValue = (token: string): string =>
  `owner.${createHmac("sha256", token).update("the page of headway serve").digest("base64url")}`

/**
 * Proves that the server at a port knows the token to a program that knows it too, without either telling it. Who listens at
 * another port cannot pass it on as its own.
 */
export const proofOf = (token: string, { nonce, port }: { nonce: string; port: number }): string =>
  createHmac("sha256", token).update(`headway serve ${port} ${nonce}`).digest("base64url")

/** Equally long whatever was given, so that comparing takes equally long as well. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other))

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Browsers keep one set of cookies for all ports of a machine. */
const cookieName = (port: string): string => `headway-${port}`

/** In seconds: a year. Revoking a device, or a new token, ends it at once. */
const longest = 365 * 24 * 60 * 60

const cookie = (value: string, { port, isSecure }: CookieAbout): string =>
  [
    `${cookieName(port)}=${value}`,
    "Path=/",
    `Max-Age=${longest}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ")

const cookiesIn = (header: string, name: string): string[] =>
  header.split(";").flatMap((part) => {
    const [key = "", ...value] = part.trim().split("=")
    return key === name ? [value.join("=")] : []
  })
