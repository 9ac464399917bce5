/** What people typed is found in every format, and searching goes by all that sessions say. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import { loadSources, loadStream } from "../../src/agents/index.ts"
import { createUnpacker } from "../../src/sessions/packed/unpack.ts"
import { readPrompts } from "../../src/sessions/search/prompts.ts"
import { createSearch } from "../../src/sessions/search/search.ts"
import { createTextIndex } from "../../src/sessions/search/text-index.ts"
import type { IndexFile } from "../../src/sessions/session-index.ts"
import { promptText } from "../../src/sessions/title.ts"
import { walk } from "../../src/sessions/walk.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"

const recorded = resolve("test/fixtures/streams")

/** The session files of all recordings that are lines. */
const files = await (async () => {
  const sources = Object.values(await loadSources())
  const homes = readdirSync(recorded)
    .flatMap((version) => readdirSync(join(recorded, version)).map((name) => join(recorded, version, name, "home")))
    .filter((home) => existsSync(home))
  return homes.flatMap((home) =>
    sources.flatMap((source) =>
      source
        .homes({}, home)
        .flatMap((folder) =>
          walk(source, folder, () => {}).found.filter(
            ({ place, path }) => place.reading.as === "lines" && !path.endsWith(".zst"),
          ),
        ),
    ),
  )
})()

describe("what people typed", () => {
  test("has recordings of several agents", () => {
    expect(new Set(files.map(({ source }) => source.agentType)).size).toBeGreaterThan(4)
  })

  test("is the same whether all lines are read or only the relevant ones", async () => {
    const unpacker = createUnpacker()
    const found = new Set<string>()
    for (const file of files) {
      const { reading } = file.place
      const stream = reading.as === "lines" ? await loadStream(reading.stream) : undefined
      if (!stream) continue
      const text = readFileSync(file.path, "utf8")
      const reader = stream.open()
      const lines = stream.isDocument ? [text] : text.split("\n").slice(0, -1)
      const asked = lines
        .flatMap((line) => reader.read(line))
        .flatMap((signal) =>
          signal.type === "session" && signal.asked !== undefined ? [promptText(signal.asked)] : [],
        )
        .filter((prompt) => prompt !== "")
      const { texts } = await readPrompts(file, { known: undefined, unpacker })
      expect(texts, file.path).toEqual(asked.filter((prompt, index) => prompt !== asked[index - 1]))
      if (texts.length > 0) found.add(file.source.agentType)
    }
    unpacker.close()
    expect([...found]).toEqual(
      expect.arrayContaining([
        ...["claude-code", "openai-codex", "google-gemini", "qwen-code", "oh-my-pi"],
        ...["kimi-code", "github-copilot", "grok", "pi", "cline", "continue-cli"],
      ]),
    )
  })
})

