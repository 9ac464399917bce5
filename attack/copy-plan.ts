/** Makes many plans out of one that the command wrote, without a process for each. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { nameOf } from "../src/home/file-names.ts"

export const copyPlan = (home: string, from: string, to: string): void => {
  const [source, target] = [from, to].map((session) => nameOf({ session, agent: "main" }))
  const journal = readFileSync(join(home, "journal", `${source}.jsonl`), "utf8")
  writeFileSync(
    join(home, "journal", `${target}.jsonl`),
    journal.replaceAll(JSON.stringify(from), JSON.stringify(to)),
    { mode: 0o600 },
  )
  copyFileSync(join(home, "todos", `${source}.json`), join(home, "todos", `${target}.json`))
}
