/** An outside that says and hears nothing, for tests and measurements that look elsewhere. */
import type { Io } from "../../src/cli/io.ts"

export const silentIo = (home: string, io: Partial<Io> = {}): Io => ({
  out: () => {},
  err: () => {},
  pour: async () => true,
  input: async () => "",
  hint: async () => "",
  chunks: async function* () {},
  env: { USER: "ada" },
  cwd: home,
  home,
  now: () => new Date(),
  stopped: () => new AbortController().signal,
  onSignal: () => () => {},
  terminal: () => ({ output: process.stdout, input: process.stdin }),
  isTerminal: { in: false, out: false, err: false },
  columns: undefined,
  ...io,
})
