/** A list that an agent keeps in separate files, as signals. */
import type { ToolCall } from "../dialects/dialect.ts"
import type { Problem } from "../plan/index.ts"
import type { Signal } from "../streams/stream.ts"

export type ReadList = { call?: ToolCall; problems: readonly Problem[] }

export const listSignals = (agent: string, dialect: string, { call, problems }: ReadList): Signal[] => [
  ...problems.map((problem): Signal => ({ type: "problem", problem })),
  ...(call ? [{ type: "snapshot", agent, dialect, call } as const] : []),
]
