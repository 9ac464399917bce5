/**
 * Kimi Code's hooks, of which one is useful: it tells none of them which agent they are called for, and uses their output
 * only when a person has sent a prompt. Lists and calls are read from its session files.
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
