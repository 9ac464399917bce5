/** Headway's own files and folders, written by several at once. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { expect, test } from "vitest"
import { temporaryFolder } from "../../stores/temporary.ts"

test("several processes that create the same folders at once all succeed", async () => {
  const folder = temporaryFolder()
  const paths = Array.from({ length: 200 }, (_, index) => join(folder, `${index}`, "home", "tmp"))
  const workers = 2
  const arrived = new Int32Array(new SharedArrayBuffer(4 * paths.length))
  const errors = await Promise.all(
    Array.from({ length: workers }, async () => {
      const file = new URL("../../fixtures/make-folders.mjs", import.meta.url)
      const [told] = await once(new Worker(file, { workerData: { paths, arrived, workers } }), "message")
      return told as string[]
    }),
  )
  expect(errors.flat()).toEqual([])
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})
