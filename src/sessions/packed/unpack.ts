/** Unpacks files in a separate process that is killed when one takes too long, because the readers cannot be interrupted. */
import type { ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { HeadwayError } from "../../plan/index.ts"
import type { Tables } from "../source.ts"
import type { Unpacked, UnpackJob } from "./unpacker.ts"

export type Unpacker = {
  /** The bytes of a compressed file, in pieces. Throws when it is damaged, asks for too much, or takes too long. */
  bytes(path: string, onBytes: (bytes: Uint8Array) => void): Promise<void>
  /** The rows of a database. Throws as `bytes` does. */
  rows(path: string, tables: Tables): Promise<Record<string, unknown[]>>
  /** Starts a new scan and resets the time spent on failed files. */
  begin(): void
  close(): void
}

/** The most files that may take too long in one scan. Others are left for the next one, so that every scan ends. */
const mostInVain = 2

/** In megabytes. Rows and pieces are passed on as they are read. */
const memory = 256

/**
 * A file that keeps yielding data may take this many times as long in total, because any file is slow on a busy
 * machine.
 */
const limitFactor = 6

/**
 * Unpacks one file after the other in the same process, whatever is asked for at the same time. `silenceLimit` is how long a file may yield nothing, in
 * milliseconds.
 */
export const createUnpacker = (silenceLimit = 5_000): Unpacker => {
  let child: ChildProcess | undefined
  let inVain = 0
  /** Resolves when nothing that was asked for before is left. */
  let before: Promise<unknown> = Promise.resolve()
  const limit = (limitFactor + 1) * silenceLimit

  const end = (): void => {
    child?.kill("SIGKILL")
    child = undefined
  }

  const start = (): ChildProcess => {
    // Asked for here: most looks unpack nothing.
    const { fork } = process.getBuiltinModule("node:child_process")
    const made = fork(programFile(), [], {
      execArgv: [`--max-old-space-size=${memory}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    })
    // Errors while idle surface with the next request.
    made.on("error", () => {})
    return made
  }

  /** The parts of a reply do not say which file they are of, so a file waits for the one before it. */
  const run = (job: UnpackJob, take: (unpacked: Unpacked) => void): Promise<void> => {
    const turn = before.then(() => runNow(job, take))
    before = turn.catch(() => {})
    return turn
  }

  const runNow = async (job: UnpackJob, take: (unpacked: Unpacked) => void): Promise<void> => {
    if (inVain >= mostInVain)
      throw new HeadwayError("left-out", "other files took too long; Headway will try this one again next time")
    if (!child?.connected) child = start()
    const asked = child
    keepWaiting(asked, true)
    process.once("exit", end)
    let failure: Failure | undefined
    try {
      failure = await answered(asked, job, take, silenceLimit)
    } catch (cause) {
      if ((cause as { code?: unknown }).code === tookTooLong) inVain += 1
      // It may still be busy with this file, and must not mix it up with the next.
      end()
      throw cause
    } finally {
      process.off("exit", end)
      keepWaiting(asked, false)
    }
    if (failure) throw errorOf(failure)
  }

  return {
    bytes: (path, onBytes) => run({ as: "bytes", path, limit }, (part) => part.type === "bytes" && onBytes(part.bytes)),
    async rows(path, tables) {
      const rows = new Map<string, unknown[]>(Object.keys(tables).map((table) => [table, []]))
      await run({ as: "rows", path, tables, limit }, (part) => {
        if (part.type === "rows") for (const row of part.rows) rows.get(part.table)?.push(row)
      })
      return Object.fromEntries(rows)
    },
    begin() {
      inVain = 0
    },
    close: end,
  }
}

/** While idle it does not keep this process alive. */
const keepWaiting = (child: ChildProcess, isWanted: boolean): void => {
  for (const part of [child, child.channel]) {
    if (isWanted) part?.ref()
    else part?.unref()
  }
}

const tookTooLong = "took-too-long"

type Failure = Extract<Unpacked, { type: "failed" }>

const errorOf = ({ isOurs, code, message }: Failure): Error =>
  isOurs ? new HeadwayError(code, message) : Object.assign(new Error(message), { code })

/** Resolves when everything was received, or with the reported error. Rejects if the process can no longer be used. */
const answered = (child: ChildProcess, job: UnpackJob, take: (part: Unpacked) => void, silenceLimit: number) =>
  new Promise<Failure | undefined>((resolve, reject) => {
    const finish = (cause: unknown, failure?: Failure): void => {
      for (const timer of [silence, whole]) clearTimeout(timer)
      child.off("error", finish).off("exit", fail).off("message", receive)
      if (cause === undefined) resolve(failure)
      else reject(cause)
    }
    const fail = (): void => finish(new HeadwayError("damaged-file", "its reader crashed"))
    const receive = (part: Unpacked): void => {
      silence.refresh()
      try {
        if (part.type === "done") finish(undefined)
        else if (part.type === "failed") finish(undefined, part)
        else take(part)
      } catch (cause) {
        finish(cause)
      }
    }
    const giveUp = (milliseconds: number): void =>
      finish(new HeadwayError(tookTooLong, `reading it took more than ${milliseconds / 1000} seconds`))
    const silence = setTimeout(giveUp, silenceLimit, silenceLimit)
    const whole = setTimeout(giveUp, silenceLimit * limitFactor, silenceLimit * limitFactor)
    child.on("error", finish).on("exit", fail).on("message", receive)
    child.send(job, (failed) => {
      if (failed) finish(failed)
    })
  })

/** Built, it is beside the other parts of the program; run from source, it is the one the build makes. */
const programFile = (): string => {
  const places = ["../packed/unpacker.mjs", "../../../dist/bin/packed/unpacker.mjs"]
  const path = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync)
  if (path !== undefined) return path
  throw new HeadwayError("incomplete", "a part of Headway is missing here; install it again")
}
