/** What a run does not take over from the machine it runs on, and does not leave there. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

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
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), "headway-"))
  // Some tests act as other users, who must get through to their files.
  chmodSync(folder, 0o755)
  process.env.HEADWAY_TEST_TMPDIR = tmpdir()
  process.env.TMPDIR = folder
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    const left = readdirSync(".").filter((name) => !before.includes(name))
    if (left.length === 0) return
    process.exitCode = 1
    throw new Error(`A test left this in the checkout: ${left.join(", ")}`)
  }
}

/** Where nothing waits for a disk; undefined on a machine that has little room there or runs no program from there. */
const folderInMemory = (): string | undefined => {
  const memory = "/dev/shm"
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < 4 * 2 ** 30) return undefined
    const folder = mkdtempSync(join(memory, "headway-"))
    const program = join(folder, "program")
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
    rmSync(folder, { recursive: true })
  } catch {}
  return undefined
}
