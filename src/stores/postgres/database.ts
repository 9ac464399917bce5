/** The connections of one process to one database: opened on demand, limited in number and time, restored when lost. */
import postgres from "postgres"
import { HeadwayError, isHeadwayError } from "../../plan/index.ts"
import type { Address } from "./address.ts"
import { checkedSocket } from "./checked-socket.ts"
import { type ClientLife, createConnector } from "./connector.ts"
import {
  explained,
  isCut,
  isForbidden,
  isFunctionMissing,
  isMissing,
  isToTryAgain,
  isUnprepared,
  notLetIn,
} from "./errors.ts"
import { isUsable, migrate, readState } from "./migrate.ts"
import { passwordFor } from "./password.ts"

/** A parameter of a statement; other types are cast in SQL. */
export type Value = string | number | null

export type Row = Record<string, string | number | boolean | null>

export type Database = {
  address: Address
  /** The quoted name of the schema. */
  schema: string
  /** The version of the schema, which decides about the functions it has. A promise until it was asked for. */
  version(): number | Promise<number>
  /** Runs one statement as its own transaction. It may run twice if the connection is lost. */
  query(text: string, values?: readonly Value[]): Promise<Row[]>
  /** A client with its own single connection, which lasts until it is ended. */
  connectAlone(options: Partial<Client>): postgres.Sql
  close(): Promise<void>
}

/** A statement under way: when its time is over, and what happens then. */
type Running = { until: number; end: () => void }

type Client = { onnotify: (channel: string, payload: string) => void; onclose: () => void }

export type DatabaseOptions = {
  /** Whether tables are made where there are none. @default true */
  mayCreate?: boolean
  /** Milliseconds after which is asked again whether the schema can be used: a newer Headway may have changed it. @default 30000 */
  greetEvery?: number
}

/** Seconds after which a connection that is not used is given back. */
const longestIdle = 60

