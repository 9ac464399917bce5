/** The faults of `test/stores/faults.ts` and `test/bridges/killed.ts` with full counts: `npm run stress`. Ends with 1 at the first that is not survived. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { main } from "../src/cli/main.ts"
import { killHooks, killSetups } from "../test/bridges/killed.ts"
import { bundle, killWriters, writeTogether } from "../test/stores/faults.ts"

const folder = mkdtempSync(join(tmpdir(), "headway-stress-"))
const fresh = (): string => mkdtempSync(join(folder, "home-"))
const program = await bundle("./writer.ts", folder)

/** The next command, as far as its effects on the home go. */
const nextCommand = (words: string[]): Promise<number> =>
  main(words, {
    out: () => {},
    err: () => {},
    pour: async () => true,
    hint: async () => "",
    onSignal: () => () => {},
    terminal: () => ({ output: process.stdout, input: process.stdin }),
    input: async () => "",
    chunks: async function* () {},
    env: {},
    cwd: folder,
    home: folder,
    now: () => new Date(),
    stopped: () => new AbortController().signal,
    isTerminal: { in: false, out: false, err: false },
    columns: undefined,
  })

try {
  for (const [kind, todos] of [
    ["add", 1],
    ["change", 1],
    ["change", 600],
  ] as const) {
    const started = performance.now()
    const count = await writeTogether({ home: fresh(), program, processes: 16, writes: 100, kind, todos })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `16 processes × 100 writes, all ${kind}, from ${todos} todos: ${count} acknowledged, none lost (${seconds} s)`,
    )
  }
  const started = performance.now()
  const { acknowledged, orphans, tornLines } = await killWriters({ home: fresh(), program, rounds: 200, nextCommand })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const found = `${orphans} temporary files removed, ${tornLines} torn lines skipped`
  console.log(`200 × kill -9: ${acknowledged} acknowledged, none lost, ${found} (${seconds} s)`)
  const setups = killSetups({ folder, rounds: 50 })
  console.log(
    `${setups.killed} × kill -9 of setup, at one of up to ${setups.steps} steps: old or new, and undone each time`,
  )
  const hooks = await killHooks({ folder, rounds: 50 })
  console.log(`${hooks.killed} × kill -9 of hook, at one of up to ${hooks.steps} steps: nothing lost`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
