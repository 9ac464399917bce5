/** Every agent's sessions and sub-agents are found under the titles that a person knows them by. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import { createDiscovery, discover } from "../../src/sessions/discover.ts"
import { findTitle } from "../../src/sessions/lookup/find-title.ts"
import { sources } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"

const now = new Date("2026-11-15T19:00:00Z")

const homeWith = (...recordings: string[]): string => {
  const home = temporaryFolder()
  for (const name of recordings) cpSync(join("test/fixtures/streams", name, "home"), home, { recursive: true })
  return home
}

/** A home with one file of these lines. */
const homeOf = (path: string, ...lines: object[]): string => {
  const home = temporaryFolder()
  write(home, path, ...lines)
  return home
}

const write = (home: string, path: string, ...lines: object[]): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}

/** Role and title of each agent, the main one by its title alone. */
const titlesIn = async (home: string): Promise<string[]> => {
  const sessions = await discover({ sources, env: {}, home, now })
  return sessions
    .map(({ agent, role, title }) => (agent === "main" ? `${title}` : `${role}: ${title}`))
    .sort((one, other) => (one < other ? -1 : 1))
}

describe("N9 every recording", () => {
  test.each([
    [
      "claude-1.0.60/subagents",
      ["Do the demo work.", "general-purpose: Check the tests", "general-purpose: Survey the repo"],
    ],
    ["claude-2.0.37/todowrite", ["Do the demo work."]],
    ["claude-2.1.197/tasks", ["Do the demo work."]],
    [
      "claude-2.1.197/subagents-tasks",
      ["Do the demo work.", "general-purpose: Check the tests", "general-purpose: Survey the repo"],
    ],
    ["codex-0.166.0/plan", ["Do the demo work."]],
    ["codex-0.166.0/subagent", ["Do the demo work.", "Maxwell: SUBAGENT-A: survey the repository."]],
    ["gemini-0.61.0/write-todos", ["Do the demo work."]],
    ["gemini-0.61.0/tracker", ["Do the demo work."]],
    ["qwen-0.24.4/todos", ["Do the demo work."]],
    ["omp-18.2.3/todos", ["Do the demo work."]],
    ["pi-0.74.2/todo-extension", ["Do the work."]],
    ["continue-1.5.47/checklist", ["Do the work."]],
    ["cline-3.0.65/team-tasks", ["Do the work."]],
    ["omp-18.2.3/headway-device", ["Do the work.", "task: Look at the attic and say what is there."]],
    ["kimi-2.1.0/todolist", ["Do the work."]],
    ["kimi-2.1.0/subagent", ["Do the work.", "coder: Look"]],
    ["copilot-1.0.102/sql-todos", ["Do the work."]],
    ["copilot-1.0.102/subagent", ["Do the work."]],
    ["grok-1.0.41/todo-write-acp", ["Do the work."]],
    ["../homes/grok-1.0.41/subagent", ["Do the work.", "general-purpose: Look"]],
  ])("%s is found by its first prompt", async (name, titles) => {
    expect(await titlesIn(homeWith(name))).toEqual(titles)
  })

  test("opencode's sessions have the titles of its table, and its sub-agents their kind", async () => {
    const home = temporaryFolder()
    const rows = "test/fixtures/streams/opencode-1.18.33/todos/home/.local/share/opencode/opencode.db"
    const parent_id = "ses_e1f73f465ffe2ddaX5XnkH99GC"
    const child = { directory: "/p", version: "1.18.33", time_created: 1, time_updated: 1 }
    writeOpencodeDatabase(rows, join(home, ".local/share/opencode/opencode.db"), [
      { ...child, id: "ses_b", parent_id, title: "Find the callers (@explore subagent)", agent: "explore" },
      { ...child, id: "ses_c", parent_id, title: "Child session - 2026-11-15T18:00:00.000Z", agent: "general" },
      { ...child, id: "ses_d", title: "New session - 2026-11-15T18:00:00.000Z", agent: "build" },
    ])
    expect(await titlesIn(home)).toEqual(["explore: Find the callers", "general: undefined", "ok", "undefined"])
  })

  test.each(["opencode", "kilo"])(
    "%s: a session with a placeholder for a title has the first prompt instead",
    async (name) => {
      const home = temporaryFolder()
      const path = join(home, `.local/share/${name}/${name}.db`)
      const rows = "test/fixtures/streams/kilo-7.7.7/todowrite/home/.local/share/kilo/kilo.db"
      const about = { directory: "/p", version: "1.18.33", time_created: 1, time_updated: 1 }
      const placeholder = "New session - 2026-11-15T18:00:00.000Z"
      writeOpencodeDatabase(rows, path, [
        { ...about, id: "ses_b", title: placeholder, agent: "build" },
        { ...about, id: "ses_c", parent_id: "ses_b", title: placeholder.replace("New", "Child"), agent: "general" },
        { ...about, id: "ses_d", title: "Named", agent: "build" },
        { ...about, id: "ses_e", title: placeholder, agent: "build" },
      ])
      const database = new Database(path)
      const say = (session: string, order: number, role: string, ...parts: object[]): void => {
        const id = `msg_${session}_${order}`
        const values = [id, session, order, order, JSON.stringify({ role, time: { created: order } })]
        database.prepare("insert into message values (?, ?, ?, ?, ?)").run(...values)
        for (const [index, part] of parts.entries())
          database
            .prepare("insert into part values (?, ?, ?, ?, ?, ?)")
            .run(`prt_${id}_${index}`, id, session, order, order, JSON.stringify({ type: "text", ...part }))
      }
      const file = { synthetic: true, text: "Called the Read tool with a.ts" }
      say("ses_b", 3, "user", { text: "And the tests" })
      say("ses_b", 1, "user", file, { text: "Repair the login" })
      say("ses_b", 2, "assistant", { text: "Shall I?" })
      say("ses_c", 1, "user", { text: "Find the callers" })
      say("ses_d", 1, "user", { text: "Never shown" })
      say("ses_e", 1, "assistant", { text: "Nothing was asked" })
      database.close()
      expect(await titlesIn(home)).toEqual([
        "A plan",
        "Named",
        "Repair the login",
        "general: Find the callers",
        "undefined",
      ])
    },
  )
})

