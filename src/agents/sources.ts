/** The table of sources: one row for each agent whose sessions are looked for on this machine. */

import type { Source } from "../sessions/source.ts"
import { claudeCode } from "./claude-code/sessions.ts"
import { googleGemini } from "./google-gemini/sessions.ts"
import { ohMyPi } from "./oh-my-pi/sessions.ts"
import { openaiCodex } from "./openai-codex/sessions.ts"
import { opencode } from "./opencode/sessions.ts"
import { qwenCode } from "./qwen-code/sessions.ts"

export const sources = {
  "claude-code": claudeCode,
  "openai-codex": openaiCodex,
  "google-gemini": googleGemini,
  opencode,
  "oh-my-pi": ohMyPi,
  "qwen-code": qwenCode,
} as const satisfies Record<string, Source>

export type { Env, Place, PlanTool, Source, Whose } from "../sessions/source.ts"
