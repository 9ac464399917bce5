/** Parses a postgres URL: where the database is, how to reach it, and a name without a password. */
import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"
import { HeadwayError, messageOf, sanitise } from "../../plan/index.ts"
import { isPlainUrl, shownUrl } from "../shown-url.ts"

export type Address = {
  host: string
  port: number
  database: string
  user: string
  /** Undefined if the URL has none: the environment or PostgreSQL's password file may have one. */
  password: string | undefined
  /** The schema all tables are in, so that several teams can share a database. */
  schema: string
  tls: Tls
  /** The maximum number of connections of one process, in addition to the one that listens. */
  connections: number
  /** Seconds until a connection must be there. */
  connectTimeout: number
  /** Milliseconds until a statement must be done. */
  statementTimeout: number
  /**
   * For messages, and to distinguish stores: the URL without password, and only with parameters that identify the
   * place.
   */
  name: string
}

/** As the driver takes it. */
export type Tls =
  | false
  | "prefer"
  | { rejectUnauthorized: boolean; ca?: string; checkServerIdentity?: ConnectionOptions["checkServerIdentity"] }

/** A URL for messages: without parameters, and without what may be a password, whatever else the text is. */
export const withoutPassword = (url: string): string => sanitise(shownUrl(url).replace(/\?.*$/s, ""))

export const readAddress = (url: string, env: NodeJS.ProcessEnv = process.env): Address => {
  const parsed = parse(url)
  const parameters = parsed.searchParams
  const unknown = [...parameters.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw wrong(url, `the parameter ${unknown.map(sanitise).join(", ")} is not known. There are: ${known.join(", ")}`)
  const host = parameters.get("host") ?? (decoded(parsed.hostname) || env.PGHOST || "localhost")
  const port = Number(parameters.get("port") ?? (parsed.port || env.PGPORT || 5432))
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong(url, "its port must be a number up to 65535")
  const user = parameters.get("user") ?? (decoded(parsed.username) || env.PGUSER || env.USER || "postgres")
  const database = decoded(parsed.pathname.slice(1)) || env.PGDATABASE || user
  const schema = parameters.get("schema") ?? "headway"
  if (!/^[a-z_][a-z\d_]{0,40}$/.test(schema) || schema.startsWith("pg_"))
    throw wrong(url, "its schema must be a short name of lower-case letters, digits and _")
  const name = host.replace(/^\[|\]$/g, "")
  const place = host.startsWith("/") ? "" : `${name.includes(":") ? `[${name}]` : name}:${port}`
  // Two servers on one machine may differ only in their sockets.
  const rest = [
    ...(host.startsWith("/") ? [`host=${written(host)}`, `port=${port}`] : []),
    ...(schema === "headway" ? [] : [`schema=${schema}`]),
  ]
  return {
    host: name,
    port,
    database,
    user,
    password: parameters.get("password") ?? (decoded(parsed.password) || undefined),
    schema,
    tls: host.startsWith("/") ? false : tlsOf(url, name, parameters),
    connections: numberOf(url, parameters, "connections", 4),
    connectTimeout: numberOf(url, parameters, "connect_timeout", 10),
    statementTimeout: numberOf(url, parameters, "statement_timeout", 30_000),
    name: sanitise(
      `postgres://${written(user)}@${place}/${written(database)}${rest.length > 0 ? `?${rest.join("&")}` : ""}`,
    ),
  }
}

const known = [
  ...["host", "port", "user", "password", "schema", "sslmode", "sslrootcert", "connections", "connect_timeout"],
  "statement_timeout",
]

const parse = (url: string): URL => {
  if (isPlainUrl(url)) return new URL(url)
  throw wrong(
    url,
    "it is not a URL of the form postgres://USER@HOST:PORT/DATABASE with one host, in which @ : / ? # of names and passwords are written as %40 %3A %2F %3F %23",
  )
}

/** Encodes special characters, so that no two places have the same name. */
const written = (text: string): string => text.replace(/[%@?#&]/g, encodeURIComponent)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const numberOf = (url: string, parameters: URLSearchParams, name: string, otherwise: number): number => {
  const text = parameters.get(name)
  const value = text === null ? otherwise : Number(text)
  if (!Number.isInteger(value) || value < 1) throw wrong(url, `its ${name} must be a number of 1 or more`)
  return value
}

/** The words of `sslmode` as PostgreSQL's own programs take them. */
const tlsOf = (url: string, host: string, parameters: URLSearchParams): Tls => {
  const root = parameters.get("sslrootcert")
  const mode = parameters.get("sslmode") ?? (root === null ? "prefer" : "verify-full")
  const ca = root === null || root === "system" ? {} : { ca: certificateIn(url, root) }
  if (mode === "disable") return false
  if (mode === "allow" || mode === "prefer") return "prefer"
  // With a root certificate, "require" also verifies it.
  if (mode === "require" && root === null) return { rejectUnauthorized: false }
  if (mode === "require" || mode === "verify-ca")
    return { rejectUnauthorized: true, ...ca, checkServerIdentity: () => undefined }
  // The driver does not pass the host name, and Node would assume localhost.
  // Loaded here: every command reads an address, and most of them connect to nothing.
  const isHost: ConnectionOptions["checkServerIdentity"] = (_, certificate) =>
    process.getBuiltinModule("node:tls").checkServerIdentity(host, certificate)
  if (mode === "verify-full") return { rejectUnauthorized: true, ...ca, checkServerIdentity: isHost }
  throw wrong(url, "its sslmode must be disable, prefer, require, verify-ca or verify-full")
}

const certificateIn = (url: string, path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw wrong(url, `the certificate of its sslrootcert could not be read: ${messageOf(cause)}`)
  }
}

const wrong = (url: string, what: string): HeadwayError =>
  new HeadwayError("unknown-store", `${withoutPassword(url)} cannot be used as a store: ${what}.`)
