import { defineConfig } from "vitest/config"

/** Rooms whose tests leave nothing behind in their process: they share the modules of a worker. */
const sharing = [
  ...["plan", "dialects", "views", "guidance", "streams", "evidence", "agents", "tracker", "scripted", "home", "host"],
  ...["sessions", "board", "bridges", "cli", "stores", "reference-agent", "interop"],
].map((room) => `test/${room}/**/*.test.{ts,tsx}`)

/** Tests in those rooms that change their process: its signals, its variables, its globals. */
const apart = ["bridges/hooks", "bridges/opencode-plugin", "sessions/clients", "cli/closing"].map(
  (name) => `test/${name}.test.ts`,
)

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes soon, or late on a busy machine.
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ["test/setup.ts"],
}

export default defineConfig({
  test: {
    // Much of the suite waits for other processes: more workers than cores pay.
    maxWorkers: 4,
    // The second says where the one PostgreSQL server of a run is; the first test that needs it starts it.
    globalSetup: ["test/environment.ts", "test/stores/postgres/one-server.ts"],
    projects: [
      { test: { ...common, name: "sharing", include: sharing, exclude: apart, isolate: false } },
      {
        test: {
          ...common,
          name: "apart",
          include: ["test/*.test.ts", "test/{tui,attack,web}/**/*.test.{ts,tsx}", ...apart],
        },
      },
    ],
  },
})
