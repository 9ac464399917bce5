/** Where a command keeps plans: in the person's home, or in the `.headway` of a trusted repository. */
import { existsSync, lstatSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { projectOf } from "../../board/project.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { realPath } from "../../home/paths/on-disk.ts"
import { sha256Of } from "../../home/paths/short-digest.ts"
import { defaultSettings, loadSettings } from "../../home/settings.ts"
import { acceptingFormer, createSeal, type Seal } from "../../home/trust/seal.ts"
import { formerFoldersOf, isTrusted, trustProject } from "../../home/trust/trust.ts"
import { assertOwnFolder, assertOwnHome, isFolderAt } from "../../home/writing/own-folder.ts"
import { isLink } from "../../home/writing/write-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isElsewhere, journalIn, type OpenOptions, openStore, placeIn, positionIn } from "../../stores/index.ts"
import type { PlanKey, Store } from "../../stores/store.ts"
import type { Context } from "../command.ts"
import { say } from "../output/say.ts"
import type { Option } from "../words/option.ts"

export type Place = {
  /** Headway's home of this person: settings, trust, error log. None of that is ever kept in a repository. */
  home: string
  /** Where plans are stored: the home, or the `.headway` of a repository. */
  plans: string
  /** Caches and conversations that belong to these plans, in the home. */
  local: string
  isInProject: boolean
  /** The plans came with a repository the person does not trust, and are only read. */
  isReadOnly: boolean
  /** The repository has its own plans, which are ignored because the person does not trust them. */
  leftAlone?: string
}

/** Shows what is under a folder instead of what is kept here. */
export const rootOption = {
  type: "string",
  value: "DIR",
  about: "only under DIR: a person's home or an agent's folder, read-only",
} as const satisfies Option

/** The context of a command that may take `--root`. */
export type RootedContext = Context<{ root: typeof rootOption }>

/** The person's home, where `--home` or the environment may have moved it. Throws where it is not safe to use. */
export const homeOf = ({ io, values }: Pick<Context, "io"> & { values: { home?: string | undefined } }): string => {
  const inEnv = io.env.HEADWAY_HOME
  // A typed path is relative to the current folder; an environment variable applies everywhere, so it must be absolute.
  if (!values.home && inEnv && fullPath(inEnv) === undefined)
    throw new HeadwayError("usage", `HEADWAY_HOME must be an absolute path, not "${inEnv}".`)
  const named = values.home || inEnv
  const home = !named ? join(io.home, ".headway") : resolve(io.cwd, named)
  assertOwnHome(home)
  return home
}

export const placeOf = (context: Context): Place => {
  const { io, values } = context
  const home = homeOf(context)
  const own: Place = { home, plans: home, local: home, isInProject: false, isReadOnly: false }
  if (values.home) return own
  const isAsked = values.project === true
  if (!isAsked && io.env.HEADWAY_HOME) return own
  const project = projectOf(io.cwd)
  const plans = join(project, ".headway")
  const homes = [home, join(io.home, ".headway")]
  if (homes.includes(plans)) return own
  // Resolved to one path, because seals depend on the location.
  const inProject = (isReadOnly: boolean): Place => {
    const root = realPath(project)
    const local = localOf(home, root, formerFoldersOf(home, root))
    return { home, plans: usable(join(root, ".headway")), local, isInProject: true, isReadOnly }
  }
  const found = lstatSync(plans, { throwIfNoEntry: false })
  if (!found) return isAsked || loadSettings(home).keepPlansInProject ? inProject(false) : own
  if (homes.some((one) => isFolderAt(found, one))) return own
  if (isTrusted(home, project)) return inProject(false)
  if (isAsked) return inProject(true)
  return isFolder(join(plans, "journal")) ? { ...own, leftAlone: plans } : own
}

/** The same for a command that works for an agent: untrusted plans are not even read. */
export const withoutUntrusted = <Here extends Context>(context: Here): Here =>
  placeOf(context).isReadOnly ? { ...context, values: { ...context.values, project: false } } : context

/** Seals for the plans in a repository, which hold for lines written in its former folders too. */
const sealsIn = (home: string, project: string): ((place: readonly string[]) => Seal) => {
  const sealAt = createSeal(home)
  const former = formerFoldersOf(home, project).map((folder) => join(folder, ".headway"))
  return ([plans = "", ...plan]) =>
    acceptingFormer(
      sealAt([plans, ...plan]),
      former.map((folder) => sealAt([folder, ...plan])),
    )
}

/**
 * One folder of the home for each project, whose name shows the project. Another one once it is known where the project was before:
 * what was folded without that says of the person's entries that they are not theirs.
 */
const localOf = (home: string, project: string, formerly: readonly string[] = []): string => {
  const code = sha256Of([project, ...formerly].join("\0")).slice(0, 16)
  return join(
    home,
    "projects",
    `${basename(project)
      .replace(/[^\w.-]/g, "_")
      .slice(0, 40)}-${code}`,
  )
}

const usable = (plans: string): string => {
  if (isLink(plans))
    throw new HeadwayError(
      "project-home",
      `${plans} points outside the project, so no plan is kept there. Replace it with a folder.`,
    )
  assertOwnFolder(plans)
  return plans
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * The store of a command, closed when it ends. `isQuiet` skips messages for people, and accepts slightly old data of a
 * remote store.
 */
export const storeOf = async (context: RootedContext, { isQuiet = false } = {}): Promise<Store> => {
  const { values } = context
  if (values.root) return openHere(context, placeNameOf(context))
  const place = placeOf(context)
  const { home, plans, isInProject, isReadOnly, leftAlone } = place
  if (leftAlone !== undefined && !isQuiet) sayOnce(context, leftAloneText(leftAlone))
  if (isReadOnly && !isQuiet) sayOnce(context, foreignText(plans))
  const url = urlOf(context)
  if (isElsewhere(url)) return openElsewhere(context, url, { home, isQuiet })
  const folder = folderNamed(context, url)
  const around = folder === undefined ? undefined : repositoryAround(context, folder)
  if (around !== undefined) return repositoryStoreOf(context, around)
  return openHere(context, url, isInProject ? repositoryOptions(context, dirname(plans), isReadOnly) : { home: plans })
}

/** How the plans in a repository are opened. `root` is its real path. */
const repositoryOptions = (context: Context, root: string, isReadOnly: boolean): OpenOptions => {
  const home = homeOf(context)
  const project = {
    person: home,
    local: localOf(home, root, formerFoldersOf(home, root)),
    seal: sealsIn(home, root),
    isReadOnly,
    // Starting to keep plans in a repository means trusting it.
    onBegin: () => trustProject(home, root, context.io.now()),
    isTrusted: () => isTrusted(home, root),
  }
  return { home: join(root, ".headway"), project }
}

/** Milliseconds after which a command counts as long-running, and watches and delivers for all others. */
const staysAfter = 1_000

const openElsewhere = (
  context: Context,
  url: string,
  { home, isQuiet }: { home: string; isQuiet: boolean },
): Promise<Store> => {
  // Only a write needs it.
  const writer = async () => (await import("../edit/person.ts")).writerAt(context.io, loadSettings(home).who)
  const delivery = { person: home, now: context.io.now, writer, staysAfter, isGlance: isQuiet }
  return openHere(context, url, { home, delivery })
}

/** Options take precedence over settings; plans in a repository were put there on purpose. */
export const urlOf = (context: Context): string => {
  const { io, values } = context
  const named = values.store || io.env.HEADWAY_STORE
  if (named) return named
  const { home, isInProject } = placeOf(context)
  return (isInProject ? "" : loadSettings(home).store) || defaultSettings.store
}

/** Identifies the location of a command's plans. */
export const placeNameOf = (context: RootedContext): string => {
  const { io, values } = context
  if (values.root) return `root:${resolve(io.cwd, values.root)}`
  return placeIn({ url: urlOf(context), home: placeOf(context).plans })
}

/** The position of a plan in the store of a command. `open` opens the store if there is no faster way. */
export const positionOf = (context: Context, key: PlanKey, open: () => Promise<Store>): Promise<string | undefined> =>
  positionIn({ url: urlOf(context), ...positionPlaces(context), key, now: context.io.now() }, open)

const positionPlaces = (context: Context): { home: string; person: string } => {
  const { plans, home } = placeOf(context)
  return { home: plans, person: home }
}

/** The file of a plan's journal, where the store a command uses keeps it in its own place. */
export const journalOf = (context: Context, key: PlanKey): string | undefined =>
  journalIn({ url: urlOf(context), home: placeOf(context).plans, key })

/** The plans in a repository, read-only unless the person trusts it. */
export const repositoryStoreOf = (context: Context, project: string): Promise<Store> => {
  const root = realPath(project)
  usable(join(root, ".headway"))
  return openHere(context, "file:", repositoryOptions(context, root, !isTrusted(homeOf(context), root)))
}

/** The same, read-only in any case. */
export const projectStoreOf = (context: Context, project: string): Promise<Store> =>
  openHere(context, "file:", repositoryOptions(context, project, true))

/** The folder that `file:FOLDER` names, from where the command is called. */
export const folderNamed = ({ io }: RootedContext, url: string): string | undefined => {
  const folder = /^file:(?:\/\/)?(.+)$/.exec(url)?.[1]
  return folder === undefined ? undefined : resolve(io.cwd, folder)
}

/** The repository whose `.headway` a folder is; undefined for the person's home, which may be under version control too. */
export const repositoryAround = (context: Context, folder: string): string | undefined => {
  const plans = realPath(folder)
  const found = lstatSync(plans, { throwIfNoEntry: false })
  const homes = [homeOf(context), join(context.io.home, ".headway")]
  if (!found || basename(plans) !== ".headway" || homes.some((one) => isFolderAt(found, one))) return undefined
  return existsSync(join(dirname(plans), ".git")) ? dirname(plans) : undefined
}

const openHere = ({ opened }: Context, url: string, options: OpenOptions = {}): Promise<Store> => {
  const { home, project } = options
  return opened.store(JSON.stringify([url, home, project?.isReadOnly]), () => openStore(url, options))
}

const leftAloneText = (plans: string): string =>
  `${plans} is not used, because it may have come with the repository. Look at it with --project; use it with "headway project trust".`

const foreignText = (plans: string): string =>
  `${plans} came with this repository: these plans are not yours, and no agent gets to see them.`

const sayOnce = ({ io, opened }: Context, text: string): void => {
  if (opened.reported.has(text)) return
  opened.reported.add(text)
  say(io, text)
}
