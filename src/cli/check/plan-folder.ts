/** The folder whose files the checks of a plan are about, wherever a command was typed. */
import { isAbsolute } from "node:path"
import { isFolder } from "../../home/session-places.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { Context } from "../command.ts"
import { isOfProject } from "../plans.ts"

type Of = { ledger?: Pick<Ledger, "opened"> | undefined; seen?: Pick<DiscoveredSession, "project"> | undefined }

/** The current folder if it is in the plan's project, which may have several worktrees. Undefined if it is not known from here. */
export const folderOfPlan = (context: Context, { ledger, seen }: Of): string | undefined => {
  const projects = [seen?.project, ledger?.opened?.project].flatMap((project) => project ?? [])
  if (projects.some((project) => isOfProject(context)({ project }))) return context.io.cwd
  return projects.find((project) => isAbsolute(project) && isFolder(project))
}
