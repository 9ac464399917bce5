/** Finds which files a shell command changes, as far as its arguments show. */

import {
  changers,
  changingVerbs,
  feeding,
  fetched,
  isGlobal,
  isPatch,
  leftBehind,
  made,
  plain,
} from "./_changing-programs.ts"
import { isScriptFile, scriptMayChange, textMayChange } from "./_changing-scripts.ts"
import { interpreter } from "./_inline-code.ts"
import { afterOptions } from "./_options.ts"
import { isCheck, isProgram, partKind, programName, withoutWrappers } from "./command-kind.ts"
import { foldersOf, isInside, isTemporary, isWhole, resolved } from "./folders.ts"
import { type ShellPart, shellParts } from "./shell-parts.ts"

export type ShellEdits = {
  /** The files that it certainly changes, as named in the command. */
  files: readonly string[]
  /** Whether it may change other files: a custom program, a formatter, another state of the repository. */
  mayEdit: boolean
  /**
   * Whether earlier passed checks no longer count: it changes files or may do so, and is no formatter, pull or switch
   * of branches.
   */
  voidsChecks: boolean
  /** Whether a check follows the last change. */
  checksItself: boolean
  /** Whether it stashes the work (`git stash`), restores it (`git stash pop`), or does both. */
  stash?: Stash | undefined
}

export type Stash = "away" | "back" | "both"

/** The folder in which a command runs, and the project's folder; `""` if unknown. */
export type Surroundings = { folder: string; project: string }

export const shellEdits = (command: string, { folder, project }: Surroundings = nowhere): ShellEdits => {
  const parts = shellParts(command)
  const folders = foldersOf(parts, folder)
  const isOutside = (path: string): boolean => isTemporary(path, command) && !(project && isInside(path, project))
  const outside = parts.map(({ words: [program, ...words] }, index) => {
    const other = program === "git" ? words.indexOf("-C") : -1
    const at = folders[index] ?? ""
    return isOutside(other < 0 ? at : resolved(at, words[other + 1] ?? ""))
  })
  const isProjects = (path: string): boolean =>
    isKept(path) || (project !== "" && isWhole(path) && isInside(path, project) === true)
  const found = parts.map((part, index) => {
    const edits = editsOf(isReport(parts, index) ? withoutReport(part) : part, { parts, index, project, isProjects })
    return outside[index] ? fromOutside(edits, namesProject(part, project)) : edits
  })
  const lastEdit = found.findLastIndex(({ files, voidsChecks }) => files.length > 0 || voidsChecks)
  const lastCheck = parts.findLastIndex((part) => isCheck(partKind(part)))
  return {
    checksItself: lastEdit >= 0 && lastCheck > lastEdit,
    files: [...new Set(found.flatMap(({ files }) => files))],
    mayEdit: found.some(({ mayEdit, voidsChecks }) => mayEdit || voidsChecks),
    voidsChecks: lastEdit >= 0,
    stash: stashIn(
      parts.filter((_, index) => !outside[index]),
      lastCheck < 0 ? undefined : parts[lastCheck],
    ),
  }
}

const nowhere: Surroundings = { folder: "", project: "" }

/** Also undefined if the work was stashed and restored before the last check, because that check covers the work. */
const stashIn = (parts: readonly ShellPart[], lastCheck: ShellPart | undefined): Stash | undefined => {
  const found = parts.map(({ words: [program, ...words] }): Stash | undefined => {
    const [verb, action = "push"] = program === "git" ? gitWords(words) : []
    if (verb !== "stash") return undefined
    if (action === "pop" || action === "apply" || action === "branch") return "back"
    return action === "push" || action === "save" || action.startsWith("-") ? "away" : undefined
  })
  const last = found.findLastIndex((one) => one !== undefined)
  if (found[last] !== "back" || !found.includes("away")) return found[last]
  return lastCheck && parts.indexOf(lastCheck) > last ? undefined : "both"
}

/**
 * Whether a part only writes a check's output to a file: `npm test > out.txt`, `npm test | tee out.txt`. The output of
 * a build may be its product.
 */
const isReport = (parts: readonly ShellPart[], index: number): boolean => {
  const first = parts.slice(0, index).findLastIndex(({ joint }) => joint !== "|") + 1
  const kind = partKind(parts[first] ?? { words: [] })
  return isCheck(kind) && kind !== "build"
}

const withoutReport = (part: ShellPart): ShellPart => ({
  ...part,
  writes: [],
  words: part.words[0] === "tee" ? ["tee"] : part.words,
})

/** The verb of a git command and the words after it: `git -C shop stash`. */
const gitWords = (words: readonly string[]): readonly string[] =>
  afterOptions(words, /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/)

