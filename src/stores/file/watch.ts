/** Watches a folder for changed files, by whatever means the system has. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { type FSWatcher, watch } from "chokidar"
import { messageOf } from "../../plan/headway-error.ts"
import { type Problem, warning } from "../../plan/problem.ts"

/** Called with the name of a file that appeared, changed or went; without one when any of them may have. */
export type FileListener = (file?: string) => void

/**
 * Of changes within 50 ms only the first is reported, perhaps before the last one happens, so the listener is called
 * again afterwards.
 */
const recheckDelay = 100

/** How often it is checked whether a folder that went is there again, in milliseconds. */
const untilItIsBack = 500

/** Resolves once it is watching. A folder that is removed and created again is watched again. */
export const watchFolder = async (
  folder: string,
  listener: FileListener,
  onProblem: (problem: Problem) => void = () => {},
): Promise<() => Promise<void>> => {
  const waiting = new Map<string | undefined, NodeJS.Timeout>()
  let watcher: FSWatcher | undefined
  let absence: NodeJS.Timeout | undefined
  let isStopped = false

  const changed = (file?: string): void => {
    listener(file)
    clearTimeout(waiting.get(file))
    const again = (): void => {
      waiting.delete(file)
      listener(file)
    }
    waiting.set(file, setTimeout(again, recheckDelay))
  }

  /** It is not known what was missed, so everything may have changed. */
  const failed = (cause: unknown): void => {
    onProblem(warning("not-watched", `Changes in ${folder} may be noticed late: ${messageOf(cause)}`))
    changed()
  }

  const watchAgain = async (): Promise<void> => {
    if (!existsSync(folder)) return
    clearInterval(absence)
    absence = undefined
    await watcher?.close()
    await begin()
    changed()
  }

  const waitForFolder = (): void => {
    absence ??= setInterval(() => watchAgain().catch(failed), untilItIsBack)
  }

  const begin = async (): Promise<void> => {
    if (isStopped) return
    if (!existsSync(folder)) return waitForFolder()
    const started = watch(folder, { depth: 0, ignoreInitial: true })
    watcher = started
    for (const event of ["add", "change", "unlink"] as const) started.on(event, (path) => changed(basename(path)))
    // Folders in it are not looked into, so that only the folder itself can have gone.
    started.on("unlinkDir", (path) => {
      if (basename(path) !== basename(folder)) return
      changed()
      waitForFolder()
    })
    await new Promise<void>((resolve, reject) => {
      started.once("ready", resolve)
      started.once("error", reject)
    })
    started.on("error", failed)
  }

  await begin()
  return async () => {
    isStopped = true
    clearInterval(absence)
    for (const timer of waiting.values()) clearTimeout(timer)
    await watcher?.close()
  }
}
