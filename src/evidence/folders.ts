/** Finds the folder in which each part of a shell command runs, and compares paths with folders. */
import type { ShellPart } from "./shell-parts.ts"

/**
 * The folder of each part of a command that begins in `start`; `""` if unknown. A path whose beginning is unknown has
 * no leading `/`, and one that depends on a variable contains a `$`.
 */
export const foldersOf = (parts: readonly ShellPart[], start = ""): string[] => {
  /** The current and the previous folder, by bracket scope. */
  const byScope = new Map<string, { at: string; before: string }>()
  return parts.map(({ words: [program, ...words], scope }) => {
    const known = byScope.get(scope) ?? { ...(byScope.get(outerOf(scope, byScope)) ?? { at: start, before: start }) }
    byScope.set(scope, known)
    const target = program === "popd" ? "-" : words.find((word) => word === "-" || !word.startsWith("-"))
    if (program === "cd" || program === "pushd" || program === "popd" || program === "Set-Location") {
      const next = target === undefined ? "~" : target === "-" ? known.before : resolved(known.at, target)
      known.before = known.at
      known.at = next
    }
    return known.at
  })
}

/** The nearest surrounding scope with a known folder. */
const outerOf = (scope: string, known: ReadonlyMap<string, unknown>): string => {
  let outer = scope
  while (outer !== "" && !known.has(outer)) outer = outer.slice(0, outer.lastIndexOf("/"))
  return outer
}

/** A path relative to a folder, resolved without `.` and, as far as possible, without `..`. */
export const resolved = (folder: string, path: string): string => {
  // The value of a variable does not depend on the folder.
  const isOwn = isWhole(path) || /^[$`]/.test(path)
  const all = isOwn ? path : path.startsWith("~") ? fromHome(folder, path) : `${folder}/${path}`
  // `D:\\shop` is `/d/shop` in the shells that agents use on Windows.
  const slashed = all.replaceAll("\\", "/").replace(/^([A-Za-z]):/, (_, disk: string) => `/${disk.toLowerCase()}`)
  const found: string[] = []
  for (const name of slashed.split("/")) {
    if (name === "" || name === ".") continue
    if (name === ".." && found.length > 0 && found.at(-1) !== "..") found.pop()
    else found.push(name)
  }
  const isFromRoot = slashed.startsWith("/") && (isWhole(path) || folder !== "")
  return `${isFromRoot ? "/" : ""}${found.join("/")}`
}

/** Whether a path begins at the root of a disk. */
export const isWhole = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:)/.test(path)

/** Replaces `~` with the home of the project's owner, if the folder shows it. */
const fromHome = (folder: string, path: string): string => {
  const [home] = /^\/(?:home|Users)\/[^/]+/.exec(folder) ?? []
  return home === undefined ? path : path.replace(/^~/, home)
}

/** Compares whole names: `tests/unit_slow` is not in `tests/unit`. Undefined if it cannot be determined. */
export const isInside = (path: string, folder: string): boolean | undefined => {
  if (folder === "" || path === folder || path.startsWith(`${folder}/`) || folder === "/") return true
  return isWhole(path) === isWhole(folder) && !/[$~`]/.test(path + folder) ? false : undefined
}

/** Whether a folder is temporary, such as that of a trial copy. `command` may define the variables in its path. */
export const isTemporary = (folder: string, command: string): boolean => {
  if (isInTemporaryFolder(folder)) return true
  const name = /^\$\{?(\w+)/.exec(folder)?.[1]
  return name !== undefined && (/^(?:TMP|TEMP)/i.test(name) || command.includes(`${name}=$(mktemp`))
}

export const isInTemporaryFolder = (path: string): boolean => temporary.test(path)

const temporary = /^(?:\/private)?\/tmp(?:\/|$)|^\/var\/folders\//
