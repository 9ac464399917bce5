import { defineConfig } from "vitest/config"
import { Order } from "./test/order.ts"

/** Tests that change their process: its signals, its variables, its globals, or the colours its packages see when they are loaded. */
const apart = [
  ...["bridges/hooks.test.ts", "bridges/opencode-plugin.test.ts", "sessions/clients.test.ts", "cli/closing.test.ts"],
  ...["tui/components.test.tsx", "tui/every-component.test.tsx"],
].map((name) => `test/${name}`)

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes soon, or late on a busy machine.
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ["test/setup.ts"],
}

export default defineConfig({
  test: {
    // Much of the suite waits for other processes: more workers than cores pay. Each of them loads all modules once.
    maxWorkers: 4,
    // What was made of a file is kept until the file changes.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: Order },
    // The second says where the one PostgreSQL server of a run is; the first test that needs it starts it.
    globalSetup: ["test/environment.ts", "test/stores/postgres/one-server.ts"],
    projects: [
      // All others leave nothing behind, and share the modules of a worker.
      { test: { ...common, name: "sharing", include: ["test/**/*.test.{ts,tsx}"], exclude: apart, isolate: false } },
      { test: { ...common, name: "apart", include: apart } },
    ],
  },
})
