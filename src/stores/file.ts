/** Plans as files in Headway's home: a journal that is the truth, a published list others can read, a cache to be quick. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch as watchFolder } from "node:fs"
import { join } from "node:path"
import {
  activeFormOf,
  createFold,
  type Entry,
  HeadwayError,
  isHeadwayError,
  type Plan,
  type Problem,
  warning,
} from "../plan/index.ts"
import { appendToJournal, readJournal } from "./_journal.ts"
import { hashedNameOf, keyOf, nameOf } from "./_names.ts"
import { summarise } from "./_summary.ts"
import { removeOrphans, replaceFile } from "./_write-file.ts"
import type { PlanKey, PlanSummary, Store } from "./store.ts"

export type FileStoreOptions = { home: string }

export const createFileStore = ({ home }: FileStoreOptions): Store => {
  const journals = join(home, "journal")
  const lists = join(home, "todos")
  const temporary = join(home, "tmp")
  const names = new Map<string, string>()
  /** Journals whose last line has no end: the next entry must not be glued to it. */
  const openEnded = new Set<string>()
  let isPrepared = false

  const pathOf = (key: PlanKey): string => join(journals, `${nameFor(key)}.jsonl`)

  /** The plain name, unless a disk that ignores case gave it to other ids before. */
  const nameFor = (key: PlanKey): string => {
    const id = JSON.stringify([key.session, key.agent])
    const known = names.get(id)
    if (known !== undefined) return known
    const plain = nameOf(key)
    const owner = /[A-Z]/.test(plain) ? ownerOf(join(journals, `${plain}.jsonl`)) : undefined
    const isTaken = owner !== undefined && (owner.session !== key.session || owner.agent !== key.agent)
    const name = isTaken ? hashedNameOf(key) : plain
    names.set(id, name)
    return name
  }

  const prepare = (): void => {
    if (isPrepared) return
    for (const folder of [home, journals, lists, temporary]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    removeOrphans(temporary)
    isPrepared = true
  }

  return {
    name: `file:${home}`,
    isPersistent: true,
    async load(key, from = 0) {
      const path = pathOf(key)
      return orExplain(path, "read", () => {
        const { endsOpen, ...loaded } = readJournal(path, from)
        if (endsOpen) openEnded.add(path)
        else openEnded.delete(path)
        return loaded
      })
    },
    async append(key, entry: Entry) {
      const path = pathOf(key)
      orExplain(path, "written", () => {
        prepare()
        appendToJournal(path, entry, openEnded.has(path))
      })
    },
    async publish(key, plan) {
      const path = join(lists, `${nameFor(key)}.json`)
      orExplain(path, "written", () => {
        prepare()
        const text = publishedText(plan)
        if (!isAlready(path, text)) replaceFile(path, text, temporary)
      })
    },
    async list() {
      const plans: PlanSummary[] = []
      const problems: Problem[] = []
      for (const name of journalNames(journals)) {
        const path = join(journals, `${name}.jsonl`)
        try {
          const fold = createFold()
          const loaded = readJournal(path)
          problems.push(...loaded.problems)
          for (const entry of loaded.entries) fold.add(entry)
          const key = fold.ledger.opened ?? keyOf(name)
          if (key) plans.push(summarise(key, fold))
        } catch (cause) {
          problems.push(warning("unreadable-plan", `${path} could not be read: ${reasonOf(cause)}.`))
        }
      }
      return { plans, problems }
    },
    async watch(listener) {
      prepare()
      const watcher = watchFolder(journals, (_, file) => {
        const key = typeof file === "string" ? keyOf(file.replace(/\.jsonl$/, "")) : undefined
        if (key) listener(key)
      })
      return async () => watcher.close()
    },
    async remove(key) {
      const name = nameFor(key)
      rmSync(join(journals, `${name}.jsonl`), { force: true })
      rmSync(join(lists, `${name}.json`), { force: true })
    },
    async close() {},
  }
}

/** The list as the agent's own tools would have left it, and whatever else is known of each todo. */
const publishedText = ({ todos }: Plan): string =>
  `${JSON.stringify(
    todos.map(({ id, content, status, ...rest }) => ({
      content,
      status,
      activeForm: activeFormOf({ content, ...rest }),
      id,
      ...rest,
    })),
    null,
    2,
  )}\n`

const isAlready = (path: string, text: string): boolean => {
  try {
    return readFileSync(path, "utf8") === text
  } catch {
    return false
  }
}

const journalNames = (folder: string): string[] => {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
  return files.filter((name) => statSync(join(folder, name)).isFile()).map((name) => name.slice(0, -".jsonl".length))
}

const ownerOf = (path: string): PlanKey | undefined => {
  if (!existsSync(path)) return undefined
  const first = readJournal(path).entries[0]?.events[0]
  return first?.type === "plan-opened" ? first : undefined
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What the system refuses is said in a sentence that names the file. */
const orExplain = <Result>(path: string, what: string, action: () => Result): Result => {
  try {
    return action()
  } catch (cause) {
    if (isHeadwayError(cause)) throw cause
    throw new HeadwayError("store-failed", `${path} could not be ${what}: ${reasonOf(cause)}`, { cause })
  }
}
