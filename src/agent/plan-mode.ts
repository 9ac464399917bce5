/** Plan mode (SPEC C25): the agent only looks and writes its plan down, until the person approves it. */

import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { z } from "zod"
import { sanitiseBlock } from "../plan/index.ts"
import { type AgentTool, agentTool } from "./registry.ts"
import { defineTool } from "./tools/_define.ts"

export type PlanMode = {
  readonly isOn: boolean
  /** The one file that may be written meanwhile. */
  readonly file: string
  set(isOn: boolean): void
  /** Why a call is refused now; undefined when it may run. */
  refusal(tool: AgentTool, input: unknown, cwd: string): string | undefined
  tools: readonly AgentTool[]
}

export type PlanModeOptions = {
  file: string
  /** Asks the person; `detail` is what to look at before answering. */
  ask: (question: string, detail?: string) => Promise<boolean>
  onChange?: (isOn: boolean) => void
}

export const enterPlanMode = "EnterPlanMode"
export const exitPlanMode = "ExitPlanMode"

/** Tools that write one file, and the field that says which. */
const writing: Readonly<Record<string, string>> = { Write: "file_path", Edit: "file_path" }

export const createPlanMode = ({ file, ask, onChange }: PlanModeOptions): PlanMode => {
  let isOn = false
  const set = (next: boolean): void => {
    if (next === isOn) return
    isOn = next
    onChange?.(isOn)
  }

  const enter = defineTool({
    name: enterPlanMode,
    description: `Asks the user to go into plan mode: look around and write a plan, change nothing. Good before large or risky work.`,
    input: z.object({}),
    example: {},
    isReadOnly: true,
    isConcurrencySafe: false,
    needsPermission: async () => undefined,
    async run() {
      if (isOn) return { text: "Plan mode is on already." }
      if (!(await ask("Go into plan mode?")))
        return { text: "The user does not want plan mode. Go on without it.", isError: true }
      set(true)
      return {
        text: `Plan mode is on. Look around, change nothing, write the plan to ${file} and call ${exitPlanMode} to have it approved.`,
        display: "plan mode on",
      }
    },
  })

  const exit = defineTool({
    name: exitPlanMode,
    description: `Shows the plan to the user and asks to leave plan mode. Give it as \`plan\`, unless it is in the plan file already.`,
    input: z.object({ plan: z.string().optional() }),
    example: { plan: "1. Find the callers\n2. Change them" },
    needsPermission: async () => undefined,
    async run({ plan }) {
      if (!isOn) return { text: "Plan mode is off already.", isError: true }
      if (plan !== undefined) {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(file, plan, { mode: 0o600 })
      }
      const text = await readFile(file, "utf8").catch(() => "")
      if (text.trim() === "")
        return { text: `There is no plan yet. Write it to ${file} or give it as \`plan\`.`, isError: true }
      if (!(await ask("Approve this plan and begin?", sanitiseBlock(text))))
        return {
          text: "The user does not approve the plan yet. Plan mode stays on; ask what should be different.",
          isError: true,
        }
      set(false)
      return {
        text: "The user approved the plan. Plan mode is off: begin, and keep the list true.",
        display: "plan approved",
      }
    },
  })

  return {
    get isOn() {
      return isOn
    },
    file,
    set,
    refusal(tool, input, cwd) {
      if (!isOn || tool.isReadOnly() || tool.name === exitPlanMode) return undefined
      const field = writing[tool.name]
      const path = field === undefined ? undefined : (input as Record<string, unknown> | null)?.[field]
      if (typeof path === "string" && resolve(cwd, path) === file) return undefined
      return `${tool.name} is not possible in plan mode: nothing is changed until the user approves the plan. You may write ${file}, and ${exitPlanMode} asks for approval.`
    },
    tools: [agentTool(enter), agentTool(exit)],
  }
}
