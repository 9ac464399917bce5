/** The folders of a home of files: made when something is first written, and checked for links and trust every time. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Seal } from "../../home/trust/seal.ts"
import { assertOwnFolder, assertOwnInside } from "../../home/writing/own-folder.ts"
import {
  assertNoLink,
  makeFolder,
  makeFolderInside,
  removeOrphans,
  replaceFile,
  syncFolder,
} from "../../home/writing/write-file.ts"
import { HeadwayError, type PlanKey } from "../../plan/index.ts"

/** Plans in a repository are shared: files needed only by this machine are kept elsewhere. */
export type ProjectOptions = {
  /** The home of the person, where the launcher looks. */
  person: string
  /** Where caches are kept instead. */
  local: string
  /** Tells the entries written on this machine from those that came with the repository. */
  seal: (place: readonly string[]) => Seal
  /** The person has not trusted the repository, so it is read-only. */
  isReadOnly: boolean
  /** Called before the folder is made. */
  onBegin?: () => void
  /**
   * Whether an existing folder is trusted. Called each time: a pull may bring one before it is created here, and trust
   * may be revoked. @default it is
   */
  isTrusted?: () => boolean
}

export type HomeFolders = {
  journals: string
  lists: string
  /** Files needed only by this machine. */
  local: string
  cache: string
  /** Temporary files must be on the same disk as their destination. */
  temporary: string
  localTemporary: string
  isReadOnly: boolean
  sealFor(key: PlanKey): Seal | undefined
  assertWritable(): void
  assertNoLinkTo(...folders: readonly string[]): void
  /** Makes the folders that are missing. */
  prepare(): void
  /**
   * Runs an action in a folder of the home, which may have been removed since it was created. Links are checked every
   * time, because a pull may turn a folder into one while a process runs.
   */
  inHome<Result>(folder: string, action: () => Result): Result
  /** Removes what processes that were killed have left. */
  tidy(): void
}

/**
 * Git settings for plans in a repository: ignore temporary files, and merge journals by keeping the lines of both
 * sides.
 */
const gitFiles = [
  [".gitignore", "tmp/\n"],
  [".gitattributes", "journal/*.jsonl merge=union -text\n"],
] as const

export const createHomeFolders = (home: string, project: ProjectOptions | undefined): HomeFolders => {
  const journals = join(home, "journal")
  const lists = join(home, "todos")
  const local = project?.local ?? home
  const cache = join(local, "cache")
  const temporary = join(home, "tmp")
  const localTemporary = join(local, "tmp")
  const isReadOnly = project?.isReadOnly === true
  /** The home itself may be a link made by the person. In a repository it may have come with a pull. */
  const mayNotBeLinks = project ? [home] : []
  let isPrepared = false

  const assertWritable = (): void => {
    if (isReadOnly) throw notTrusted(home)
    assertOwnFolder(home)
    if (project) assertOwnFolder(local)
    assertNoLinkTo(journals, lists)
  }

  const assertTrusted = (): void => {
    if (!project?.isTrusted || isReadOnly || !existsSync(home)) return
    if (!project.isTrusted()) throw notTrusted(home)
  }

  const assertNoLinkTo = (...folders: readonly string[]): void => {
    assertTrusted()
    for (const folder of mayNotBeLinks) assertNoLink(folder)
    // A read-only home is not ours anyway.
    for (const folder of folders) (isReadOnly ? assertNoLink : assertOwnInside)(folder)
  }

  const prepare = (): void => {
    if (isPrepared) return
    assertWritable()
    const isNew = !existsSync(journals)
    if (project && !existsSync(home)) project.onBegin?.()
    const made = [...new Set([home, local])].flatMap((folder) => makeFolder(folder))
    // Another user may have created it first.
    assertOwnFolder(home)
    for (const folder of new Set([journals, lists, cache, temporary, localTemporary])) makeFolderInside(folder)
    if (isNew) for (const folder of new Set([home, ...[home, ...made].map((one) => dirname(one))])) syncFolder(folder)
    for (const [name, text] of project ? gitFiles : []) {
      const path = join(home, name)
      if (!existsSync(path)) replaceFile(path, text, temporary)
    }
    isPrepared = true
  }

  return {
    journals,
    lists,
    local,
    cache,
    temporary,
    localTemporary,
    isReadOnly,
    sealFor: ({ session, agent }) => project?.seal([home, session, agent]),
    assertWritable,
    assertNoLinkTo,
    prepare,
    inHome(folder, action) {
      prepare()
      assertNoLinkTo(folder)
      try {
        return action()
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
        isPrepared = false
        prepare()
        return action()
      }
    },
    tidy() {
      if (!isReadOnly) for (const folder of new Set([temporary, localTemporary])) removeOrphans(folder)
    },
  }
}

const notTrusted = (home: string): HeadwayError =>
  new HeadwayError(
    "not-trusted",
    `${home} came with this repository, so it is only read. To keep plans there, run "headway project trust".`,
  )
