/** The certificate for HTTPS: the person's own, or one that is made here, kept, and known by its fingerprint. */
import { createPrivateKey, X509Certificate } from "node:crypto"
import { isIP } from "node:net"
import { resolve } from "node:path"
import { readForeignText } from "../../home/reading/foreign-file.ts"
import { readCertificate, saveCertificate } from "../../home/serve/certificate.ts"
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { selfSigned } from "./self-signed.ts"

export type Certificate = {
  cert: string
  key: string
  fingerprint: string
  /** Browsers warn about a self-signed one. */
  isOwn: boolean
}

/** One that a person names, with its key. */
export const namedCertificate = (files: { cert: string; key: string }, cwd: string): Certificate => {
  const read = (path: string): string => {
    try {
      return readForeignText(resolve(cwd, path))
    } catch (cause) {
      throw new HeadwayError("no-certificate", `${path} cannot be read: ${messageOf(cause)}`, { cause })
    }
  }
  const [cert, key] = [read(files.cert), read(files.key)]
  try {
    const x509 = new X509Certificate(cert)
    if (!x509.checkPrivateKey(createPrivateKey(key))) throw new Error("the key is not that of the certificate")
    return { cert, key, fingerprint: x509.fingerprint256, isOwn: false }
  } catch (cause) {
    const why = `${files.cert} and ${files.key} are not a certificate and its key as PEM: ${messageOf(cause)}`
    throw new HeadwayError("no-certificate", `${why}.`, { cause })
  }
}

/** The existing certificate if it covers these names and does not expire soon; otherwise a new one, which is saved. */
export const ownCertificate = (home: string, names: readonly string[], now: Date): Certificate => {
  const kept = readCertificate(home)
  const known = kept === undefined ? undefined : fromPem(kept)
  if (known && isGood(known.cert, names, now)) return known
  const made = makeCertificate(names, now)
  saveCertificate(home, `${made.key.trim()}\n${made.cert.trim()}\n`)
  return made
}

const fromPem = (pem: string): Certificate | undefined => {
  try {
    const x509 = new X509Certificate(pem)
    if (!x509.checkPrivateKey(createPrivateKey(pem))) return undefined
    return { cert: pem, key: pem, fingerprint: x509.fingerprint256, isOwn: true }
  } catch {
    return undefined
  }
}

const aDay = 24 * 60 * 60_000

/** Some phones trust none that lasts longer. */
const lasts = 397 * aDay

const isGood = (cert: string, names: readonly string[], now: Date): boolean => {
  const x509 = new X509Certificate(cert)
  const isLasting = Date.parse(x509.validTo) - now.getTime() > 7 * aDay && Date.parse(x509.validFrom) <= now.getTime()
  return isLasting && names.every((name) => (isIP(bare(name)) ? x509.checkIP(bare(name)) : x509.checkHost(name)))
}

/** Without the brackets that an address has in a URL. */
const bare = (name: string): string => name.replace(/^\[|\]$/g, "")

const makeCertificate = (names: readonly string[], now: Date): Certificate => {
  const from = new Date(now.getTime() - aDay)
  const { cert, key } = selfSigned("headway serve", names.map(bare), { from, until: new Date(from.getTime() + lasts) })
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256, isOwn: true }
}
