/** Which tools an agent has: those of the machine, of the list, of plan mode, for sub-agents, and the host's. */
import type { Dialect, PromptLevel } from "../dialects/dialect.ts"
import { type GuidanceTools, toolsOf } from "../guidance/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { PlanMode } from "./plan-mode.ts"
import { createPlanModeTools, type PlanModeToolsOptions } from "./plan-mode-tools.ts"
import { type AgentTool, agentTool, createRegistry, type Registry } from "./registry.ts"
import { createSubAgentTool, deepest, subAgentTool } from "./sub-agent.ts"
import { createTodoTools, offersTodos } from "./todo-tools.ts"
import { tools as machineTools } from "./tools/index.ts"

export type ToolboxOptions = {
  tracker: Tracker
  dialect: Dialect
  level: PromptLevel
  tools?: readonly AgentTool[]
  offersList?: boolean
  includesYield?: boolean
  /** 0 for the main agent. */
  depth: number
  planMode: PlanMode
  confirm: PlanModeToolsOptions["confirm"]
  work: Parameters<typeof createSubAgentTool>[0]
}

export type Toolbox = {
  registry: Registry
  /** The tools as guidance speaks of them. */
  guided: GuidanceTools & { list: string[] }
}

export const createToolbox = (options: ToolboxOptions): Toolbox => {
  const { dialect, level, tracker, depth, planMode, confirm, offersList = true, includesYield = false } = options
  const isSubAgent = depth > 0
  const isEnabled = offersTodos(dialect, { isEnabled: offersList, isSubAgent, includesYield })
  const ofTheList = createTodoTools({ dialect, level, tracker, isEnabled })
  const handsOn = depth < deepest
  const registry = createRegistry([
    ...Object.values(machineTools).map(agentTool),
    ...ofTheList,
    ...(isSubAgent ? [] : createPlanModeTools({ planMode, confirm })),
    ...(handsOn ? [createSubAgentTool(options.work)] : []),
    ...(options.tools ?? []),
  ])
  return {
    registry,
    guided: {
      ...toolsOf(ofTheList.filter((tool) => tool.isEnabled())),
      ...(handsOn ? { subagent: subAgentTool } : {}),
    },
  }
}
