/** The tools that enter and leave plan mode: both ask the person. */
import { basename, dirname, join } from "node:path"
import { z } from "zod"
import { enterPlanMode, exitPlanMode, type PlanMode } from "./plan-mode.ts"
import { type AgentTool, agentTool } from "./registry.ts"
import { defineTool } from "./tools/define.ts"
import type { ToolContext } from "./tools/index.ts"
import { placeOf } from "./tools/paths.ts"
import { readTextFile, writeTextFile } from "./tools/text-file.ts"

export type PlanModeToolsOptions = {
  planMode: PlanMode
  /** Asks the person. `detail` is the text to read before answering. */
  confirm: (question: string, detail: string | undefined, signal: AbortSignal) => Promise<boolean>
}

export const createPlanModeTools = ({ planMode, confirm }: PlanModeToolsOptions): AgentTool[] => {
  const { file } = planMode

  const enter = defineTool({
    name: enterPlanMode,
    description:
      "Asks the user to enter plan mode: look around and write a plan, change nothing. Good before large or risky work.",
    input: z.object({}),
    example: {},
    isReadOnly: true,
    isConcurrencySafe: false,
    needsPermission: async () => undefined,
    async run(_, { signal }) {
      if (planMode.isOn) return { text: "Plan mode is already on." }
      if (!(await confirm("Enter plan mode?", undefined, signal)))
        return { text: "The user does not want plan mode. Continue without it.", isError: true }
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
    async run({ plan }, context) {
      if (!planMode.isOn) return { text: "Plan mode is already off.", isError: true }
      if (plan !== undefined && plan.trim() !== "") await writeTextFile(await realOf(file, context), plan)
      const text = await planIn(file, context)
      if (text.trim() === "")
        return { text: `There is no plan yet. Write it to ${file} or give it as \`plan\`.`, isError: true }
      if (!(await confirm("Approve this plan and begin?", text.trimEnd(), context.signal)))
        return {
          text: "The user does not approve the plan yet. Plan mode stays on; ask what should be different.",
          isError: true,
        }
      if ((await planIn(file, context)) !== text)
        return {
          text: `${file} changed while the user was reading it, so the approval does not count. Call ${exitPlanMode} again.`,
          isError: true,
        }
      planMode.set(false)
      return {
        text: "The user approved the plan. Plan mode is off: begin, and keep the list up to date.",
        display: "Plan approved",
      }
    },
  })

  return [agentTool(enter), agentTool(exit)]
}

/** The whole plan for display; empty if the file does not exist or is a link. */
const planIn = async (file: string, context: ToolContext): Promise<string> => {
  const real = await realOf(file, context)
  const read = await readTextFile({ real, shown: file }, context).catch(() => undefined)
  if (read === undefined || ("problem" in read && read.isMissing)) return ""
  if ("problem" in read) throw new Error(read.problem)
  if (read.isCut) throw new Error(`${file} is too long to be shown whole. Make the plan shorter.`)
  return read.text
}

/**
 * The plan file's real path. Its folder may be reached through a link, such as to Headway's home, but the file itself
 * must not be one.
 */
const realOf = async (file: string, { cwd }: ToolContext): Promise<string> =>
  join((await placeOf(dirname(file), cwd)).real, basename(file))
