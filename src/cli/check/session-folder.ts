/** The folder in which the session of a plan works: its checks run there, and results are compared with the files there. */
import { isAbsolute } from "node:path"
import { projectOf, workFolderOf } from "../../board/project.ts"
import { recordedPlace } from "../../home/notes/session-places.ts"
import { isFolder } from "../../home/paths/on-disk.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanKey } from "../../stores/store.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import { isOfProject } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place/place.ts"

/** A plan, and its session in the agent's files, if there is one. */
export type PlanOfSession = {
  key: PlanKey
  ledger?: Pick<Ledger, "opened"> | undefined
  seen?: Pick<DiscoveredSession, "agentType" | "project"> | undefined
}

export type SessionFolder = {
  /** The root of its worktree; without a repository, the folder itself. */
  folder: string
  /** The root of its repository, for which commands are allowed. */
  project: string
  /** As seen from the person's folder. `unknown`: it is not on this machine, and the folder is the person's. */
  place: "here" | "other-worktree" | "other-project" | "unknown"
}

export const sessionFolderOf = (context: Context, plan: PlanOfSession): SessionFolder => {
  const here = rootsOf(context.io.cwd)
  const own = ownFolderOf(context, plan)
  if (own === undefined) return { ...here, place: isOfProjectHere(context, plan) ? "here" : "unknown" }
  const there = rootsOf(own)
  if (there.project !== here.project) return { ...there, place: "other-project" }
  return { ...there, place: there.folder === here.folder ? "here" : "other-worktree" }
}

const rootsOf = (folder: string): Pick<SessionFolder, "folder" | "project"> => ({
  folder: workFolderOf(folder),
  project: projectOf(folder),
})

/**
 * Where the session began, else the folder in its file, else the project of its plan. Undefined if none of them is on this
 * machine, or if all that is known is the person's own project.
 */
const ownFolderOf = (context: Context, { key: { session }, ledger, seen }: PlanOfSession): string | undefined => {
  const agentType = ledger?.opened?.agentType ?? seen?.agentType
  const recorded = agentType === undefined ? undefined : recordedPlace(homeOf(context), { agentType, session })
  if (recorded) return recorded.folder
  if (isFolderHere(seen?.project)) return seen?.project
  const project = ledger?.opened?.project
  // A plan names its repository and not a worktree: in the person's repository, that is the one they are in.
  return isFolderHere(project) && !isOfProject(context)({ project }) ? project : undefined
}

const isFolderHere = (path = ""): boolean => isAbsolute(path) && isFolder(path)

const isOfProjectHere = (context: Context, { ledger, seen }: PlanOfSession): boolean =>
  [seen?.project, ledger?.opened?.project].some((project) => isOfProject(context)({ project }))

export const otherProject = ({ folder }: SessionFolder, session: string, words: string): HeadwayError =>
  new HeadwayError(
    "other-project",
    `Session ${sanitise(session)} works in ${sanitise(folder)}, which is another project, so nothing was run or changed here. Do it there: cd ${shellWord(folder)} && headway check ${words}--session ${shellWord(session)}`,
  )
