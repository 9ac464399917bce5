/** The table of sources: one row for each agent whose sessions are looked for on this machine. */
import { claudeCode } from "./claude-code.ts"
import { googleGemini } from "./google-gemini.ts"
import { ohMyPi } from "./oh-my-pi.ts"
import { openaiCodex } from "./openai-codex.ts"
import { opencode } from "./opencode.ts"
import { qwenCode } from "./qwen-code.ts"
import type { Source } from "./source.ts"

export const sources = {
  "claude-code": claudeCode,
  "openai-codex": openaiCodex,
  "google-gemini": googleGemini,
  opencode,
  "oh-my-pi": ohMyPi,
  "qwen-code": qwenCode,
} as const satisfies Record<string, Source>

export type { Env, Place, PlanTool, Source, Whose } from "./source.ts"
