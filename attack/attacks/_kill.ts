/** `kill -9` at random moments: anywhere in the life of a process, or right when it begins to write. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync, watch } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises"
import { checkHome } from "../home-check.ts"
import { type Machine, misconductOf } from "../machine.ts"
import { below } from "../random.ts"
import type { Stage } from "./attack.ts"

export type Running = {
  kill(): void
  /** With its exit code; null when a signal ended it. */
  ended: Promise<number | null>
  /** Milliseconds in which it is worth being hit, where that is not its whole life. */
  span?: number
}

export type KillOptions = {
  rounds: number
  /** Folders whose changes show that it is writing. */
  folders: readonly string[]
  start(round: number): Running | Promise<Running>
  /** Returns what is broken. @param isDone It ended by itself and well: all it was told is acknowledged. */
  after(round: number, isDone: boolean): Promise<string[]>
}

export type Kills = { killed: number; done: number; broken: string[] }

export const killOften = async (stage: Stage, options: KillOptions): Promise<Kills> => {
  const { rounds, folders, start, after } = options
  const { random, progress } = stage
  const kills: Kills = { killed: 0, done: 0, broken: [] }
  let usual = 0
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now()
    const { kill, ended, span } = await start(round)
    // The first one is left alone, to know how long they live. One that never ends is not.
    if (round > 0 || span !== undefined) {
      await Promise.race([moment(random, span ?? usual, folders), ended])
      kill()
    }
    const isDone = (await ended) === 0
    if (round === 0) usual = performance.now() - begun
    if (isDone) kills.done += 1
    else kills.killed += 1
    for (const line of await after(round, isDone)) kills.broken.push(`round ${round}: ${line}`)
    progress(`${round} of ${rounds}`)
  }
  return kills
}

/** The part of Headway's home that a writer changes. */
export const writtenFolders = (home: string): string[] => ["journal", "tmp", "todos"].map((name) => join(home, name))

export const runningChild = (child: ChildProcess): Running => ({
  kill: () => void child.kill("SIGKILL"),
  ended: once(child, "close").then(([code]) => code as number | null),
})

/** The next command a person gives puts everything right. Returns what it did not. */
export const afterNext = async (machine: Machine, words: readonly string[]): Promise<string[]> => {
  const next = await machine.headway(words)
  const refused = next.code === 0 ? [] : [`the next command fails: headway ${words.join(" ")}: ${next.err}`]
  return [...misconductOf(next), ...refused, ...(await checkHome(machine.headwayHome)).broken]
}

/** Tells of what was acknowledged and is not there exactly once. */
export const notOnce = (acknowledged: Iterable<string>, there: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const one of there) counts.set(one, (counts.get(one) ?? 0) + 1)
  const missing = [...acknowledged]
    .filter((one) => !counts.has(one))
    .map((one) => `${one} was acknowledged and is lost`)
  const doubled = [...counts].filter(([, count]) => count > 1).map(([one, count]) => `${one} is there ${count} times`)
  return [...missing, ...doubled]
}

export const killSummary = ({ killed, done }: Kills, what: string): string =>
  `${what}: ${killed} killed, ${done} ended before`

const moment = async (random: () => number, span: number, folders: readonly string[]): Promise<void> => {
  if (random() < 0.5) return delay(random() * span * 1.05)
  await Promise.race([changeIn(folders), delay(span)])
  for (let turn = below(random, 3000); turn > 0; turn -= 1) await nextTurn()
}

const changeIn = (folders: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    const watchers = folders.filter((path) => existsSync(path)).map((path) => watch(path))
    // They would keep the process alive and see the changes of the next round.
    const finish = (): void => {
      for (const watcher of watchers) watcher.close()
      resolve()
    }
    for (const watcher of watchers) {
      watcher.unref()
      watcher.once("change", finish)
      watcher.once("error", finish)
    }
  })
