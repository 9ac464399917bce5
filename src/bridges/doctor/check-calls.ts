/** Whether the calls that stand in a configuration really work: they are made once, with a home of their own. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { isAbsolute, join } from "node:path"
import { isObject } from "../config/edit.ts"
import { type Ran, runProgram } from "../run-program.ts"
import { findOnPath, isExecutable, ourLauncher } from "../setup/launcher.ts"

/** What was heard, or what is wrong. */
export type CallCheck = { ok: boolean; note: string }

export type Callable = {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/** Whether there is anything to call. Nothing is run. */
export const checkProgram = ({ words, env }: Callable, command: string): CallCheck => {
  const [program = "", ...files] = ourLauncher(words, command) ?? words
  const isThere = isAbsolute(program) ? isExecutable(program) : findOnPath(program, env) !== undefined
  const gone = isThere ? files.find((file) => isAbsolute(file) && !existsSync(file)) : program
  return gone === undefined ? { ok: true, note: "" } : { ok: false, note: `${gone} is not there` }
}

/** Starts the server as the agent would and asks it for its tools. */
export const checkServer = async (call: Callable): Promise<CallCheck> => {
  const there = checkProgram(call, "mcp")
  if (!there.ok) return there
  const ran = await runAside(call, {
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
    isEnough: (out) => toolsIn(out) !== undefined,
  })
  const tools = toolsIn(ran.out)
  if (tools) return { ok: true, note: `answers, tool: ${tools.join(", ")}` }
  return { ok: false, note: `does not answer: ${whyOf(ran)}` }
}

/** Calls the hook with nothing to say: it must end well, whatever it hears. */
export const checkHook = async (call: Callable): Promise<CallCheck> => {
  const there = checkProgram(call, "hook")
  if (!there.ok) return there
  const ran = await runAside(call, { input: "" })
  return ran.code === 0 ? { ok: true, note: "runs" } : { ok: false, note: `does not run: ${whyOf(ran)}` }
}

const whyOf = ({ code, problem }: Ran): string => problem ?? (code === 0 ? "it ended" : `it ended with code ${code}`)

/** In a home of its own, so that nothing is written to the person's plans. */
const runAside = async (
  { words, env, cwd }: Callable,
  options: { input: string; isEnough?: (out: string) => boolean },
): Promise<Ran> => {
  const home = mkdtempSync(join(tmpdir(), "headway-doctor-"))
  // A home that is named in the call stays named: then the call is as it will be made.
  try {
    return await runProgram(words, { env: { ...env, HEADWAY_HOME: home }, cwd, ...options })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const questions = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "headway-doctor", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
]

const toolsIn = (out: string): string[] | undefined => {
  for (const line of out.split("\n").slice(0, -1)) {
    const answer = parsed(line)
    const result = isObject(answer) && answer.id === 2 && isObject(answer.result) ? answer.result : undefined
    if (!Array.isArray(result?.tools)) continue
    return result.tools.map((tool: unknown) => (isObject(tool) ? String(tool.name) : ""))
  }
  return undefined
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
