/** The real outside: this process's streams, environment and clock. */
import { readFileSync, writeSync } from "node:fs"
import { homedir } from "node:os"
import { isatty } from "node:tty"
import type { Io } from "./io.ts"

/** Writes at once and whole: a short command may end before a stream has drained. */
const print = (descriptor: 1 | 2, text: string): void => {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // A reader that has seen enough (`| head`) is no error; a full pipe only wants patience.
      if (code === "EPIPE") process.exit(0)
      if (code !== "EAGAIN") throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const readInput = async (): Promise<string> => {
  try {
    return readFileSync(0, "utf8")
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== "EAGAIN") return ""
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString("utf8")
  }
}

export const processIo: Io = {
  out: (text) => print(1, text),
  err: (text) => print(2, text),
  input: readInput,
  env: process.env,
  get cwd() {
    return process.cwd()
  },
  get home() {
    return homedir()
  },
  now: () => new Date(),
  isTerminal: { in: isatty(0), out: isatty(1) },
  get columns() {
    return isatty(1) ? process.stdout.columns : undefined
  },
}
