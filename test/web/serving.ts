/** The page's handler over a real board and a real home, asked with plain requests. */
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { openDevices } from "../../src/home/serve/devices.ts"
import { makeToken } from "../../src/home/serve/token.ts"
import type { Row } from "../../src/web/api.ts"
import { createHandler, type HandlerOptions } from "../../src/web/handler.ts"
import { loadPage } from "../../src/web/page.ts"
import { boardAt, type WatchedBoard } from "../board/live-board.ts"

export const origin = "http://127.0.0.1:4774"

export type Asked = RequestInit & { path?: string }

export const servingAt = async (home: string, options: Partial<HandlerOptions> = {}) => {
  const board: WatchedBoard = await boardAt(home)
  const current: { token: string | undefined } = { token: makeToken() }
  const clock = { time: Date.parse("2026-11-15T19:00:00Z") }
  const devices = openDevices(join(home, ".headway"), () => new Date(clock.time))
  const handler = createHandler({
    board,
    devices,
    token: () => current.token,
    page: loadPage(join(home, "no-page")),
    isHost: (name) => name === "127.0.0.1" || name === "localhost" || name === "192.168.1.20",
    find: async () => [],
    resumeOf: () => undefined,
    openInAgent: async () => ({ isOpened: false, message: "" }),
    now: () => clock.time,
    version: "1",
    ...options,
  })
  onTestFinished(handler.close)
  const ask = (path: string, init: RequestInit = {}, address = "127.0.0.1") =>
    handler.handle(new Request(new URL(path, origin), init), { address })
  const bearer = { authorization: `Bearer ${current.token}` }
  const read = async <Value>(path: string): Promise<Value> =>
    (await (await ask(path, { headers: bearer })).json()) as Value
  /** A browser that opened the printed address. */
  const browser = async () => cookieIn(await ask(`/?token=${current.token}`))
  const edit = async (key: string, body: unknown, headers: Record<string, string> = bearer) =>
    ask(`/api/sessions/${encodeURIComponent(key)}/edits`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    })
  const rows = async (): Promise<Row[]> => (await read<{ rows: Row[] }>("/api/board")).rows
  return { board, handler, current, clock, devices, ask, read, rows, browser, edit, bearer }
}

/** What a browser sends back of the cookie it was given. */
export const cookieIn = (response: Response): { cookie: string } => ({
  cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
})

export const codeOf = async (response: Response): Promise<[status: number, code: string]> => {
  const { error } = (await response.json()) as { error: { code: string } }
  return [response.status, error.code]
}

export type PageEvent = { id: string; data: { rows: Row[]; gone: string[]; isWhole: boolean; notice?: string } }

/** Reads a stream of events as a browser does. */
export const eventsIn = (response: Response) => {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ""
  const next = async (): Promise<PageEvent | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const field = (name: string): string | undefined =>
          block
            .split("\n")
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        if (field("event") !== "change") continue
        return { id: field("id") ?? "", data: JSON.parse(field("data") ?? "{}") }
      }
      const read = await reader?.read()
      if (!read || read.done) return undefined
      text += decoder.decode(read.value, { stream: true })
    }
  }
  /** The next change that says so. */
  const until = async (holds: (event: PageEvent) => boolean): Promise<PageEvent | undefined> => {
    let event = await next()
    while (event && !holds(event)) event = await next()
    return event
  }
  return { next, until, close: () => reader?.cancel() }
}
