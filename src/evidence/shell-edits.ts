/** Finds which files a shell command changes, as far as its arguments show. */
import { afterOptions } from "./_options.ts"
import { isCheck, isProgram, partKind } from "./command-kind.ts"
import { type ShellPart, shellParts } from "./shell-parts.ts"

export type ShellEdits = {
  /** Files that it changes for certain, by the names it gives them. */
  files: readonly string[]
  /** Whether it may change others: a program of its own, a formatter, another state of the repository. */
  mayEdit: boolean
  /** Whether a check stands behind the last change. */
  checksItself: boolean
  /** What it does with the work: `git stash` puts it away, `git stash pop` brings it back, and some commands do both. */
  stash?: Stash | undefined
}

export type Stash = "away" | "back" | "both"

export const shellEdits = (command: string): ShellEdits => {
  const parts = shellParts(command)
  const outside = partsOutside(parts, command)
  const found = parts.map((part, index) => {
    const edits = editsOf(isReport(parts, index) ? withoutReport(part) : part)
    return outside[index] ? withoutFiles(edits) : edits
  })
  const lastEdit = found.findLastIndex(({ files, mayEdit }) => files.length > 0 || mayEdit)
  const lastCheck = parts.findLastIndex((part) => isCheck(partKind(part)))
  return {
    checksItself: lastEdit >= 0 && lastCheck > lastEdit,
    files: [...new Set(found.flatMap(({ files }) => files))],
    mayEdit: found.some(({ mayEdit }) => mayEdit),
    stash: stashIn(
      parts.filter((_, index) => !outside[index]),
      lastCheck < 0 ? undefined : parts[lastCheck],
    ),
  }
}

/** Undefined too where the work was put away and is back before the last check: that one looks at the work. */
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

/** Whether what a part writes is what a check has said: `npm test > out.txt`, `npm test | tee out.txt`. What a build writes may be its product. */
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

/** The verb and what stands behind it: `git -C shop stash`. */
const gitWords = (words: readonly string[]): readonly string[] =>
  afterOptions(words, /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/)

/** Which parts run in a folder for passing things, because the command has gone there: a copy that is tried out, a repository to test with. */
const partsOutside = (parts: readonly ShellPart[], command: string): boolean[] => {
  let isOutside = false
  return parts.map(({ words: [program, ...words] }) => {
    if (program === "cd" || program === "pushd") isOutside = isPassing(words[0] ?? "", command)
    const other = program === "git" ? words.indexOf("-C") : -1
    return other < 0 ? isOutside : isPassing(words[other + 1] ?? "", command)
  })
}