describe("Claude Code", () => {
  const path = ".claude/projects/-p/s1.jsonl"
  const about = { sessionId: "s1", cwd: "/p", version: "2.1.197", isSidechain: false }
  const message = (uuid: string, content: unknown, more: object = {}) => ({
    ...{ ...about, type: "user", uuid, parentUuid: null, timestamp: "2026-11-15T18:00:00.000Z" },
    ...{ message: { role: "user", content }, ...more },
  })
  const [custom, model] = [
    { type: "custom-title", customTitle: "Mine", sessionId: "s1" },
    { type: "ai-title", aiTitle: "A model's", sessionId: "s1" },
  ]

  test("the person's name for a session comes before a model's title, and that before a summary", async () => {
    const summary = { type: "summary", summary: "Summed up", leafUuid: "u1" }
    expect(await titlesIn(homeOf(path, message("u1", "Go on"), summary))).toEqual(["Summed up"])
    expect(await titlesIn(homeOf(path, message("u1", "Go on"), model, summary))).toEqual(["A model's"])
    expect(await titlesIn(homeOf(path, message("u1", "Go on"), custom, model, summary))).toEqual(["Mine"])
    const again = { ...custom, customTitle: "Mine again" }
    expect(await titlesIn(homeOf(path, message("u1", "Go on"), custom, model, again))).toEqual(["Mine again"])
  })

  test("a summary before all messages belongs to another session", async () => {
    const summary = { type: "summary", summary: "Of yesterday", leafUuid: "u0" }
    expect(await titlesIn(homeOf(path, summary, message("u1", "Go on")))).toEqual(["Go on"])
  })

  test("commands, caveats and attachments before the first request are skipped", async () => {
    const attachment = { ...about, type: "attachment", uuid: "a", attachment: { type: "skill_listing", content: "x" } }
    const lines = [
      message("u1", "Caveat: none of this is for you", { isMeta: true }),
      message("u2", "<command-name>/clear</command-name>\n<command-args></command-args>"),
      message("u3", "<local-command-stdout></local-command-stdout>"),
      ...Array.from({ length: 30 }, (_, index) => ({ ...attachment, uuid: `a${index}` })),
      message("u4", [
        { type: "text", text: "<ide_opened_file>a</ide_opened_file>" },
        { type: "text", text: "Fix a.ts" },
      ]),
      message("u5", "Now the tests"),
    ]
    expect(await titlesIn(homeOf(path, ...lines))).toEqual(["Fix a.ts"])
  })

  test("a session that began with a command has the next prompt as title, else the command", async () => {
    const commands = [message("u1", "/flow:review"), message("u2", "<command-name>/commit</command-name>")]
    const home = homeOf(path, ...commands)
    const whose = { session: "s1", agent: "main", agentType: "claude-code" }
    expect(await titlesIn(home)).toEqual(["review"])
    expect(await findTitle(whose, { env: {}, home })).toBe("review")
    const answered = homeOf(path, ...commands, message("u3", "1"), message("u4", "Explain the third finding"))
    expect(await titlesIn(answered)).toEqual(["Explain the third finding"])
    expect(await findTitle(whose, { env: {}, home: answered })).toBe("Explain the third finding")
  })

  test("a title at the end of a long file is found, and most of the file is not parsed for it", async () => {
    const filler = Array.from({ length: 400 }, (_, index) =>
      message(`f${index}`, [{ type: "tool_result", tool_use_id: `t${index}`, content: "x".repeat(2_000) }]),
    )
    const home = homeOf(path, message("u1", "Go on"), ...filler, custom, model)
    expect(await titlesIn(home)).toEqual(["Mine"])
    expect(await findTitle({ session: "s1", agent: "main", agentType: "claude-code" }, { env: {}, home })).toBe("Mine")
  })

  test("a later title is found by the next scan, wherever it is among the new lines", async () => {
    const assistant = {
      ...message("u2", ""),
      type: "assistant",
      message: { role: "assistant", model: "m", content: [] },
    }
    const home = homeOf(path, message("u1", "Go on"), assistant)
    const discovery = createDiscovery({ sources, env: {}, home })
    const look = async () => (await discovery.refresh(now)).map(({ title }) => title)
    expect(await look()).toEqual(["Go on"])
    const filler = message("u3", [{ type: "tool_result", tool_use_id: "t", content: "x".repeat(100_000) }])
    appendFileSync(join(home, path), `${[custom, filler].map((line) => JSON.stringify(line)).join("\n")}\n`)
    expect(await look()).toEqual(["Mine"])
    appendFileSync(join(home, path), `${JSON.stringify(model)}\n`)
    expect(await look()).toEqual(["Mine"])
    discovery.close()
  })

  test("a sub-agent's file by itself has the prompt as title, and a file beside it makes no agent by itself", async () => {
    const folder = ".claude/projects/-p/s1/subagents"
    const home = homeOf(path, message("u1", "Go on"))
    write(home, `${folder}/agent-a1.jsonl`, message("b1", "Look for the callers", { isSidechain: true, agentId: "a1" }))
    write(home, `${folder}/agent-a2.meta.json`, { agentType: "Explore", description: "Nothing yet" })
    expect(await titlesIn(home)).toEqual(["Go on", "undefined: Look for the callers"])
    write(home, `${folder}/agent-a1.meta.json`, { agentType: "Explore", description: "Find callers" })
    expect(await titlesIn(home)).toEqual(["Explore: Find callers", "Go on"])
  })

  test("a title with terminal escapes becomes one safe line", async () => {
    const evil = { ...custom, customTitle: "a\u001b[2J\u202e\nb".repeat(50) }
    const [title = ""] = await titlesIn(homeOf(path, message("u1", "Go on"), evil))
    expect(title).toMatch(/^a ba ba b/)
    expect(title).not.toMatch(/[\u001b\u202e\n]/)
    expect([...title].length).toBeLessThanOrEqual(80)
  })
})

