/** The way into plan mode and out of it: both ask the person. */
import { readFile } from "node:fs/promises"
import { z } from "zod"
import { sanitiseBlock } from "../plan/index.ts"
import { enterPlanMode, exitPlanMode, type PlanMode } from "./plan-mode.ts"
import { type AgentTool, agentTool } from "./registry.ts"
import { defineTool } from "./tools/_define.ts"
import { writeTextFile } from "./tools/_text-file.ts"

export type PlanModeToolsOptions = {
  planMode: PlanMode
  /** Asks the person; `detail` is what to look at before answering. */
  confirm: (question: string, detail: string | undefined, signal: AbortSignal) => Promise<boolean>
}

export const createPlanModeTools = ({ planMode, confirm }: PlanModeToolsOptions): AgentTool[] => {
  const { file } = planMode

  const enter = defineTool({
    name: enterPlanMode,
    description:
      "Asks the user to go into plan mode: look around and write a plan, change nothing. Good before large or risky work.",
    input: z.object({}),
    example: {},
    isReadOnly: true,
    isConcurrencySafe: false,
    needsPermission: async () => undefined,
    async run(_, { signal }) {
      if (planMode.isOn) return { text: "Plan mode is on already." }
      if (!(await confirm("Go into plan mode?", undefined, signal)))
        return { text: "The user does not want plan mode. Go on without it.", isError: true }
      planMode.set(true)
      return {
        text: `Plan mode is on. Look around, change nothing, write the plan to ${file} and call ${exitPlanMode} to have it approved.`,
        display: "Plan mode on",
      }
    },
  })

  const exit = defineTool({
    name: exitPlanMode,
    description:
      "Shows the plan to the user and asks to leave plan mode. Give it as `plan`, unless it is in the plan file already.",
    input: z.object({ plan: z.string().optional() }),
    example: { plan: "1. Find the callers\n2. Change them" },
    needsPermission: async () => undefined,
    async run({ plan }, { signal }) {
      if (!planMode.isOn) return { text: "Plan mode is off already.", isError: true }
      if (plan !== undefined && plan.trim() !== "") await writeTextFile(file, plan)
      const text = await readFile(file, "utf8").catch(() => "")
      if (text.trim() === "")
        return { text: `There is no plan yet. Write it to ${file} or give it as \`plan\`.`, isError: true }
      if (!(await confirm("Approve this plan and begin?", sanitiseBlock(text), signal)))
        return {
          text: "The user does not approve the plan yet. Plan mode stays on; ask what should be different.",
          isError: true,
        }
      planMode.set(false)
      return {
        text: "The user approved the plan. Plan mode is off: begin, and keep the list true.",
        display: "Plan approved",
      }
    },
  })

  return [agentTool(enter), agentTool(exit)]
}
