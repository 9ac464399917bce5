/** The connections of one process to one database: opened on demand, limited in number and time, restored when lost. */
import postgres from "postgres"
import { HeadwayError, isHeadwayError } from "../../plan/index.ts"
import type { Address } from "./address.ts"
import { type ClientEvents, openClient } from "./client.ts"
import { createConnector } from "./connector.ts"
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
import { createSlots } from "./slots.ts"
import { createTimeLimit } from "./time-limit.ts"

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
  connectAlone(events: Partial<ClientEvents>): postgres.Sql
  close(): Promise<void>
}

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
  const timeLimit = createTimeLimit(address.statementTimeout)
  /** With no connection free, the driver would queue a statement after one that may wait for a lock. */
  const inSlot = createSlots(address.connections)

  const current = (): postgres.Sql => {
    if (isClosed) throw new HeadwayError("store-away", `${address.name} is closed.`)
    client ??= openClient(address, connector, { max: address.connections, idle: longestIdle })
    return client
  }

  /** The schema is checked again before the next statement. */
  const greetAgain = (): void => {
    greeting = undefined
    isReady = false
  }

  /** A client with an unresponsive connection is abandoned, because it could hang for a quarter of an hour. */
  const giveUp = (silent: postgres.Sql, timeout: number): void => {
    if (client === silent) {
      client = undefined
      greetAgain()
    }
    void silent.end({ timeout }).catch(() => {})
  }

  const inTime = <Result>(sql: postgres.Sql, pending: Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const isOver = timeLimit.begin(() => {
        giveUp(sql, 0)
        const seconds = address.statementTimeout / 1000
        reject(new HeadwayError("store-away", `${address.name} did not answer within ${seconds} seconds.`))
      })
      pending.then(
        (rows) => {
          isOver()
          connector.heard()
          resolve(rows)
        },
        (cause) => {
          isOver()
          if (cause instanceof postgres.PostgresError) connector.heard()
          reject(cause)
        },
      )
    })

  const ask = (text: string, values: readonly Value[], prepare: boolean): Promise<postgres.RowList<postgres.Row[]>> =>
    inSlot(() => {
      const sql = current()
      return inTime(sql, sql.unsafe(text, [...values], { prepare }))
    })

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
      if (isReady && performance.now() - greetedAt >= greetEvery) greetAgain()
      if (!isReady) await greeted()
      try {
        return (await tryTwice(() => ask(text, values, isDirect))) as unknown as Row[]
      } catch (cause) {
        if (isFunctionMissing(cause)) greetAgain()
        throw explained(cause, address)
      }
    },
    connectAlone: (events) => openClient(address, connector, { max: 1, idle: 0, ...events }),
    async close() {
      isClosed = true
      await client?.end({ timeout: 5 })
    },
  }
}
