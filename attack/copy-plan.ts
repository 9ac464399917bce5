/** Makes many plans out of one that the command wrote, without a process for each. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { planFileName } from "../src/home/paths/file-names.ts"

export type WrittenPlan = { session: string; journal: string; list: string }

export const readPlan = (home: string, session: string): WrittenPlan => {
  const { journal, list } = pathsOf(home, session)
  return { session, journal: readFileSync(journal, "utf8"), list: readFileSync(list, "utf8") }
}

export const copyPlan = (home: string, { session, journal, list }: WrittenPlan, to: string): void => {
  const paths = pathsOf(home, to)
  const renamed = journal.replaceAll(JSON.stringify(session), JSON.stringify(to))
  writeFileSync(paths.journal, renamed, { mode: 0o600 })
  writeFileSync(paths.list, list, { mode: 0o600 })
}

const pathsOf = (home: string, session: string): { journal: string; list: string } => {
  const name = planFileName({ session, agent: "main" })
  return { journal: join(home, "journal", `${name}.jsonl`), list: join(home, "todos", `${name}.json`) }
}
