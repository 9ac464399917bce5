/** The process that unpacks foreign files: whatever a file makes it do, it can be killed from outside. */
import { Worker } from "node:worker_threads"
import { isHeadwayError } from "../../plan/headway-error.ts"
import type { Tables } from "../source.ts"
import { readTables, type TableRows } from "./database.ts"
import { decompressed } from "./zstandard.ts"

/** `limit` is how long it may take at most, in milliseconds. */
export type UnpackJob = { path: string; limit: number } & ({ as: "bytes" } | { as: "rows"; tables: Tables })

export type Unpacked =
  | { type: "bytes"; bytes: Uint8Array }
  | ({ type: "rows" } & TableRows)
  | { type: "done" }
  /** `isOurs` if the code is Headway's, not the system's. */
  | { type: "failed"; isOurs: boolean; code: string; message: string }

const unpack = async (job: UnpackJob): Promise<void> => {
  if (job.as === "rows")
    for await (const rows of readTables(job.path, job.tables)) await send({ type: "rows", ...rows })
  else for (const bytes of decompressed(job.path)) await send({ type: "bytes", bytes })
  await send({ type: "done" })
}

/** Resolves when the data was passed on, so that unpacking does not run ahead. */
const send = (message: Unpacked): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, (failed) => (failed ? reject(failed) : resolve()))
  })

/**
 * A thread that ends this process if a job takes too long. Usually the parent does that first, unless it was killed
 * itself.
 */
const watchdog = new Worker(
  `const { parentPort } = require("node:worker_threads")
  let timer
  parentPort.on("message", (limit) => {
    clearTimeout(timer)
    if (limit > 0) timer = setTimeout(() => process.kill(process.pid, "SIGKILL"), limit)
  })`,
  { eval: true },
)
watchdog.unref()

process.on("message", (job: UnpackJob) => {
  watchdog.postMessage(job.limit)
  unpack(job)
    .catch((cause: NodeJS.ErrnoException) => {
      const { code, message } = cause
      return send({ type: "failed", isOurs: isHeadwayError(cause), code: String(code), message })
    })
    // The parent is gone.
    .catch(() => process.exit())
    .finally(() => watchdog.postMessage(0))
})
process.on("disconnect", () => process.exit())
