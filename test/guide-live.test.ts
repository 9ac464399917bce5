/** What the guide shows of a screen, of a command that does not end by itself, and of a model, as it happens. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, onTestFinished, test } from "vitest"
import { dialects } from "../src/dialects/index.ts"
import { createDemoScript, createLoopback, readScript, type Script } from "../src/scripted/index.ts"
import { linesOf, remoteAgent } from "./cli/fake-agent.ts"
import { typedAt } from "./guide-pages.ts"
import { type GuideShell, openGuideShell } from "./guide-shell.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const recording = "claude-2.1.197/todowrite"

/** Types a command at a terminal. */
const typeAt = ({ env, project }: GuideShell, command: string): Terminal => {
  const terminal = openTerminal("sh", ["-c", command], { env, cwd: project })
  onTestFinished(() => terminal.kill("SIGKILL"))
  return terminal
}

describe.skipIf(process.platform === "win32")("at a terminal", () => {
  test("an agent in a run has its plan below its text, as on the page", async () => {
    const [{ command, printed = "" } = { command: "" }] = typedAt(
      "docs/guide/06-run-an-agent-under-headway.md",
      "6. Run an agent under Headway",
    )
    const agent = remoteAgent(recording)
    const shell = openGuideShell({ programs: { claude: agent.command } })
    const terminal = typeAt(shell, command)
    await agent.tell({ lines: 8 })
    await terminal.waitFor("✅ Read the README")
    expect(terminal.everything().filter(Boolean)).toEqual(printed.trimEnd().split("\n"))
  })

  const [{ command: board } = { command: "" }] = typedAt("docs/guide/05-watch-your-agents.md", "5. Watch your agents")
  test.each(board.trimEnd().split("\n"))("%s opens the board, and q ends it", async (command) => {
    const home = "test/fixtures/streams/codex-0.166.0/plan/home"
    const terminal = typeAt(openGuideShell({ home }), command)
    await terminal.waitFor(/codex/)
    terminal.type("q")
    expect(await terminal.exited).toBe(0)
  })
})

test.skipIf(process.platform === "win32")(
  "the server prints its address, and refuses a request without the token in it",
  async () => {
    const [{ command, printed = "" } = { command: "" }] = typedAt(
      "docs/guide/09-plug-into-your-agent.md",
      "A server that already runs",
    )
    const { env, project } = openGuideShell({})
    const shell = spawn("sh", ["-c", `exec ${command} --port 0`], {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    })
    onTestFinished(() => void shell.kill("SIGKILL"))
    const lines: string[] = []
    for await (const line of createInterface({ input: shell.stdout })) if (lines.push(line) === 2) break
    const steady = lines.map((line) => line.replace(/:\d+/, ":4774").replace(/=.+/, "=…"))
    expect(steady.join("\n")).toBe(printed.trimEnd())
    const address = /http\S+/.exec(lines[1] ?? "")?.[0] ?? ""
    const ask = async (url: string): Promise<number> => (await fetch(url, { method: "POST", body: "{}" })).status
    expect(await ask(address.replace(/\?.*/, ""))).toBe(401)
    expect(await ask(address)).not.toBe(401)
  },
)

test.skipIf(process.platform === "win32")("a followed file gives each list as it comes", async () => {
  const followed = typedAt("docs/events.md", "With jq").find(({ command }) => command.includes("--follow"))
  const { env, project } = openGuideShell({})
  const file = join(project, "agent.jsonl")
  const lines = linesOf(recording)
  appendFileSync(file, `${lines.slice(0, 4).join("\n")}\n`)
  const shell = spawn("sh", ["-c", followed?.command ?? ""], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  })
  onTestFinished(() => void process.kill(-(shell.pid ?? 0), "SIGKILL"))
  const printed = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => (await printed.next()).value ?? "the end"
  expect(await next()).toMatch(/^— \S+$/)
  expect([await next(), await next(), await next()]).toEqual([
    "in_progress\tRead the README",
    "pending\tRun the smoke test",
    "pending\tSummarise findings",
  ])
  appendFileSync(file, `${lines.slice(4, 8).join("\n")}\n`)
  expect(await next()).toMatch(/^— \S+$/)
  expect(await next()).toBe("completed\tRead the README")
  shell.kill("SIGTERM")
  await once(shell, "exit")
})

describe.skipIf(process.platform === "win32")("with a model", () => {
  const page = "docs/guide/08-the-reference-agent.md"
  const withModel = async (script: Script): Promise<GuideShell> => {
    const service = await createLoopback(script)
    onTestFinished(() => service.close())
    return openGuideShell({ env: { ANTHROPIC_API_KEY: "any", ANTHROPIC_BASE_URL: service.url } })
  }

  test("a session that was left continues", async () => {
    const { type } = await withModel(readScript('[{ "text": "It goes on." }]'))
    const [{ command: begin } = { command: "" }] = typedAt(page, "See it work, without a key")
    await type(begin)
    const [{ command } = { command: "" }] = typedAt(page, "Sessions")
    expect(await type(`${command.trimEnd()} --model anthropic/claude-sonnet-4-5`)).toEqual({
      code: 0,
      printed: expect.stringContaining("It goes on."),
    })
  })

  const [{ command } = { command: "" }] = typedAt(page, "For another program")
  test.each(command.trimEnd().split("\n"))("another program reads what the agent prints: %s", async (line) => {
    const { type } = await withModel(createDemoScript(dialects["claude-todos"]))
    expect(await type(line)).toEqual({
      code: 0,
      printed: expect.stringMatching(/completed.*Write slug\.mjs|Write slug\.mjs.*completed/),
    })
  })

  test("the agent's output is recognised also without a list", async () => {
    const { type } = await withModel(readScript('[{ "text": "Nothing to do." }]'))
    expect(await type('headway agent --json "Look around" | headway events')).toEqual({
      code: 0,
      printed: "headway: standard input holds no todo list (headway events)\n",
    })
  })
})
