/** Reads Codex's state from its hooks. */
import { agentStateReader } from "../hook-agent-state.ts"
import { askingTools } from "./_asking-tools.ts"

export const readAgentState = agentStateReader(askingTools)
