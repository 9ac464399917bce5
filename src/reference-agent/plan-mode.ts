/** Plan mode (SPEC C25): the agent only looks and writes its plan down, until the person approves it. */
import { mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { AgentTool } from "./registry.ts"
import { placeOf } from "./tools/paths.ts"

export type PlanMode = {
  readonly isOn: boolean
  /** The one file that may be written in plan mode. */
  readonly file: string
  set(isOn: boolean): void
  /** Why a call is refused now; undefined when it may run. */
  refusal(tool: AgentTool, input: unknown, cwd: string): Promise<string | undefined>
  /** The place of the plan file, for a call that needs no asking: to read it at any time, to write it in plan mode. */
  freePlace(tool: AgentTool, input: unknown, cwd: string): Promise<string | undefined>
}

export const enterPlanMode = "EnterPlanMode"
export const exitPlanMode = "ExitPlanMode"

/** Tools for one file, and the field that says which. */
const fileTools: Readonly<Record<string, string>> = { Read: "file_path", Write: "file_path", Edit: "file_path" }

export type PlanModeOptions = {
  file: string
  /** Whether it is on at the start. @default false */
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

/** As a sub-agent knows it: it cannot leave it, and the plan is not its to write. */
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

/** Undefined for a call about another file. Links are followed: a plan file that leads elsewhere is not the plan file. */
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
    // Writing the plan will say what is wrong.
  }
}