export const openDatabase = (
  address: Address,
  { mayCreate = true, greetEvery = 30_000 }: DatabaseOptions = {},
): Database => {
  const schema = `"${address.schema}"`
  let client: postgres.Sql | undefined
  let greeting: Promise<void> | undefined
  let isReady = false
  let greetedAt = 0
  let version = 0
  let isDirect = true
  let isClosed = false

  const connector = createConnector(address)

  const connect = (max: number, idle: number, options: Partial<Client> = {}): postgres.Sql => {
    const life: ClientLife = { isOver: false }
    const sql = postgres({
      host: address.host,
      port: address.port,
      database: address.database,
      user: address.user,
      password: () => passwordFor(address),
      // The socket is secured before the driver has it.
      ssl: false,
      max,
      connect_timeout: address.connectTimeout,
      // Asked for by the driver to read arrays, of which there are none.
      fetch_types: false,
      // The caller decides how long to wait before the next attempt. The driver makes one of its own, without a pause, where a
      // server closes a connection at once: the connector waits then.
      backoff: () => 0,
      socket: async () => checkedSocket(await connector.open(life), address),
      idle_timeout: idle,
      connection: { application_name: "headway" },
      onnotice: () => {},
      ...options,
    } as postgres.Options<Record<string, never>>)
    const { end } = sql
    return Object.assign(sql, {
      end: (how?: { timeout?: number }) => {
        life.isOver = true
        return end(how)
      },
    })
  }

  const current = (): postgres.Sql => {
    if (isClosed) throw new HeadwayError("store-away", `${address.name} is closed.`)
    client ??= connect(address.connections, longestIdle)
    return client
  }

  /** A client with an unresponsive connection is abandoned, because it could hang for a quarter of an hour. */
  const giveUp = (silent: postgres.Sql, timeout: number): void => {
    if (client === silent) {
      client = undefined
      greeting = undefined
      isReady = false
    }
    void silent.end({ timeout }).catch(() => {})
  }

  const inTime = <Result>(sql: postgres.Sql, pending: postgres.PendingQuery<postgres.Row[]>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const limit = address.statementTimeout
      const running: Running = {
        until: performance.now() + limit,
        end: () => {
          giveUp(sql, 0)
          reject(new HeadwayError("store-away", `${address.name} did not answer within ${limit / 1000} seconds.`))
        },
      }
      statements.add(running)
      if (!timer) endLate()
      pending.then(
        (rows) => {
          statements.delete(running)
          connector.heard()
          resolve(rows as Result)
        },
        (cause) => {
          statements.delete(running)
          if (cause instanceof postgres.PostgresError) connector.heard()
          reject(cause)
        },
      )
    })

  /** The statements that are under way, the oldest first. One timer for all of them: a timer for each costs every statement. */
  const statements = new Set<Running>()
  let timer: NodeJS.Timeout | undefined

  const endLate = (): void => {
    timer = undefined
    for (const running of statements) {
      const left = running.until - performance.now()
      if (left > 0) {
        timer = setTimeout(endLate, left).unref()
        return
      }
      statements.delete(running)
      running.end()
    }
  }

  /** Those that wait for a connection. With none free, the driver would queue them after one that may wait for a lock. */
  const waiting: (() => void)[] = []
  let free = address.connections

  const ask = async (
    text: string,
    values: readonly Value[],
    prepare: boolean,
  ): Promise<postgres.RowList<postgres.Row[]>> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      const sql = current()
      return await inTime(sql, sql.unsafe(text, [...values], { prepare }))
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  /**
   * Checked before the first statement and from time to time: whether the schema can be used, and whether there is a pooler,
   * with which statements must not be prepared.
   */
  const greet = async (): Promise<void> => {
    const statement = `select pg_catalog.pg_backend_pid() as pid, version, needs from ${schema}.about`
    const found = await ask(statement, [], false).catch(async (cause) => {
      if (isForbidden(cause)) throw notLetIn(address, cause)
      if (!isMissing(cause) || !mayCreate) throw cause
      await migrate(current(), address)
      return ask(statement, [], false)
    })
    const [row] = found
    if (!row) throw new HeadwayError("store-failed", `${address.name} has Headway tables without version information.`)
    const state = readState(address, row)
    isUsable(address, state)
    version = state.version
    isDirect = found.state.pid === row.pid
    isReady = true
    greetedAt = performance.now()
  }

  const ready = (): Promise<void> => {
    greeting ??= greet().catch((cause) => {
      greeting = undefined
      throw cause
    })
    return greeting
  }

  /** A lost statement may have been executed, but every statement here can be repeated. */
  const tryTwice = async <Result>(action: () => Promise<Result>): Promise<Result> => {
    const used = client
    try {
      return await action()
    } catch (cause) {
      if (isHeadwayError(cause)) throw cause
      // The driver may send the next one over the connection that is just going; others of the client may end in peace.
      if (used && isCut(cause)) giveUp(used, 5)
      if (isUnprepared(cause)) isDirect = false
      else if (!isToTryAgain(cause)) throw cause
      return action()
    }
  }

  const greeted = async (): Promise<void> => {
    try {
      await tryTwice(ready)
    } catch (cause) {
      throw explained(cause, address)
    }
  }

  return {
    address,
    schema,
    version: () => (isReady ? version : greeted().then(() => version)),
    async query(text, values = []) {
      if (isReady && performance.now() - greetedAt >= greetEvery) {
        greeting = undefined
        isReady = false
      }
      if (!isReady) await greeted()
      try {
        return (await tryTwice(() => ask(text, values, isDirect))) as unknown as Row[]
      } catch (cause) {
        if (isFunctionMissing(cause)) {
          greeting = undefined
          isReady = false
        }
        throw explained(cause, address)
      }
    },
    connectAlone: (options) => connect(1, 0, options),
    async close() {
      isClosed = true
      await client?.end({ timeout: 5 })
    },
  }
}
