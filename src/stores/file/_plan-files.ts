/** Where the files of each plan are, on disks that tell upper case from lower case and on those that do not. */
import { closeSync, constants } from "node:fs"
import { join } from "node:path"
import { type KeptFiles, keptFilesOf } from "../../home/notes/aside.ts"
import { hashedNameOf, planFileName } from "../../home/paths/file-names.ts"
import { openPlainFile } from "../../home/reading/plain-file.ts"
import type { PlanKey } from "../store.ts"
import type { HomeFolders } from "./_home-folders.ts"
import { isSpelledOtherwise, journalNameOf } from "./_journal-name.ts"

export type FilesOfName = { journal: string; list: string; snapshot: string; record: string }

/** `kept` are those that a hook reads before Headway is started. */
export type FilesOfPlan = FilesOfName & { kept: KeptFiles }

export type PlanFiles = {
  of(key: PlanKey): FilesOfPlan
  /** The files of a plan by the name of its journal. */
  named(name: string): FilesOfName
  nameOf(key: PlanKey): string
  /**
   * Makes the journal. Sessions whose names differ only in case may begin at the same moment. On a disk that ignores case the
   * folder shows one name for the file they both made, and the plan of that name has it.
   */
  begin(key: PlanKey): void
  /** The plain name belongs to another plan. */
  giveHashedName(key: PlanKey): void
}

export type PlanFilesOptions = {
  folders: Pick<HomeFolders, "journals" | "lists" | "cache">
  /** The home of the person, where the launcher looks. */
  person: string
}

export const createPlanFiles = ({ folders, person }: PlanFilesOptions): PlanFiles => {
  const { journals, lists, cache } = folders
  const names = new Map<string, string>()
  /** Looked up with every write; a tracker always passes the same key object. */
  const paths = new WeakMap<PlanKey, FilesOfPlan>()

  const nameOf = (key: PlanKey): string => {
    const id = idOf(key)
    const known = names.get(id)
    if (known !== undefined) return known
    const { name, isBegun } = journalNameOf(journals, key)
    // Names without a plan are not cached, because there may be any number of them.
    if (isBegun) names.set(id, name)
    return name
  }

  const named = (name: string): FilesOfName => ({
    journal: join(journals, `${name}.jsonl`),
    list: join(lists, `${name}.json`),
    snapshot: join(cache, `${name}.json`),
    record: join(cache, `${name}.published.json`),
  })

  const of = (key: PlanKey): FilesOfPlan => {
    const known = paths.get(key)
    if (known) return known
    const made = { ...named(nameOf(key)), kept: keptFilesOf(person, key) }
    paths.set(key, made)
    return made
  }

  const giveHashedName = (key: PlanKey): void => {
    names.set(idOf(key), hashedNameOf(key))
    paths.delete(key)
  }

  return {
    of,
    named,
    nameOf,
    begin(key) {
      const plain = planFileName(key)
      const path = join(journals, `${plain}.jsonl`)
      if (of(key).journal !== path) return
      closeSync(openPlainFile(path, constants.O_WRONLY | constants.O_CREAT))
      if (isSpelledOtherwise(journals, plain)) giveHashedName(key)
    },
    giveHashedName,
  }
}

const idOf = ({ session, agent }: PlanKey): string => JSON.stringify([session, agent])
