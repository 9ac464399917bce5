/** Installs packages from npm, each version into a folder of its own that the next run finds again. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { isAtLeast } from "../src/agents/version.ts"
import type { Wanted } from "./clients/client.ts"

export type Installed = {
  version: string
  /** The folder of its programs. */
  bin: string
  /** How many newer versions could not be installed. */
  passedOver: number
}

/** The newest version that can be installed: one that was published without a package it needs is passed over. */
export const install = async (cache: string, { package: name, version: wanted }: Wanted): Promise<Installed> => {
  const failures: string[] = []
  for (const version of await candidates(name, wanted)) {
    const folder = join(cache, `${name.replace("/", "-")}@${version}`)
    const failure = `${folder}.failed`
    try {
      if (existsSync(failure)) throw new Error(readFileSync(failure, "utf8"))
      if (!existsSync(folder)) await fetchInto(folder, cache, `${name}@${version}`)
      return { version, bin: join(folder, "node_modules", ".bin"), passedOver: failures.length }
    } catch (cause) {
      failures.push(`${version}: ${String(cause)}`)
      // A package that was not published is not tried again each time; a registry that could not be reached is.
      if (/\bETARGET\b/.test(String(cause))) writeFileSync(failure, String(cause))
    }
  }
  throw new Error(`${name}@${wanted} cannot be installed.\n${failures.join("\n")}`)
}

const run = promisify(execFile)

const mostTried = 5

/** An exact version alone; of a tag and of a range as the registry understands it, the newest first. */
const candidates = async (name: string, wanted: string): Promise<string[]> => {
  if (/^\d+\.\d+\.\d+/.test(wanted)) return [wanted]
  const newest = await versionsOf(`${name}@${wanted}`, "version")
  const [first = wanted] = newest
  const older = wanted === "latest" ? await versionsOf(name, "versions") : newest
  return [first, ...older.filter((one) => one !== first && isAtLeast(first, one) && !one.includes("-"))].slice(
    0,
    mostTried,
  )
}

const versionsOf = async (what: string, field: "version" | "versions"): Promise<string[]> => {
  const { stdout } = await run("npm", ["view", what, field, "--json"])
  const found: unknown = JSON.parse(stdout)
  return [found]
    .flat()
    .map(String)
    .sort((one, other) => (isAtLeast(one, other) ? -1 : 1))
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
