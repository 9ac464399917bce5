/**
 * Kimi Code's hooks, of which one is of use: it tells none of them which of its agents it is about, and hears what they say
 * only when a person has sent a prompt. Lists and calls are known by its session files.
 */
import type { HookAgent } from "../../bridges/hooks/hook.ts"

export const hooks: HookAgent = {
  agentType: "kimi-code",
  moments: { UserPromptSubmit: "prompt" },
  listTools: {},
  ownTool: "mcp__headway__todo",
  isNeverHeld: true,
  answer: (_, { context }) => (context === undefined ? undefined : { message: context }),
}
