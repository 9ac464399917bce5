/** What a run does not take over from the machine it runs on, and does not leave there. */
import { readdirSync } from "node:fs"

/** How the tests themselves are told what to do. */
const ofTheTests = ["HEADWAY_ATTACK", "HEADWAY_ATTACK_SEED"]

/** Called by Vitest before it starts its workers; returns what it calls after them. */
export const setup = (): (() => void) => {
  // Every Node that a test starts would read these certificates, which takes longer than all else of its start.
  // The tests speak to this machine alone and need none of them.
  delete process.env.NODE_EXTRA_CA_CERTS
  // What steers the command of the person who runs the tests would steer theirs.
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("HEADWAY_") && !ofTheTests.includes(name)) delete process.env[name]
  }
  const before = readdirSync(".")
  return () => {
    const left = readdirSync(".").filter((name) => !before.includes(name))
    if (left.length === 0) return
    process.exitCode = 1
    throw new Error(`A test left this in the checkout: ${left.join(", ")}`)
  }
}
