/** Tells whether a check was run in another part of the project than the one that was edited. */
import { isCheck, partKind } from "./command-kind.ts"
import { shellParts } from "./shell-parts.ts"

/** Said only where the command names a folder or a package, and none of the files is in one of that name. */
export const isElsewhere = (command: string, files: readonly string[]): boolean => {
  const names = namedPlaces(command, files.some(isWhole))
  return names.length > 0 && files.length > 0 && !files.some((file) => names.some((name) => isIn(file, name)))
}

const isIn = (file: string, name: string): boolean => file.split(/[/\\]/).includes(name)

const isWhole = (path: string): boolean => path.startsWith("/")

/** `cd api && npm test`, `npm test -w api`, `pnpm --filter @shop/api test`: the last name in each. */
const namedPlaces = (command: string, hasWholePaths: boolean): string[] => {
  const found: string[] = []
  for (const part of shellParts(command)) {
    const [program = "", ...words] = part.words
    if (program === "cd" && (hasWholePaths || !isWhole(words[0] ?? ""))) found.push(words[0] ?? "")
    if (!isCheck(partKind(part))) continue
    for (const [index, word] of words.entries()) {
      const [, given] = naming.exec(word) ?? []
      if (given !== undefined) found.push(given === "" ? (words[index + 1] ?? "") : given.slice(1))
    }
  }
  return found.flatMap((place) => /^[\w@./-]*?([\w.-]*\w)[/.]*$/.exec(place)?.[1] ?? [])
}

/** Options of package managers that say where. */
const naming = /^(?:-w|--workspace|--filter|-F|-C|--prefix|--cwd|--dir|workspace)(=.*|)$/
