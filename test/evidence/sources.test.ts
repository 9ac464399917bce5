/** Hooks are no source of evidence, because each agent that has them keeps what was done. Here that reason is checked. */
import { expect, test } from "vitest"
import { agentNamed, hookAgentIds, loadStream } from "../../src/agents/index.ts"

test.each(hookAgentIds)("%s has hooks, and keeps sessions that show what was done", async (id) => {
  const source = await agentNamed(id)?.sessions?.()
  const told = (source?.places ?? []).map(async ({ reading }) => {
    if (reading.as === "lines") return (await loadStream(reading.stream))?.tellsWork === true
    return reading.as === "database" && reading.work !== undefined
  })
  expect(await Promise.all(told)).toContain(true)
})
