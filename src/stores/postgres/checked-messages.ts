/**
 * Checks what a server sends before the driver reads it. A few messages that no PostgreSQL sends would keep the driver busy for
 * ever, end the process, or be printed by it.
 */

/** Returns what is wrong with the next bytes of a server, or undefined. */
export type MessageCheck = (chunk: Buffer) => string | undefined

/** In bytes: the type of a message and its length, which counts itself. */
const [headLength, ownLength] = [5, 4]

/** Of those that are looked into, in bytes. A table has at most 1,600 columns, and a notification 8,000 bytes. */
const longestMessage = 1 << 18

/** The driver computes the key of a password at a stretch: a million rounds take less than a second. */
const mostRounds = 1_000_000

/** By their types: what a statement of ours can lead to, and what is looked into. */
const [usual, read] = ["DASZC21tTRnKE3NI", "RTA"].map((types) => {
  const isAmong = new Uint8Array(256)
  for (const type of types) isAmong[type.charCodeAt(0)] = 1
  return isAmong
}) as [Uint8Array, Uint8Array]

const nothing = Buffer.alloc(0)

export const createMessageCheck = (): MessageCheck => {
  const whyNoAnswer = createLoginCheck()
  /** The beginning of a message that is not there as a whole. */
  let begun = nothing
  /** Bytes of a message that is passed on unread. */
  let left = 0

  const whyNot = (message: Buffer): string | undefined => {
    const type = typeOf(message)
    if (type === "R") return whyNoAnswer(message)
    if (type === "T" && !isRowDescription(message)) return "its description of rows has no end"
    if (type === "A" && !isNotification(message)) return "its notification has no end"
    return undefined
  }

  return (chunk) => {
    // A listing has tens of thousands of messages: each costs as little as can be.
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
    begun = nothing
    let at = left
    while (at < bytes.length) {
      if (bytes.length - at < headLength) {
        begun = Buffer.from(bytes.subarray(at))
        break
      }
      const type = bytes[at] ?? 0
      const length = 1 + bytes.readUInt32BE(at + 1)
      if (usual[type] !== 1 || length < headLength) return "it sent a message that PostgreSQL does not send here"
      if (read[type] === 1) {
        if (length > longestMessage) return "it sent a message that is too long"
        if (bytes.length - at < length) {
          begun = Buffer.from(bytes.subarray(at))
          break
        }
        const wrong = whyNot(bytes.subarray(at, at + length))
        if (wrong !== undefined) return wrong
      }
      at += length
    }
    left = begun.length > 0 ? 0 : Math.max(at - bytes.length, 0)
    return undefined
  }
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0)

const bodyAt = 1 + ownLength

const strange = "it asks for the password in a way that PostgreSQL does not"

/** Of the messages about who may enter: each kind comes once, and none after entry was granted. */
const createLoginCheck = (): ((message: Buffer) => string | undefined) => {
  let state: "new" | "asked" | "challenged" | "over" = "new"
  return (message) => {
    if (message.length < bodyAt + 4) return strange
    const kind = message.readUInt32BE(bodyAt)
    if (![0, 3, 5, 10, 11, 12].includes(kind))
      return `it asks for a login of kind ${kind}, and only passwords are supported`
    if (state === "over") return strange
    if (kind === 0) state = "over"
    else if ([3, 5, 10].includes(kind) && state === "new") state = "asked"
    else if (kind === 11 && state === "asked") {
      state = "challenged"
      return whyNoChallenge(message.toString("utf8", bodyAt + 4))
    } else if (kind !== 12 || state !== "challenged") return strange
    return undefined
  }
}

const whyNoChallenge = (text: string): string | undefined => {
  const [, rounds] = /^r=[^,]+,s=[^,]+,i=(\d{1,10})(?:,|$)/.exec(text) ?? []
  if (rounds === undefined || Number(rounds) < 1) return strange
  return Number(rounds) > mostRounds
    ? `it asks for ${rounds} rounds to derive the key of the password, and ${mostRounds} are the most`
    : undefined
}

const isRowDescription = (message: Buffer): boolean => {
  if (message.length < bodyAt + 2) return false
  let at = bodyAt + 2
  for (let columns = message.readUInt16BE(bodyAt); columns > 0; columns -= 1) {
    const end = message.indexOf(0, at)
    // After the name: table, number, type, size, modifier and format.
    if (end < 0 || end + 19 > message.length) return false
    at = end + 19
  }
  return true
}

/** A process, a channel and a text. */
const isNotification = (message: Buffer): boolean => {
  const end = message.indexOf(0, bodyAt + 4)
  return end >= 0 && message.indexOf(0, end + 1) >= 0
}
