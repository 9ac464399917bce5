/** The plugin that set-up gives opencode, loaded and driven as opencode does it, with the built command behind it. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { ownBin } from "./on-path.ts"

type Hook = (input: object, output?: object) => Promise<void>
type Hooks = Record<string, Hook>
type Plugin = { HeadwayPlugin(input: object): Promise<Hooks> }
type TextPart = { type: string; text: string; synthetic?: boolean }

let home = ""
let project = ""
beforeEach(() => {
  home = temporaryFolder()
  project = join(home, "shop")
  mkdirSync(project)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const headway = (...words: string[]) =>
  spawnSync(process.execPath, [ownBin, ...words], { cwd: project, env: { HOME: home }, encoding: "utf8" })

const pluginPath = (): string => join(home, ".config/opencode/plugin/headway.js")

/** Its parent ids, as opencode's server tells them. */
const host = (parents: Record<string, string> = {}) => ({
  directory: project,
  client: {
    session: { get: async ({ path }: { path: { id: string } }) => ({ data: { parentID: parents[path.id] } }) },
    tui: { showToast: async (toast: object) => toasts.push(JSON.stringify(toast)) },
    app: { log: async () => {} },
  },
})
const toasts: string[] = []

/** The hooks it calls get its own environment, with our home in it. */
const loadPlugin = async (path: string, parents?: Record<string, string>): Promise<Hooks> => {
  vi.stubEnv("HEADWAY_HOME", join(home, ".headway"))
  const plugin = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Plugin
  return plugin.HeadwayPlugin(host(parents))
}

const connected = async (parents?: Record<string, string>): Promise<Hooks> => {
  expect(headway("setup", "opencode").status).toBe(0)
  return loadPlugin(pluginPath(), parents)
}

const created = (id: string) => ({ event: { type: "session.created", properties: { info: { id } } } })

const list = [
  { content: "Read", status: "in_progress", priority: "high" },
  { content: "Report", status: "pending", priority: "low" },
]

const writeList = (
  hooks: Hooks,
  sessionID: string,
  callID: string,
  todos: object[] = list,
): Promise<void> | undefined =>
  hooks["tool.execute.after"]?.(
    { tool: "todowrite", sessionID, callID, args: { todos } },
    { output: JSON.stringify(todos) },
  )

const prompt = async (hooks: Hooks, sessionID: string, text: string): Promise<TextPart[]> => {
  const parts: TextPart[] = [{ type: "text", text }]
  await hooks["chat.message"]?.({ sessionID }, { message: { id: "msg_1" }, parts })
  return parts.slice(1)
}

const shown = (session: string, agent = "main"): string[] => {
  const { stdout, status } = headway("show", "--json", "--session", session, "--agent", agent)
  if (status !== 0) return []
  return JSON.parse(stdout).todos.map(({ content, status: state }: Record<string, string>) => `${state} ${content}`)
}

