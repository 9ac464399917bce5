/** Assembles an agent's tools: machine, list, plan mode, sub-agents, and the host's. */
import { findDialect } from "../dialects/index.ts"
import type { HostOptions } from "../host/options.ts"
import { createToolset, type Toolset } from "../host/toolset.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { PlanMode } from "./plan-mode.ts"
import { createPlanModeTools, type PlanModeToolsOptions } from "./plan-mode-tools.ts"
import { type AgentTool, agentTool, createRegistry, type Registry } from "./registry.ts"
import { createSubAgentTool, deepest, subAgentTool } from "./sub-agent.ts"
import { createTodoTools, offersTodos } from "./todo-tools.ts"
import { tools as machineTools } from "./tools/index.ts"
import { type FolderFault, heldTo } from "./working-folder.ts"

export type ToolboxOptions = HostOptions & {
  tracker: Tracker
  tools?: readonly AgentTool[]
  offersList?: boolean
  includesYield?: boolean
  /** 0 for the main agent. */
  depth: number
  planMode: PlanMode
  /** If this returns a reason, the machine's tools do not run. */
  folderFault: FolderFault
  confirm: PlanModeToolsOptions["confirm"]
  work: Parameters<typeof createSubAgentTool>[0]
}

export type Toolbox = {
  registry: Registry
  /** The list tools, and the guidance about them. */
  toolset: Toolset
}

export const createToolbox = (options: ToolboxOptions): Toolbox => {
  const { tracker, depth, planMode, folderFault, confirm, offersList = true, includesYield = false } = options
  const { dialect: spoken = "headway" } = options
  const isSubAgent = depth > 0
  const dialect = typeof spoken === "string" ? findDialect(spoken) : spoken
  const isOffered = offersTodos(dialect, { isEnabled: offersList, isSubAgent, includesYield })
  const handsOn = depth < deepest
  const toolset = createToolset({ ...options, dialect, isOffered, subagent: handsOn ? subAgentTool : undefined })
  const registry = createRegistry([
    ...Object.values(machineTools).map(agentTool).map(heldTo(folderFault)),
    ...createTodoTools({ toolset, tracker, isEnabled: isOffered }),
    ...(isSubAgent ? [] : createPlanModeTools({ planMode, confirm })),
    ...(handsOn ? [createSubAgentTool(options.work)] : []),
    ...(options.tools ?? []),
  ])
  return { registry, toolset }
}
