/** Another program's lists, read-only: `todos/<session>-agent-<agent>.json` under any root. Nothing there is touched. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { keyOf, planFileName } from "../home/paths/file-names.ts"
import { readForeignText } from "../home/reading/foreign-file.ts"
import { messageOf } from "../plan/headway-error.ts"
import {
  createFold,
  type Entry,
  entryVersion,
  HeadwayError,
  isoTime,
  type PlanEvent,
  type Problem,
  type Todo,
  type Wanted,
  warning,
} from "../plan/index.ts"
import { selectPlans, summarise } from "./_summary.ts"
import { readPublished } from "./file/published.ts"
import type { Loaded, PlanKey, PlanSummary, Store } from "./store.ts"

/** In this layout the main agent has the name of its session; here it is `main`, as everywhere else. */
const ours = ({ session, agent }: PlanKey): PlanKey => ({ session, agent: agent === session ? "main" : agent })
const theirs = ({ session, agent }: PlanKey): PlanKey => ({ session, agent: agent === "main" ? session : agent })

type Place = { time: number }

export const createRootStore = ({ root }: { root: string }): Store => {
  const lists = join(root, "todos")

  const find = (key: PlanKey): { path: string; time: Date } | undefined => {
    for (const name of [planFileName(theirs(key)), planFileName(key)]) {
      const path = join(lists, `${name}.json`)
      const time = statSync(path, { throwIfNoEntry: false })?.mtime
      if (time) return { path, time }
    }
    return undefined
  }

  /** The whole list as one entry; the cursor is the time of the file, so that a rewritten file starts over. */
  const read = (key: PlanKey): Loaded & { cursor: Place } => {
    const found = find(key)
    if (!found) return { entries: [], problems: [], cursor: { time: 0 } }
    const { path, time } = found
    const { items = [], problem } = readList(path)
    const problems = problem ? [warning(problem.code, `${path}: ${problem.message}.`)] : []
    return { entries: [entryOf(key, items, time)], problems, cursor: { time: time.getTime() } }
  }

  const refuse = (): never => {
    throw new HeadwayError(
      "read-only",
      `${root} belongs to another program and is only read. Leave out --root to change a plan.`,
    )
  }

  return {
    name: `root:${root}`,
    isPersistent: true,
    async load(key, from) {
      const loaded = read(key)
      const { time = 0 } = (from ?? {}) as Partial<Place>
      if (loaded.cursor.time === time) return { entries: [], problems: [], cursor: loaded.cursor }
      return time === 0 ? loaded : { ...loaded, restarted: true }
    },
    async append() {
      return refuse()
    },
    async list(filter) {
      const plans: PlanSummary[] = []
      const problems: Problem[] = []
      for (const name of listNames(lists)) {
        const key = keyOf(name)
        if (!key || (filter?.session !== undefined && filter.session !== key.session)) continue
        const fold = createFold()
        const loaded = read(ours(key))
        problems.push(...loaded.problems)
        for (const entry of loaded.entries) fold.add(entry)
        if (fold.plan.todos.length > 0) plans.push(summarise(ours(key), fold))
      }
      return { plans: selectPlans(plans, filter), problems }
    },
    async position(key) {
      const found = find(key)
      return found && String(found.time.getTime())
    },
    async watch(listener, onProblem) {
      const { watchFolder } = await import("./file/watch.ts")
      const onFile = (file: string | undefined): void => {
        const key = file === undefined ? undefined : keyOf(file.replace(/\.json$/, ""))
        if (key) listener(ours(key))
        else if (file === undefined) listener()
      }
      return watchFolder(lists, onFile, onProblem)
    },
    async remove() {
      refuse()
    },
    async sweep() {
      return refuse()
    },
    async close() {},
  }
}

const entryOf = (key: PlanKey, items: readonly Wanted[], time: Date): Entry => {
  const added = items.map((item, index): PlanEvent => {
    const { id, content = "", status = "pending", extra, ...rest } = item
    const native = id === undefined ? extra : { ...extra, nativeId: id }
    const todo: Todo = { ...rest, id: String(index + 1), content, status, ...(native ? { extra: native } : {}) }
    return { type: "todo-added", todo }
  })
  return {
    v: entryVersion,
    id: "list",
    at: isoTime(time) ?? new Date(0).toISOString(),
    by: { kind: "agent", id: key.agent },
    events: [{ type: "plan-opened", ...key }, ...added],
  }
}

const listNames = (folder: string): string[] => {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []))
  } catch {
    return []
  }
}

const readList = (path: string): ReturnType<typeof readPublished> => {
  try {
    return readPublished(readForeignText(path))
  } catch (cause) {
    return { problem: warning("unreadable-list", `the list could not be read: ${messageOf(cause)}`) }
  }
}
