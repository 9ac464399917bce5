/** Plan mode (behaviour C25): the agent only reads and writes a plan, until the person approves it. */
import { mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { AgentTool } from "./registry.ts"
import { placeOf } from "./tools/paths.ts"

export type PlanMode = {
  readonly isOn: boolean
  /** The only file that may be written in plan mode. */
  readonly file: string
  set(isOn: boolean): void
  /** Returns why a call is refused now; undefined if it may run. */
  refusal(tool: AgentTool, input: unknown, cwd: string): Promise<string | undefined>
  /**
   * Returns the plan file's path for a call that needs no permission: to read the file, or to write it in plan mode.
   */
  freePlace(tool: AgentTool, input: unknown, cwd: string): Promise<string | undefined>
}

export const enterPlanMode = "EnterPlanMode"
export const exitPlanMode = "ExitPlanMode"

/** Tools for a single file, and the field with its path. */
const fileTools: Readonly<Record<string, string>> = { Read: "file_path", Write: "file_path", Edit: "file_path" }

export type PlanModeOptions = {
  file: string
  /** Whether plan mode is on at the start. @default false */
  isOn?: boolean
  onChange?: (isOn: boolean) => void
}

export const createPlanMode = ({ file, isOn: wasOn = false, onChange }: PlanModeOptions): PlanMode => {
  let isOn = wasOn
  const freePlace: PlanMode["freePlace"] = async (tool, input, cwd) =>
    isOn || tool.isReadOnly() ? await placeIn(file, tool, input, cwd) : undefined
  return {
    get isOn() {
      return isOn
    },
    file,
    set(next) {
      if (next === isOn) return
      if (next) makeRoom(file)
      isOn = next
      onChange?.(isOn)
    },
    freePlace,
    async refusal(tool, input, cwd) {
      if (!isOn || tool.isReadOnly() || tool.name === exitPlanMode) return undefined
      if ((await freePlace(tool, input, cwd)) !== undefined) return undefined
      return `${sayRefused(tool)} You may write ${file}, and ${exitPlanMode} asks for approval.`
    },
  }
}

/** Plan mode for a sub-agent, which can neither leave it nor write the plan. */
export const planModeOfAnother = (other: PlanMode): PlanMode => ({
  get isOn() {
    return other.isOn
  },
  file: other.file,
  set() {},
  freePlace: async () => undefined,
  refusal: async (tool) =>
    other.isOn && !tool.isReadOnly() ? `${sayRefused(tool)} Say what should be done instead.` : undefined,
})

const sayRefused = ({ name }: AgentTool): string =>
  `${name} is not possible in plan mode: nothing is changed until the user approves the plan.`

/**
 * The plan file's path; undefined for a call about another file. Links are followed, so a link to another file is not
 * the plan file.
 */
const placeIn = async (file: string, tool: AgentTool, input: unknown, cwd: string): Promise<string | undefined> => {
  const field = fileTools[tool.name]
  const path = field === undefined ? undefined : (input as Record<string, unknown> | null)?.[field]
  if (typeof path !== "string") return undefined
  try {
    const [meant, folder] = await Promise.all([placeOf(path, cwd), placeOf(dirname(file), cwd)])
    return meant.real === join(folder.real, basename(file)) ? meant.named : undefined
  } catch {
    return undefined
  }
}

const makeRoom = (file: string): void => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch {
    // Writing the plan will report the problem.
  }
}
