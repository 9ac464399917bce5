/** The table of tools that work on this machine: one row each. */
import { bash } from "./bash.ts"
import { edit } from "./edit.ts"
import { glob } from "./glob.ts"
import { grep } from "./grep.ts"
import { read } from "./read.ts"
import type { Tool } from "./tool.ts"
import { write } from "./write.ts"

export const tools = {
  Read: read,
  Write: write,
  Edit: edit,
  Bash: bash,
  Glob: glob,
  Grep: grep,
} as const satisfies Record<string, Tool>

export type ToolName = keyof typeof tools

export {
  createFileMemory,
  defaultLimits,
  type FileMemory,
  type Limits,
  type Permission,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "./tool.ts"