describe("the plugin of opencode", () => {
  test("records opencode's own list, and that of a sub-agent separately (A1, C10)", async () => {
    const hooks = await connected({ ses_child: "ses_1" })
    await writeList(hooks, "ses_1", "call_1")
    await writeList(hooks, "ses_child", "call_2", [{ content: "Climb up", status: "pending", priority: "low" }])
    expect(shown("ses_1")).toEqual(["in_progress Read", "pending Report"])
    expect(shown("ses_1", "ses_child")).toEqual(["pending Climb up"])
  })

  test("passes on a person's edit with the next tool, whatever its result is, and once (O15)", async () => {
    const hooks = await connected()
    await hooks.event?.(created("ses_1"))
    await writeList(hooks, "ses_1", "call_1")
    headway("todo", "add", "Ask Ada", "--session", "ses_1")
    const native = { output: "two files" }
    await hooks["tool.execute.after"]?.({ tool: "glob", sessionID: "ses_1", callID: "call_2", args: {} }, native)
    expect(native.output).toMatch(/^two files\n\n[\s\S]*added 3 "Ask Ada"/)
    headway("todo", "add", "Ask Grace", "--session", "ses_1")
    const foreign = { content: [{ type: "text", text: "ok" }] }
    await hooks["tool.execute.after"]?.({ tool: "x_y", sessionID: "ses_1", callID: "call_3", args: {} }, foreign)
    expect(foreign.content.map(({ text }) => text).join("\n")).toMatch(/^ok\n[\s\S]*added 4 "Ask Grace"/)
    expect(await prompt(hooks, "ses_1", "Go on.")).toEqual([])
  })

  test("gives the plan back to a resumed session, and to a compacted one", async () => {
    await writeList(await connected(), "ses_1", "call_1")
    const hooks = await loadPlugin(pluginPath())
    const [part] = await prompt(hooks, "ses_1", "Go on.")
    expect(part).toMatchObject({ type: "text", synthetic: true, text: expect.stringContaining("#2 [pending] Report") })
    await hooks.event?.({ event: { type: "session.compacted", properties: { sessionID: "ses_1" } } })
    const messages = () => [{ info: { id: "msg_2", role: "user", sessionID: "ses_1" }, parts: [] as TextPart[] }]
    for (const request of [messages(), messages()]) {
      await hooks["experimental.chat.messages.transform"]?.({}, { messages: request })
      expect(request[0]?.parts.map(({ text }) => text)).toEqual([expect.stringContaining("#2 [pending] Report")])
    }
  })

  test("works once where two copies of it are loaded", async () => {
    const first = await connected()
    const copy = join(home, "copy.js")
    writeFileSync(copy, readFileSync(pluginPath()))
    expect(Object.keys(await loadPlugin(copy))).toEqual([])
    await first.dispose?.({})
    expect(Object.keys(await loadPlugin(copy))).toContain("tool.execute.after")
  })

  test("goes on without a hook that does not answer in time, even if the hook is not the shell itself", async () => {
    const own = join(home, "hanging.js")
    const text = readFileSync(new URL("../../plugins/opencode/headway.js", import.meta.url), "utf8")
    // It outlives the shell that started it, and holds the output open.
    writeFileSync(own, text.replace("headway hook opencode", "sleep 600; true").replace("10_000", "50"))
    const result = { output: "two files" }
    const hooks = await loadPlugin(own)
    await hooks["tool.execute.after"]?.({ tool: "glob", sessionID: "ses_1", callID: "call_1", args: {} }, result)
    expect(result.output).toBe("two files")
  }, 20_000)

  test("of the repository includes the server, unless there is one, and says what to install", async () => {
    const own = join(home, "package.js")
    const text = readFileSync(new URL("../../plugins/opencode/headway.js", import.meta.url), "utf8")
    writeFileSync(own, text.replace("headway hook opencode", "no-such-headway hook opencode"))
    const hooks = await loadPlugin(own)
    const config: { mcp?: object } = {}
    await hooks.config?.(config)
    expect(config).toEqual({ mcp: { headway: { type: "local", command: ["headway", "mcp"], enabled: true } } })
    const set = { mcp: { headway: { type: "local", command: ["/opt/headway", "mcp"] } } }
    await hooks.config?.(set)
    expect(set.mcp.headway.command).toEqual(["/opt/headway", "mcp"])
    for (const text of ["one", "two"]) await prompt(hooks, "ses_1", text)
    expect(toasts.filter((one) => one.includes("npm install --global ."))).toHaveLength(1)
  })
})

describe("set-up", () => {
  test("removes the plugin with --no-hooks, and leaves another's file of that name alone", () => {
    expect(headway("setup", "opencode").status).toBe(0)
    expect(headway("setup", "opencode", "--no-hooks").status).toBe(0)
    expect(existsSync(pluginPath())).toBe(false)
    mkdirSync(join(pluginPath(), ".."), { recursive: true })
    writeFileSync(pluginPath(), "export const Mine = async () => ({})\n")
    const { status, stderr } = headway("setup", "opencode")
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/headway\.js: A file of that name.*Nothing was changed/s),
    ])
    headway("setup", "opencode", "--undo")
    expect(readFileSync(pluginPath(), "utf8")).toContain("Mine")
  })

  test("renews a plugin of an older version, which the doctor sees", () => {
    headway("setup", "opencode")
    const current = readFileSync(pluginPath(), "utf8")
    writeFileSync(pluginPath(), current.replace("10_000", "5_000"))
    const state = (): string =>
      JSON.parse(headway("doctor", "opencode", "--json").stdout).agents[0].parts.user.hooks.state
    expect(state()).toBe("incomplete")
    headway("setup", "opencode")
    expect([readFileSync(pluginPath(), "utf8"), state()]).toEqual([current, "connected"])
    headway("setup", "opencode", "--undo")
    expect(existsSync(pluginPath())).toBe(false)
  })
})
