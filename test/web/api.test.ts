/** What the page is told of sessions, and what becomes of its edits. */
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, test } from "vitest"
import {
  boardSchema,
  type EditReply,
  type HistoryReply,
  historySchema,
  type Moment,
  momentSchema,
  type SessionReply,
  sessionSchema,
} from "../../src/web/api.ts"
import { openApi, operations } from "../../src/web/openapi.ts"
import { homeWith, homeWithAgent } from "../board/live-board.ts"
import { codeOf, servingAt } from "./serving.ts"

const serving = async (...items: [content: string, status: string][]) => {
  const { home, says } = homeWithAgent()
  says(
    1,
    ...(items.length > 0
      ? items
      : ([
          ["Read", "in_progress"],
          ["Write", "pending"],
          ["Test", "pending"],
        ] as [string, string][])),
  )
  const server = await servingAt(home)
  const { key } = server.board.row()
  const path = `/api/sessions/${encodeURIComponent(key)}`
  const change = async (edit: object, seen?: object[]): Promise<EditReply> =>
    (await (await server.edit(key, { edit, ...(seen ? { seen } : {}) })).json()) as EditReply
  return { ...server, says, key, path, change }
}

describe("the data for the page", () => {
  test("matches its description, for the sessions of every agent", async () => {
    const { read, rows } = await servingAt(
      homeWith("claude-2.1.197/subagents-todowrite", "codex-0.166.0/plan", "codex-0.166.0/subagent"),
    )
    boardSchema.strict().parse(await read("/api/board"))
    const all = await rows()
    expect(all.length).toBeGreaterThan(3)
    for (const { key } of all) {
      const path = `/api/sessions/${encodeURIComponent(key)}`
      sessionSchema.strict().parse(await read(path))
      historySchema.strict().parse(await read(`${path}/history`))
    }
  })

  test("has a description with every address and complete schemas", async () => {
    const { ask, bearer } = await serving()
    const description = openApi("1") as { components: { schemas: Record<string, object> } }
    const ajv = new Ajv2020({ strict: false })
    for (const [name, schema] of Object.entries(description.components.schemas))
      ajv.addSchema({ ...schema, components: description.components }, name)
    for (const name of Object.keys(description.components.schemas)) expect(ajv.getSchema(name)).toBeTypeOf("function")
    expect(await (await ask("/openapi.json")).json()).toMatchObject({ openapi: "3.1.0" })
    for (const [path, methods] of Object.entries(operations))
      for (const method of Object.keys(methods)) {
        const asked = path.replace(/\{\w+\}/g, "none")
        const response = await ask(asked, {
          method: method.toUpperCase(),
          headers: { ...bearer, origin: "http://127.0.0.1:4774" },
        })
        const body = response.headers.get("content-type")?.includes("json") ? await response.text() : ""
        expect(body).not.toContain("There is nothing at this address.")
        await response.body?.cancel().catch(() => {})
      }
  })

  test("is not found at an unknown address", async () => {
    const { ask, bearer, path } = await serving()
    expect(await codeOf(await ask("/api/sessions/none", { headers: bearer }))).toEqual([404, "no-session"])
    expect(await codeOf(await ask(`${path}/history/none`, { headers: bearer }))).toEqual([404, "no-entry"])
    expect(await codeOf(await ask("/api/none", { headers: bearer }))).toEqual([404, "not-found"])
    expect(await codeOf(await ask("/api/sessions/%E0%A4%A", { headers: bearer }))).toEqual([404, "no-session"])
  })

  test("has addresses for the views of the page", async () => {
    const { ask, bearer } = await serving()
    for (const path of ["/", "/projects", "/session/x", "/search?q=a", "/devices"])
      expect((await ask(path)).headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect((await ask("/assets/none.js", { headers: bearer })).status).toBe(404)
  })
})

describe("an edit of the page", () => {
  test("reports whether it changed anything, and is a person's", async () => {
    const { change, board, read, path } = await serving()
    expect(await change({ kind: "toggle", todo: "1" })).toMatchObject({
      outcome: "changed",
      message: expect.stringContaining('finished "Read"'),
    })
    expect(await change({ kind: "reword", todo: "2", content: "Write" })).toMatchObject({ outcome: "unchanged" })
    expect(await change({ kind: "reword", todo: "2", content: "  " })).toEqual({
      outcome: "refused",
      message: "A todo needs text.",
    })
    for (const edit of [
      { kind: "reword", todo: "2", content: "Write it" },
      { kind: "block", todo: "3", reason: "no key" },
      { kind: "note", todo: "3", text: "Ask Ada" },
      { kind: "add", content: "Ship", after: "2" },
      { kind: "drop", todo: "2", reason: "done elsewhere" },
      { kind: "undo" },
      { kind: "redo" },
      { kind: "move", todo: "3", by: -1 },
      { kind: "place", todo: "3" },
      { kind: "start", todo: "3" },
      { kind: "rename", title: "The login" },
    ])
      expect(await change(edit)).toMatchObject({ outcome: "changed" })
    expect(await board.todos()).toEqual(["in_progress Test", "completed Read", "cancelled Write it", "pending Ship"])
    expect(board.row().title).toBe("The login")
    const { entries } = await read<HistoryReply>(`${path}/history`)
    expect(entries.slice(1).every(({ by, name }) => by === "person" && name === "You")).toBe(true)
    // What was undone before the agent was told, and the undoing of it, are nothing to tell.
    const nothingToTell = entries.slice(1).filter(({ isTold }) => isTold === undefined)
    expect(nothingToTell.flatMap(({ lines }) => lines)).toEqual([
      'dropped "Write it": "done elsewhere"',
      'reopened "Write it"',
    ])
    expect(entries.every(({ isTold }) => isTold !== true)).toBe(true)
    expect(await read<SessionReply>(path)).toMatchObject({
      hearing: "Claude Code does not see your changes, because it is not connected to Headway.",
      connect: "headway setup claude",
    })
  })

  test("is undone by its entry, also when another was made since", async () => {
    const { change, board } = await serving()
    const { entry } = await change({ kind: "toggle", todo: "1" })
    expect(await change({ kind: "reword", todo: "2", content: "Write by Ada" })).toMatchObject({ outcome: "changed" })
    const undo = { kind: "undo", entry }
    expect(await change(undo)).toMatchObject({ outcome: "changed", message: expect.stringContaining('"Read"') })
    expect(await board.todos()).toEqual(["in_progress Read", "pending Write by Ada", "pending Test"])
    expect(await change(undo)).toEqual({
      outcome: "refused",
      message: "That edit was already undone, or is no longer there.",
    })
    expect(await board.todos()).toEqual(["in_progress Read", "pending Write by Ada", "pending Test"])
  })

  test("puts a todo after another, into its phase", async () => {
    const { change, board } = await serving()
    expect(await change({ kind: "place", todo: "1", after: "3" })).toMatchObject({ outcome: "changed" })
    expect(await board.todos()).toEqual(["pending Write", "pending Test", "in_progress Read"])
    expect(await change({ kind: "place", todo: "1", after: "3" })).toMatchObject({ outcome: "unchanged" })
    expect(await change({ kind: "place", todo: "1", after: "gone" })).toMatchObject({ outcome: "refused" })
    expect(await change({ kind: "place", todo: "1" })).toMatchObject({ outcome: "changed" })
    expect(await board.todos()).toEqual(["in_progress Read", "pending Write", "pending Test"])
  })

  test("of a todo that has become another one is refused, and the other person's stays", async () => {
    const { change, board } = await serving()
    const seen = [{ id: "2", content: "Write", status: "pending" }]
    expect(await change({ kind: "reword", todo: "2", content: "Write by Ada" }, seen)).toMatchObject({
      outcome: "changed",
    })
    expect(await change({ kind: "reword", todo: "2", content: "Write by Bob" }, seen)).toEqual({
      outcome: "refused",
      message: "That todo was changed in the meantime, so nothing was done.",
    })
    expect(await board.todos()).toContain("pending Write by Ada")
  })

  test("of a todo with hidden characters recognises it by the shown text", async () => {
    const { change, read, path } = await serving(["Pay\u001b[31m the\u202e bill", "pending"])
    const { plan } = await read<SessionReply>(path)
    const [todo] = plan?.todos ?? []
    expect(todo?.content).toBe("Pay the bill")
    expect(
      await change({ kind: "toggle", todo: todo?.id }, [
        { id: todo?.id, content: todo?.content, status: todo?.status },
      ]),
    ).toMatchObject({ outcome: "changed" })
  })

  test("works in every script, in long todos and among five thousand", async () => {
    const long = "ד".repeat(4_000)
    const { change, read, path } = await serving(
      ...Array.from({ length: 5_000 }, (_, index): [string, string] => [`Step ${index}`, "pending"]),
    )
    for (const content of ["👩‍👩‍👧 סיים את הבדיקה", long]) {
      expect(await change({ kind: "add", content, after: "1" })).toMatchObject({ outcome: "changed" })
    }
    const { plan } = await read<SessionReply>(path)
    expect(plan?.todos.slice(1, 3).map(({ content }) => content)).toEqual([long, "👩‍👩‍👧 סיים את הבדיקה"])
  })
})

describe("the history of a plan", () => {
  test("has a bar for each todo, and the plan as it was after each entry", async () => {
    const { change, read, path } = await serving()
    await change({ kind: "toggle", todo: "1" })
    await change({ kind: "start", todo: "2" })
    const { entries, spans } = await read<HistoryReply>(`${path}/history`)
    expect(spans.map(({ content, status, to }) => [content, status, to === undefined])).toEqual([
      ["Read", "in_progress", false],
      ["Read", "completed", false],
      ["Write", "in_progress", true],
    ])
    const states = await Promise.all(
      entries.map(async ({ id }) => {
        const moment = await read<Moment>(`${path}/history/${id}`)
        return momentSchema.parse(moment).plan.todos.map(({ status }) => status)
      }),
    )
    expect(states).toEqual([
      ["in_progress", "pending", "pending"],
      ["completed", "pending", "pending"],
      ["completed", "in_progress", "pending"],
    ])
  })

  test("of a session that is only read has the bars of its lines", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"])
    says(5, ["Read", "completed"], ["Write", "in_progress"])
    const { board, read } = await servingAt(home)
    const path = `/api/sessions/${encodeURIComponent(board.row().key)}`
    await read(path)
    await board.until(async () => (await read<HistoryReply>(`${path}/history`)).spans.length === 2)
    const { entries, spans } = await read<HistoryReply>(`${path}/history`)
    expect(entries).toEqual([])
    expect(spans.map(({ content, to }) => [content, to === undefined])).toEqual([
      ["Read", false],
      ["Write", true],
    ])
  })
})
