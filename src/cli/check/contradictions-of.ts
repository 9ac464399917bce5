/** The todos marked done although the agent's last check failed, as reported to the agent. */
import type { Evidence } from "../../evidence/index.ts"
import type { Contradiction } from "../../guidance/contradicted.ts"

/** A sub-agent reports to its parent, who may still act on it. */
export const contradictionsOf = ({ todos }: Evidence): Contradiction[] =>
  todos.flatMap(({ word, status, content, facts: { lastCheck }, agent }) =>
    word === "contradicted" && status === "completed" && lastCheck && agent === undefined
      ? [{ content, command: lastCheck.command, printed: lastCheck.failure ?? lastCheck.printed?.at(-1) }]
      : [],
  )