type PartEdits = Pick<ShellEdits, "files" | "mayEdit" | "voidsChecks">

/** The edits of a command run outside the project. Files named by their whole path may still be the project's. */
const fromOutside = ({ files, mayEdit, voidsChecks }: PartEdits, isNamed: boolean): PartEdits => ({
  files: files.filter(isWhole),
  mayEdit,
  voidsChecks: voidsChecks && isNamed,
})

const namesProject = ({ text, document = "" }: ShellPart, project: string): boolean =>
  project !== "" && (text.includes(project) || document.includes(project))

const nothing: PartEdits = { files: [], mayEdit: false, voidsChecks: false }

const editsOf = (
  part: ShellPart,
  about: { parts: readonly ShellPart[]; index: number; project: string; isProjects: (path: string) => boolean },
): PartEdits => {
  // A word that cannot be a program is a piece of a text.
  if (part.writes.length === 0 && !isProgram(part.words[0] ?? "")) return nothing
  const [program, ...words] = runWords(part.words)
  const files = [...part.writes, ...namedBy(program, words)].filter(about.isProjects)
  // A path in the person's home is rarely in the project.
  const isElsewhere = (path: string): boolean => path.startsWith("~")
  const { parts, index, project } = about
  const run = { parts, index, project, program, words }
  const voidsChecks =
    !isCheck(partKind(part)) && (changesByVerb(program, words) || textMayChange(run) || scriptMayChange(run))
  return {
    files: files.filter((path) => !isElsewhere(path)),
    mayEdit: files.some(isElsewhere) || mayEdit(part, program, words),
    voidsChecks,
  }
}

/**
 * The command that a part finally runs, with `.` for files that another program finds: `xargs sed -i s/a/b/`, `find src
 * -exec rm {} +`.
 */
const runWords = (all: readonly string[], depth = 0): [program: string, ...words: string[]] => {
  const words = fetched(withoutWrappers(all))
  const program = programName(words[0] ?? "")
  const rest = words.slice(1)
  if (depth < deepest && Object.hasOwn(feeding, program)) {
    const inner = afterOptions(rest, feeding[program] ?? /^$/)
    const isPlaced = inner.includes("{}")
    return runWords([...inner.map((word) => (word === "{}" ? "." : word)), ...(isPlaced ? [] : ["."])], depth + 1)
  }
  if (program === "find" || program === "fd") return foundWords(program, rest, depth)
  const given = words[0] ?? ""
  // PowerShell commands may be written with or without capital letters.
  const name = Object.hasOwn(changers, program.toLowerCase()) ? program.toLowerCase() : program
  return [isScriptFile.test(given) || given.startsWith(".") ? given : name, ...rest]
}

/** The command that `find` runs on the files it finds; `-delete` counts as `rm`. */
const foundWords = (program: string, words: readonly string[], depth: number): [string, ...string[]] => {
  if (depth >= deepest) return [program, ...words]
  const place = words.findIndex((word) => /^(?:-exec(?:dir)?|-ok(?:dir)?|-delete|-x|-X|--exec(?:-batch)?)$/.test(word))
  if (place < 0) return [program, ...words]
  const names = words.flatMap((word, index) => (/^-i?name$/.test(words[index - 1] ?? "") ? [word] : []))
  const isLeftBehind = names.length > 0 && names.every((name) => leftBehind.test(name) || made.test(name))
  const [folder = "."] = words[0]?.startsWith("-") ? [] : words
  if (words[place] === "-delete") return isLeftBehind ? [program] : ["rm", folder]
  const end = words.findIndex((word, index) => index > place && /^[;+]$/.test(word))
  const inner = words.slice(place + 1, end < 0 ? undefined : end)
  if (isLeftBehind && programName(inner[0] ?? "") === "rm") return [program]
  const isPlaced = inner.some((word) => word.includes("{}"))
  return runWords([...inner.map((word) => withFound(word, folder)), ...(isPlaced ? [] : [folder])], depth + 1)
}

/** Names with places in them, put into one another, would grow without bound. */
const withFound = (word: string, folder: string): string => {
  if (word === "{}") return folder
  return word.length * folder.length > longestFound ? word : word.replaceAll("{}", folder)
}

/** How many programs may run one another: `find … -exec xargs sed -i …`. */
const deepest = 5

/** The characters of a word times those of the folder that is put into it. */
const longestFound = 10_000

