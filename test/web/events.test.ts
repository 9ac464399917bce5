/** The stream of changes: what a page gets that was away, that does not read, or that is one of many. */
import { rmSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { EventsLimits } from "../../src/web/events.ts"
import { homeWithAgent } from "../board/live-board.ts"
import { eventsIn, type PageEvent, servingAt } from "./serving.ts"

const serving = async (limits: Partial<EventsLimits> = {}) => {
  const { home, file, says } = homeWithAgent()
  says(1, ["Read", "in_progress"])
  const server = await servingAt(home, { limits: { together: 1, ...limits } })
  const { key } = server.board.row()
  const add = (content: string) => server.edit(key, { edit: { kind: "add", content } })
  const open = async (after?: string) => {
    const headers = { ...server.bearer, ...(after === undefined ? {} : { "last-event-id": after }) }
    return eventsIn(await server.ask("/api/events", { headers }))
  }
  const cursor = async () => (await server.read<{ cursor: string }>("/api/board")).cursor
  return { ...server, key, file, add, open, cursor }
}

/** Whether the one session there is has so many todos now. */
const has =
  (todos: number) =>
  ({ data }: PageEvent): boolean =>
    data.rows[0]?.todos === todos

describe("a stream of changes", () => {
  test("begins with the whole board, and continues with changes", async () => {
    const { open, add, key } = await serving()
    const page = await open()
    const first = await page.next()
    expect(first?.data).toMatchObject({ isWhole: true, gone: [], rows: [{ key, todos: 1 }] })
    await add("Write")
    expect((await page.until(has(2)))?.data).toMatchObject({ isWhole: false, rows: [{ key, todos: 2 }] })
  })

  test("continues from the last position of a page, without repeating or omitting anything", async () => {
    const { open, add, cursor, ask, bearer } = await serving()
    const before = await cursor()
    await add("One")
    await add("Two")
    const page = await open(before)
    const seen: PageEvent[] = []
    await page.until((event) => seen.push(event) > 0 && has(3)(event))
    expect(seen.filter(({ data }) => data.isWhole)).toEqual([])
    // Nothing new: the next thing it gets is the next change.
    const other = eventsIn(await ask(`/api/events?after=${await cursor()}`, { headers: bearer }))
    await add("Three")
    expect((await other.until(has(4)))?.data.isWhole).toBe(false)
  })

  test("sends the whole board to a page that was away too long, or was connected to another run of the server", async () => {
    const { open, add, cursor } = await serving({ changes: 2 })
    const before = await cursor()
    const awake = await open(before)
    for (const [index, content] of ["One", "Two", "Three", "Four"].entries()) {
      await add(content)
      await awake.until(has(index + 2))
    }
    for (const after of [before, "another.1", "nonsense", `${before}99999`, ""]) {
      const page = await open(after)
      expect((await page.next())?.data.isWhole).toBe(true)
      await page.close()
    }
  })

  test("stores nothing for a page that does not read: it catches up with one change", async () => {
    const { open, add } = await serving({ changes: 3 })
    const asleep = await open()
    const awake = await open()
    await awake.next()
    for (let number = 1; number <= 40; number += 1) {
      await add(`Step ${number}`)
      await awake.until(has(number + 1))
    }
    const caughtUp = await asleep.next()
    expect(caughtUp?.data).toMatchObject({ isWhole: true, rows: [{ todos: 41 }] })
  })

  test("keeps two pages equal, whichever of them makes a change", async () => {
    const { open, add } = await serving()
    const [one, other] = [await open(), await open()]
    await Promise.all([one.next(), other.next()])
    await add("From one")
    const [first, second] = await Promise.all([one.until(has(2)), other.until(has(2))])
    expect(first).toBeDefined()
    expect(first).toEqual(second)
  })

  test("sends signs of life when nothing happens, and ends with the server", async () => {
    const { ask, bearer, handler } = await serving({ beat: 5 })
    const { body } = await ask("/api/events", { headers: bearer })
    const reader = body?.getReader()
    let text = ""
    while (!text.includes(": still here")) text += new TextDecoder().decode((await reader?.read())?.value)
    handler.close()
    let isDone = false
    while (!isDone) isDone = (await reader?.read())?.done ?? true
    expect(isDone).toBe(true)
  })

  test("serves a hundred pages, and one too many has to wait; one that leaves makes room", async () => {
    const { open, add, ask, bearer } = await serving({ pages: 100 })
    const pages = await Promise.all(Array.from({ length: 100 }, () => open()))
    await Promise.all(pages.map((page) => page.next()))
    const refused = await ask("/api/events", { headers: bearer })
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"])
    await pages[0]?.close()
    expect((await ask("/api/events", { headers: bearer })).status).toBe(200)
    await add("For all")
    const told = await Promise.all(pages.slice(1).map((page) => page.until(has(2))))
    expect(new Set(told.map((event) => event?.id)).size).toBe(1)
    expect(told[0]).toBeDefined()
  })

  test("is not opened by a HEAD request", async () => {
    const { ask, bearer } = await serving({ pages: 2 })
    for (let count = 0; count < 3; count += 1)
      expect((await ask("/api/events", { method: "HEAD", headers: bearer })).status).toBe(200)
    expect((await ask("/api/events", { headers: bearer })).status).toBe(200)
  })

  test("reports a session that disappears", async () => {
    const { open, key, file } = await serving()
    const page = await open()
    await page.next()
    rmSync(file)
    expect(await page.until(({ data }) => data.gone.includes(key))).toBeDefined()
  })
})
