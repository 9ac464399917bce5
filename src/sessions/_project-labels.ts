/** The folders that the labels on an agent's paths stand for, from the table that the agent keeps. */
import { join } from "node:path"
import { readForeignText } from "../home/foreign-file.ts"
import { messageOf, type Problem, sanitise, warning } from "../plan/index.ts"
import type { Source } from "./source.ts"

/** By label. A table that is not there says nothing. */
export const labelledFolders = (
  { projects }: Pick<Source, "projects">,
  homes: readonly string[],
  report: (problem: Problem) => void = () => {},
): Record<string, string> => {
  const folders: Record<string, string> = {}
  for (const home of projects ? homes : []) {
    const path = join(home, projects?.file ?? "")
    try {
      Object.assign(folders, projects?.read(readForeignText(path)))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT")
        report(warning("unreadable-file", `${sanitise(path)} could not be read: ${messageOf(cause)}`))
    }
  }
  return folders
}
