/** The password of a user if the URL has none: from the environment or PostgreSQL's password file. */
import { lstatSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Address } from "./address.ts"

/** Empty if none is found: the database may not require one. */
export const passwordFor = (address: Address, env: NodeJS.ProcessEnv = process.env): string =>
  address.password ?? env.PGPASSWORD ?? passwordInFile(address, env.PGPASSFILE || join(homedir(), ".pgpass")) ?? ""

const passwordInFile = ({ host, port, database, user }: Address, path: string): string | undefined => {
  try {
    // As PostgreSQL's programs have it: a file that others can read is not used.
    if (process.platform !== "win32" && (lstatSync(path).mode & 0o077) !== 0) return undefined
    const place = [host.startsWith("/") ? "localhost" : host, String(port), database, user]
    for (const line of readFileSync(path, "utf8").split(/\r?\n/)) {
      const fields = fieldsOf(line)
      if (fields.length === 5 && place.every((value, index) => fields[index] === "*" || fields[index] === value))
        return fields[4]
    }
  } catch {}
  return undefined
}

/** Separated by colons; a backslash before a colon or a backslash takes its meaning away. */
const fieldsOf = (line: string): string[] =>
  line.startsWith("#")
    ? []
    : [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = ""]) => field.replace(/\\(.)/g, "$1")).slice(0, 5)
