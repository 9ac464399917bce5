/** Records that a run keeps a plan, and that it has ended: an agent may otherwise still be working on the plan. */
import { agentNamed } from "../../agents/index.ts"
import { noteClient } from "../../home/processes/clients.ts"

export type KeptRun = { agentType: string; session: string }

/**
 * No process is named, so that the session may continue in any. Nothing depends on these notes: without them a plan is
 * shown by its age.
 */
export const noteRun = async (home: string, run: KeptRun, state: "begun" | "ended", now: Date): Promise<void> => {
  const { agentType, session } = run
  if (!agentNamed(agentType)) return
  const told = state === "ended" ? { told: { kind: state, agent: "main" } as const } : {}
  await noteClient(home, { agentType }, { session, through: "run", ...told }, now).catch(() => {})
}
