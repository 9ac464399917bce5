/** Decides whether a check covered a part of the project other than the edited one. */
import { isCheck, partKind } from "./command-kind.ts"
import { foldersOf, isInside, isTemporary, resolved } from "./folders.ts"
import { changedPlace } from "./shell-edits.ts"
import { shellParts } from "./shell-parts.ts"

/** An edit: the folder in which it was made, and the names of the files. */
type Done = { folder: string; files: readonly string[] }

/** A command that was run in a folder. */
type Run = { folder: string; command?: { text: string } }

/** Returns a function that decides whether a check covered none of the edited files. False if a place is unknown. */
export const elsewhereThan = (edits: readonly Done[]): ((check: Run) => boolean) => {
  const places = edits.flatMap(({ folder, files }) => files.map((file) => changedPlace(file, folder)))
  return (check) => {
    const looked = edits.length === 0 ? [] : lookedAt(check)
    if (looked.length === 0) return false
    if (places.length === 0) return looked.every((one) => one.isOutside)
    return !places.some((place) => looked.some((one) => one.mayHold(place)))
  }
}

/** A cache, because the places of a check are needed for each edit before it. */
const known = new WeakMap<Run, readonly Looked[]>()

const lookedAt = (check: Run): readonly Looked[] => {
  const looked = known.get(check) ?? placesOf(check.command?.text ?? "", check.folder)
  known.set(check, looked)
  return looked
}

type Looked = { mayHold(place: string): boolean; isOutside: boolean }

/** The places that each check of a command covers: its folder, and the packages that it names. */
const placesOf = (command: string, start: string): Looked[] => {
  const parts = shellParts(command)
  const folders = foldersOf(parts, start)
  return parts.flatMap((part, index): Looked[] => {
    if (!isCheck(partKind(part))) return []
    const named = placesIn(part.words)
    const at = folders[index] ?? ""
    if (named.length === 0) return [inFolder(at, start, command)]
    return named.map((name) => (/[/\\.]/.test(name) ? inFolder(resolved(at, name), start, command) : ofPackage(name)))
  })
}

/** Covers edits in this folder, and edits of a whole folder that contains it. */
const inFolder = (folder: string, start: string, command: string): Looked => ({
  mayHold: (place) => isInside(place, folder) !== false || isInside(folder, place) === true,
  isOutside: isTemporary(folder, command) && isInside(start, folder) !== true && isInside(folder, start) !== true,
})

/** Covers edits in a package, which usually has the name of its folder: `@shop/web` is in `packages/web`. */
const ofPackage = (name: string): Looked => ({
  mayHold: (place) => place === "" || place.split("/").includes(name),
  isOutside: false,
})

/** The places named in options: `npm test -w api`, `pnpm --filter @shop/api test`, `make -C core test`. */
const placesIn = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => {
    const [, given] = naming.exec(word) ?? []
    if (given === undefined) return []
    const place = given === "" ? (words[index + 1] ?? "") : given.slice(1)
    const name = place.replace(/^(?:@[\w-]+\/|\.{3})|\.{3}$|[/^]+$/g, "")
    return /^[\w@./\\-]*\w$/.test(name) ? [name] : []
  })

/** Options of package managers that name a package or folder. */
const naming = /^(?:-w|--workspace|--filter|-F|-C|--prefix|--cwd|--dir|workspace)(=.*|)$/
