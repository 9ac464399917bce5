import { defineConfig } from "vitest/config"

/** Rooms whose tests leave nothing behind in their process: they share the modules of a worker. */
const pure = ["plan", "dialects", "views", "guidance", "streams", "agents", "tracker", "scripted", "home"].map(
  (room) => `test/${room}/**/*.test.{ts,tsx}`,
)

const limits = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    // Much of the suite waits for other processes: two workers pay even on two cores.
    maxWorkers: 2,
    projects: [
      { test: { ...limits, name: "pure", include: pure, isolate: false } },
      { test: { ...limits, name: "real", include: ["test/**/*.test.{ts,tsx}"], exclude: pure } },
    ],
  },
})