describe("what people typed in sessions of a database", () => {
  const recording = join(recorded, "kilo-7.7.7/todowrite/home/.local/share/kilo/kilo.db")
  const session = "ses_e1daee21effeUNEOnTaEKQ1qfd"

  const withDatabase = () => {
    const home = temporaryFolder()
    const path = join(home, ".local/share/kilo/kilo.db")
    const child = { directory: "/p", version: "7.7.7", time_created: 1, time_updated: 1 }
    writeOpencodeDatabase(recording, path, [
      { ...child, id: "ses_other", title: "Another" },
      { ...child, id: "ses_child", parent_id: session, title: "Find (@explore subagent)" },
    ])
    const type = (owner: string, id: string, text: string, role = "user"): void => {
      const database = new Database(path)
      const message = JSON.stringify({ role, time: { created: 1 } })
      database.prepare("insert into message values (?, ?, 1, 1, ?)").run(`msg_${id}`, owner, message)
      const part = JSON.stringify({ type: "text", text })
      database.prepare("insert into part values (?, ?, ?, 1, 1, ?)").run(`prt_${id}`, `msg_${id}`, owner, part)
      database.close()
    }
    const one = { session, agent: "main", path, updated: "2030-01-01T10:00:00Z" }
    const all = [one, { ...one, session: "ses_other" }, { ...one, agent: "ses_child" }]
    const file = memoryFile()
    const find = async (...words: string[]) =>
      (await createSearch({ env: {}, home, file }).find(words, all)).map(
        ({ one, lines }) => `${one.session} ${one.agent}: ${lines.map(({ text }) => text).join(" / ")}`,
      )
    return { find, type, file }
  }

  test("is found in the session and with the agent it was typed to, without the agent's text", async () => {
    const { find, type } = withDatabase()
    type("ses_other", "a", "Now the cellar")
    type("ses_child", "b", "Look for the cellar door")
    expect(await find("work")).toEqual([`${session} main: "Do the work."`])
    expect((await find("cellar")).sort()).toEqual([
      `${session} ses_child: Look for the cellar door`,
      "ses_other main: Now the cellar",
    ])
    expect(await find("shall")).toEqual([])
  })

  test("is cached until the database changes", async () => {
    const { find, type, file } = withDatabase()
    await find("work")
    expect([await find("work"), file.saved]).toEqual([[`${session} main: "Do the work."`], 1])
    type(session, "c", "And the cellar")
    expect(await find("cellar")).toEqual([`${session} main: And the cellar`])
    // The last one to close the database moves its log into it, which is another change.
    await find("work")
    const { saved } = file
    expect([await find("work"), file.saved]).toEqual([[`${session} main: "Do the work."`], saved])
    expect(saved).toBeGreaterThan(1)
  })
})

test("a prompt is found in any of the files of a session", async () => {
  const home = temporaryFolder()
  const folder = join(home, ".cline/data/sessions/c1")
  mkdirSync(folder, { recursive: true })
  const about = {
    session_id: "c1",
    workspace_root: "/p",
    started_at: "2030-01-01",
    messages_path: "m",
    prompt: "Begin",
  }
  writeFileSync(join(folder, "c1.json"), JSON.stringify(about))
  const promptLine = (text: string) => ({
    role: "user",
    content: [{ type: "text", text: `<user_input mode="act">${text}</user_input>` }],
  })
  const messages = {
    sessionId: "c1",
    agent: "lead",
    origin: {},
    messages: [promptLine("Begin"), promptLine("Go to the cellar")],
  }
  writeFileSync(join(folder, "c1.messages.json"), JSON.stringify(messages))
  const one = { session: "c1", agent: "main", path: join(folder, "c1.json"), updated: "2030-01-01T10:00:00Z" }
  const [found] = await createSearch({ env: {}, home }).find(["cellar"], [one])
  expect(found?.lines).toEqual([{ in: "prompt", text: "Go to the cellar" }])
})

const line = (content: string): string =>
  `${JSON.stringify({ type: "user", uuid: content, sessionId: "s-1", isSidechain: false, cwd: "/shop", version: "2.1.0", timestamp: "2030-01-01T10:00:00Z", message: { role: "user", content } })}\n`

const memoryFile = (): IndexFile & { text: string | undefined; saved: number } => ({
  text: undefined,
  saved: 0,
  load() {
    return this.text
  },
  save(text) {
    this.text = text
    this.saved += 1
  },
})

const withFile = (...prompts: string[]) => {
  const home = temporaryFolder()
  const folder = join(home, ".claude/projects/-shop")
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "s-1.jsonl")
  writeFileSync(path, prompts.map(line).join(""))
  const list = { stamp: "1", read: async () => ["Pay the invoice", "Äpfel kaufen"] }
  const one = { session: "s-1", agent: "main", title: "Repair the login", path, updated: "2030-01-01T10:00:00Z", list }
  return { home, path, one }
}

