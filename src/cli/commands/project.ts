/** `headway project`: whether the plans in this repository's `.headway` are used on this machine. */
import { lstatSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { projectOf } from "../../board/project.ts"
import { realPath } from "../../home/paths/on-disk.ts"
import {
  distrustProject,
  isTrusted,
  markSettled,
  trustedProjects,
  trustMovedProject,
  trustProject,
} from "../../home/trust/trust.ts"
import { assertOwnFolder, isFolderAt } from "../../home/writing/own-folder.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { type Context, defineCommand } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, projectStoreOf } from "../place/place.ts"

type Folder = { home: string; project: string; plans: string; from: string | undefined }

const actions: Record<string, (context: Context, folder: Folder) => Promise<number>> = {
  status: async (context, { home, project, plans }) => {
    const { io, values } = context
    const state = stateOf(home, project, plans)
    const count = state === "absent" ? 0 : await countPlans(context, project)
    if (values.json) io.out(printJson({ project, folder: plans, state, plans: count }))
    else io.out(`${sanitise(plans)}: ${stateTexts[state]}${count > 0 ? ` (plans: ${count})` : ""}\n`)
    return 0
  },
  trust: async (context, { home, project, plans, from }) => {
    const { io } = context
    if (stateOf(home, project, plans) === "absent")
      throw new HeadwayError("no-project-plans", `There is no ${plans} to trust. "headway write --project" starts one.`)
    assertOwnFolder(plans)
    const link = linkIn(plans)
    if (link !== undefined)
      throw new HeadwayError(
        "link-refused",
        `${link} is not a plain file or folder. Remove it first; nothing was changed.`,
      )
    if (from !== undefined) trustMovedProject(home, project, { from: formerFolder(context, from), now: io.now() })
    else trustProject(home, project, io.now(), { isUnsettled: true })
    io.out(`${sanitise(plans)} is used from now on, for everything you do in this repository.\n`)
    io.err(
      "headway: entries in it that were not written on this machine are shown as another person's, never as yours. If you moved the repository here, name its former folder with --from: what you wrote there is then yours again.\n",
    )
    await settlePlansInHome(context)
    return 0
  },
  untrust: async ({ io }, { home, project, plans }) => {
    const was = distrustProject(home, project)
    const what = was ? "is left alone from now on; nothing in it was changed" : "was not in use"
    io.out(`${sanitise(plans)} ${what}.\n`)
    return was ? 0 : 1
  },
}

const actionNames = Object.keys(actions)
const names = actionNames.join("|")

export const project = defineCommand({
  usage: `project [${names}]`,
  about: `Shows whether the plans in this repository's .headway folder are used on this machine, and changes that.

A .headway folder that came with a repository was written by others, so Headway leaves it alone until you trust it. One that
you started here with --project is already trusted. Settings, caches and the error log are never kept in a repository.

  status      what is in use (the default)
  trust       use this repository's .headway
  untrust     leave it alone again; nothing in it is removed`,
  options: {
    from: { type: "string", value: "DIR", about: "trust: the folder that you moved the repository here from" },
  },
  maxWords: 1,
  firstWords: actionNames,
  examples: ["headway project", "headway project trust", "headway show --project  # only reads"],
  async run(context) {
    const name = context.words[0] ?? "status"
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action)
      throw new HeadwayError("usage", `"headway project" takes ${names.replaceAll("|", ", ")}, not "${name}".`)
    const root = realPath(projectOf(context.io.cwd))
    const { from } = context.values
    if (from !== undefined && name !== "trust")
      throw new HeadwayError("usage", "--from belongs to headway project trust.")
    return action(context, { home: homeOf(context), project: root, plans: join(root, ".headway"), from })
  },
})

/**
 * The folder that the person says the repository was in. It counts only if they trusted it and it has no plans any more: a copy of a
 * repository, which others may have changed, is not what they moved.
 */
const formerFolder = (context: Context, named: string): string => {
  const folder = resolve(context.io.cwd, named)
  const trusted = trustedProjects(homeOf(context)).map(({ path }) => path)
  if (!trusted.includes(folder))
    throw new HeadwayError("not-trusted", `${folder} is not a repository that you trusted, so nothing was changed.`)
  if (lstatSync(join(folder, ".headway"), { throwIfNoEntry: false }))
    throw new HeadwayError(
      "not-moved",
      `${folder} still has plans: this repository is a copy, and nothing was changed.`,
    )
  return folder
}

/** What was kept in the home because this repository was not trusted becomes part of its plans, or is named. */
const settlePlansInHome = async (context: Context): Promise<void> => {
  const { io } = context
  const { joinPlansBegunTwice, personsPlansInHome } = await import("../place/plans-left-in-home.ts")
  const { sessions: joined, isWhole } = await joinPlansBegunTwice(context)
  if (isWhole) markSettled(homeOf(context), realPath(projectOf(io.cwd)))
  for (const session of joined) say(io, `what session ${session} had in your home is part of its plan here now.`)
  const left = await personsPlansInHome(context)
  if (left.length === 0) return
  const sessions = left.map(({ session }) => session).join(", ")
  say(io, `your own plans of this project in ${homeOf(context)} stay there: ${sessions}. See them with --home.`)
}

type State = "absent" | "trusted" | "untrusted"

const stateTexts: Record<State, string> = {
  absent: "not there; plans are kept in your home. Start one here with --project",
  trusted: "in use",
  untrusted: 'left alone, because it came with the repository. Use it with "headway project trust"',
}

const stateOf = (home: string, project: string, plans: string): State => {
  const found = lstatSync(plans, { throwIfNoEntry: false })
  if (found === undefined || isFolderAt(found, home)) return "absent"
  return isTrusted(home, project) ? "trusted" : "untrusted"
}

const countPlans = async (context: Context, project: string): Promise<number> => {
  const store = await projectStoreOf(context, project)
  return (await store.list()).plans.length
}

/** The first thing in the folder that leads elsewhere, or is neither file nor folder. */
const linkIn = (folder: string): string | undefined => {
  const itself = lstatSync(folder)
  if (!itself.isDirectory()) return itself.isFile() ? undefined : folder
  for (const name of readdirSync(folder)) {
    const found = linkIn(join(folder, name))
    if (found !== undefined) return found
  }
  return undefined
}
