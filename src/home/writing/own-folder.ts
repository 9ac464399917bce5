/** Checks that a folder belongs to this user: nothing is written where other users could change or replace it. */
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { linkRefused } from "./write-file.ts"

/** Throws if a folder is not safe for plans. A missing folder will be created, and is ours if its parent is. */
export const assertOwnFolder = (path: string): void => {
  const reason = whyNotOwn(path)
  if (reason !== undefined)
    throw new HeadwayError(
      "unsafe-folder",
      `${reason}, so Headway keeps nothing there. Name a home of your own with --home DIR or HEADWAY_HOME.`,
    )
}

export const isOwnFolder = (path: string): boolean => whyNotOwn(path) === undefined

/**
 * The same for a home and what is in it: settings, trust and allowed commands are the person's only if others cannot write them. In a
 * home that others cannot enter, its content may have any mode.
 */
export const assertOwnHome = (home: string): void => {
  assertOwnFolder(home)
  const reason = whyNotOwnInside(home, homeLevels)
  if (reason !== undefined) throw new HeadwayError("unsafe-folder", `${reason}, so Headway does not use ${home}.`)
}

/** Of folders: the home itself, and those in it. */
const homeLevels = 2

/** What others cannot enter is not looked into. */
const whyNotOwnInside = (folder: string, levels: number): string | undefined => {
  const stats = existing(statSync, folder)
  if (process.geteuid === undefined || levels === 0 || !stats || !isEnteredByOthers(stats)) return undefined
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const itself = existing(lstatSync, path)
    // The mode of a link says nothing; where it leads counts.
    const found = itself?.isSymbolicLink() ? existing(statSync, path) : itself
    if (!itself || !found || !(found.isFile() || found.isDirectory())) continue
    if ([itself, found].some(({ uid }) => !isOursOrSystem(uid))) return `${path} belongs to another user`
    if (isOpenToOthers(found)) return openToOthers(path)
    const reason = itself.isDirectory() ? whyNotOwnInside(path, levels - 1) : undefined
    if (reason !== undefined) return reason
  }
  return undefined
}

const openToOthers = (path: string): string => `Other users may write to ${path} (make it private with "chmod -R go-w")`

const isOursOrSystem = (uid: number): boolean => uid === process.geteuid?.() || uid === systemUser

/** On Windows, owners and access lists are not visible as numbers, so nothing is checked. */
const whyNotOwn = (path: string): string | undefined => {
  const user = process.geteuid?.()
  if (user === undefined) return undefined
  const itself = existing(lstatSync, path)
  if (!itself) return whyReplaceable(path, user)
  if (itself.uid !== user) return `${path} belongs to another user`
  // A person may use a link to move their home, if its target is theirs as well.
  const folder = itself.isSymbolicLink() ? existing(statSync, path) : itself
  if (!folder) return undefined
  if (folder.uid !== user) return `${path} points to another user's folder`
  if (isOpenToOthers(folder)) return openToOthers(path)
  return whyReplaceable(path, user) ?? (itself === folder ? undefined : whyReplaceable(realpathSync(path), user))
}

/**
 * Throws if a folder inside a home is a link, belongs to another user, or is writable by others. A missing folder is
 * fine.
 */
export const assertOwnInside = (path: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (found.isSymbolicLink()) throw linkRefused(path)
  const user = process.geteuid?.()
  if (user === undefined || (found.uid === user && !isOpenToOthers(found))) return
  const [reason, advice] =
    found.uid === user
      ? [`Other users may write to ${path}`, 'Make it private ("chmod -R go-w").']
      : [`${path} belongs to another user`, "Move it away."]
  throw new HeadwayError("unsafe-folder", `${reason}, so it is ignored. ${advice}`)
}

/**
 * Whether no other user can replace what is made in a folder, the folder itself or one above it, as far as owner and modes tell.
 */
export const isBeyondOthers = (folder: string): boolean => {
  const user = process.geteuid?.()
  if (user === undefined) return true
  try {
    const real = realpathSync(folder)
    const owner = statSync(real).uid
    return (owner === user || owner === systemUser) && isWayClosed(real)
  } catch {
    return false
  }
}

const isWayClosed = (folder: string): boolean => {
  const stats = statSync(folder)
  if (isOpenToOthers(stats) && !isSticky(stats)) return false
  return folder === dirname(folder) || isWayClosed(dirname(folder))
}

/** Whether a folder that was found is the one at a path, which may lead there through links. */
export const isFolderAt = ({ ino, dev }: Stats, path: string): boolean => {
  const there = existing(statSync, path)
  return there !== undefined && there.ino === ino && there.dev === dev
}

/** The owner of a folder, and everyone with write access, can replace its contents. */
const whyReplaceable = (path: string, user: number): string | undefined => {
  const above = existing(statSync, dirname(path))
  if (!above) return undefined
  const isOthers = above.uid !== user && above.uid !== systemUser
  return isOthers || (isOpenToOthers(above) && !isSticky(above))
    ? `Other users may write to ${dirname(path)} and replace its contents`
    : undefined
}

const systemUser = 0

/** If the path cannot exist, such as below a file, using it will fail with a clear error. */
const existing = (stat: (path: string) => Stats, path: string): Stats | undefined => {
  try {
    return stat(path)
  } catch {
    return undefined
  }
}

/** The group a user is in alone, as many systems set it up, does not count as another user. */
const isOpenToOthers = ({ mode, gid }: Stats): boolean =>
  (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getegid?.())

/** Who is in that group counts as the person here too. */
const isEnteredByOthers = ({ mode, gid }: Stats): boolean =>
  (mode & 0o001) !== 0 || ((mode & 0o010) !== 0 && gid !== process.getegid?.())

/** In such a folder only its owner may replace a file. */
const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0
