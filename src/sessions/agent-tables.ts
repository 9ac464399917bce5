/** What an agent keeps in a table of its own beside its sessions: the folders of labels, the names of sessions. */
import { join } from "node:path"
import { readForeignText } from "../home/foreign-file.ts"
import { messageOf, type Problem, sanitise, warning } from "../plan/index.ts"
import type { Source } from "./source.ts"

type Table = NonNullable<Source["projects" | "titles"]>

/** The table is not there, or the folder is none; that is told where the folder is looked into. */
const notThere = ["ENOENT", "ENOTDIR", "ELOOP"]

/** By the name in it. A table that is not there says nothing. */
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
