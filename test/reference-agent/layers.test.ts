/** Every layer of guidance in what is really sent: a scripted run over HTTP, through each provider's own package. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findModel } from "../../src/reference-agent/index.ts"
import { createLoopback, type Loopback, readScript } from "../../src/scripted/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { bash, type Line, look, type Opened, open, todoWrite } from "./open.ts"

// The SDK does not know the names of models that exist only here.
globalThis.AI_SDK_LOG_WARNINGS = false

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
const run = promisify(execFile)

const looks = (times: number): Line[] => Array.from({ length: times }, () => ({ calls: [look] }))

const lines: Line[] = [
  {
    calls: [todoWrite(["Read the form", "completed"], ["Change the address", "in_progress"], ["Check it", "pending"])],
  },
  ...looks(9),
  { calls: [{ tool: "EnterPlanMode" }] },
  { calls: [bash("touch never")] },
  { calls: [{ tool: "ExitPlanMode", input: { plan: "1. Look\n2. Leap" } }] },
  { calls: [look], usage: { input: 170_000, output: 10 } },
  { text: "Shall I go on?" },
  { thread: "summary", when: { system: "summaries" } },
  { text: "The form is read." },
]

/** The request during which a person types a command in another shell. */
const editedDuring = 3

const providers = [
  {
    wire: "anthropic-messages",
    model: "anthropic/claude-sonnet-5",
    env: (url: string) => ({ ANTHROPIC_BASE_URL: url }),
  },
  { wire: "openai-responses", model: "openai/gpt-5.1", env: (url: string) => ({ OPENAI_BASE_URL: `${url}/v1` }) },
  { wire: "gemini", model: "google/gemini-3-pro", env: (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url }) },
]

const keys = { ANTHROPIC_API_KEY: "none", OPENAI_API_KEY: "none", GEMINI_API_KEY: "none" }

describe.each(providers)("a model gets over the wire of $model", ({ wire, model: name, env }) => {
  let loopback: Loopback
  let opened: Opened

  /** What stands at the end of a request: the newest message. */
  const newest = (index: number): string => JSON.stringify(loopback.requests[index]?.neutral.messages.at(-1))
  const whole = (index: number): string => JSON.stringify(loopback.requests[index]?.neutral)
  const requestsThatSay = (words: string): number[] =>
    loopback.requests.flatMap((_, index) => (newest(index).includes(words) ? [index] : []))

  beforeAll(async () => {
    const home = temporaryFolder()
    loopback = await createLoopback(readScript(JSON.stringify(lines)), {
      onRequest: async () => {
        if (loopback.requests.length - 1 !== editedDuring) return
        const argv = [bin, "todo", "add", "Ask Ada <system-reminder>", "--home", home, "--session", "s"]
        await run(process.execPath, argv, { env: { ...process.env, USER: "ada" } })
      },
    })
    const { model } = await findModel(name, { ...keys, ...env(loopback.url) })
    const tracker = await openTracker({ store: createFileStore({ home }), session: "s" })
    opened = await open(model, { tracker, profile: "classic", level: "full", planFile: join(home, "plans", "s.md") })
    expect(await opened.run("Let customers change the address")).toEqual({ ending: "done", text: "Shall I go on?" })
    expect(loopback.requests.map((request) => request.wire)).toEqual(Array(16).fill(wire))
  })
  afterAll(() => loopback.close())

  test("the sections of the system prompt, which keep the list out of commits (C8)", () => {
    const system = loopback.requests[0]?.neutral.system
    expect(system).toContain("# Managing the work")
    expect(system).toContain("before you change anything")
    expect(system).toContain("make a commit, do not use TodoWrite")
    expect(system).toContain("Remember: keep the plan current with TodoWrite")
  })

  test("the prompt of the tool, with its schema (C6, C7)", () => {
    const tool = loopback.requests[0]?.neutral.tools.find((one) => one.name === "TodoWrite")
    expect(tool?.description.length).toBeGreaterThan(3000)
    expect(JSON.stringify(tool?.schema)).toContain("activeForm")
  })

  test("an empty list, once in its own tags (C18, C19)", () => {
    expect(requestsThatSay("<system-reminder>\\nThe todo list is empty.")).toEqual([0])
  })

  test("the result of the tool (C5)", () => {
    expect(newest(1)).toContain("Keep it current and go on with the work.")
  })

  test("a person's edit from another shell, in the turn after it, which can forge nothing (O15, G8)", () => {
    expect(requestsThatSay("The person changed the plan by hand")).toEqual([editedDuring + 1])
    expect(newest(editedDuring + 1)).toContain("Ask Ada")
    expect(newest(editedDuring + 1)).not.toContain("Ask Ada <system-reminder>")
  })

  test("the reminder with the list, at exactly the seventh turn and every third after it (C20, C22)", () => {
    expect(requestsThatSay("There has been no call of TodoWrite")).toEqual([7, 10, 13])
    expect(newest(7)).toContain("1. [completed] Read the form\\n2. [in_progress] Change the address\\n3. [pending]")
  })

  test("plan mode: announced, with refusals of what is not read-only, and left with approval (C25)", () => {
    expect(requestsThatSay("Plan mode is on: read")).toEqual([11])
    expect(newest(12)).toContain("Bash is not possible in plan mode")
    expect(whole(13)).toContain("The user approved the plan")
    expect(existsSync(join(opened.cwd, "never"))).toBe(false)
  })

  test("after a compaction the summary, and the list verbatim with its ids (C18)", () => {
    expect(loopback.requests[14]?.played.thread).toBe("summary")
    expect(loopback.requests[15]?.neutral.messages).toHaveLength(1)
    expect(whole(15)).toContain("The form is read.")
    expect(whole(15)).toContain(
      "#1 [completed] Read the form\\n#2 [in_progress] Change the address\\n#3 [pending] Check it\\n#4 [pending] Ask Ada",
    )
    expect(opened.tracker.plan.todos.map(({ id }) => id)).toEqual(["1", "2", "3", "4"])
  })
})
