/** The table of clients: one row each. */
import { claudeCode, claudeCodeWithTasks } from "./claude-code.ts"
import type { Client } from "./client.ts"
import { githubCopilot } from "./github-copilot.ts"
import { googleGemini } from "./google-gemini.ts"
import { grok } from "./grok.ts"
import { kilo } from "./kilo.ts"
import { kimiCode } from "./kimi-code.ts"
import { ohMyPi } from "./oh-my-pi.ts"
import { openaiCodex, openaiCodexDirect } from "./openai-codex.ts"
import { opencode } from "./opencode.ts"
import { qwenCode } from "./qwen-code.ts"

export const clients: readonly Client[] = [
  claudeCodeWithTasks,
  claudeCode,
  openaiCodex,
  openaiCodexDirect,
  googleGemini,
  opencode,
  kilo,
  qwenCode,
  kimiCode,
  githubCopilot,
  grok,
  ohMyPi,
]
