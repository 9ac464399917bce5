/** The table of agents that can be connected: one row each. */

import type { Agent } from "../bridges/setup/agent-settings.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import { claudeCode } from "./claude-code/settings.ts"
import { googleGemini } from "./google-gemini/settings.ts"
import { ohMyPi } from "./oh-my-pi/settings.ts"
import { openaiCodex } from "./openai-codex/settings.ts"
import { opencode } from "./opencode/settings.ts"
import { qwenCode } from "./qwen-code/settings.ts"

export const agents = {
  "claude-code": claudeCode,
  "openai-codex": openaiCodex,
  "google-gemini": googleGemini,
  opencode,
  "qwen-code": qwenCode,
  "oh-my-pi": ohMyPi,
} as const satisfies Record<string, Agent>

/** The agent of that name, long or short; a caller who names none of ours is told which there are. */
export const findAgent = (name: string): Agent => {
  const found = Object.values<Agent>(agents).find(({ id, shortNames }) => id === name || shortNames.includes(name))
  if (found) return found
  const names = Object.values<Agent>(agents).map(({ id, shortNames: [short] }) => (short ? `${id} (${short})` : id))
  throw new HeadwayError("usage", `There is no agent "${name}". The agents are: ${names.join(", ")}.`)
}
