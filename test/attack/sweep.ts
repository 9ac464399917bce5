/** Runs every command that looks at a home, and keeps what would harm the person who looks. */

import type { CliOptions, CliResult } from "../cli/run-cli.ts"
import { type Allowed, leaksIn, mark } from "./hostile.ts"

export type Run = (argv: readonly string[], options?: CliOptions) => Promise<CliResult>

export type Sweep = {
  /** Runs a command and looks at what it printed. */
  (argv: readonly string[], options?: CliOptions, allowed?: Allowed): Promise<CliResult>
  /** Each command that printed something harmful, and what. */
  readonly harm: { command: string; stream: string; leaks: string[] }[]
  /** The commands whose output showed something of a hostile text. */
  readonly reached: ReadonlySet<string>
}

export const createSweep = (run: Run): Sweep => {
  const harm: Sweep["harm"] = []
  const reached = new Set<string>()
  const sweep = async (
    argv: readonly string[],
    options: CliOptions = {},
    allowed: Allowed = {},
  ): Promise<CliResult> => {
    const result = await run(argv, options)
    for (const stream of ["out", "err"] as const) {
      const leaks = leaksIn(result[stream], allowed)
      if (leaks.length > 0) harm.push({ command: plain(argv), stream, leaks })
      if (result[stream].includes(mark)) reached.add(argv[0] ?? "")
    }
    return result
  }
  return Object.assign(sweep, { harm, reached })
}

const plain = (argv: readonly string[]): string =>
  JSON.stringify(argv)
    .replace(/[^ -~]/g, "?")
    .slice(0, 200)

export const formats = ["text", "panel", "tree", "plan", "markdown", "json"]

const looks: readonly string[][] = [
  ["list"],
  ["list", "--all"],
  ["list", "--json"],
  ["list", "--own"],
  ["list", "--own", "--json"],
  ["watch"],
  ["watch", "--all"],
  ["watch", "--json"],
  ["doctor", "--look"],
  ["doctor", "--look", "--json"],
  ["statusline"],
  ["statusline", "--json"],
]

/** Everything that is known at a home, in every form it can be looked at; of its plans those that are wanted. */
export const sweepHome = async (sweep: Sweep, isWanted: (session: string) => boolean = () => true): Promise<void> => {
  for (const argv of looks) await sweep(argv)
  await sweep(["list"], { columns: 40 })
  for (const more of [[], ["--json"]])
    await sweep(["gc", "--older-than", "30d", "--unfinished", "--dry-run", ...more], { now: "2031-01-01T00:00:00Z" })
  const { out } = await sweep(["list", "--json"])
  for (const { session, agent } of JSON.parse(out) as { session: string; agent: string }[])
    if (isWanted(session)) await sweepPlan(sweep, session, agent)
}

/** One plan in every form, with changes made by hand. */
const sweepPlan = async (sweep: Sweep, session: string, agent: string): Promise<void> => {
  const named = [`--session=${session}`, `--agent=${agent}`]
  for (const format of formats) await sweep(["show", "--format", format, ...named])
  await sweep(["show", ...named], { env: { FORCE_COLOR: "1" } }, { styles: true })
  await sweep(["show", "--ascii", "--width", "20", ...named])
  await sweep(["todo", "export", ...named])
  await sweep(["todo", "done", "1", ...named])
  await sweep(["todo", "done", "no such todo", ...named])
  await sweep(["todo", "undo", "--json", ...named])
  await sweep(["history", ...named])
  await sweep(["history", "--times", ...named])
  await sweep(["history", "--json", ...named])
  await sweep(["statusline", ...named])
}
