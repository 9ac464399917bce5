/** Checks that the calls in a configuration really work, by running each once with a temporary home. */
import { existsSync } from "node:fs"
import { isAbsolute } from "node:path"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { findProgram, isExecutable, isOutOfReach, type Search } from "../programs/find-program.ts"
import { type Ran, runProgram } from "../programs/run-program.ts"
import { ourLauncher } from "../setup/launcher.ts"

/** What the program printed, or what is wrong. */
export type CallCheck = { ok: boolean; note: string }

export type Callable = Search & { words: readonly string[] }

/** Whether there is anything to call. Nothing is run. */
export const checkProgram = ({ words, ...search }: Callable, command: string): CallCheck => {
  const [program = "", ...files] = ourLauncher(words, command) ?? words
  const script = files.at(-1)
  const loose = [program, ...(script === undefined ? [] : [script])].find(isRelativePath)
  if (loose !== undefined) {
    return {
      ok: false,
      note: `${shown(loose)} is not an absolute path, so each project could put its own program there; set it up again`,
    }
  }
  const isThere = isAbsolute(program) ? isExecutable(program) : findProgram(program, search) !== undefined
  if (!isThere)
    return { ok: false, note: `${shown(program)} is ${isAbsolute(program) ? "not there" : "not on your PATH"}` }
  const gone = files.find((file) => isAbsolute(file) && !existsSync(file))
  if (gone !== undefined) return { ok: false, note: `${shown(gone)} is not there` }
  const open = [program, ...files].find((file) => isAbsolute(file) && !isOutOfReach(file))
  if (open === undefined) return { ok: true, note: "" }
  return { ok: false, note: `${shown(open)} is another user's, or other users can replace it, so it is not run` }
}

/** It names another file in every folder. A bare name is looked up on the PATH and is not such a path. */
const isRelativePath = (word: string): boolean => !isAbsolute(word) && /[\\/]|\.js$/.test(word)

const shown = (word: string): string => sanitise(word.length > 200 ? `${word.slice(0, 200)}…` : word)

/** Starts the server as the agent would and asks it for its tools. */
export const checkServer = async (call: Callable): Promise<CallCheck> => {
  const there = checkProgram(call, "mcp")
  if (!there.ok) return there
  const ran = await run(call, {
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
    isEnough: (out) => toolsIn(out) !== undefined,
  })
  const tools = toolsIn(ran.out)
  if (tools) return { ok: true, note: `responds, tool: ${tools.join(", ")}` }
  return { ok: false, note: `does not respond: ${whyOf(ran)}` }
}

/** Calls the hook with nothing to say: it must end with 0, whatever it is sent. */
export const checkHook = async (call: Callable): Promise<CallCheck> => {
  const there = checkProgram(call, "hook")
  if (!there.ok) return there
  const ran = await run(call, { input: "" })
  return ran.code === 0 ? { ok: true, note: "runs" } : { ok: false, note: `does not run: ${whyOf(ran)}` }
}

const whyOf = ({ code, problem }: Ran): string => problem ?? (code === 0 ? "it ended" : `it ended with code ${code}`)

/** A home that is named in the call stays named: then the call is as it will be made. */
const run = (
  { words, ...search }: Callable,
  options: { input: string; isEnough?: (out: string) => boolean },
): Promise<Ran> => runProgram(words, { ...search, ...options })

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
    const answer = parseJson(line)
    const result = isRecord(answer) && answer.id === 2 && isRecord(answer.result) ? answer.result : undefined
    if (!Array.isArray(result?.tools)) continue
    return result.tools.map((tool: unknown) => (isRecord(tool) ? String(tool.name) : ""))
  }
  return undefined
}
