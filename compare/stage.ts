/** Where peers work and how they are timed: each in a place of its own, each run beside a bare start of Node. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median } from "../bench/measure.ts"
import type { Ready } from "./install.ts"
import type { Call, Peer, Place } from "./peers/peer.ts"
import type { Time } from "./results.ts"

export type Contender = { peer: Peer; ready: Ready }

export const openPlace = (): Place & { close(): void } => {
  const root = mkdtempSync(join(tmpdir(), "headway-compare-"))
  const [folder, home] = [join(root, "project"), join(root, "home")]
  for (const path of [folder, home]) mkdirSync(path)
  return { folder, home, close: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }) }
}

const environment = (place: Place, more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: place.home,
  XDG_CONFIG_HOME: join(place.home, ".config"),
  LANG: "C.UTF-8",
  NO_COLOR: "1",
  DO_NOT_TRACK: "1",
  ...more,
})

/** Our own command is a script of Node, as those of npm are. */
const started = (program: string, words: readonly string[]): Pick<Call, "program" | "words"> =>
  program.endsWith(".js") ? { program: process.execPath, words: [program, ...words] } : { program, words }

export const cliCall = ({ peer, ready }: Contender, place: Place, words: readonly string[]): Call => ({
  ...started(ready.program, words),
  cwd: place.folder,
  env: environment(place, peer.cli?.env?.(place)),
})

export const mcpCall = ({ peer, ready }: Contender, place: Place): Call => {
  const { program, words = [], env } = peer.mcp ?? {}
  return {
    ...started(program === undefined ? ready.program : ready.beside(program), words),
    cwd: place.folder,
    env: environment(place, env?.(place)),
  }
}

/** The shell knows how much time of the processor a program took, with what it started. */
const clock = 'TIMEFORMAT="%3U %3S"; exec 3>&2; time "$0" "$@" 2>&3'

/**
 * Runs a program to its end and returns the milliseconds of processor time it took. Output goes through a pipe: some programs do
 * less when it goes to the null device.
 */
export const runOnce = ({ program, words, cwd, env }: Call, alsoFine: readonly number[] = []): number => {
  const { status, signal, stderr, stdout } = spawnSync("bash", ["-c", clock, program, ...words], {
    cwd,
    env,
    input: "",
    encoding: "utf8",
    timeout: 120_000,
    maxBuffer: 1 << 28,
  })
  const [, user, system] = /(\d+\.\d+) (\d+\.\d+)\n$/.exec(stderr ?? "") ?? []
  if (status === 0 || alsoFine.includes(status ?? -1)) return (Number(user) + Number(system)) * 1000
  const lastWords = `${stderr}${stdout}`.trim().split("\n").slice(-3).join(" ").slice(0, 200)
  throw new Error(`ended with ${status ?? signal}: ${lastWords}`)
}

/** In a group of its own, so that what a launcher starts can be ended with it. */
export const startGroup = ({ program, words, cwd, env }: Call): ChildProcess =>
  spawn(program, words, { cwd, env, detached: true, stdio: ["pipe", "pipe", "ignore"] })

export const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** In an environment as bare as that of the peers: what Node is told by variables costs time as well. */
const bareStart = (): number =>
  runOnce({
    program: process.execPath,
    words: ["-e", "0"],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "", LANG: "C.UTF-8" },
  })

export type Rounds = { rounds: number; seconds: number }

/** Runs the work and a bare start of Node by turns, until there are enough rounds or the time is over. The first warms caches. */
export const timed = async (
  work: (round: number) => number | Promise<number | undefined>,
  { rounds, seconds }: Rounds,
): Promise<Time> => {
  const times: number[] = []
  const ratios: number[] = []
  const processor: number[] = []
  const begun = performance.now()
  for (let round = 0; round <= rounds; round += 1) {
    if (times.length > 0 && performance.now() - begun > seconds * 1000) break
    const first = performance.now()
    const bare = bareStart()
    const second = performance.now()
    const own = await work(round)
    const third = performance.now()
    // A slow tool gets no warm-up rather than no figure.
    if (round === 0 && third - first < (seconds * 1000) / 3) continue
    times.push(third - second)
    ratios.push((third - second) / (second - first))
    if (own !== undefined) processor.push(own / bare)
  }
  const cpu = processor.length > 0 ? { cpu: median(processor) } : {}
  return { ms: median(times), ratio: median(ratios), ...cpu, runs: times.length }
}