describe("a search", () => {
  test.each([
    [["LOGIN"], { in: "title", text: "Repair the login" }],
    [["address"], { in: "prompt", text: "Change the address too" }],
    [["äpfel"], { in: "todo", text: "Äpfel kaufen" }],
    [["A\u0308PFEL"], { in: "todo", text: "Äpfel kaufen" }],
    [["the address"], { in: "prompt", text: "Change the address too" }],
    [['say "yes"'], { in: "prompt", text: 'They say "yes" \\ no' }],
  ])("for %j finds the line that contains it", async (words, expected) => {
    const { home, one } = withFile("Look at this:\nChange the address too", 'They say "yes" \\ no')
    const [found] = await createSearch({ env: {}, home }).find(words, [one])
    expect(found?.lines).toEqual([expected])
  })

  test("finds what contains every word somewhere, the best first", async () => {
    const { home, one } = withFile("Change the address of the login")
    const { find } = createSearch({ env: {}, home })
    const older = { ...one, session: "s-0", path: undefined, title: "Address", updated: "2029-01-01T10:00:00Z" }
    const newer = { ...one, session: "s-2", path: undefined, title: "Login", updated: "2031-01-01T10:00:00Z" }
    const sessions = async (...words: string[]) =>
      (await find(words, [older, newer, one])).map((found) => found.one.session)
    expect(await sessions("address")).toEqual(["s-0", "s-1"])
    expect(await sessions("login", "address")).toEqual(["s-1"])
    expect(await sessions("login", "invoice")).toEqual(["s-2", "s-1"])
    expect(await sessions("login", "nowhere")).toEqual([])
    expect(await sessions("")).toEqual([])
  })

  test("reads only what is new, also with a cache", async () => {
    const { home, path, one } = withFile("Change the address")
    const file = memoryFile()
    const find = async (word: string) => (await createSearch({ env: {}, home, file }).find([word], [one])).length
    expect(await find("address")).toBe(1)
    expect(file.saved).toBe(1)
    expect([await find("address"), file.saved]).toEqual([1, 1])
    appendFileSync(path, line("And the telephone number"))
    expect([await find("telephone"), await find("address"), file.saved]).toEqual([1, 1, 2])
    // Another file of the same name.
    writeFileSync(path, line("Something else altogether, and longer than what stood there before it was replaced"))
    utimesSync(path, new Date(), new Date("2031-01-01"))
    expect([await find("altogether"), await find("telephone")]).toEqual([1, 0])
  })

  test("works without the cache when it is damaged", async () => {
    const { home, one } = withFile("Change the address")
    const file = memoryFile()
    const { find } = createSearch({ env: {}, home, file })
    await find(["address"], [one])
    for (const text of ["", "garbage", file.text?.replace("address", "adresse"), file.text?.slice(0, -9)]) {
      file.text = text
      expect(await createSearch({ env: {}, home, file }).find(["address"], [one])).toHaveLength(1)
    }
  })

  test("reads a list again when it is another one, and skips one that cannot be read", async () => {
    const { home, one } = withFile("Go")
    const file = memoryFile()
    const found = async (list: typeof one.list) =>
      (await createSearch({ env: {}, home, file }).find(["invoice"], [{ ...one, list }])).length
    expect(await found(one.list)).toBe(1)
    expect(await found({ stamp: "1", read: async () => [] })).toBe(1)
    expect(await found({ stamp: "2", read: async () => ["Something else"] })).toBe(0)
    expect(await found({ stamp: "3", read: () => Promise.reject(new Error("gone")) })).toBe(0)
  })

  test("leaves out what clients write in a person's name", async () => {
    const { home, one } = withFile("<system-reminder>The secret word is xylophone.</system-reminder>\nPlay something")
    const { find } = createSearch({ env: {}, home })
    expect(await find(["xylophone"], [one])).toEqual([])
    expect(await find(["play"], [one])).toHaveLength(1)
  })
})

test("texts without end are limited, and the first of each session is found all the same", () => {
  const index = createTextIndex(undefined)
  const keys = Array.from({ length: 500 }, (_, count) => `key-${count}`)
  const rest = Array.from({ length: 63 }, () => "x".repeat(4_000))
  for (const key of keys) index.set(key, { stamp: "1", texts: [`first of ${key}`, ...rest], more: "read" })
  const kept = keys.map((key) => index.get(key))
  const length = kept.flatMap((one) => one?.texts ?? []).reduce((sum, text) => sum + text.length, 0)
  expect(length).toBeLessThan(110_000_000)
  expect([...index.holding(["first of key-499"])]).toEqual(["key-499"])
  expect([kept.at(0)?.more, kept.at(-1)?.more]).toEqual(["read", undefined])
})
