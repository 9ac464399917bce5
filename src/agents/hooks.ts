/** The table of hooks: one row for each agent that calls us. */

import type { HookAgent } from "../bridges/hooks/hook.ts"
import { claudeCode } from "./claude-code/hooks.ts"
import { googleGemini } from "./google-gemini/hooks.ts"
import { openaiCodex } from "./openai-codex/hooks.ts"

export const hookAgents = {
  "claude-code": claudeCode,
  "openai-codex": openaiCodex,
  "google-gemini": googleGemini,
} as const satisfies Record<string, HookAgent>

/** Names people use for short. */
const shortNames: Readonly<Record<string, string>> = {
  claude: "claude-code",
  codex: "openai-codex",
  gemini: "google-gemini",
}

export const findHookAgent = (name: string): HookAgent | undefined => {
  const full = shortNames[name] ?? name
  return Object.hasOwn(hookAgents, full) ? hookAgents[full as keyof typeof hookAgents] : undefined
}

export const isOwnTool = (name: string): boolean => /(?:^|_)headway_/.test(name) || name === "todo"
