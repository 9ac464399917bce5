/** How other programs call Headway, and how to recognise such a call. */
import { basename } from "node:path"
import { realPath } from "../../home/paths/on-disk.ts"
import { HeadwayError } from "../../plan/index.ts"
import { findProgram, isExecutable, type Search } from "../programs/find-program.ts"
import { runProgram } from "../programs/run-program.ts"

export type Launcher = {
  /** `path`: by its name. `file`: node and the file of the program, both in full. */
  kind: "path" | "file"
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

/**
 * In full for the person's own configuration: a name is looked up again at each call, in a PATH and a project we do not know.
 * By its name only where others must understand it too. Never through npx, which would run the package that has this name on
 * npm: that is another program.
 */
export const findLauncher = async (options: LauncherOptions): Promise<Launcher> => {
  const { bin, isForOthers } = options
  if (isForOthers) return { kind: "path", words: [program], reason: await onPathText(options) }
  return {
    kind: "file",
    words: [stablePath("node", options.node, options), stablePath(program, bin, options)],
    reason: "an absolute path, so that no PATH and no project can put another program in its place",
  }
}

/** Throws if the program lies where npm may remove it at any time. */
export const assertInstalled = (bin: string): void => {
  if (!/[\\/]_npx[\\/]/.test(bin)) return
  throw new HeadwayError(
    "not-installed",
    "Headway runs from npx's cache here, which npm may empty at any time. Install it with npm install -g, from the same folder or file that you gave npx, and run this again.",
  )
}

const onPathText = async (options: LauncherOptions): Promise<string> => {
  const named = findProgram(program, options)
  if (named === undefined) return `by its name, for others; there is no "${program}" on your PATH yet`
  return (await isThisProgram(named, options))
    ? `"${program}" is on your PATH`
    : `by its name, for others; the "${program}" on your PATH is another program or version`
}

/**
 * The words for frequent calls: through the shell script next to the program, if the system can run it. The script starts
 * the program only if there is something to do. It is installed and removed with the program, so the versions always match.
 */
export const quickWords = ({ kind, words }: Launcher, script: string, platform: NodeJS.Platform): readonly string[] =>
  kind === "file" && platform !== "win32" && isExecutable("/bin/sh") && isExecutable(script)
    ? [script, ...words]
    : words

/** Whether a call goes through that script. */
export const isQuick = ([first = ""]: readonly string[]): boolean => basename(first) === "headway-launcher"

/** Whether a call fetches a package of our name, which is another program, from npm. */
export const isFetched = (words: readonly string[]): boolean =>
  words.slice(0, 2).some((word) => /^npx(?:-cli\.js|\.cmd)?$/.test(baseOf(word)))

/** The same file, or a stand-in for it that says the same version. */
const isThisProgram = async (path: string, options: LauncherOptions): Promise<boolean> => {
  if (realPath(path) === realPath(options.bin)) return true
  const { code, out } = await runProgram([path, "--version"], options)
  return code === 0 && out.trim() === options.version
}

/** A link on the PATH outlives the folder of one version, which the next update may remove. */
const stablePath = (name: string, path: string, search: Search): string => {
  const named = findProgram(name, search)
  return named !== undefined && realPath(named) === realPath(path) ? named : path
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
 * The part of a call that starts Headway, in a form that set-up or a plugin of ours writes: by its name or its file, or through
 * Node and the script. The command follows at once.
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
const forms: readonly (readonly IsPart[])[] = [[isFile], [isNode, isFile], [isScript, isNode, isFile]]

/** Whether it is the launcher that set-up writes where others must understand it. */
export const isForOthers = (launcher: readonly string[]): boolean => launcher.join(" ") === program
