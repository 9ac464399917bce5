/** Measures by turns: every case is run alternately with its baseline in the same run, and only ratios count. */
import { spawnSync } from "node:child_process"

export type Row = {
  what: string
  /** The measured figure, as it is to be read. */
  figure: string
  /** The ratio to the baseline, held against its limit. */
  ratio?: number
  limit?: number
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Milliseconds that this process has computed: what others do on the machine is not in it. */
export const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Median milliseconds of each case, all run by turns; `clock` is for cases that start no process. */
export const byTurns = <Name extends string>(
  cases: Record<Name, () => void>,
  rounds: number,
  clock: () => number = () => performance.now(),
): Record<Name, number> => {
  const times = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries<() => void>(cases)) {
      const started = clock()
      run()
      // The first round warms caches.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), clock() - started])
    }
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, median(values)])) as Record<Name, number>
}

export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`

export const bin = "dist/bin/headway.js"

/** Runs Node on the given words and fails loudly when it does not end as expected. */
export const runNode = (
  words: readonly string[],
  options: { input?: string; home?: string; env?: Record<string, string> } = {},
): string => {
  const home = options.home ? { HEADWAY_HOME: options.home, HOME: options.home } : {}
  const env = { ...process.env, ...home, ...options.env }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    env,
    input: options.input ?? "",
    encoding: "utf8",
    maxBuffer: 1 << 30,
  })
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${stderr}`)
  return stdout
}

export const bareStart = (): void => void runNode(["-e", "0"])
