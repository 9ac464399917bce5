/** A working folder with files, and one beside it, for tests of tools on real files and processes. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  createFileMemory,
  defaultLimits,
  type Limits,
  type ToolContext,
  type ToolName,
  type ToolResult,
  tools,
} from "../../../src/reference-agent/tools/index.ts"
import { temporaryFolder } from "../../stores/temporary.ts"

export type Workshop = {
  cwd: string
  /** Not in the working folder. */
  outside: string
  context: ToolContext
  run: (tool: ToolName, input: unknown) => Promise<ToolResult>
  ask: (tool: ToolName, input: unknown) => ReturnType<(typeof tools)[ToolName]["needsPermission"]>
}

export const openWorkshop = (
  files: Record<string, string | Uint8Array> = {},
  { limits = {}, ...changes }: Partial<Omit<ToolContext, "limits">> & { limits?: Partial<Limits> } = {},
): Workshop => {
  const root = temporaryFolder()
  const [cwd, outside] = [join(root, "work"), join(root, "outside")]
  for (const folder of [cwd, outside]) mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), content)
  }
  const context: ToolContext = {
    cwd,
    signal: new AbortController().signal,
    files: createFileMemory(),
    ...changes,
    limits: { ...defaultLimits, ...limits },
  }
  return {
    cwd,
    outside,
    context,
    run: (tool, input) => tools[tool].run(input, context),
    ask: (tool, input) => tools[tool].needsPermission(input, context),
  }
}
