/** Reads the tables an agent keeps next to its sessions: folders by label, and titles of sessions. */
import { join } from "node:path"
import { readForeignText } from "../home/reading/foreign-file.ts"
import { messageOf, type Problem, sanitise, warning } from "../plan/index.ts"
import type { Source } from "./source.ts"

type Table = NonNullable<Source["projects" | "titles"]>

/** The table is missing, or the folder is not a folder, which the folder scan reports. */
const notThere = ["ENOENT", "ENOTDIR", "ELOOP"]

/** Entries by name. A missing table has no entries. */
export const tableOf = (
  table: Table | undefined,
  homes: readonly string[],
  report: (problem: Problem) => void = () => {},
): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const home of table ? homes : []) {
    const path = join(home, table?.file ?? "")
    try {
      Object.assign(found, table?.read(readForeignText(path)))
    } catch (cause) {
      const { code = "" } = cause as NodeJS.ErrnoException
      if (!notThere.includes(code))
        report(warning("unreadable-file", `${sanitise(path)} could not be read: ${messageOf(cause)}`))
    }
  }
  return found
}
