/** A process of its own that unpacks what others packed: whatever a file makes it do, it can be ended from outside. */
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
  /** `isOurs` where the code is one of Headway's and not the system's. */
  | { type: "failed"; isOurs: boolean; code: string; message: string }

const unpack = async (job: UnpackJob): Promise<void> => {
  if (job.as === "rows")
    for await (const rows of readTables(job.path, job.tables)) await send({ type: "rows", ...rows })
  else for (const bytes of decompressed(job.path)) await send({ type: "bytes", bytes })
  await send({ type: "done" })
}

/** Resolves when it was passed on, so that no more is unpacked than is taken. */
const send = (message: Unpacked): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, (failed) => (failed ? reject(failed) : resolve()))
  })

/**
 * A thread that ends this process should a job last too long. Who asked for it does so first, unless it was ended itself
 * and left this process behind, busy for ever.
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
    // Who asked is gone.
    .catch(() => process.exit())
    .finally(() => watchdog.postMessage(0))
})
process.on("disconnect", () => process.exit())
