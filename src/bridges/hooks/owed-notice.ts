/** Keeps a notice until it was printed, so that a killed hook does not lose it. */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { planFileName } from "../../home/paths/file-names.ts"
import { readForeignText } from "../../home/reading/foreign-file.ts"
import { isRunning, replaceFile } from "../../home/writing/write-file.ts"
import type { PlanKey, ToldPart } from "../../plan/event.ts"
import { isRecord } from "../../plan/log/shape.ts"

/** The text, and the entries of the log that count as told once it was given, of one more only a part. */
export type Notice = { entries: readonly string[]; part?: Pick<ToldPart, "entry" | "to">; text: string }

export type OwedNotices = {
  /** Keeps a notice until `settle`. */
  owe(notice: Notice): void
  /**
   * The undelivered texts of hooks that no longer run; `isTold` says whether an entry counts as told, at least up to an event
   * of it if that is given.
   */
  takeOver(isTold: (entry: string, to?: number) => boolean): string[]
  /** Whether another hook still owes something: it may be killed yet. */
  isOwedByOthers(): boolean
  /** Marks all pending notices as printed. */
  settle(): void
}

/** Hooks have ten seconds. A process that has the number of one that died longer ago is another one. */
const longest = 60_000

export const openOwedNotices = (home: string, key: PlanKey, now: () => Date): OwedNotices => {
  const folder = join(home, "cache", "owed")
  const beginning = `${planFileName(key)}.`
  const settled: string[] = []

  const notesOfOthers = (): Note[] => {
    try {
      return readdirSync(folder).flatMap((name) => {
        const note = name.startsWith(beginning) ? noteAt(join(folder, name), name.slice(beginning.length)) : undefined
        return note && !settled.includes(note.path) ? [note] : []
      })
    } catch {
      return []
    }
  }

  const isLeft = ({ pid, at }: Note): boolean => Math.abs(now().getTime() - at) >= longest || !isRunning(pid)

  return {
    owe(notice) {
      const path = join(folder, `${beginning}${process.pid}-${now().getTime()}.json`)
      replaceFile(path, JSON.stringify(notice), join(home, "tmp"))
      settled.push(path)
    },
    takeOver(isTold) {
      return notesOfOthers().flatMap((note) => {
        if (!isLeft(note)) return []
        const { path } = note
        settled.push(path)
        const { entries, part, text } = noticeIn(path)
        const isRecorded = entries.every((entry) => isTold(entry)) && (!part || isTold(part.entry, part.to))
        // The hook was killed before it was recorded, so the notice is given again.
        return text !== "" && isRecorded ? [text] : []
      })
    },
    isOwedByOthers: () => notesOfOthers().length > 0,
    settle() {
      for (const path of settled.splice(0)) rmSync(path, { force: true, recursive: true })
    },
  }
}

type Note = { path: string; pid: number; at: number }

/**
 * The file name of a notice ends with the process id and the time: `4711-1794794678163.json`. A name with anything else
 * after the plan's name belongs to another plan, whose name has the same beginning.
 */
const noteAt = (path: string, ending: string): Note | undefined => {
  const [, pid, at] = /^(\d+)-(\d+)\.json$/.exec(ending) ?? []
  return pid === undefined ? undefined : { path, pid: Number(pid), at: Number(at) }
}

const noticeIn = (path: string): Notice => {
  try {
    const value: unknown = JSON.parse(readForeignText(path))
    const { entries, part, text } = isRecord(value) ? value : {}
    const ids = Array.isArray(entries) ? entries.filter((entry) => typeof entry === "string") : []
    const { entry, to } = isRecord(part) ? part : {}
    const isPart = typeof entry === "string" && typeof to === "number"
    const isNamed = ids.length > 0 || isPart
    return {
      entries: ids,
      ...(isPart ? { part: { entry, to } } : {}),
      text: typeof text === "string" && isNamed ? text : "",
    }
  } catch {
    return { entries: [], text: "" }
  }
}