const isPassing = (folder: string, command: string): boolean => {
  if (/^(?:\/private)?\/tmp(?:\/|$)|^\/var\/folders\//.test(folder)) return true
  const name = /^\$\{?(\w+)/.exec(folder)?.[1]
  return name !== undefined && (/^(?:TMP|TEMP)/i.test(name) || command.includes(`${name}=$(mktemp`))
}

/** What is named from elsewhere, by its whole path, is still the project. */
const withoutFiles = ({
  files,
  mayEdit,
}: Pick<ShellEdits, "files" | "mayEdit">): Pick<ShellEdits, "files" | "mayEdit"> => ({
  files: files.filter((path) => path.startsWith("/")),
  mayEdit,
})

const nothing: Pick<ShellEdits, "files" | "mayEdit"> = { files: [], mayEdit: false }

const editsOf = (part: ShellPart): Pick<ShellEdits, "files" | "mayEdit"> => {
  // What is not called like a program is a piece of a text.
  if (part.writes.length === 0 && !isProgram(part.words[0] ?? "")) return nothing
  const [program = "", ...words] = part.words
  const written = part.writes.filter(isKept)
  const named = namedBy(program, words).filter(isKept)
  const files = [...written, ...named]
  // A copy in the person's home is rarely the project.
  const isElsewhere = (path: string): boolean => path.startsWith("~")
  return {
    files: files.filter((path) => !isElsewhere(path)),
    mayEdit: files.some(isElsewhere) || mayEdit(part, program, words),
  }
}

/** Files whose changes are not work on the project. */
const isKept = (path: string): boolean =>
  path !== "" &&
  !/^(?:\/dev\/|\/tmp\/|\/private\/tmp\/|\/var\/folders\/|\$TMPDIR|\$\{?TMP|&)/.test(path) &&
  !/\.log$/.test(path)

const plain = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith("-"))

const namedBy = (program: string, words: readonly string[]): readonly string[] => {
  if (program === "sed" || program === "gsed")
    return words.some((word) => /^(?:-\w*i|--in-place)/.test(word)) ? plain(words).slice(-1) : []
  if (program === "perl" || program === "ruby")
    return words.some((word) => /^-\w*i/.test(word)) ? plain(words).slice(-1) : []
  if (program === "yq") return words.some((word) => /^(?:-i|--inplace)$/.test(word)) ? plain(words).slice(-1) : []
  if (program === "dd") return words.flatMap((word) => /^of=(.+)$/.exec(word)?.[1] ?? [])
  if (program === "tee") return plain(words)
  if (program === "mv" || program === "cp") return plain(words).slice(-1)
  if (program === "rm") return plain(words).filter((path) => !made.test(path))
  if (program === "truncate") return plain(words)
  if (program === "patch") return plain(words).slice(0, 1).concat("patch").slice(0, 1)
  if (program === "apply_patch" || program === "applypatch") return ["patch"]
  if (program !== "git") return []
  const [verb, ...rest] = gitWords(words)
  if (verb === "apply" && !rest.includes("--check") && !rest.includes("--stat"))
    return plain(rest).concat("patch").slice(0, 1)
  if (verb === "mv" || verb === "rm") return rest.includes("--cached") ? [] : plain(rest)
  if (verb === "restore") return isOfIndex(rest) ? [] : plain(rest)
  if (throwsAway(verb, rest)) return ["."]
  return verb === "checkout" ? checkedOut(rest) : []
}

/** Folders that programs make and make again. */
const made =
  /(?:^|\/)(?:dist|build|out|coverage|target|node_modules|__pycache__|test-results|playwright-report|\.(?:next|nuxt|turbo|cache|pytest_cache|mypy_cache|ruff_cache|nyc_output))\/?$/

const isOfIndex = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:-S|--staged)$/.test(word)) && !words.some((word) => /^(?:-W|--worktree)$/.test(word))

/** The files that are taken from a commit or from the index. What stands first, or alone, may be a branch. */
const checkedOut = (words: readonly string[]): readonly string[] => {
  if (words.includes("--")) return words.slice(words.indexOf("--") + 1)
  if (words.some((word) => /^(?:-[bBt]|--orphan|--track)$/.test(word))) return []
  const [first = "", ...files] = plain(words)
  return isFile.test(first) ? [first, ...files] : files
}

/** Not a version, such as `release/1.2.x`. */
const isFile = /^(?:\.{1,2}\/|:)|[*]|\/$|\.(?:[a-z]{2,5}|[ch])$/i

/** Commands of git after which changes that were not committed are gone. */
const throwsAway = (verb: string | undefined, words: readonly string[]): boolean => {
  if (verb === "reset") return words.some((word) => /^--(?:hard|merge|keep)$/.test(word))
  if (verb === "checkout") return words.some((word) => word === "." || word === "-f" || word === "--force")
  if (verb === "switch") return words.some((word) => /^(?:-f|--force|--discard-changes)$/.test(word))
  return verb === "clean" && words.some((word) => /^(?:-\w*f\w*|--force)$/.test(word) && !/n/.test(word))
}

const scripting = /^(?:python[\d.]*|node|ruby|perl|deno|bun|php|osascript|awk|tsx)$/
const moving = new Set([
  "checkout",
  "restore",
  "reset",
  "stash",
  "merge",
  "rebase",
  "pull",
  "cherry-pick",
  "revert",
  "switch",
  "clean",
  "am",
])

const mayEdit = (part: ShellPart, program: string, words: readonly string[]): boolean => {
  if (partKind(part) === "format") return true
  if (program === "git") return moving.has(gitWords(words)[0] ?? "")
  if (/^(?:npm|pnpm|yarn|bun|pip|uv|poetry|cargo|go|bundle|composer)$/.test(program))
    return (
      /^(?:install|i|ci|add|remove|uninstall|update|upgrade|get|mod|sync|generate)$/.test(words[0] ?? "") ||
      /(?:^|[:-])(?:gen|generate|codegen|fix|format)/.test(words[1] ?? "")
    )
  // A program that is written on the command line may do anything.
  return scripting.test(program) && (part.hasHereDocument || words.some((word) => /^(?:-c|-e|--eval|-p)$/.test(word)))
}
