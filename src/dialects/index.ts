/** The table of dialects, one row each. A new dialect needs a file, a row here and a fixture. */
import { HeadwayError } from "../plan/index.ts"
import { acp } from "./acp.ts"
import { claudeTasks } from "./claude-tasks.ts"
import { claudeTodos } from "./claude-todos.ts"
import { codex } from "./codex.ts"
import { copilot } from "./copilot.ts"
import { crush } from "./crush.ts"
import { cursor } from "./cursor.ts"
import type { Dialect } from "./dialect.ts"
import { gemini } from "./gemini.ts"
import { geminiTracker } from "./gemini-tracker.ts"
import { gencode } from "./gencode.ts"
import { headway } from "./headway.ts"
import { kimi } from "./kimi.ts"
import { langchain } from "./langchain.ts"
import { markdown } from "./markdown.ts"
import { ohMyPi } from "./oh-my-pi.ts"
import { opencode } from "./opencode.ts"
import { qwen } from "./qwen.ts"
import { roo } from "./roo.ts"
import { vscode } from "./vscode.ts"

export const dialects = {
  headway,
  "claude-todos": claudeTodos,
  "claude-tasks": claudeTasks,
  codex,
  gemini,
  "gemini-tracker": geminiTracker,
  opencode,
  "oh-my-pi": ohMyPi,
  gencode,
  cursor,
  vscode,
  copilot,
  qwen,
  kimi,
  crush,
  roo,
  acp,
  langchain,
  markdown,
} as const satisfies Record<string, Dialect>

export type DialectId = keyof typeof dialects

export const dialectIds = Object.keys(dialects) as DialectId[]

export const isDialectId = (id: string): id is DialectId => Object.hasOwn(dialects, id)

/** The dialect of that id; throws for an unknown id, listing the known ones. */
export const findDialect: FindDialect = (id: string) => {
  if (isDialectId(id)) return dialects[id]
  throw new HeadwayError("unknown-dialect", `There is no dialect "${id}". The dialects are: ${dialectIds.join(", ")}.`)
}

/** For an id known at compile time, the type of the results is known too. */
type FindDialect = {
  <Id extends DialectId>(id: Id): (typeof dialects)[Id]
  (id: string): Dialect
}

export { readStatus } from "../plan/index.ts"
export { type ChecklistMarks, houseMarks, printChecklist, readChecklist } from "./checklist.ts"
export {
  type Carries,
  type DataOf,
  type Decoded,
  type Dialect,
  type Outcome,
  type PromptLevel,
  promptLevels,
  type Reply,
  type Tool,
  type ToolCall,
} from "./dialect.ts"
