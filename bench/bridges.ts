/** What the bridges cost an agent: the start of the MCP server, one update on plans of two sizes, the words of its tool. */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { encode } from "gpt-tokenizer"
import { bareStart, bin, byTurns, median, milliseconds, type Row, runNode } from "./measure.ts"

type Session = { ask(method: string, params: object): Promise<unknown>; end(): Promise<void> }

const connect = (home: string): Session => {
  const child = spawn(process.execPath, [resolve(bin), "mcp", "--session", "bench"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, HEADWAY_HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const ask = async (method: string, params: object): Promise<unknown> => {
    id += 1
    send({ id, method, params })
    const { value } = await answers.next()
    return JSON.parse(value as string).result
  }
  return {
    ask,
    async end() {
      const closed = new Promise((resolve) => child.once("close", resolve))
      child.stdin.end()
      await closed
    },
  }
}

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } }

const startTimes = async (home: string): Promise<{ bare: number; listed: number; tools: unknown }> => {
  const bare: number[] = []
  const listed: number[] = []
  let tools: unknown
  for (let round = 0; round < 21; round += 1) {
    const before = performance.now()
    bareStart()
    const between = performance.now()
    const session = connect(home)
    await session.ask("initialize", hello)
    tools = await session.ask("tools/list", {})
    listed.push(performance.now() - between)
    bare.push(between - before)
    await session.end()
  }
  return { bare: median(bare), listed: median(listed), tools }
}

const updateTimes = async (home: string, count: number): Promise<{ time: number; bytes: number }> => {
  const todos = Array.from({ length: count }, (_, index) => ({ content: `Write part ${index + 1} of the report` }))
  runNode([bin, "write", "--new", "--session", "bench"], { home, input: JSON.stringify({ todos, replace: true }) })
  const session = connect(home)
  await session.ask("initialize", hello)
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < 101; round += 1) {
    const status = round % 2 === 0 ? "completed" : "pending"
    const started = performance.now()
    const answer = await session.ask("tools/call", { name: "todo", arguments: { todos: [{ id: "1", status }] } })
    times.push(performance.now() - started)
    bytes = JSON.stringify(answer).length
  }
  await session.end()
  return { time: median(times.slice(1)), bytes }
}

/** A tool has run, a plan is there, and nothing is to be said: the usual case, on every step of an agent. */
const hookTimes = (home: string): { bare: number; quiet: number; none: number } => {
  const event = (tool_name: string, tool_input: object, session_id: string): string =>
    JSON.stringify({ session_id, cwd: home, hook_event_name: "PostToolUse", tool_name, tool_input })
  const hook = (input: string): void => void runNode([bin, "hook", "claude-code"], { home, input })
  const todos = [{ content: "Write the report", status: "pending", activeForm: "Writing" }]
  hook(event("TodoWrite", { todos }, "with-plan"))
  const { bare, quiet, none } = byTurns(
    {
      bare: bareStart,
      quiet: () => hook(event("Bash", { command: "ls" }, "with-plan")),
      none: () => hook(event("Bash", { command: "ls" }, "without")),
    },
    25,
  )
  return { bare, quiet, none }
}

/** The same through the launcher, as set-up writes it, and a status line that is still good. */
const launchedTimes = (home: string): { bare: number; silent: number; none: number; line: number } => {
  const launch = (words: readonly string[], input: string): void => {
    const env = { ...process.env, HEADWAY_HOME: home, HOME: home }
    const call = [process.execPath, resolve(bin), ...words]
    const { status, stderr } = spawnSync(resolve(launcher), call, { env, input, encoding: "utf8" })
    if (status !== 0) throw new Error(`the launcher ended with ${status}: ${stderr}`)
  }
  const event = (tool_name: string, tool_input: object, session_id: string): string =>
    JSON.stringify({ session_id, cwd: home, hook_event_name: "PostToolUse", tool_name, tool_input })
  const hook = (input: string): void => launch(["hook", "claude-code"], input)
  const todos = [{ content: "Write the report", status: "pending", activeForm: "Writing" }]
  hook(event("TodoWrite", { todos }, "with-plan"))
  return byTurns(
    {
      bare: bareStart,
      silent: () => {
        hook(event("Bash", { command: "ls" }, "with-plan"))
        // As if it was taken in: else Node would be started when enough has gathered.
        rmSync(join(home, "aside", "events", "with-plan-agent-main.1"))
      },
      none: () => hook(event("Bash", { command: "ls" }, "without")),
      line: () => launch(["statusline"], JSON.stringify({ session_id: "with-plan", cwd: home })),
    },
    25,
  )
}

