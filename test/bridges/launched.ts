/** Calls through the launcher as set-up writes them: the real script, the real program, and a Node that notes when it is started. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../stores/temporary.ts"
import { ownBin, programOnPath } from "./on-path.ts"

export const script = fileURLToPath(new URL("../../dist/bin/headway-launcher", import.meta.url))

export type Launched = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string }

type Options = { input?: string | Buffer; env?: Record<string, string>; shell?: readonly string[]; cwd?: string }

export const launchedHome = () => {
  const home = temporaryFolder()
  const notes = join(home, "started")
  const node = join(
    programOnPath(join(home, "bin"), "node", `echo >>"${notes}"`, `exec "${process.execPath}" "$@"`),
    "node",
  )
  const callOf = (words: readonly string[], { shell = [], env = {}, cwd = home }: Options) => {
    const [program = "", ...rest] = [...shell, script, node, ownBin, ...words]
    return { program, rest, options: { cwd, env: { HOME: home, PATH: process.env.PATH ?? "", ...env } } }
  }
  const inHome = (...path: string[]): string => join(home, ".headway", ...path)
  const namesIn = (...path: string[]): string[] => (existsSync(inHome(...path)) ? readdirSync(inHome(...path)) : [])
  return {
    home,
    inHome,
    namesIn,
    /** How often Node was started. */
    started: (): number => (existsSync(notes) ? readFileSync(notes, "utf8").length : 0),
    launch(words: readonly string[], given: Options = {}): Launched {
      const { program, rest, options } = callOf(words, given)
      const ran = spawnSync(program, rest, { ...options, input: given.input ?? "", maxBuffer: 1 << 28 })
      return { code: ran.status, signal: ran.signal, out: String(ran.stdout), err: String(ran.stderr) }
    },
    /** The same beside others; `killAfter` ends it as kill -9 does, after that many milliseconds. */
    launchBeside(words: readonly string[], given: Options & { killAfter?: number } = {}): Promise<Launched> {
      const { program, rest, options } = callOf(words, given)
      const child = spawn(program, rest, { ...options, stdio: ["pipe", "pipe", "ignore"], detached: true })
      let out = ""
      child.stdout.on("data", (part) => {
        out += part
      })
      child.stdin.on("error", () => {})
      child.stdin.end(given.input ?? "")
      const kill = () => {
        try {
          process.kill(-(child.pid ?? 0), "SIGKILL")
        } catch {}
      }
      const timer = given.killAfter === undefined ? undefined : setTimeout(kill, given.killAfter)
      return new Promise((resolve) =>
        child.on("close", (code, signal) => {
          clearTimeout(timer)
          resolve({ code, signal, out, err: "" })
        }),
      )
    },
    /** The program itself, without the launcher. */
    run: (
      words: readonly string[],
      more: { input?: string; nodeOptions?: readonly string[]; env?: Record<string, string>; cwd?: string } = {},
    ) =>
      spawnSync(process.execPath, [...(more.nodeOptions ?? []), ownBin, ...words], {
        cwd: more.cwd ?? home,
        env: { HOME: home, ...more.env },
        input: more.input ?? "",
        encoding: "utf8",
      }),
    /** How many calls of tools the session's hooks have counted. */
    counted: (plan = "s-1-agent-main"): number =>
      JSON.parse(readFileSync(inHome("cache", "hooks", `${plan}.json`), "utf8")).turns.turns,
  }
}

/** An event as Claude Code words it, its keys in the same order. */
export const toolEvent = (
  tool_name: string,
  tool_input: unknown,
  more: { session?: string; agent?: string; response?: string } = {},
) => {
  const { session = "s-1", agent, response = "done" } = more
  return JSON.stringify({
    session_id: session,
    transcript_path: "/home/user/.claude/projects/p/s.jsonl",
    cwd: "/",
    permission_mode: "default",
    ...(agent === undefined ? {} : { agent_id: agent, agent_type: "general-purpose" }),
    effort: { level: "high" },
    hook_event_name: "PostToolUse",
    tool_name,
    tool_input,
    tool_response: response,
  })
}

export const bash = toolEvent("Bash", { command: "ls" })

export const listCall = (...contents: string[]): string =>
  toolEvent("TodoWrite", { todos: contents.map((content) => ({ content, status: "pending", activeForm: content })) })

export const hookWords = ["hook", "claude-code"]
