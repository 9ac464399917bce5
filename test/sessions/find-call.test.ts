/** Calls that are looked for in session files: each file is read once, within a limit, and again only when it has changed. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { type ClientCalls, findCallsOf } from "../../src/sessions/lookup/find-call.ts"
import { createSearched, type Searched } from "../../src/sessions/lookup/searched-files.ts"
import { sources } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const source = sources["qwen-code"]

let home = ""
beforeEach(() => {
  home = temporaryFolder()
})

const args = (content: string) => ({ todos: [{ content }] })

const write = (sessionId: string, ...contents: string[]): void => {
  const path = join(home, ".qwen", "projects", "-shop", "chats", `${sessionId}.jsonl`)
  const lines = contents.map((content) => {
    const call = { functionCall: { id: content, name: "mcp__headway__todo", args: args(content) } }
    const message = { role: "model", parts: [call] }
    const about = { uuid: "u", sessionId, timestamp: new Date().toISOString(), cwd: home, version: "0.24.4" }
    return `${JSON.stringify({ ...about, type: "assistant", message })}\n`
  })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.join(""))
}

const client = (...contents: string[]): ClientCalls => ({
  folder: home,
  calls: contents.map((content) => ({ tool: "todo", input: args(content), at: new Date() })),
})

const look = (clients: readonly ClientCalls[], searched: Searched) =>
  findCallsOf(clients, { source, env: {}, home, searched })

/** Counts how often each file may be read, and says what was kept. */
const counting = (options: Parameters<typeof createSearched>[0] = {}) => {
  const searched = createSearched(options)
  const read: string[] = []
  const keep: Searched["keep"] = (found, ...rest) => {
    read.push(found.path.slice(-9, -6))
    searched.keep(found, ...rest)
  }
  return { searched: { ...searched, keep }, read, text: searched.text }
}

const owned = (session: string) => ({ isWhole: true, owner: { session, agent: "main" } })

describe("the calls of many clients", () => {
  const contents = Array.from({ length: 100 }, (_, index) => `Step ${index}`)

  test("are found with one reading of each file", async () => {
    write("q-1", ...contents.slice(0, 50))
    write("q-2", ...contents.slice(50))
    const { searched, read } = counting()
    const looked = await look(
      contents.map((content) => client(content)),
      searched,
    )
    expect(looked).toEqual(contents.map((_, index) => owned(index < 50 ? "q-1" : "q-2")))
    expect(read.toSorted()).toEqual(["q-1", "q-2"])
  })

  test("are searched again only in files that have changed, or that were not searched for them", async () => {
    write("q-1", "Read")
    write("q-2", "Write")
    const [one, other] = [client("Read"), client("Publish")]
    const first = counting()
    expect(await look([one, other], first.searched)).toEqual([owned("q-1"), { isWhole: true }])
    const second = counting({ kept: first.text() })
    expect(await look([one, other], second.searched)).toEqual([owned("q-1"), { isWhole: true }])
    expect([second.read, second.text()]).toEqual([[], undefined])
    write("q-2", "Write", "Publish")
    const third = counting({ kept: first.text() })
    expect(await look([one, other], third.searched)).toEqual([owned("q-1"), owned("q-2")])
    expect(third.read).toEqual(["q-2"])
    const fourth = counting({ kept: third.text() })
    expect(await look([client("Write")], fourth.searched)).toEqual([owned("q-2")])
    expect(fourth.read.toSorted()).toEqual(["q-1", "q-2"])
  })

  test("are found by several searches where one may not read everything, and belong to no one before", async () => {
    for (const session of ["q-1", "q-2", "q-3"]) write(session, "Read", session)
    const clients = [client("Read"), client("Read", "q-1")]
    let kept: string | undefined
    for (const isWhole of [false, false, true]) {
      const { searched, read, text } = counting({ kept, mostBytes: 1 })
      const looked = await look(clients, searched)
      expect(looked).toEqual(isWhole ? [{ isWhole }, owned("q-1")] : [{ isWhole }, { isWhole }])
      expect(read).toHaveLength(1)
      kept = text()
    }
  })

  test.each(["", "{", "[1]", '[{"path":"x"}]', '[{"path":7,"stamp":[1,2,3],"took":0,"at":0,"makers":[["a"]]}]'])(
    "are found though the cache of earlier searches is damaged: %s",
    async (kept) => {
      write("q-1", "Read")
      expect(await look([client("Read")], createSearched({ kept }))).toEqual([owned("q-1")])
    },
  )
})

test("a file that took long is skipped for a while, though it changes", async () => {
  write("q-1", "Write")
  const clients = [client("Read")]
  const at = (seconds: number): Date => new Date(1_900_000_000_000 + seconds * 1000)
  const first = createSearched({ now: at(0) })
  const slow: Searched = { ...first, keep: (found, makers) => first.keep(found, makers, 3_000) }
  expect(await look(clients, slow)).toEqual([{ isWhole: true }])
  write("q-1", "Write", "Read")
  const later = (seconds: number) => look(clients, createSearched({ kept: first.text(), now: at(seconds) }))
  expect([await later(1), await later(59), await later(61)]).toEqual([
    [{ isWhole: false }],
    [{ isWhole: false }],
    [owned("q-1")],
  ])
})
