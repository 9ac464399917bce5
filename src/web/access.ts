/** Identifies the sender of a request: the owner, by token or cookie, or a paired device. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** A browser on another device that the owner has paired. */
export type Device = { id: string; name: string; paired: string; seen?: string | undefined }

/** Storage for paired devices. */
export type DeviceList = {
  list(): readonly Device[]
  /** Returns the device if the secret is right. */
  find(id: string, secret: string): Device | undefined
  /** Adds a device. The secret is returned once, and only its digest is stored. */
  add(name: string): { device: Device; secret: string }
  /** Returns false if there is no such device. */
  remove(id: string): boolean
  /** Records that the device was seen. */
  note(id: string): void
}

export type AccessOptions = {
  /** Called for each request, so that a replaced token is no longer valid. Undefined denies everyone. */
  token: () => string | undefined
  devices: DeviceList
}

export type Caller = { kind: "owner" } | { kind: "device"; device: Device }

export type Access = {
  /** Returns the sender of a request with these headers; undefined if unknown. `port` is the server's port. */
  callerOf(headers: Headers, port: string): Caller | undefined
  /** Whether the given text is the token. */
  isToken(given: string): boolean
  /** The cookies that authenticate a browser. Undefined without a token. */
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
      // A server on another port of this machine can set a cookie of the same name before ours.
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

/**
 * Derived from the token: a leaked cookie gives access to the page, but not to everything else that the token opens.
 */
const ownerValue = (token: string): string =>
  `owner.${createHmac("sha256", token).update("the page of headway serve").digest("base64url")}`

/**
 * Proves to a program that the server at a port knows the token, without revealing it. A server at another port cannot
 * reuse the proof.
 */
export const proofOf = (token: string, { nonce, port }: { nonce: string; port: number }): string =>
  createHmac("sha256", token).update(`headway serve ${port} ${nonce}`).digest("base64url")

/** Always the same length, for a constant-time comparison. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other))

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Browsers keep one set of cookies for all ports of a machine. */
const cookieName = (port: string): string => `headway-${port}`

/** In seconds: a year. Revoking a device, or a new token, ends access at once. */
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
