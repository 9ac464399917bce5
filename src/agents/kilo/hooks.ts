/** The events of our plugin in Kilo, which is the one for opencode. */
import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { hooks as opencodeHooks } from "../opencode/hooks.ts"

export const hooks: HookAgent = { ...opencodeHooks, agentType: "kilo" }
