/** The least an MCP client needs. Requests of the server are refused, as by a client without those capabilities. */
import type { ChildProcess } from "node:child_process"
import { createInterface } from "node:readline"

type Message = { id?: number; method?: string; result?: Record<string, unknown>; error?: { message: string } }

export type Client = {
  /** Rejects when the server refuses, ends, or says nothing for a minute. */
  call(method: string, params: object): Promise<Record<string, unknown>>
}

export const connect = async (child: ChildProcess): Promise<Client> => {
  const waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(cause: Error): void }>()
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const failAll = (): void => {
    for (const { reject } of waiting.values()) reject(new Error("the server has ended"))
  }
  child.stdin?.on("error", failAll)
  child.on("error", failAll)
  child.on("close", failAll)
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
    let message: Message
    try {
      message = JSON.parse(line) as Message
    } catch {
      return
    }
    const { id, method, result, error } = message
    if (id === undefined) return
    if (method !== undefined) return send({ id, error: { code: -32_601, message: "Method not found" } })
    const asked = waiting.get(id)
    if (result) asked?.resolve(result)
    else asked?.reject(new Error(error?.message ?? "refused"))
  })
  let last = 0
  const call: Client["call"] = async (method, params) => {
    last += 1
    const id = last
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        timer = setTimeout(() => reject(new Error(`no reply to ${method} within a minute`)), 60_000)
        send({ id, method, params })
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }
  await call("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "compare", version: "1" },
  })
  send({ method: "notifications/initialized" })
  return { call }
}

/** Whether a tool did what it was asked for, by its own account. */
export const isDone = (result: Record<string, unknown>): boolean => result.isError !== true
