/** The folder in which the checks of a plan run: where its session works, and never in another repository without a word. */
import { projectOf, workFolderOf } from "../../board/project.ts"
import { fullPath } from "../../home/full-path.ts"
import { isFolder, recordedPlace } from "../../home/session-places.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { shellWord } from "../../views/shell-word.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place.ts"

export type CheckFolder = {
  folder: string
  /** The repository of the session, for which commands are allowed. */
  project: string
  /** It is another worktree of the person's repository. */
  isOtherWorktree: boolean
  /** It is another repository: nothing runs there from here. */
  isOtherProject: boolean
}

/** `known` is the folder that the place of the plan is known by, if there is one. */
export const checkFolderOf = (
  context: Context,
  { key, ledger }: Pick<Tracker, "key" | "ledger">,
  known: string | undefined,
): CheckFolder => {
  const { cwd } = context.io
  const { agentType, project: begunIn } = ledger.opened ?? {}
  const recorded = agentType && recordedPlace(homeOf(context), { agentType, session: key.session })?.folder
  const own = known ?? (recorded || undefined)
  // The project of a plan is its repository, and says nothing about the worktree.
  const at = own ?? fullPath(begunIn)
  const here = { folder: workFolderOf(cwd), project: projectOf(cwd), isOtherWorktree: false, isOtherProject: false }
  if (at === undefined || !isFolder(at)) return here
  const there = { folder: workFolderOf(at), project: projectOf(at), isOtherWorktree: false, isOtherProject: false }
  if (there.project !== here.project) return { ...there, isOtherProject: true }
  return own === undefined || there.folder === here.folder ? here : { ...there, isOtherWorktree: true }
}

export const otherProject = ({ folder }: CheckFolder, session: string, words: string): HeadwayError =>
  new HeadwayError(
    "other-project",
    `Session ${sanitise(session)} works in ${sanitise(folder)}, which is another project, so nothing was run or changed here. Do it there: cd ${shellWord(folder)} && headway check ${words}--session ${shellWord(session)}`,
  )