/** Files whose changes are not work on the project. */
const isKept = (path: string): boolean =>
  path !== "" &&
  !/^(?:\/dev\/|\/tmp\/|\/private\/tmp\/|\/var\/folders\/|\$TMPDIR|\$\{?TMP|&|-$)/.test(path) &&
  !/\.log$/.test(path)

const namedBy = (program: string, words: readonly string[]): readonly string[] => {
  if (program !== "git") return Object.hasOwn(changers, program) ? (changers[program]?.(words) ?? []) : []
  const [verb = "", ...rest] = gitWords(words)
  if (verb === "apply" && !rest.includes("--check") && !rest.includes("--stat"))
    return (
      plain(rest)
        .concat("patch")
        .slice(0, 1)
        // A patch file's path does not show which files the patch changes.
        .map((path) => (path === "-" || isKept(path) ? path : "patch"))
    )
  if (verb === "mv" || verb === "rm") return rest.includes("--cached") ? [] : plain(rest)
  if (verb === "restore") return isOfIndex(rest) ? [] : plain(rest)
  if (bringing.has(verb)) return rest.some((word) => /^--(?:abort|quit)$/.test(word)) ? [] : ["."]
  if (throwsAway(verb, rest)) return ["."]
  return verb === "checkout" ? checkedOut(rest) : []
}

const isOfIndex = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:-S|--staged)$/.test(word)) && !words.some((word) => /^(?:-W|--worktree)$/.test(word))

/** The files restored from a commit or from the index. The first or only word may be a branch. */
const checkedOut = (words: readonly string[]): readonly string[] => {
  if (words.includes("--")) return words.slice(words.indexOf("--") + 1)
  if (words.some((word) => /^(?:-[bBt]|--orphan|--track)$/.test(word))) return []
  const [first = "", ...files] = plain(words)
  return isFile.test(first) ? [first, ...files] : files
}

/** Recognises a file, but not a version such as `release/1.2.x`. */
const isFile = /^(?:\.{1,2}\/|:)|[*]|\/$|\.(?:[a-z]{2,5}|[ch])$/i

/** Whether a git command discards uncommitted changes. */
const throwsAway = (verb: string, words: readonly string[]): boolean => {
  if (verb === "reset") return words.some((word) => /^--(?:hard|merge|keep)$/.test(word))
  if (verb === "checkout") return words.some((word) => word === "." || word === "-f" || word === "--force")
  if (verb === "switch") return words.some((word) => /^(?:-f|--force|--discard-changes)$/.test(word))
  return verb === "clean" && words.some((word) => /^(?:-\w*f\w*|--force)$/.test(word) && !/n/.test(word))
}

/** Git commands that apply or revert the changes of single commits. */
const bringing = new Set(["revert", "cherry-pick", "am"])

/** Git commands that may replace all files. */
const moving = new Set(
  "checkout restore reset stash merge rebase pull cherry-pick revert switch clean am bisect submodule".split(" "),
)

/** Whether a program's verb changes the project: `npm uninstall left-pad`. */
const changesByVerb = (program: string, words: readonly string[]): boolean => {
  if (words.length === 0) return false
  const [script = "", ...behind] = words
  // `python manage.py makemigrations`, `bin/rails generate`.
  if (interpreter.test(program) && Object.hasOwn(changingVerbs, programName(script)))
    return changesByVerb(programName(script), behind)
  const name = programName(program)
  const verb = Object.hasOwn(changingVerbs, name) ? changingVerbs[name] : undefined
  if (verb === undefined) return false
  const said = program === "git" ? gitWords(words) : afterOptions(words, /^(?:-C|--prefix|--filter|-F|-w|--workspace)$/)
  return !isGlobal(words) && verb.test(plain(said).join(" "))
}

const scripting = /^(?:python[\d.]*|node|ruby|perl|deno|bun|php|osascript|awk|tsx)$/

const mayEdit = (part: ShellPart, program: string, words: readonly string[]): boolean => {
  if (partKind(part) === "format") return true
  if (program === "git") return moving.has(gitWords(words)[0] ?? "")
  if (/^(?:npm|pnpm|yarn|bun|pip|uv|poetry|cargo|go|bundle|composer)$/.test(program))
    return (
      /^(?:install|i|ci|add|remove|uninstall|update|upgrade|get|mod|sync|generate)$/.test(words[0] ?? "") ||
      /(?:^|[:-])(?:gen|generate|codegen|fix|format)/.test(words[1] ?? "")
    )
  // A program written on the command line may do anything.
  return (
    scripting.test(program) && (part.document !== undefined || words.some((word) => /^(?:-c|-e|--eval|-p)$/.test(word)))
  )
}

/**
 * The folder or file that a changed path denotes: for a pattern, the folder before it; for a patch, the folder in which
 * it is applied.
 */
export const changedPlace = (path: string, folder: string): string => {
  const pattern = path.search(/[*?[{$]/)
  const known = pattern < 0 ? path : path.slice(0, pattern).replace(/(?<![^/\\])[^/\\]*$/, "")
  return resolved(folder, isPatch(path) || known === "" ? "." : known)
}
