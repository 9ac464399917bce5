/** How other programs call Headway, and how to recognise such a call. */
import { basename } from "node:path"
import { findProgram, isExecutable, realpathOf, type Search } from "../find-program.ts"
import { runProgram } from "../run-program.ts"

export type Launcher = {
  /** `path`: by its name. `file`: node and the file of the program, both in full. `npx`: fetched when it is needed. */
  kind: "path" | "file" | "npx"
  words: readonly string[]
  /** Why it is called like this, for the person. */
  reason: string
}

export type LauncherOptions = Search & {
  /** The file of this program, and the node that runs it. */
  bin: string
  node: string
  version: string
  platform: NodeJS.Platform
  /** The call must work on other people's machines too. */
  isForOthers: boolean
}

const program = "headway"
const npxForOthers = ["npx", "-y", program]

/**
 * In full for the person's own configuration: a name is looked up again at each call, in a PATH and a project we do not know.
 * By its name only where others must understand it too. A call through npx is for what is not installed, as it costs a second
 * each time.
 */
export const findLauncher = async (options: LauncherOptions): Promise<Launcher> => {
  const { bin, isForOthers } = options
  if (isForOthers) return launcherForOthers(options)
  const node = stablePath("node", options.node, options)
  if (/[\\/]_npx[\\/]/.test(bin)) {
    return { kind: "npx", words: npxWords(node, options), reason: "it is not installed here, only fetched by npx" }
  }
  const words = [node, stablePath(program, bin, options)]
  return {
    kind: "file",
    words,
    reason: "an absolute path, so that no PATH and no project can put another program in its place",
  }
}

const launcherForOthers = async (options: LauncherOptions): Promise<Launcher> => {
  const named = findProgram(program, options)
  if (named !== undefined && (await isThisProgram(named, options)))
    return { kind: "path", words: [program], reason: `"${program}" is on your PATH` }
  return { kind: "npx", words: npxForOthers, reason: "others may not have it installed" }
}

/**
 * Without a folder of its own, npx takes the program of that name in the project, and the registry the project names.
 * On Windows npx is not a file that node can run.
 */
const npxWords = (node: string, options: LauncherOptions): string[] => {
  const npx = options.platform === "win32" ? undefined : findProgram("npx", options)
  const prefix = options.home === undefined ? [] : [`--prefix=${options.home}`]
  return [...(npx === undefined ? ["npx"] : [node, npx]), "-y", ...prefix, program]
}

/**
 * The words for calls that come all the time: through the shell script beside the program, where the system can run it. That
 * starts the program only when there is something to say. It comes and goes with the program, so it is always of its version.
 */
export const quickWords = ({ kind, words }: Launcher, script: string, platform: NodeJS.Platform): readonly string[] =>
  kind === "file" && platform !== "win32" && isExecutable("/bin/sh") && isExecutable(script)
    ? [script, ...words]
    : words

/** Whether a call goes through that script. */
export const isQuick = ([first = ""]: readonly string[]): boolean => basename(first) === "headway-launcher"

/** Whether a call fetches Headway when it is made. */
export const isFetched = (words: readonly string[]): boolean =>
  words.slice(0, 2).some((word) => /^npx(?:-cli\.js|\.cmd)?$/.test(basename(word)))

/** The same file, or a stand-in for it that says the same version. */
const isThisProgram = async (path: string, options: LauncherOptions): Promise<boolean> => {
  if (realpathOf(path) === realpathOf(options.bin)) return true
  const { code, out } = await runProgram([path, "--version"], options)
  return code === 0 && out.trim() === options.version
}

/** A link on the PATH outlives the folder of one version, which the next update may remove. */
const stablePath = (name: string, path: string, search: Search): string => {
  const named = findProgram(name, search)
  return named !== undefined && realpathOf(named) === realpathOf(path) ? named : path
}

/** Words as one line for a shell; quoted only where they must be. */
export const shellLine = (words: readonly string[], platform: NodeJS.Platform): string =>
  words
    .map((word) => {
      if (/^[\w@%+=:,./-]+$/.test(word)) return word
      return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`
    })
    .join(" ")

/** The words of such a line, as a shell would take them apart. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single?: string, double?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
    ),
  )

/**
 * The part of a call that starts Headway, in a form that set-up or a plugin of ours writes: by its name or its file, through
 * Node and the script, or through npx. The command follows at once.
 */
export const ourLauncher = (words: readonly string[], command: string): readonly string[] | undefined => {
  const form = forms.find((one) => one.every((isPart, index) => isPart(words[index] ?? "")))
  return form && words[form.length] === command ? words.slice(0, form.length) : undefined
}

/** Whether a call mentions Headway and later the command, with whatever else around them. */
export const mentionsCall = (words: readonly string[], command: string): boolean => {
  const at = words.findIndex((word) => /^headway(?:\.js|\.cmd|\.exe)?(?:@.+)?$/i.test(baseOf(word)))
  return at >= 0 && words.indexOf(command, at) > at
}

const baseOf = (word: string): string => basename(word.replaceAll("\\", "/"))

type IsPart = (word: string) => boolean

const isScript: IsPart = (word) => isQuick([word])
const isFile: IsPart = (word) => /^headway(?:\.js|\.cmd|\.exe)?$/i.test(baseOf(word))
const isNode: IsPart = (word) =>
  word === process.execPath || /^(?:node(?:js)?(?:-?\d[\d.]*)?|bun|deno)(?:\.exe)?$/i.test(baseOf(word))
const isNpx: IsPart = (word) => /^npx(?:-cli\.js|\.cmd)?$/.test(baseOf(word))
const isYes: IsPart = (word) => word === "-y" || word === "--yes"
const isPrefix: IsPart = (word) => word.startsWith("--prefix=")
/** With a version at most: npx would also fetch what an address or another package's name stands for. */
const isPackage: IsPart = (word) => /^headway(?:@[\w.-]+)?$/.test(word)

const npxForms: readonly (readonly IsPart[])[] = [
  [isNpx, isYes, isPackage],
  [isNpx, isYes, isPrefix, isPackage],
]

const forms: readonly (readonly IsPart[])[] = [
  [isFile],
  [isNode, isFile],
  [isScript, isNode, isFile],
  ...npxForms,
  ...npxForms.map((form) => [isNode, ...form]),
]

/** The launchers that set-up writes where others must understand them. */
export const isForOthers = (launcher: readonly string[]): boolean =>
  launcher.join(" ") === program || launcher.join(" ") === npxForOthers.join(" ")
