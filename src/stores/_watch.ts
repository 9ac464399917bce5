/** Watches a folder for changed files, by whatever means the system has. */
import { basename } from "node:path"
import { watch } from "chokidar"

/** Calls the listener with the name of each file that appears, changes or goes. Ready when the promise is. */
export const watchFolder = async (folder: string, listener: (file: string) => void): Promise<() => Promise<void>> => {
  const watcher = watch(folder, { depth: 0, ignoreInitial: true })
  for (const event of ["add", "change", "unlink"] as const) watcher.on(event, (path) => listener(basename(path)))
  await new Promise<void>((resolve, reject) => {
    watcher.once("ready", resolve)
    watcher.once("error", reject)
  })
  return () => watcher.close()
}