describe("other agents' own titles", () => {
  const thread = "01a1e08b-8b66-7c81-9dcf-24706e85f08d"
  const rollout = `.codex/sessions/2026/11/15/rollout-2026-11-15T18-00-00-${thread}.jsonl`
  const at = { timestamp: "2026-11-15T18:00:00.000Z" }

  test("Codex: a thread's name, in its file or in the index of all", async () => {
    const lines = [
      { ...at, type: "session_meta", payload: { id: thread, cwd: "/p", cli_version: "0.166.0" } },
      {
        ...at,
        type: "response_item",
        payload: {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "<environment_context>\n</environment_context>" }],
        },
      },
      {
        ...at,
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Go on" }] },
      },
    ]
    expect(await titlesIn(homeOf(rollout, ...lines))).toEqual(["Go on"])
    const named = { ...at, type: "event_msg", payload: { type: "thread_name_updated", thread_name: "Named" } }
    const home = homeOf(rollout, ...lines, named)
    expect(await titlesIn(home)).toEqual(["Named"])
    write(
      home,
      ".codex/session_index.jsonl",
      { id: thread, thread_name: "Old" },
      { id: thread, thread_name: "New name" },
    )
    appendFileSync(join(home, ".codex/session_index.jsonl"), "torn {")
    expect(await titlesIn(home)).toEqual(["New name"])
    expect(await findTitle({ session: thread, agent: "main", agentType: "openai-codex" }, { env: {}, home })).toBe(
      "New name",
    )
  })

  test("Gemini CLI: the summary of a session", async () => {
    const lines = [
      { sessionId: "11111111-aaaa", projectHash: "h", startTime: at.timestamp, kind: "main" },
      { $set: { messages: [{ id: "0", type: "user", content: [{ text: "This is the client itself." }] }] } },
      {
        id: "1",
        ...at,
        type: "user",
        content: [{ text: "Go on with @a.ts\ncontents" }],
        displayContent: "Go on with @a.ts",
      },
    ]
    const path = ".gemini/tmp/p/chats/session-2026-11-15T18-00-11111111.jsonl"
    expect(await titlesIn(homeOf(path, ...lines))).toEqual(["Go on with @a.ts"])
    expect(await titlesIn(homeOf(path, ...lines, { $set: { summary: "Summed up" } }))).toEqual(["Summed up"])
  })

  test("Qwen Code: the title a person gave, and a sub-agent's kind and order", async () => {
    const line = (uuid: string, more: object) => ({
      uuid,
      parentUuid: null,
      sessionId: "q1",
      ...at,
      cwd: "/p",
      version: "0.24.4",
      ...more,
    })
    const user = line("1", {
      type: "user",
      provenance: "real_user",
      message: { role: "user", parts: [{ text: "Go on" }] },
    })
    const title = line("2", { type: "system", subtype: "custom_title", systemPayload: { customTitle: "Mine" } })
    const path = ".qwen/projects/-p/chats/q1.jsonl"
    expect(await titlesIn(homeOf(path, user))).toEqual(["Go on"])
    const args = { description: "Find callers", prompt: "p", subagent_type: "explorer" }
    const call = line("3", {
      type: "assistant",
      message: { role: "model", parts: [{ functionCall: { id: "c1", name: "agent", args } }] },
    })
    const uiEvent = {
      "event.name": "qwen-code.tool_call",
      function_name: "todo_write",
      status: "success",
      prompt_id: "q1#explorer-abc123#0",
    }
    const todo = { ...uiEvent, function_args: { todos: [{ id: "1", content: "Look", status: "pending" }] } }
    const told = line("4", { type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent: todo } })
    expect(await titlesIn(homeOf(path, user, title, call, told))).toEqual(["Mine", "explorer: Find callers"])
  })

  test("oh-my-pi: the slot in front, a later change, and what a sub-agent was started with", async () => {
    const header = { type: "session", version: 3, id: "o1", ...at, cwd: "/p" }
    const slot = { type: "title", v: 1, title: "In front", updatedAt: at.timestamp, pad: "" }
    const entry = (id: string, parentId: string | null, more: object) => ({ id, parentId, ...at, ...more })
    const prompt = entry("1", null, {
      type: "message",
      message: { role: "user", content: [{ type: "text", text: "Go on" }] },
    })
    const path = ".omp/agent/sessions/-p/2026_o1.jsonl"
    expect(await titlesIn(homeOf(path, { ...slot, title: "" }, header, prompt))).toEqual(["Go on"])
    expect(await titlesIn(homeOf(path, slot, header, prompt))).toEqual(["In front"])
    const changed = entry("2", "1", { type: "title_change", title: "Changed", source: "user" })
    const home = homeOf(path, slot, header, prompt, changed)
    expect(await titlesIn(home)).toEqual(["Changed"])
    const begun = entry("1", null, {
      type: "session_init",
      systemPrompt: "",
      task: "Find callers",
      tools: [],
      agent: "scout",
    })
    write(home, ".omp/agent/sessions/-p/2026_o1/s1.jsonl", { ...header, id: "o2" }, begun)
    expect(await titlesIn(home)).toEqual(["Changed", "scout: Find callers"])
  })
})

