/** The tests' side of `fake-agent.mjs`: how it is called, and a way to tell a running one what to do next. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../stores/temporary.ts"
import { captures } from "../streams/samples.ts"

const program = fileURLToPath(new URL("fake-agent.mjs", import.meta.url))

/** What a recorded client printed. */
export const recordingOf = (name: string): string => join(captures, name, "stdout.jsonl")

export const linesOf = (name: string): string[] => readFileSync(recordingOf(name), "utf8").split("\n").filter(Boolean)

/** The words that run it. */
export const fakeAgent = (recording: string | undefined, ...words: string[]): string[] => [
  process.execPath,
  program,
  ...(recording === undefined ? [] : [recordingOf(recording)]),
  ...words,
]

export type Order = { lines?: number; text?: string; error?: string; leave?: number; parent?: true; exit?: number }

export type Remote = {
  /** The words that run it. */
  command: string[]
  /** Resolves when it has done so, with what it answers to each part of the order. */
  tell(order: Order): Promise<unknown[]>
  /** Resolves when it is gone. */
  gone(): Promise<void>
}

/** An agent that waits to be told. */
export const remoteAgent = (recording: string | undefined, ...words: string[]): Remote => {
  const path = join(temporaryFolder(), "agent.sock")
  const server = createServer().listen(path)
  const connected = once(server, "connection").then(([socket]) => {
    // Who is killed hangs up without a word.
    socket.on("error", () => {})
    server.close()
    const done = createInterface({ input: socket as Socket })[Symbol.asyncIterator]()
    return { socket: socket as Socket, done }
  })
  return {
    command: fakeAgent(recording, "--socket", path, ...words),
    async tell(order) {
      const { socket, done } = await connected
      socket.write(`${JSON.stringify(order)}\n`)
      const { value } = await done.next()
      return typeof value === "string" ? (JSON.parse(value) as unknown[]) : []
    },
    async gone() {
      const { done } = await connected
      while (!(await done.next()).done);
    },
  }
}
