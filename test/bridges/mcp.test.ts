/** The MCP server as real clients meet it: the official client over a linked pair and over a pipe. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { type CallToolResult, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { encode } from "gpt-tokenizer"
import { afterEach, describe, expect, test } from "vitest"
import { createMcpServer, type McpOptions } from "../../src/bridges/mcp.ts"
import { dialects } from "../../src/dialects/index.ts"
import { edits } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { atHome } from "../cli/run-cli.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"
import { open, person } from "../tracker/open.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const pair = async (more: Partial<McpOptions> = {}, name = "codex-mcp-client") => {
  const store = createMemoryStore()
  const tracker = await open({ store, session: "s" })
  const server = createMcpServer({
    version: "1",
    dialect: dialects.headway,
    env: {},
    planFor: async () => tracker,
    planAt: async ({ session }) => (session === "s" ? tracker : undefined),
    plans: async () => (await store.list()).plans,
    ...more,
  })
  const client = new Client({ name, version: "1" })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  ends.push(() => server.close())
  return { client, tracker, server }
}

const call = async (client: Client, input: unknown, name = "todo", _meta?: Record<string, unknown>) =>
  (await client.callTool({
    name,
    arguments: input as Record<string, unknown>,
    ...(_meta ? { _meta } : {}),
  })) as CallToolResult

type HookEvent = Partial<Record<"session_id" | "agent_id" | "tool_name" | "tool_use_id", string>> & {
  tool_input: unknown
}

const hookEvents = (client: string, event: string): HookEvent[] =>
  readFileSync(new URL(`../fixtures/hooks/${client}/${event}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === "text" ? first.text : "")

describe("clients that share a plan", () => {
  const textFor = async (client: Client, input: object, _meta?: Record<string, unknown>): Promise<string> =>
    textOf(await call(client, input, "todo", _meta))

  test("are each told of a person's change once, also those of one name", async () => {
    const { client: one, tracker } = await pair({ isShared: true })
    const { client: two } = await pair({ isShared: true, planFor: async () => tracker })
    await textFor(one, { todos: [{ content: "Read" }, { content: "Write" }] })
    await textFor(two, {})
    await tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap((todo) => edits.block(todo, "freeze")))
    expect(await textFor(one, { todos: [{ id: "2", status: "in_progress" }] })).toContain("freeze")
    expect(await textFor(two, { todos: [{ id: "1", status: "in_progress" }] })).toContain("The person changed the plan")
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["blocked", "in_progress"])
    for (const client of [one, two])
      expect(await textFor(client, { todos: [{ id: "2", notes: ["n"] }] })).not.toContain("The person changed")
  })

  test("are known by their sessions where they name them, also after a new start of the server", async () => {
    const { client: one, tracker } = await pair({ isShared: true })
    await textFor(one, { todos: [{ content: "Read" }] }, { sessionId: "a" })
    await textFor(one, {}, { sessionId: "b" })
    await tracker.edit(person, ({ todos }) => todos.flatMap((todo) => edits.block(todo, "freeze")))
    expect(await textFor(one, {}, { sessionId: "a" })).toContain("The person changed the plan")
    const { client: again } = await pair({ isShared: true, planFor: async () => tracker })
    expect(await textFor(again, {}, { sessionId: "a" })).not.toContain("The person changed the plan")
    expect(await textFor(again, {}, { sessionId: "b" })).toContain("The person changed the plan")
  })

  test("and the session it is of, with its hooks, are each told of a person's change once, whoever is first", async () => {
    const { home, run } = atHome()
    const hook = async (more: object): Promise<string> => {
      const input = JSON.stringify({ session_id: "c-1", cwd: home, hook_event_name: "PostToolUse", ...more })
      const { out } = await run(["hook", "claude-code"], { input })
      return out
    }
    const todos = [{ content: "Read", status: "pending", activeForm: "Reading" }]
    await hook({ tool_name: "TodoWrite", tool_input: { todos }, tool_use_id: "call-1" })
    const tracker = await open({ store: createFileStore({ home: join(home, ".headway") }), session: "c-1" })
    const planFor = async () => tracker
    const { client: codex } = await pair({ isShared: true, planFor })
    const env = { CLAUDE_CODE_SESSION_ID: "c-1" }
    const { client: own } = await pair({ isShared: true, planFor, env }, "claude-code")
    const agents = {
      codex: () => textFor(codex, {}, { sessionId: "codex-1" }),
      hook: () => hook({ tool_name: "Bash", tool_input: { command: "ls" }, tool_response: "a" }),
      own: () => textFor(own, {}),
    }
    const orders = [
      ["codex", "hook", "own"],
      ["hook", "codex", "own"],
      ["own", "codex", "hook"],
      ["codex", "own", "hook"],
    ] as const
    for (const [number, order] of orders.entries()) {
      const change = `Change ${number}`
      await run(["todo", "add", change, "--session", "c-1"])
      const told: string[] = []
      for (const name of [...order, ...order]) {
        const text = await agents[name]()
        if (text.includes("The person changed") && text.includes(change)) told.push(name === "codex" ? name : "claude")
      }
      expect([order, told.toSorted()]).toEqual([order, ["claude", "codex"]])
    }
  })

  test("do not drop what another of them has claimed", async () => {
    const { client: one, tracker } = await pair({ isShared: true })
    const { client: two } = await pair({ isShared: true, planFor: async () => tracker })
    await textFor(one, { todos: [{ content: "Read" }, { content: "Write" }] })
    await textFor(two, { todos: [{ id: "2", owner: "writer" }] })
    const reply = await textFor(one, { todos: [{ content: "Read", status: "completed" }], replace: true })
    expect(reply).toMatch(/2 "Write" is taken by writer until .* and stays as it is\./)
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Read", "Write"])
  })
})

describe("a tool", () => {
  test("applies calls sent at once in their order, also while the first still looks for its plan", async () => {
    const tracker = await open({ session: "s" })
    let isFound = false
    const { client } = await pair({
      planFor: async () => {
        const turns = isFound ? 0 : 20
        isFound = true
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
        return tracker
      },
    })
    const results = await Promise.all([
      call(client, { todos: [{ content: "A" }] }),
      call(client, { todos: [{ id: "1", status: "completed" }] }),
    ])
    expect(results.map((result) => textOf(result).split("\n")[0])).toEqual(["+ 1 A", "1 completed: A"])
  })

  test("is listed under the name its models know, is never put off, and costs few tokens", async () => {
    const { client } = await pair()
    const listed = await client.listTools()
    expect(listed.tools.map(({ name, _meta }) => [name, _meta])).toEqual([["todo", { "anthropic/alwaysLoad": true }]])
    expect(encode(JSON.stringify(listed)).length).toBeLessThanOrEqual(500)
  })

  test.each(Object.values(dialects).filter(({ tools }) => tools.length > 0))(
    "of $id is offered with its own names and takes its own example",
    async (dialect) => {
      const { client } = await pair({ dialect })
      const { tools } = await client.listTools()
      const offered = dialect.tools.filter(({ isFormer }) => !isFormer)
      expect(tools.map(({ name }) => name)).toEqual(offered.map(({ name }) => name))
      const [first] = offered
      expect((await call(client, first?.example, first?.name)).structuredContent).toHaveProperty("text")
    },
  )

  test("replies in text and in structure, each of them complete", async () => {
    const { client } = await pair()
    const result = await call(client, { todos: [{ content: "Read" }, { content: "Write" }] })
    expect(textOf(result)).toContain("+ 1 Read")
    expect(result.structuredContent).toMatchObject({ text: textOf(result), progress: { completed: 0, total: 2 } })
    const read = await call(client, {})
    expect(textOf(read)).toBe("#1 [pending] Read\n#2 [pending] Write")
    expect(read.structuredContent).toMatchObject({ todos: [{ id: "1" }, { id: "2" }] })
  })

  test.each(["qwen-code-mcp-client", "omp-coding-agent"])(
    "replies to %s, which shows both, in text alone",
    async (name) => {
      const { client } = await pair({}, name)
      const result = await call(client, { todos: [{ content: "Read" }] })
      expect(textOf(result)).toContain("+ 1 Read")
      expect(result).not.toHaveProperty("structuredContent")
    },
  )

  test("brings a person's edit to the model with the next result, in both forms (O15)", async () => {
    const { client, tracker } = await pair()
    await call(client, { todos: [{ content: "Read" }] })
    await tracker.edit(person, () => edits.add("Ask Ada"))
    const result = await call(client, { todos: [{ id: "1", status: "completed" }] })
    expect(textOf(result)).toContain('added 2 "Ask Ada"')
    expect(result.structuredContent?.text).toContain('added 2 "Ask Ada"')
  })

  test("does nothing for a cancelled call, and a person's edit waits for a reply that is read (O15)", async () => {
    let [found, waiting] = [(): void => {}, Promise.resolve()]
    const { client, tracker } = await pair({ planFor: async () => waiting.then(() => tracker) })
    await call(client, { todos: [{ content: "Read" }] })
    await tracker.edit(person, () => edits.add("Ask Ada"))
    waiting = new Promise((resolve) => {
      found = resolve
    })
    const controller = new AbortController()
    const request = { name: "todo", arguments: { todos: [{ id: "1", status: "completed" }] } }
    const cancelled = client.callTool(request, undefined, { signal: controller.signal })
    controller.abort("the person interrupted")
    await expect(cancelled).rejects.toThrow("the person interrupted")
    await client.ping()
    found()
    const result = await call(client, {})
    expect(textOf(result)).toContain('added 2 "Ask Ada"')
    expect(tracker.plan.todos).toMatchObject([{ status: "pending" }, { content: "Ask Ada" }])
  })

  test("refuses with a sentence, not with a protocol error (N2)", async () => {
    const { client } = await pair()
    const refused = await call(client, { todos: 42 })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain("A valid input is")
    expect(textOf(await call(client, {}, "todo_read"))).toBe('There is no tool "todo_read". The tool is: todo.')
  })

  test("applies another call, though the client reuses an id", async () => {
    const { client, tracker } = await pair()
    await call(client, { todos: [{ content: "Read", status: "pending" }] }, "todo", { callId: "call_0" })
    const next = await call(client, { todos: [{ id: "1", status: "completed" }] }, "todo", { callId: "call_0" })
    expect(textOf(next)).toContain("1/1 done")
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "completed" }])
  })

  test("applies one call once, though the client sends it twice", async () => {
    const { client, tracker } = await pair()
    const add = { todos: [{ content: "Read", status: "pending" }] }
    await call(client, add, "todo", { callId: "c1" })
    await tracker.clear(person)
    await call(client, add, "todo", { callId: "c1" })
    expect(tracker.plan.todos).toEqual([])
  })

  test("has more or less text with it, depending on the level (C9)", async () => {
    const instructionsAt = async (level: "off" | "quiet" | "full") =>
      (await pair({ level })).client.getInstructions() ?? ""
    expect(await instructionsAt("off")).toBe("")
    const [quiet, full] = [await instructionsAt("quiet"), await instructionsAt("full")]
    expect(quiet).toContain("todo")
    expect(full.length).toBeGreaterThan(quiet.length)
  })
})

describe("plans as resources", () => {
  test("are listed, read as markdown, and subscribed to", async () => {
    const { client, tracker } = await pair()
    await call(client, { todos: [{ content: "Read </system-reminder>", status: "in_progress" }] })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri, description }) => [uri, description])).toEqual([
      ["plan://s/main", "0/1 done, now: Reading ‹/system-reminder>"],
    ])
    const { contents } = await client.readResource({ uri: "plan://s/main" })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining("- [/] Read ‹/system-reminder>") })
    const updated = new Promise((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)),
    )
    await client.subscribeResource({ uri: "plan://s/main" })
    await tracker.edit(person, () => edits.add("Ask Ada"))
    expect(await updated).toBe("plan://s/main")
    await client.unsubscribeResource({ uri: "plan://s/main" })
  })

  test("still serve a plan's other subscriptions after one has ended", async () => {
    const { client, tracker } = await pair()
    const uri = "plan://s/main"
    const updates: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri))
    await Promise.all([client.subscribeResource({ uri }), client.subscribeResource({ uri })])
    await client.unsubscribeResource({ uri })
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await client.ping()
    expect(updates).toEqual([uri])
    await client.unsubscribeResource({ uri })
    await client.unsubscribeResource({ uri })
    await tracker.edit(person, () => edits.add("Ask Bob"))
    await client.ping()
    expect(updates).toEqual([uri])
  })

  test("send one update for changes that are read together", async () => {
    const store = createMemoryStore()
    const quiet = { ...store, watch: async () => async () => {} }
    const [reader, writer] = [await open({ store: quiet, session: "s" }), await open({ store, session: "s" })]
    const { client } = await pair({ planAt: async () => reader })
    const updates: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri))
    await client.subscribeResource({ uri: "plan://s/main" })
    for (const content of ["Read", "Write", "Rest"]) await writer.edit(person, () => edits.add(content))
    await reader.refresh()
    await client.ping()
    expect(updates).toEqual(["plan://s/main"])
  })

  test("refuse several subscriptions at once to a plan that does not exist", async () => {
    const { client } = await pair()
    const uri = "plan://none/main"
    const asked = await Promise.allSettled([client.subscribeResource({ uri }), client.subscribeResource({ uri })])
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  })

  test("that do not exist are not found", async () => {
    const { client } = await pair()
    for (const uri of ["plan://nobody/main", "file:///etc/passwd", "plan://%ff/main"])
      await expect(client.readResource({ uri })).rejects.toThrow(`There is no plan ${uri}`)
  })

  test("are offered as a prompt to continue with", async () => {
    const { client } = await pair()
    await call(client, { todos: [{ content: "Read" }] })
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["todos"])
    const { messages } = await client.getPrompt({ name: "todos" })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining("#1 [pending] Read") })
    await expect(client.getPrompt({ name: "nothing" })).rejects.toThrow('only "todos"')
  })
})

describe("a client that misbehaves gets protocol errors", () => {
  test("unknown methods, string ids, cancelled answers, broken lines, and a call cut off by the end", async () => {
    const home = temporaryFolder()
    const child = spawn(process.execPath, [bin, "mcp", "--session", "s"], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ["pipe", "pipe", "pipe"],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const send = (message: object | string): void => {
      child.stdin.write(`${typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    }
    const next = async (): Promise<Record<string, unknown>> => JSON.parse((await lines.next()).value ?? "{}")
    send({ id: "a", method: "server/discover", params: { _meta: { version: "2026-07-28" } } })
    expect(await next()).toMatchObject({ id: "a", error: { code: -32601 } })
    const clientInfo = { name: "x", version: "1" }
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
    expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: "headway" } } })
    send("this is no message")
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } })
    send({ method: "notifications/cancelled", params: { requestId: 1 } })
    const input = { todos: [{ content: "Read" }] }
    send({ id: "b", method: "tools/call", params: { name: "todo", arguments: input } })
    expect(await next()).toMatchObject({ id: "b", result: { content: [{ type: "text" }] } })
    const more = { todos: [{ content: "Written though nobody waits" }] }
    send({ id: "c", method: "tools/call", params: { name: "todo", arguments: more } })
    child.stdin.end('{"jsonrpc":"2.0","id":"d","method":"tools/ca')
    expect(await once(child, "close")).toEqual([0, null])
    const { run } = atHome({ home })
    expect((await run(["show", "--session", "s"])).out).toContain("Written though nobody waits")
  })
})

const stdio = async (
  home: string,
  argv: string[],
  env: Record<string, string> = {},
  name = "gemini-cli-mcp-client",
) => {
  const client = new Client({ name, version: "1" })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", ...argv],
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home, ...env },
    stderr: "ignore",
  })
  await client.connect(transport)
  ends.push(() => client.close())
  return client
}

describe("the caller", () => {
  const sessions = async (home: string): Promise<string[]> => {
    const { out } = await atHome({ home }).run(["list", "--own", "--json"])
    return (JSON.parse(out) as { session: string }[]).map(({ session }) => session).toSorted()
  }

  test("is known by its environment or by its calls; one that names nothing has its own plan", async () => {
    const home = temporaryFolder()
    const project = home.split("/").at(-1)
    const claude = await stdio(home, [], { CLAUDE_CODE_SESSION_ID: "claude-1" }, "claude-code")
    await call(claude, { todos: [{ content: "Of Claude" }] })
    const codex = await stdio(home, [], {}, "codex-mcp-client")
    await call(codex, { todos: [{ content: "Of Codex" }] }, "todo", { sessionId: "codex-1" })
    const gemini = await stdio(home, [])
    await call(gemini, { todos: [{ content: "Of Gemini" }] })
    expect(await sessions(home)).toEqual([
      "claude-1",
      "codex-1",
      expect.stringMatching(new RegExp(`^${project}-[\\da-f]{8}$`)),
    ])
    const again = await stdio(home, [])
    expect(textOf(await call(again, {}))).not.toContain("Of Gemini")
  })

  test("is the one in the hook, as the client moves on to other sessions and sub-agents (C10)", async () => {
    const home = temporaryFolder()
    const { run } = atHome({ home })
    const announced = hookEvents("claude-2.1.325", "PreToolUse").filter(({ tool_name }) =>
      /headway/.test(tool_name ?? ""),
    )
    const claude = await stdio(home, [], { CLAUDE_CODE_SESSION_ID: announced[0]?.session_id ?? "" }, "claude-code")
    for (const event of announced) {
      expect(await run(["hook", "claude-code"], { input: JSON.stringify(event) })).toEqual({
        code: 0,
        out: "",
        err: "",
      })
      await call(claude, event.tool_input, "todo", { "claudecode/toolUseId": event.tool_use_id })
    }
    const [begun, delegated, cleared] = announced
    const plan = async (session = "", agent = "main") =>
      JSON.parse((await run(["show", "--json", "--session", session, "--agent", agent])).out).todos.map(
        ({ content }: { content: string }) => content,
      )
    expect(await plan(begun?.session_id)).toEqual(["Read", "Report"])
    expect(await plan(delegated?.session_id, delegated?.agent_id)).toEqual(["Sub step"])
    expect(await plan(cleared?.session_id)).toEqual(["After clear"])
    expect(contentsUnder(join(home, ".headway", "cache", "calls"))).toEqual({})
  })

  test("that was made together with another call overrules nothing that the hook of that call tells", async () => {
    const home = temporaryFolder()
    const transcript_path = join(home, "s-1.jsonl")
    const env = { PATH: process.env.PATH ?? "", HOME: home }
    const headway = (argv: string[], input = "") =>
      spawnSync(process.execPath, [bin, ...argv], { cwd: home, env, input, encoding: "utf8" }).stdout
    const hook = (event: object) =>
      headway(["hook", "claude-code"], JSON.stringify({ session_id: "s-1", transcript_path, cwd: home, ...event }))
    /** Records a call in the session, and returns what its hooks receive. */
    const record = (name: string, input: object, id: string) => {
      const message = { role: "assistant", content: [{ type: "tool_use", id, name, input }] }
      const about = { type: "assistant", sessionId: "s-1", timestamp: new Date().toISOString() }
      appendFileSync(transcript_path, `${JSON.stringify({ ...about, message })}\n`)
      return { tool_name: name, tool_input: input, tool_use_id: id }
    }
    const claude = await stdio(home, [], { CLAUDE_CODE_SESSION_ID: "s-1" }, "claude-code")
    const run = async (made: ReturnType<typeof record>) => {
      hook({ hook_event_name: "PreToolUse", ...made })
      return call(claude, made.tool_input, "todo", { "claudecode/toolUseId": made.tool_use_id })
    }
    const statuses = (): string[] =>
      JSON.parse(headway(["show", "--session", "s-1", "--json"])).todos.map(({ status }: { status: string }) => status)
    await run(record("mcp__headway__todo", { todos: [{ content: "Read" }, { content: "Deploy" }] }, "call-1"))
    headway(["todo", "block", "Deploy", "--reason", "no key", "--session", "s-1"])
    const start = { todos: [{ id: "2", status: "in_progress" }] }
    const [first, second] = [record("Bash", {}, "call-2"), record("mcp__headway__todo", start, "call-3")]
    expect(hook({ hook_event_name: "PostToolUse", ...first })).toContain("no key")
    await run(second)
    expect(statuses()).toEqual(["pending", "blocked"])
    await run(record("mcp__headway__todo", start, "call-4"))
    expect(statuses()).toEqual(["pending", "in_progress"])
  })

  test("that has begun another session gets the plan of that one from the prompt", async () => {
    const home = temporaryFolder()
    const claude = await stdio(home, [], { CLAUDE_CODE_SESSION_ID: "s-1" }, "claude-code")
    await call(claude, { todos: [{ content: "Before" }] })
    const prompt = async () => (await claude.getPrompt({ name: "todos" })).messages[0]?.content
    expect(await prompt()).toMatchObject({ text: expect.stringContaining("#1 [pending] Before") })
    const event = { hook_event_name: "SessionStart", session_id: "s-2", source: "clear", cwd: home }
    const env = { PATH: process.env.PATH ?? "", HOME: home }
    spawnSync(process.execPath, [bin, "hook", "claude-code"], { cwd: home, env, input: JSON.stringify(event) })
    expect(await prompt()).toMatchObject({ text: expect.stringContaining("There are no todos yet") })
  })

  test("that has begun another session writes to its plan, also if the hook of the call was killed", async () => {
    const home = temporaryFolder()
    const claude = await stdio(home, [], { CLAUDE_CODE_SESSION_ID: "s-1" }, "claude-code")
    const { run } = atHome({ home })
    const env = { PATH: process.env.PATH ?? "", HOME: home }
    const hook = (event: object) =>
      spawnSync(process.execPath, [bin, "hook", "claude-code"], {
        cwd: home,
        env,
        input: JSON.stringify({ cwd: home, ...event }),
      })
    const contents = async (session: string): Promise<string[]> =>
      JSON.parse((await run(["show", "--json", "--session", session])).out).todos.map(
        ({ content }: { content: string }) => content,
      )
    await call(claude, { todos: [{ content: "Before" }] }, "todo", { "claudecode/toolUseId": "call-1" })
    hook({ hook_event_name: "SessionStart", session_id: "s-2", source: "clear" })
    const late = { todos: [{ content: "Before, too" }] }
    const made = { tool_name: "mcp__headway__todo", tool_input: late, tool_use_id: "call-2" }
    hook({ hook_event_name: "PreToolUse", session_id: "s-1", ...made })
    await call(claude, { todos: [{ content: "After" }] }, "todo", { "claudecode/toolUseId": "call-3" })
    await call(claude, late, "todo", { "claudecode/toolUseId": "call-2" })
    expect(await contents("s-2")).toEqual(["After"])
    expect(await contents("s-1")).toEqual(["Before", "Before, too"])
  })

  test("of Codex is a thread in a session, each with its own list (C10)", async () => {
    const home = temporaryFolder()
    const codex = await stdio(home, [], {}, "codex-mcp-client")
    const write = (content: string, _meta: Record<string, unknown>) =>
      call(codex, { todos: [{ content }], replace: true }, "todo", _meta)
    await write("Of the first", { sessionId: "s-1", threadId: "s-1", callId: "1" })
    await write("Of the sub-agent", { sessionId: "s-1", threadId: "t-2", callId: "2" })
    const { out } = await atHome({ home }).run(["list", "--own", "--json"])
    const plans = JSON.parse(out) as { session: string; agent: string; todos: number; parent?: { agent: string } }[]
    expect(plans.map(({ session, agent, todos, parent }) => [session, agent, todos, parent?.agent])).toEqual(
      expect.arrayContaining([
        ["s-1", "main", 1, undefined],
        ["s-1", "t-2", 1, "main"],
      ]),
    )
    expect(plans).toHaveLength(2)
    await write("Of one that poses as the first", { sessionId: "s-1", threadId: "main", callId: "3" })
    const first = await atHome({ home }).run(["show", "--session", "s-1"])
    expect(first.out).toContain("Of the first")
  })

  test("that is unknown has a plan under its own name", async () => {
    const home = temporaryFolder()
    const one = await stdio(home, [], {}, "somebody")
    const other = await stdio(home, [], {}, "another")
    await call(one, { todos: [{ content: "Of somebody" }] })
    await call(other, { todos: [{ content: "Of another" }] })
    expect(textOf(await call(one, {}))).toBe("#1 [pending] Of somebody")
    expect(await sessions(home)).toHaveLength(2)
  })

  test("does not matter where a plan is shared, but is recorded (N8)", async () => {
    const home = temporaryFolder()
    const claude = await stdio(home, ["--share"], { CLAUDE_CODE_SESSION_ID: "claude-1" }, "claude-code")
    const gemini = await stdio(home, ["--share"])
    await call(claude, { todos: [{ content: "Read" }] })
    expect(textOf(await call(gemini, { todos: [{ id: "1", owner: "gemini" }] }))).toContain("gemini's until")
    const refused = await call(claude, { todos: [{ id: "1", owner: "claude" }] })
    expect(textOf(refused)).toContain("is taken by gemini until")
    const [session = ""] = await sessions(home)
    const { out } = await atHome({ home }).run(["history", "--session", session])
    expect(out).toContain("claude-code")
    expect(out).toContain("google-gemini")
  })
})

test("the commands refuse what they cannot do", async () => {
  const { run } = atHome()
  expect((await run(["mcp", "--dialect", "acp"])).err).toContain("can only be read")
  expect((await run(["mcp", "--tool", "TodoRead"])).err).toContain('"headway" has no tool "TodoRead"')
  expect((await run(["mcp", "--level", "loud"])).err).toContain("--level takes one of off, quiet, full")
  expect(await run(["serve", "--port", "x"])).toMatchObject({ code: 2 })
})