describe("a session that the person has renamed in its client", () => {
  const homeFrom = (name: string): string => {
    const home = temporaryFolder()
    cpSync(`test/fixtures/states/${name}`, home, { recursive: true })
    return home
  }
  const kimi = ".kimi-code/sessions/wd_project_701c699ceef6/session_8c135433-7851-4129-854a-1229802cda6d"
  const copilot = ".copilot/session-state/1729b533-25c5-4a35-a4e8-bf78a62153ca"
  const grok = ".grok/sessions/%2Fhome%2Fuser%2Fproject/01a1e5fd-89f0-7ee3-8f73-4c27638cd7ab"

  test.each([
    ["kimi-2.1.0", "kimi-code", kimi, ["The kimi shop", "coder: Count the boxes"]],
    ["copilot-1.0.102", "github-copilot", copilot, ["The copilot shop"]],
    ["grok-1.0.41", "grok", grok, ["The grok shop", "general-purpose: Count the boxes"]],
  ])(
    "%s: has that name, in a listing and where one session is looked up alone",
    async (name, agentType, path, titles) => {
      const home = homeFrom(name)
      expect(await titlesIn(home)).toEqual(titles)
      const session = path.slice(path.lastIndexOf("/") + 1)
      expect(await findTitle({ session, agent: "main", agentType }, { env: {}, home })).toBe(titles[0])
    },
  )

  test("Kimi Code: a title that is only the beginning of the first prompt counts less than the prompt", async () => {
    const home = homeFrom("kimi-2.1.0")
    const state = { title: "Build the shop in this fol", titleKind: "replaceable", isCustomTitle: false }
    const main = async (more: object) => {
      writeFileSync(join(home, kimi, "state.json"), JSON.stringify({ ...state, ...more }))
      return (await titlesIn(home))[0]
    }
    expect(await main({})).toBe("Build the shop in this folder")
    expect(await main({ title: "Shop", titleKind: "generated" })).toBe("Shop")
    expect(await main({ title: 7, titleKind: "custom" })).toBe("Build the shop in this folder")
    writeFileSync(join(home, kimi, "state.json"), '{"title":')
    expect((await titlesIn(home))[0]).toBe("Build the shop in this folder")
  })

  test.each([
    ["name: 'It''s: \"mine\"'", 'It\'s: "mine"'],
    ['name: "Two\\nlines"', "Two lines"],
    ["name: |-\n  Two\n  lines", "Two lines"],
    ["name: 2026", "2026"],
    ["name: &a [*a, *a]", "Build the shop in this folder"],
    ["name: {", "Build the shop in this folder"],
    ["id: x", "Build the shop in this folder"],
  ])("Copilot CLI: %j is read as YAML", async (text, title) => {
    const home = homeFrom("copilot-1.0.102")
    writeFileSync(join(home, copilot, "workspace.yaml"), `${text}\n`)
    expect(await titlesIn(home)).toEqual([title])
  })

  test.each([
    `name: Shop\n${"? ".repeat(900)}x`,
    `${Array.from({ length: 60_000 }, (_, index) => `key${index}: x`).join("\n")}\nname: Shop`,
    `name: Shop\nlist: [${",".repeat(200_000)}]`,
  ])("Copilot CLI: a name is read quickly, whatever is beside it (%#)", async (text) => {
    const home = homeFrom("copilot-1.0.102")
    writeFileSync(join(home, copilot, "workspace.yaml"), text)
    expect(await titlesIn(home)).toEqual(["Shop"])
  })

  test("Grok: a sub-agent has its task as title where there is no other", async () => {
    const home = homeFrom("grok-1.0.41")
    writeFileSync(join(home, grok, "summary.json"), "{}")
    expect((await titlesIn(home))[0]).toBe("Build the shop in this folder")
    const child = "01a1e5ff-ed35-71c1-8fd8-5bc826608b4a"
    writeFileSync(join(home, grok, "subagents", child, "meta.json"), "{}")
    write(home, `${grok}/updates.jsonl`, {
      timestamp: 1794859983,
      method: "session/update",
      params: {
        sessionId: "01a1e5fd-89f0-7ee3-8f73-4c27638cd7ab",
        update: { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Go" } },
        _meta: { agentTimestampMs: 1794859983277 },
      },
    })
    expect(await titlesIn(home)).toEqual(["Go", "undefined: Look at the attic and count the boxes."])
  })
})

describe("titles of other agents' documents and files", () => {
  const at = { timestamp: "2026-11-15T18:00:00.000Z" }

  test("pi: the last name that a person gave, unless it was removed again", async () => {
    const header = { type: "session", version: 3, id: "p1", ...at, cwd: "/p" }
    const entry = (id: string, parentId: string | null, more: object) => ({ ...more, id, parentId, ...at })
    const prompt = entry("1", null, {
      type: "message",
      message: { role: "user", content: [{ type: "text", text: "Go on" }] },
    })
    const named = (id: string, parentId: string, name: string) => entry(id, parentId, { type: "session_info", name })
    const path = ".pi/agent/sessions/--p--/2026-11-15T18-00-00-000Z_p1.jsonl"
    expect(await titlesIn(homeOf(path, header, prompt))).toEqual(["Go on"])
    const home = homeOf(path, header, prompt, named("2", "1", "Mine"), named("3", "1", "Mine again"))
    expect(await titlesIn(home)).toEqual(["Mine again"])
    expect(await findTitle({ session: "p1", agent: "main", agentType: "pi" }, { env: {}, home })).toBe("Mine again")
    expect(await titlesIn(homeOf(path, header, prompt, named("2", "1", "Mine"), named("3", "2", "")))).toEqual([
      "Go on",
    ])
  })

  test("Continue: the title of a session, where it is more than a placeholder", async () => {
    const document = (title: string) => ({
      sessionId: "c1",
      title,
      workspaceDirectory: "/p",
      history: [{ message: { role: "user", content: [{ type: "text", text: "Go on" }] } }],
    })
    const path = ".continue/sessions/c1.json"
    expect(await titlesIn(homeOf(path, document("Repair the login")))).toEqual(["Repair the login"])
    expect(await titlesIn(homeOf(path, document("Untitled Session")))).toEqual(["Go on"])
    expect(await titlesIn(homeOf(path, document("New Session")))).toEqual(["Go on"])
  })

  test("Cline: the title of a session, where it is more than the beginning of the first prompt", async () => {
    const document = (title: string) => ({
      session_id: "c1",
      started_at: at.timestamp,
      status: "running",
      workspace_root: "/p",
      prompt: "2026-11-15T18:00:00 ERROR it broke\nRepair the login",
      metadata: { title },
      messages_path: "/p/c1.messages.json",
    })
    const path = ".cline/data/sessions/c1/c1.json"
    expect(await titlesIn(homeOf(path, document("The login")))).toEqual(["The login"])
    expect(await titlesIn(homeOf(path, document("2026-11-15T18:00:00 ERROR it broke")))).toEqual(["Repair the login"])
  })

  test("opencode export: the title of the session, or what was typed first", async () => {
    const text = readFileSync("test/fixtures/documents/opencode-export.json", "utf8")
    const home = temporaryFolder()
    const titleOf = async (document: string): Promise<string | undefined> => {
      const path = join(home, "export.json")
      writeFileSync(path, document)
      return (await discover({ sources, env: {}, home, paths: [path], now }))[0]?.title
    }
    expect(await titleOf(text)).toBe("A plan")
    expect(await titleOf(text.replace('"A plan"', '"New session - 2026-11-15T18:00:00.000Z"'))).toBe(
      "Build the address change.",
    )
  })
})

test("no title is found for an unknown agent, or an unknown session", async () => {
  const places = { env: {}, home: homeWith("claude-2.1.197/tasks") }
  const key = { session: "none", agent: "main" }
  expect(await findTitle({ ...key, agentType: "claude-code" }, places)).toBeUndefined()
  expect(await findTitle({ ...key, agentType: "nobody" }, places)).toBeUndefined()
  const recorded = { session: "550206c9-ad53-4a5f-ba9b-dc6fab035f1d", agent: "main", agentType: "claude-code" }
  expect(await findTitle(recorded, places)).toBe("Do the demo work.")
})
