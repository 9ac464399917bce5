/** Finds the programs of PostgreSQL and PgBouncer on this machine, or installs them where that is allowed. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"

const isRoot = process.getuid?.() === 0

/** Packages of Debian put every version into a folder of its own. */
const debian = "/usr/lib/postgresql"

const needed = ["initdb", "postgres"]

/** The folder with PostgreSQL's programs, the newest first. Throws with instructions where there are none. */
export const postgresPrograms = (): string => {
  const found = findPostgres()
  if (found) return found
  install("postgresql")
  const installed = findPostgres()
  if (installed) return installed
  throw new Error(
    "The tests of the PostgreSQL store need PostgreSQL 13 or newer, and its initdb was not found on the PATH or below " +
      `${debian}. Install it (Debian and Ubuntu: sudo apt-get install postgresql; macOS: brew install postgresql@16) and ` +
      "run the tests again. Its server need not run: the tests start their own.",
  )
}

const findPostgres = (): string | undefined => {
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .filter((version) => version >= 13)
    : []
  const folders = [
    ...versions.sort((one, other) => other - one).map((version) => join(debian, String(version), "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ]
  return folders.find((folder) => needed.every((name) => existsSync(join(folder, name))))
}

export const pgBouncer = (): string => {
  const find = (): string | undefined =>
    [...(process.env.PATH ?? "").split(":"), "/usr/sbin"]
      .map((one) => join(one, "pgbouncer"))
      .find((path) => existsSync(path))
  const found = find()
  if (found) return found
  install("pgbouncer")
  const installed = find()
  if (installed) return installed
  throw new Error(
    "The tests of the PostgreSQL store go through PgBouncer too, which was not found. Install it (Debian and Ubuntu: " +
      "sudo apt-get install pgbouncer; macOS: brew install pgbouncer) and run the tests again.",
  )
}

/** Debian's packages would start a server of their own after installing: that is forbidden here. */
const install = (name: string): void => {
  if (!isRoot || !existsSync("/usr/bin/apt-get")) return
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }
  const apt = (...words: string[]): number | null =>
    spawnSync("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=300", ...words], { env, stdio: "ignore" }).status
  const quiet = ["-y", "--no-install-recommends", "install", name]
  if (apt(...quiet) !== 0 && apt("update") === 0) apt(...quiet)
}

/** Who runs the server: it refuses to run as root. Undefined where this process is someone else already. */
export const serverUser = (): { uid: number; gid: number } | undefined => {
  if (!isRoot) return undefined
  for (const name of ["postgres", "nobody"]) {
    try {
      const numberOf = (flag: string): number =>
        Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }))
      return { uid: numberOf("-u"), gid: numberOf("-g") }
    } catch {}
  }
  throw new Error(
    "The tests start PostgreSQL as another user than root, and there is neither a user postgres nor nobody.",
  )
}

export const programIn = (folder: string, name: string): string => {
  const path = join(folder, name)
  return existsSync(path) ? path : join(dirname(folder), "bin", name)
}
