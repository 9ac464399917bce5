/** Watches for changed plans: by notifications if they arrive, and by polling. */
import { type Problem, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { keyText } from "../../plan/plan-key.ts"
import type { PlanKey } from "../store.ts"
import { spread } from "./connector.ts"
import type { Database } from "./database.ts"
import { explained } from "./errors.ts"
import { unescaped } from "./keys.ts"
import { anyPlan, channelOf } from "./notices.ts"

export type WatchOptions = {
  listener: (key?: PlanKey) => void
  onProblem?: ((problem: Problem) => void) | undefined
  /** Milliseconds between two polls, without and with notifications. */
  pauseWithoutNotifications?: number
  pauseWithNotifications?: number
}

const longestPause = 30_000

/** Plans that are remembered between two polls: any user of the database can name some. */
const mostNotified = 10_000

/**
 * Plans that notifications may name in a second, in milliseconds. What comes beyond is not read, and a poll at its end finds
 * what has really changed: a flood costs little while it lasts, and nothing once it is over.
 */
const [mostNamed, aSecond] = [500, 1_000]

/** Resolves once all further changes will be reported, with a function that stops watching. */
export const watchPlans = async (
  database: Database,
  { listener, onProblem = () => {}, pauseWithoutNotifications = 1_000, pauseWithNotifications = 15_000 }: WatchOptions,
): Promise<() => Promise<void>> => {
  const { address } = database
  const changes = createChanges(database)
  let isStopped = false
  let isListening = false
  let isAway = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  /** A poll was asked for while another was running, which may have read before the change. */
  let isDue = false
  /** The notifications since the last poll. */
  const notified = new Set<string>()
  /** How many plans were named since a time. */
  let namedPlans = 0
  let countedSince = 0
  let flooded: NodeJS.Timeout | undefined

  const failed = (cause: unknown): void => {
    failures += 1
    if (isAway) return
    isAway = true
    const { message } = explained(cause, address)
    onProblem(warning("not-watched", `Changes in ${address.name} may be noticed late: ${message}`))
  }

  const poll = async (): Promise<void> => {
    try {
      const changed = await changes.since()
      // Changes missed during an outage are found by polling.
      isAway = false
      failures = 0
      if (isStopped) return
      // Perhaps the connection that listens is dead and does not know it.
      if (isListening && changed.some((key) => !notified.has(keyText(key)))) {
        isListening = false
        connection.ping()
      }
      notified.clear()
      for (const key of changed) listener(key)
    } catch (cause) {
      if (!isStopped) failed(cause)
    }
  }

  const pollOnce = (): void => {
    if (polling) {
      isDue = true
      return
    }
    polling = poll().finally(() => {
      polling = undefined
      if (isDue && !isStopped) pollOnce()
      else plan()
    })
    isDue = false
  }

  const plan = (): void => {
    clearTimeout(timer)
    if (isStopped) return
    const usual = isListening ? pauseWithNotifications : pauseWithoutNotifications
    const afterFailures = () => spread(Math.min(pauseWithoutNotifications * 2 ** (failures - 1), longestPause))
    const pause = failures === 0 ? usual : afterFailures()
    timer = setTimeout(() => pollOnce(), pause)
  }

  const isFlood = (): boolean => {
    const now = performance.now()
    if (now - countedSince >= aSecond) [namedPlans, countedSince] = [0, now]
    return namedPlans >= mostNamed
  }

  const pollLater = (): void => {
    flooded ??= setTimeout(() => {
      flooded = undefined
      pollOnce()
    }, aSecond)
  }

  const connection = createListeningConnection(database, {
    onPayload(payload) {
      isListening = true
      if (isStopped || payload === greeting) return
      if (isFlood()) return pollLater()
      const keys = keysIn(payload)
      namedPlans += keys?.length ?? 1
      if (keys === undefined) pollOnce()
      for (const key of keys ?? []) {
        if (notified.size < mostNotified) notified.add(keyText(key))
        listener(key)
      }
    },
    onListening: () => pollOnce(),
    onLost: () => {
      isListening = false
      plan()
    },
  })

  // From here on every change is noticed; notifications only make it faster.
  await changes.since()
  connection.listen()
  plan()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    clearTimeout(flooded)
    await Promise.all([polling, connection.stop()])
  }
}

const greeting = "hello"

type ListeningOptions = {
  onPayload: (payload: string) => void
  /** Listening has (re)started: earlier notifications were missed. */
  onListening: () => void
  onLost: () => void
}

/**
 * A separate listening connection, restored when lost. Its failures are not reported, because polling still finds
 * everything.
 */
const createListeningConnection = (database: Database, { onPayload, onListening, onLost }: ListeningOptions) => {
  const channel = channelOf(database.address.schema)
  type Client = ReturnType<Database["connectAlone"]>
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let failures = 0

  const again = (): void => {
    if (isStopped || timer) return
    failures += 1
    onLost()
    const pause = spread(Math.min(250 * 2 ** (failures - 1), longestPause))
    timer = setTimeout(() => {
      timer = undefined
      void listen()
    }, pause)
  }

  /** Through some poolers notifications never arrive, so a test notification is sent. */
  const ping = (): void => {
    database.query("select pg_catalog.pg_notify($1, $2)", [channel, greeting]).catch(() => {})
  }

  const listen = async (): Promise<void> => {
    const old = client
    client = undefined
    void old?.end({ timeout: 0 }).catch(() => {})
    if (isStopped) return
    const own = database.connectAlone({
      onnotify: (name, payload) => name === channel && onPayload(payload),
      onclose: () => client === own && again(),
    })
    client = own
    try {
      await own.unsafe(`listen "${channel}"`)
      failures = 0
      onListening()
      ping()
    } catch {
      if (client === own) again()
    }
  }

  return {
    listen: () => void listen(),
    ping,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.end({ timeout: 0 }).catch(() => {})
    },
  }
}

/** Undefined if any plan may have changed. */
const keysIn = (payload: string): PlanKey[] | undefined => {
  const value = payload === anyPlan ? undefined : parseJson(payload)
  if (!Array.isArray(value)) return undefined
  const isKey = (one: unknown): one is [string, string] =>
    Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string"
  return value.every(isKey) ? value.map(([session, agent]) => ({ session, agent })) : undefined
}

/**
 * The changes since the last poll: everything by transactions that had not ended then. Transactions that span two polls
 * are read twice and reported once.
 */
const createChanges = ({ query, schema }: Database): { since(): Promise<PlanKey[]> } => {
  let horizon: string | undefined
  let namedPlans = new Map<string, string>()
  const text = `with now as (select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()) as horizon)
    select now.horizon::text as horizon, c.* from now left join (
      select id, session, agent, last from ${schema}.plans where changed >= $1::text::xid8
      union all select id, session, agent, -1 from ${schema}.removed where changed >= $1::text::xid8
    ) c on true`
  const first = "select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text as horizon, null as id"
  return {
    async since() {
      const rows = horizon === undefined ? await query(first) : await query(text, [horizon])
      const keys: PlanKey[] = []
      const seen = new Map<string, string>()
      for (const { horizon: next, id, session, agent, last } of rows) {
        horizon = String(next)
        if (id === null || id === undefined) continue
        seen.set(`${id}/${last === -1}`, String(last))
        if (namedPlans.get(`${id}/${last === -1}`) === String(last)) continue
        keys.push({ session: unescaped(String(session)), agent: unescaped(String(agent)) })
      }
      namedPlans = seen
      return keys
    },
  }
}
