/** Installs packages from npm, each version into a folder of its own that the next run finds again. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { isAtLeast } from "../src/agents/version.ts"
import type { Wanted } from "./clients/client.ts"

export type Installed = {
  version: string
  /** The folder of its programs. */
  bin: string
}

export const install = async (cache: string, { package: name, version: wanted }: Wanted): Promise<Installed> => {
  const version = await resolveVersion(name, wanted)
  const folder = join(cache, `${name.replace("/", "-")}@${version}`)
  if (!existsSync(folder)) await fetchInto(folder, cache, `${name}@${version}`)
  return { version, bin: join(folder, "node_modules", ".bin") }
}

const run = promisify(execFile)

/** "latest" and ranges as the registry understands them; of several versions the newest. */
const resolveVersion = async (name: string, wanted: string): Promise<string> => {
  if (/^\d+\.\d+\.\d+/.test(wanted)) return wanted
  const { stdout } = await run("npm", ["view", `${name}@${wanted}`, "version", "--json"])
  const found: unknown = JSON.parse(stdout)
  const newestFirst = [found]
    .flat()
    .map(String)
    .sort((one, other) => (isAtLeast(one, other) ? -1 : 1))
  return newestFirst[0] ?? wanted
}

/** A folder that is there is complete: it gets its name only at the end. */
const fetchInto = async (folder: string, cache: string, what: string): Promise<void> => {
  mkdirSync(cache, { recursive: true })
  const half = mkdtempSync(join(cache, "half-"))
  try {
    await run("npm", ["install", "--prefix", half, "--no-audit", "--no-fund", "--loglevel=error", what])
    renameSync(half, folder)
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}
