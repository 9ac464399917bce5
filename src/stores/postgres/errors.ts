/** Turns errors of the database or the connection into messages that name the place and contain no password. */
import { HeadwayError, isHeadwayError, messageOf, sanitise } from "../../plan/index.ts"
import type { Address } from "./address.ts"
import { passwordFor } from "./password.ts"

type Cause = { code?: unknown; message?: string; routine?: string; constraint_name?: string }

const codeOf = (cause: unknown): string => String((cause as Cause | undefined)?.code ?? "")

/** The connection was lost before or during a statement: it is not known whether it was executed. */
const cutCodes = new Set([
  ...["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE", "57P01", "57P02", "08000", "08003", "08006"],
])

/** Two transactions got into each other's way, and this one was undone; the last is of a partition dropped meanwhile. */
const againCodes = new Set(["40001", "40P01", "23514"])

/** A pooler switched to another backend, which has not prepared the same statements. */
const unpreparedCodes = new Set(["26000", "42P05"])

const awayCodes = new Set([
  ...[
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ETIMEDOUT",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOENT",
    "CONNECT_TIMEOUT",
  ],
  ...["CONNECTION_ENDED", "57P03", "53300", "58000", "08001", "08004"],
])

/** Error codes of the server's system; only the first is passed on as a code. */
const noRoom = /No space left on device|Disk quota exceeded|File too large/

const missingCodes = new Set(["42P01", "3F000", "42883"])

export const isCut = (cause: unknown): boolean => cutCodes.has(codeOf(cause))
export const isToTryAgain = (cause: unknown): boolean => isCut(cause) || againCodes.has(codeOf(cause))
export const isUnprepared = (cause: unknown): boolean => unpreparedCodes.has(codeOf(cause))
/** Our tables are not in the schema. */
export const isMissing = (cause: unknown): boolean => missingCodes.has(codeOf(cause))
/** The log has an entry of this id. The primary key is the number of an entry in its log: a duplicate number does not mean a duplicate id. */
export const isThereAlready = (cause: unknown): boolean => {
  const databaseError = databaseErrorIn(cause)
  return codeOf(databaseError) === "23505" && !isNumberTaken(databaseError)
}

/** The schema is an older one than it was: the database was restored from a backup. */
export const isFunctionMissing = (cause: unknown): boolean => codeOf(databaseErrorIn(cause)) === "42883"

/** What the database said, also in an error that was explained. */
const databaseErrorIn = (cause: unknown): Cause | undefined =>
  isHeadwayError(cause) ? (cause.cause as Cause | undefined) : (cause as Cause | undefined)

const isNumberTaken = (cause: Cause | undefined): boolean =>
  codeOf(cause) === "23505" && String(cause?.constraint_name).endsWith("_pkey")
/** This user has no right to it. A server that is temporarily read-only is another case. */
export const isForbidden = (cause: unknown): boolean => codeOf(cause) === "42501"

/** The server is a standby, or reads by default: as during a failover, and it may be written to again soon. */
const isOnlyReading = (cause: unknown): boolean => codeOf(cause) === "25006"

/**
 * The codes callers may rely on: `store-away` (the request is fine and can be retried later), `store-refused` (the
 * database does not let this user in), `read-only`, `store-full`, `plan-stuck` (one plan takes no entries, others do), and
 * `store-failed` for everything else.
 */
export const explained = (cause: unknown, address: Address): HeadwayError => {
  if (isHeadwayError(cause)) return cause
  const { name, user, database, host, port } = address
  const code = codeOf(cause)
  const reason = sanitise(withoutPasswordOf(address, messageOf(cause))).slice(0, 400)
  const error = (kind: string, text: string): HeadwayError => new HeadwayError(kind, text, { cause })
  if (isCut(cause)) return error("store-away", `The connection to ${name} was lost (${reason}).`)
  if (code === "53300" || code === "53400")
    return error(
      "store-away",
      `${name} accepts no more connections right now (${reason}). A pooler such as PgBouncer would help.`,
    )
  if (awayCodes.has(code)) return error("store-away", `${name} cannot be reached at ${host}:${port} (${reason}).`)
  if (code === "28P01")
    return error("store-refused", `${name} did not accept the password of the user ${sanitise(user)}.`)
  if (code === "28000" || code === "SASL_SIGNATURE_MISMATCH")
    return error("store-refused", `${name} does not let the user ${sanitise(user)} in (${reason}).`)
  if (code === "3D000")
    return error(
      "store-refused",
      `${name} has no database ${sanitise(database)}. Create it first: createdb ${sanitise(database)}`,
    )
  if (isOnlyReading(cause)) return error("store-away", `${name} cannot be written to for now (${reason}).`)
  if (isForbidden(cause))
    return error("read-only", `${name} can be read but not changed by the user ${sanitise(user)} (${reason}).`)
  if (code === "53100" || noRoom.test(reason))
    return error("store-full", `${name} has no room left (${reason}). Nothing was written.`)
  if (code === "57014") return error("store-away", `${name} took too long, and the statement was stopped (${reason}).`)
  if (/certificate|self[- ]signed|ssl|tls/i.test(`${code} ${reason}`) && !/^\d\w{4}$/.test(code))
    return error("store-refused", `The connection to ${name} is not secure as its sslmode asks for (${reason}).`)
  if (isNumberTaken(cause as Cause) || code === "22003")
    return error(
      "plan-stuck",
      `${name} counts the entries of a plan wrongly, so that it takes no more of them; its owner can set the number right (${reason}).`,
    )
  if (code === "55P03") return error("plan-stuck", `Another user of ${name} keeps a plan locked (${reason}).`)
  return error("store-failed", `${name} could not do it: ${reason}`)
}

/** A server that was sent the password can repeat it. One that is also in the address is shown there anyway. */
const withoutPasswordOf = (address: Address, text: string): string => {
  const password = passwordFor(address)
  return password.length < shortestHidden || address.name.includes(password) ? text : text.replaceAll(password, "***")
}

/** In characters: text without a shorter one would show what it is. */
const shortestHidden = 4

/** For a user who may connect and has no right to the tables. */
export const notLetIn = ({ name, user, schema }: Address, cause: unknown): HeadwayError =>
  new HeadwayError(
    "store-refused",
    `${name} does not let the user ${sanitise(user)} see the plans in schema ${schema}. Its owner can: see "headway store roles".`,
    { cause },
  )
