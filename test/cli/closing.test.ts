/** Every command closes what it opens: a store with a connection lets the process end. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { runSlash } from "../../src/cli/agent/slash.ts"
import { openLiveBoard } from "../../src/cli/board/open-board.ts"
import { openBridgePlans } from "../../src/cli/bridge/plans/bridge-plans.ts"
import { type CommandName, commandNames } from "../../src/cli/commands/index.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { stores } from "../../src/stores/index.ts"
import type { Store } from "../../src/stores/store.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"
import { silentIo } from "./silent-io.ts"

/** Stores that are open, and how many were opened in all. */
const open = new Set<Store>()
let count = 0

const counted = (store: Store): Store => {
  const { close } = store
  open.add(store)
  count += 1
  return Object.assign(store, {
    async close() {
      open.delete(store)
      await close()
    },
  })
}

beforeEach(() => {
  open.clear()
  count = 0
  const { open: openFile } = stores.file
  vi.spyOn(stores.file, "open").mockImplementation(async (...given) => counted(await openFile(...given)))
  const { open: openRoot } = stores.root
  vi.spyOn(stores.root, "open").mockImplementation(async (...given) => counted(await openRoot(...given)))
  return () => vi.restoreAllMocks()
})

const recording = fileURLToPath(new URL("../fixtures/streams/claude-2.0.37/todowrite/stdout.jsonl", import.meta.url))
const call = JSON.stringify({ todos: [{ content: "Read" }, { content: "Write" }] })
const event = JSON.stringify({ hook_event_name: "Stop", session_id: "s", cwd: "/" })

type Line = { words: readonly string[]; input?: string; code?: number }

/** How each command is run; a reason for those that open no store. */
const lines: Record<CommandName, readonly Line[] | { none: string }> = {
  write: [
    { words: ["write"], input: call },
    { words: ["write", "--strict"], input: '{"todos":7}', code: 1 },
  ],
  show: [
    { words: ["show"] },
    { words: ["show", "--session", "unknown"], code: 1 },
    { words: ["show", "--root", "."], code: 1 },
  ],
  list: [{ words: ["list"] }, { words: ["list", "--own", "--json"] }],
  completion: { none: "prints what it knows of the commands" },
  todo: [
    { words: ["todo", "add", "Rest"] },
    { words: ["todo", "done", "zzz"], code: 1 },
    { words: ["todo", "export"] },
    { words: ["todo", "undo"], code: 1 },
    { words: ["todo", "add", "New", "--new", "--session", "new"] },
  ],
  check: [{ words: ["check", "set", "true"] }, { words: ["check", "list"] }, { words: ["check"], code: 1 }],
  find: [{ words: ["find", "nothing like this"], code: 1 }],
  name: [{ words: ["name", "unknown", "Called"], code: 1 }],
  open: [{ words: ["open", "--print"], code: 1 }],
  history: [{ words: ["history"] }],
  store: [{ words: ["store"] }, { words: ["store", "check"] }, { words: ["store", "copy", "file:", "file:copy"] }],
  evidence: [{ words: ["evidence"], code: 1 }],
  gc: [{ words: ["gc", "--older-than", "1d"] }, { words: ["gc", "--older-than", "1d", "--dry-run"] }],
  watch: [{ words: ["watch"] }, { words: ["watch", "."] }],
  statusline: [{ words: ["statusline"] }],
  hook: [{ words: ["hook", "claude-code"], input: event }],
  doctor: [{ words: ["doctor", "--look"] }],
  project: [{ words: ["project", "status"] }],
  agent: [{ words: ["agent", "--print", "--yes", "--model", "script:demo", "Build it"] }],
  run: [
    {
      words: [
        "run",
        "--",
        process.execPath,
        "-e",
        `process.stdout.write(fs.readFileSync(${JSON.stringify(recording)}))`,
      ],
    },
  ],
  events: { none: "prints what an agent says and keeps nothing" },
  setup: { none: "changes settings of agents" },
  demo: { none: "plays in memory of its own" },
  mcp: { none: "opens one for a client that calls, see below" },
  serve: { none: "opens one for a client that calls, see below" },
}

const isOpening = (given: (typeof lines)[CommandName]): given is readonly Line[] => Array.isArray(given)

const opening = commandNames.flatMap((name) => {
  const given = lines[name]
  return isOpening(given) ? given.map((line) => ({ title: `headway ${line.words.join(" ")}`, ...line })) : []
})

test("commands open stores in one place only, which closes them", () => {
  const sources = readdirSync("src/cli", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))
  const opening = sources.filter((path) =>
    /\b(?:openStore|createFileStore|createRootStore)\(/.test(readFileSync(join("src/cli", path), "utf8")),
  )
  expect(opening.toSorted()).toEqual(["place/place.ts", "store/store-places.ts"])
})

describe("a command closes the store it opened", () => {
  test.each(opening)("$title", async ({ words, input = "", code = 0 }) => {
    const { home, run } = atHome()
    await run(["write", "--new", "--session", "s"], { input: call })
    mkdirSync(join(home, "elsewhere", ".git"), { recursive: true })
    await run(["write", "--project"], { input: call, cwd: join(home, "elsewhere") })
    count = 0
    const where = words[0] === "project" ? { cwd: join(home, "elsewhere") } : {}
    expect(await run(words, { input, ...where })).toMatchObject({ code })
    expect(count).toBeGreaterThan(0)
    expect(open.size).toBe(0)
  })

  test("a command whose store fails to close has done its work and reports it", async () => {
    const { run } = atHome()
    vi.spyOn(stores.memory, "open").mockImplementation(async () =>
      Object.assign(await stores.file.open("file:", { home: temporaryFolder() }), {
        close: () => Promise.reject(new Error("The connection was lost.")),
      }),
    )
    const { code, out, err } = await run(["write", "--store", "memory:"], { input: call })
    expect(code).toBe(0)
    expect(out).toContain("Read")
    expect(err).toContain("The connection was lost.")
  })

  test("a person's edit in an agent's session", async () => {
    const home = temporaryFolder()
    const tracker = await openTracker({ store: createFileStore({ home }), session: "s" })
    const io = silentIo(home, { env: { HEADWAY_HOME: home } })
    const context = { io, values: {}, words: [], behind: [], opened: createOpened() }
    const { signal } = new AbortController()
    const { text } = await runSlash("/todo add Rest", { tracker, signal, context })
    expect(text).toContain('added 1 "Rest"')
    expect(count).toBe(1)
    expect(open.size).toBe(0)
  })

  test("the plans of a server's clients, and a board, are closed before their store", async () => {
    const opened = createOpened()
    const context = { io: silentIo(temporaryFolder()), values: {}, words: [], behind: [], opened }
    const plans = openBridgePlans(context, { isShared: false, isChild: false })
    await plans.connect().planFor({ session: "client" })
    const board = await openLiveBoard(context)
    await plans.close()
    await board.close()
    expect([count, open.size]).toEqual([1, 1])
    expect(await opened.close()).toEqual([])
    expect(open.size).toBe(0)
  })
})
