/**
 * Kimi Code's hooks. Only one is useful: none of them gets the name of the calling agent, and Kimi Code uses their
 * output only after a prompt of the person. Lists and calls are read from its session files.
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
