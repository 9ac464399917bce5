/** The real environment: this process's streams, variables and clock. */
import { fstatSync, readSync, type Stats, writeSync } from "node:fs"
import { fullPath } from "../home/paths/full-path.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Outside } from "./io.ts"
import { sayText } from "./output/say.ts"

/** Writes synchronously: a short command may end before a stream has drained. */
const print = (descriptor: 1 | 2, text: string): void => {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // A reader that has seen enough (`| head`) is not an error; a full pipe only needs time.
      if (code === "EPIPE") process.exit(0)
      if (code !== "EAGAIN") throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Prints an unexpected error, sanitised, because its text may come from a file. Ends the process. */
export const failUnforeseen = (cause: unknown): never => {
  // A full-screen view restores the terminal first, or it would erase the message.
  process.emit("exit", 1)
  process.removeAllListeners("exit")
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  print(2, sayText(`internal error:\n${text}`))
  process.exit(1)
}

/** In milliseconds. */
const longestAfterwards = 1_000

/**
 * Ends the process after a command. Everything the command opened is closed by now; only a database that does not answer can keep
 * the process running, so it is given a moment and not the full time limit of its connection.
 */
export const endWith = (code: number): void => {
  process.exitCode = code
  if (process.getActiveResourcesInfo().length === 0) return
  const end = (): void => {
    const isPrinted = process.stdout.writableLength + process.stderr.writableLength === 0
    if (isPrinted) process.exit()
    else setTimeout(end, longestAfterwards).unref()
  }
  setTimeout(end, longestAfterwards).unref()
}

/** A writer that continues beyond this limit is endless and is not waited for. */
const longestRest = 1024 * 1024 * 1024

const readInput = async (mostBytes = Number.POSITIVE_INFINITY, mostDropped = longestRest): Promise<string> => {
  const kept: Buffer[] = []
  let size = 0
  /** Returns false to stop reading. */
  const take = (part: Buffer): boolean => {
    if (size < mostBytes) kept.push(part.subarray(0, mostBytes - size))
    size += part.length
    return part.length > 0 && size < mostBytes + mostDropped
  }
  try {
    while (take(nextPart())) {}
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EAGAIN") return ""
    for await (const chunk of process.stdin) if (!take(chunk as Buffer)) break
  }
  return textOf(kept)
}

const room = 64 * 1024

/** Copied, as small pieces would hold on to the room of large ones. */
const nextPart = (): Buffer => {
  const part = Buffer.allocUnsafeSlow(room)
  const count = readSync(0, part)
  return count === room ? part : Buffer.from(part.subarray(0, count))
}

/** Empty if it exceeds the maximum string length. */
const textOf = (parts: readonly Buffer[]): string => {
  try {
    return Buffer.concat(parts).toString("utf8")
  } catch {
    return ""
  }
}

/** How long to wait for input before it counts as empty, in milliseconds. */
const silenceLimit = 100
/** The total time limit for a writer that keeps sending small pieces. */
const longestHintTime = 1000
/** More than any agent passes along; of what is longer only the beginning is read. */
const longestHint = 1024 * 1024

/**
 * A pipe may stay open forever, so it is read as data arrives; a complete JSON value needs no end of input. The
 * launcher's pipe does end.
 */
const readHint = (): Promise<string> => {
  const about = statOf(0)
  if (about?.isFile() || process.env.HEADWAY_LAUNCHER === "whole") return readInput(longestHint, 0)
  if (!about?.isFIFO() && !about?.isSocket()) return Promise.resolve("")
  return new Promise((resolve) => {
    let text = ""
    const finish = (): void => {
      clearTimeout(silence)
      clearTimeout(end)
      process.stdin.destroy()
      resolve(text)
    }
    const silence = setTimeout(finish, silenceLimit)
    const end = setTimeout(finish, longestHintTime)
    process.stdin.setEncoding("utf8")
    process.stdin.on("data", (chunk: string) => {
      text += chunk
      silence.refresh()
      if (text.length >= longestHint || isWhole(text)) finish()
    })
    process.stdin.on("end", finish)
    process.stdin.on("error", finish)
  })
}

const isWhole = (text: string): boolean => {
  if (!text.trimEnd().endsWith("}")) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const statOf = (descriptor: number): Stats | undefined => {
  try {
    return fstatSync(descriptor)
  } catch {
    return undefined
  }
}

/** A command that listens to the signal ends by itself; at a second one the process ends as it would without a listener. */
const stopped = (): AbortSignal => {
  const controller = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort())
  // Node ignores nohup. A process without a terminal loses nothing when it hangs up.
  const { isTerminal } = processIo
  if (!isTerminal.in && !isTerminal.out && !isTerminal.err) process.on("SIGHUP", () => {})
  return controller.signal
}

const onSignal = (listener: (signal: NodeJS.Signals) => void): (() => void) => {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const
  for (const name of names) process.on(name, listener)
  return () => {
    for (const name of names) process.off(name, listener)
  }
}

let isUnread = false

/** Unlike `print` it leaves the process free to receive signals while the reader is busy. */
const pour = (text: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", () => {})
    process.stdout.write(text, (failed) => {
      isUnread ||= failed !== null && failed !== undefined
      resolve(!isUnread)
    })
  })

/** Cheap, so that a pipe never pays for the terminal's module. */
const mayBeTerminal = (descriptor: 0 | 1 | 2): boolean => statOf(descriptor)?.isCharacterDevice() ?? false

/** An empty or relative HOME would depend on the current folder, which may be an untrusted repository. */
const homeHere = (): string => {
  const { homedir, userInfo } = process.getBuiltinModule("node:os")
  return fullPath(homedir()) ?? userInfo().homedir
}

const folderHere = (): string => {
  try {
    return process.cwd()
  } catch (cause) {
    const message = "The folder you are in no longer exists, or you may not read its path. Change to another one."
    throw new HeadwayError("no-folder", message, { cause })
  }
}

export const processIo: Outside = {
  out: (text) => print(1, text),
  err: (text) => print(2, text),
  pour,
  input: readInput,
  hint: readHint,
  chunks: () => process.stdin,
  env: process.env,
  get cwd() {
    return folderHere()
  },
  get home() {
    return homeHere()
  },
  now: () => new Date(),
  stopped,
  onSignal,
  terminal: () => ({ output: process.stdout, input: process.stdin }),
  isTerminal: {
    get in() {
      return mayBeTerminal(0) && process.stdin.isTTY
    },
    get out() {
      return mayBeTerminal(1) && process.stdout.isTTY
    },
    get err() {
      return mayBeTerminal(2) && process.stderr.isTTY
    },
  },
  get columns() {
    return mayBeTerminal(1) && process.stdout.isTTY ? process.stdout.columns || undefined : undefined
  },
}
