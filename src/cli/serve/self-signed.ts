/** Makes a certificate for HTTPS that is signed with its own key. Node reads certificates but writes none, and this one has few fields. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { isIP, isIPv4 } from "node:net"
import { domainToASCII } from "node:url"

export type SelfSigned = { cert: string; key: string }

/** For HTTPS servers at these names and addresses, and nothing else. */
export const selfSigned = (
  subject: string,
  names: readonly string[],
  { from, until }: { from: Date; until: Date },
): SelfSigned => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(tagged(0x31, sequence(oid.commonName, tagged(0x0c, Buffer.from(subject)))))
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, serialNumber()),
    sequence(oid.ecdsaWithSha256),
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions(names))),
  )
  const signature = tagged(0x03, Buffer.of(0), sign("sha256", content, privateKey))
  const certificate = sequence(content, sequence(oid.ecdsaWithSha256), signature)
  return { cert: pem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }) as string }
}

/** DER: a tag, the length of what follows, and that. */
const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts)

const oid = {
  commonName: tagged(0x06, Buffer.of(0x55, 4, 3)),
  ecdsaWithSha256: tagged(0x06, Buffer.from("2a8648ce3d040302", "hex")),
  basicConstraints: tagged(0x06, Buffer.of(0x55, 0x1d, 19)),
  keyUsage: tagged(0x06, Buffer.of(0x55, 0x1d, 15)),
  extendedKeyUsage: tagged(0x06, Buffer.of(0x55, 0x1d, 37)),
  alternativeNames: tagged(0x06, Buffer.of(0x55, 0x1d, 17)),
  serverAuthentication: tagged(0x06, Buffer.from("2b06010505070301", "hex")),
}

const critical = tagged(0x01, Buffer.of(0xff))

const extensions = (names: readonly string[]): Buffer[] => [
  // It signs no others.
  sequence(oid.basicConstraints, critical, tagged(0x04, sequence())),
  // The first bit: signatures.
  sequence(oid.keyUsage, critical, tagged(0x04, tagged(0x03, Buffer.of(7, 0x80)))),
  sequence(oid.extendedKeyUsage, tagged(0x04, sequence(oid.serverAuthentication))),
  sequence(oid.alternativeNames, tagged(0x04, sequence(...names.map(alternativeName)))),
]

const alternativeName = (name: string): Buffer =>
  isIP(name) ? tagged(0x87, addressBytes(name)) : tagged(0x82, Buffer.from(domainToASCII(name)))

const addressBytes = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number))
  // A URL has it in one form: no zone, no dots, the longest run of zeros as "::".
  const plain = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1)
  const [before = [], after = []] = plain.split("::").map((half) => (half === "" ? [] : half.split(":")))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex")
}

/** Positive, and never with a zero in front. */
const serialNumber = (): Buffer => {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0)
  return bytes
}

/** With two digits for the year until 2049, as the standard has it. */
const time = (date: Date): Buffer => {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, "")
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`
