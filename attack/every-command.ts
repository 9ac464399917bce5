/** Every command there is, as an agent or a person would give it in a project. */

import { commandNames } from "../src/cli/commands/index.ts"
import { hookAgents } from "../test/agents/loaded.ts"

export type CommandRow = {
  words: string[]
  input?: string
  /** What it prints is read by a model. */
  isForAgent?: true
  /** It changes files of the project, as it is asked to. */
  changesProject?: true
}

export type CommandPlace = {
  project: string
  session: string
  /** A file of an agent's output. */
  recording: string
  /** Whose hooks are called. @default those of all agents */
  agents?: readonly string[]
  /** Which agents would be set up. */
  setups?: readonly string[]
}

/** Agents whose configuration has different shapes. */
export const setupAgents = ["claude-code", "codex", "gemini", "opencode"] as const

export const everyCommand = ({
  project,
  session,
  recording,
  agents,
  setups = setupAgents,
}: CommandPlace): CommandRow[] => {
  const named = ["--session", session]
  return [
    { words: ["list"] },
    { words: ["list", "--all", "--json"] },
    { words: ["show"] },
    { words: ["show", "--json", ...named] },
    { words: ["name", session] },
    { words: ["name", session, "Renamed"] },
    { words: ["history"] },
    { words: ["history", "--times", ...named] },
    { words: ["todo", "add", "Written by the person"] },
    { words: ["todo", "note", "1", "Noted by the person", ...named] },
    { words: ["todo", "export", ...named] },
    { words: ["todo", "undo", ...named] },
    { words: ["write"], input: '{"todos":[{"content":"Written by the agent"}]}', isForAgent: true },
    { words: ["write", ...named], input: "", isForAgent: true },
    { words: ["gc", "--older-than", "1m", "--unfinished", "--dry-run"] },
    { words: ["statusline"], input: JSON.stringify({ session_id: session, cwd: project }) },
    { words: ["statusline", "--json", ...named] },
    { words: ["find", "Written", "--json"] },
    { words: ["evidence", ...named] },
    { words: ["evidence", "--all", "--since", "7d", "--json"] },
    { words: ["check"] },
    { words: ["check", "list", ...named] },
    { words: ["store"] },
    { words: ["store", "check", "--json"] },
    { words: ["open", "--print"] },
    { words: ["open", session, "--print", "--json"] },
    { words: ["events", recording] },
    { words: ["watch"] },
    { words: ["run", ...named, "--", "true"] },
    { words: ["setup"] },
    ...setups.flatMap((agent) => [
      { words: ["setup", agent, "--dry-run"] },
      { words: ["setup", agent, "--dry-run", "--scope", "project"] },
    ]),
    { words: ["doctor"] },
    { words: ["completion", "bash"] },
    { words: ["demo", "--speed", "1000"] },
    { words: ["mcp"], input: mcpLines(session), isForAgent: true },
    ...hookRows(project, session, agents),
    { words: ["gc", "--older-than", "1m", "--unfinished"] },
    {
      words: ["agent", "--model", "script:demo", "--print", "--yes", "Build it"],
      isForAgent: true,
      changesProject: true,
    },
  ]
}

/** Names of commands that no row gives; a new command needs one. `serve` and `project` are given by the attacks themselves. */
export const commandsLeftOut = (rows: readonly CommandRow[]): string[] =>
  commandNames.filter((name) => !ofTheirOwn.includes(name) && !rows.some(({ words }) => words[0] === name))

const ofTheirOwn: readonly string[] = ["serve", "project"]

/** Every moment at which an agent calls a hook. */
const hookRows = (
  project: string,
  session: string,
  agents: readonly string[] = Object.keys(hookAgents),
): CommandRow[] =>
  Object.entries(hookAgents).flatMap(([name, { moments, ownTool }]) =>
    Object.keys(agents.includes(name) ? moments : {}).map((event) => ({
      words: ["hook", name],
      isForAgent: true as const,
      input: JSON.stringify({
        session_id: session,
        cwd: project,
        hook_event_name: event,
        source: "resume",
        prompt: "Go on.",
        tool_name: ownTool,
        tool_use_id: `call-${name}-${event}`,
        tool_input: {},
        tool_response: "Done.",
      }),
    })),
  )

const mcpLines = (session: string): string =>
  [
    ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "any", version: "1" } }],
    ["tools/list", {}],
    ["tools/call", { name: "todo", arguments: {} }],
    ["tools/call", { name: "todo", arguments: { todos: [{ content: "Written over MCP" }] } }],
    ["resources/list", {}],
    ["resources/read", { uri: `plan://${session}/main` }],
    ["prompts/get", { name: "todos" }],
  ]
    .map(([method, params], id) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    .join("")