const launcher = "dist/bin/headway-launcher"

/** CPU time of a call, as the shell counts it for its children: others who use the cores hardly change it. */
const cpuOf = (home: string, words: readonly string[], input: string): number => {
  const file = join(home, "input")
  writeFileSync(file, input)
  const loop = 'n=8; while [ $n -gt 0 ]; do "$@" <"$0" >/dev/null; n=$((n - 1)); done; times'
  const times = Array.from({ length: 9 }, () => {
    rmSync(join(home, "aside", "events"), { recursive: true, force: true })
    mkdirSync(join(home, "aside", "events"), { recursive: true })
    const env = { ...process.env, HEADWAY_HOME: home, HOME: home }
    const { stdout } = spawnSync("/bin/sh", ["-c", loop, file, ...words], { env, encoding: "utf8" })
    const [, children = ""] = stdout.trim().split("\n")
    const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s))
    return (seconds.reduce((sum, one) => sum + one, 0) / 8) * 1000
  })
  return times.reduce((sum, one) => sum + one, 0) / times.length
}

const launchedCpu = (home: string): { bare: number; silent: number; line: number } => {
  const call = [resolve(launcher), process.execPath, resolve(bin)]
  const event = {
    session_id: "with-plan",
    cwd: home,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: {},
  }
  return {
    bare: cpuOf(home, [process.execPath, "-e", "0"], ""),
    silent: cpuOf(home, [...call, "hook", "claude-code"], JSON.stringify(event)),
    line: cpuOf(home, [...call, "statusline"], JSON.stringify({ session_id: "with-plan", cwd: home })),
  }
}

export const bridges = async (): Promise<Row[]> => {
  const homes = Array.from({ length: 5 }, () => mkdtempSync(join(tmpdir(), "headway-bench-")))
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = homes
  const { bare, listed, tools } = await startTimes(first)
  const small = await updateTimes(second, 10)
  const large = await updateTimes(third, 10_000)
  const hooks = hookTimes(fourth)
  const launched = launchedTimes(fifth)
  const cpu = launchedCpu(fifth)
  for (const home of homes) rmSync(home, { recursive: true })
  const words = encode(JSON.stringify(tools)).length
  return [
    { what: "node -e 0", figure: milliseconds(bare) },
    { what: "headway mcp, spawn to tools/list", figure: milliseconds(listed), ratio: listed / bare, limit: 2.5 },
    { what: "headway hook, no plan", figure: milliseconds(hooks.none), ratio: hooks.none / hooks.bare, limit: 1.2 },
    {
      what: "headway hook, a plan, nothing to say",
      figure: milliseconds(hooks.quiet),
      ratio: hooks.quiet / hooks.bare,
      limit: 1.2,
    },
    ...(
      [
        ["silent hook by the launcher, a plan", launched.silent, launched.bare],
        ["silent hook by the launcher, no plan", launched.none, launched.bare],
        ["fresh status line by the launcher", launched.line, launched.bare],
        ["silent hook, a plan, CPU time", cpu.silent, cpu.bare],
        ["fresh status line, CPU time", cpu.line, cpu.bare],
      ] as const
    ).map(([what, time, bare]) => ({ what, figure: milliseconds(time), ratio: time / bare, limit: 0.15 })),
    { what: "tool list at quiet", figure: `${words} tokens`, ratio: words / 500, limit: 1 },
    { what: "update over MCP, 10 todos, p50", figure: milliseconds(small.time) },
    {
      what: "update over MCP, 10,000 todos, p50",
      figure: milliseconds(large.time),
      ratio: large.time / small.time,
      limit: 1.5,
    },
    {
      what: "its reply, 10,000 against 10 todos",
      figure: `${large.bytes} bytes`,
      ratio: large.bytes / small.bytes,
      limit: 1.1,
    },
  ]
}
