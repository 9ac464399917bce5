/** `headway serve` as a real process: its address, and the key that a client needs. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { createInterface } from "node:readline"
import { filesIn } from "./home-check.ts"
import type { Machine } from "./machine.ts"
import type { Served } from "./mcp-client.ts"

export type Server = Served & { child: ChildProcess }

export const startServer = async (machine: Machine, words: readonly string[] = []): Promise<Server> => {
  const child = machine.start(["serve", "--port", "0", ...words])
  child.stderr?.resume()
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  const line = await Promise.race([
    lineWith(lines, mcpPath),
    once(child, "close").then(([code]) => Promise.reject(new Error(`headway serve ended with ${code}.`))),
  ])
  const printed = new URL(/https?:\/\/\S+/.exec(line)?.[0] ?? line)
  const key = printed.searchParams.get("token") ?? keyIn(machine.headwayHome)
  printed.search = ""
  return { child, url: printed, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } }
}

const mcpPath = "/mcp"

const lineWith = async (lines: AsyncIterable<string>, words: string): Promise<string> => {
  for await (const line of lines) if (line.includes(words)) return line
  return ""
}

/** The key rests in a file that only its owner can read. */
const keyIn = (home: string): string | undefined => {
  const path = filesIn(home).find((one) => /token/i.test(one))
  if (path === undefined) return undefined
  if ((statSync(path).mode & 0o077) !== 0) throw new Error(`${path} can be read by others.`)
  const text = readFileSync(path, "utf8").trim()
  return /^[\w-]+$/.test(text) ? text : (/"token":\s*"([^"]+)"/.exec(text)?.[1] ?? text)
}
