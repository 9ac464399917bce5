/** Looks at Headway's home after an attack: what can be read, what is there twice, what was left behind. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { planFileName } from "../src/home/paths/file-names.ts"
import { type Entry, fold, type Plan } from "../src/plan/index.ts"
import { createFileStore } from "../src/stores/file/index.ts"
import { publishedText } from "../src/stores/file/published.ts"

export type HomeCheck = { broken: string[]; tornLines: number; plans: KeptPlan[] }

export type KeptPlan = { session: string; agent: string; plan: Plan; entries: Entry[] }

/** How the lack of a published list is told; a plan that is being removed may lack it. */
export const missingList = "there is no published list"

/**
 * After a crash and the next command: no temporary file, every document readable, every entry once, and each published list
 * what its journal says. A torn line may be there, and is counted; nothing acknowledged may be in it.
 */
export const checkHome = async (home: string): Promise<HomeCheck> => {
  const broken = filesIn(home).flatMap((path) => faultsOf(home, path))
  const store = createFileStore({ home })
  const { plans: listed } = await store.list()
  let tornLines = 0
  const plans: KeptPlan[] = []
  for (const { session, agent } of listed) {
    const { entries, problems } = await store.load({ session, agent })
    const { plan } = fold(entries)
    tornLines += problems.length
    plans.push({ session, agent, plan, entries })
    broken.push(...repeated("entry", entries), ...repeated("todo", plan.todos))
    const published = textIn(join(home, "todos", `${planFileName({ session, agent })}.json`))
    if (published === undefined) broken.push(`${missingList} of ${session}`)
    else if (published !== publishedText(plan)) {
      broken.push(`the published list of ${session} is not what its journal says`)
    }
  }
  return { broken, tornLines, plans }
}

/** The paths of all files below a folder; of none where there is no such folder. */
export const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((found) => !found.isDirectory())
      .map((found) => join(found.parentPath, found.name))
  } catch {
    return []
  }
}

const faultsOf = (home: string, path: string): string[] => {
  const name = relative(home, path)
  if (name.startsWith("tmp/") || name.endsWith(".tmp")) return [`${name} is left behind`]
  // A backup is a person's file, in whatever its agent reads.
  if (!name.endsWith(".json") || name.startsWith("backups/")) return []
  try {
    JSON.parse(readFileSync(path, "utf8"))
    return []
  } catch (cause) {
    return [`${name} cannot be read: ${(cause as Error).message}`]
  }
}

const repeated = (what: string, things: readonly { id: string }[]): string[] => {
  const ids = things.map(({ id }) => id)
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((id) => `${what} ${id} is there twice`)
}

const textIn = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
