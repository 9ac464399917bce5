/** Watches a folder for changed files, by whatever means the system has. */
import { basename } from "node:path"
import { watch } from "chokidar"

/** Of changes within 50 ms only the first is told, maybe before the last is made: so everybody looks once more, after it. */
const lookAgain = 100

/** Calls the listener with the name of each file that appears, changes or goes. Ready when the promise is. */
export const watchFolder = async (folder: string, listener: (file: string) => void): Promise<() => Promise<void>> => {
  const watcher = watch(folder, { depth: 0, ignoreInitial: true })
  const waiting = new Map<string, NodeJS.Timeout>()
  const hear = (path: string): void => {
    const file = basename(path)
    listener(file)
    clearTimeout(waiting.get(file))
    waiting.set(
      file,
      setTimeout(() => {
        waiting.delete(file)
        listener(file)
      }, lookAgain),
    )
  }
  for (const event of ["add", "change", "unlink"] as const) watcher.on(event, hear)
  // One that fails later is only quieter than it should be; readers still read when they are asked to.
  watcher.on("error", () => {})
  await new Promise<void>((resolve, reject) => {
    watcher.once("ready", resolve)
    watcher.once("error", reject)
  })
  return async () => {
    for (const timer of waiting.values()) clearTimeout(timer)
    await watcher.close()
  }
}
