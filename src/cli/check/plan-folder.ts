/** The folder whose files the checks of a plan are about, wherever a command was typed. */
import { isAbsolute } from "node:path"
import { isFolder, recordedPlace } from "../../home/session-places.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanKey } from "../../stores/store.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place.ts"
import { isOfProject } from "../plans.ts"

type Of = {
  key: PlanKey
  ledger?: Pick<Ledger, "opened"> | undefined
  seen?: Pick<DiscoveredSession, "project"> | undefined
}

/**
 * The worktree in which the session works, where its checks run; otherwise the current folder, if it is in the plan's project.
 * Undefined if it is not known from here.
 */
export const folderOfPlan = (context: Context, { key, ledger, seen }: Of): string | undefined => {
  const { agentType } = ledger?.opened ?? {}
  const recorded = agentType && recordedPlace(homeOf(context), { agentType, session: key.session })?.folder
  if (recorded && isFolder(recorded)) return recorded
  const projects = [seen?.project, ledger?.opened?.project].flatMap((project) => project ?? [])
  if (projects.some((project) => isOfProject(context)({ project }))) return context.io.cwd
  return projects.find((project) => isAbsolute(project) && isFolder(project))
}
