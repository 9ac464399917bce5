/** How other programs are told to call Headway, and how such a call is known again. */
import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { basename, delimiter, join } from "node:path"
import { runProgram } from "../run-program.ts"

export type Launcher = {
  /** `path`: by its name. `file`: node and the file of the program, both in full. `npx`: fetched when it is needed. */
  kind: "path" | "file" | "npx"
  words: readonly string[]
  /** Why it is called like this, for the person. */
  reason: string
}

export type LauncherOptions = {
  env: Readonly<Record<string, string | undefined>>
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
 * By its name where that leads to this very program: short, and it outlives updates. Else by full paths, which nobody's
 * PATH can break; a call through npx is for what is not installed, as it costs a second each time.
 */
export const findLauncher = async (options: LauncherOptions): Promise<Launcher> => {
  const { env, bin, node, platform, isForOthers } = options
  const named = findOnPath(program, env)
  const byName = { kind: "path", words: [program], reason: `"${program}" is on your PATH` } as const
  // A script with a name and an ending of its own is not found by every program there.
  const mayName = platform !== "win32" || isForOthers
  if (named !== undefined && mayName && (await isThisProgram(named, options))) return byName
  if (isForOthers || /[\\/]_npx[\\/]/.test(bin)) {
    const reason = isForOthers ? "others may not have it installed" : "it is not installed here, only fetched by npx"
    return { kind: "npx", words: ["npx", "-y", program], reason }
  }
  const other = named === undefined ? `"${program}" is not on your PATH` : `"${program}" on your PATH is another one`
  return { kind: "file", words: [stableNode(node, env), bin], reason: `${other}, so it is named in full` }
}

/** The first executable file of that name on the PATH. */
export const findOnPath = (name: string, env: LauncherOptions["env"]): string | undefined => {
  const endings = ["", ...(env.PATHEXT?.split(";") ?? [])]
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => folder !== "")
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isExecutable)
}

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The same file, or a stand-in for it that says the same version. */
const isThisProgram = async (path: string, { bin, version, env }: LauncherOptions): Promise<boolean> => {
  if (realpathOf(path) === realpathOf(bin)) return true
  const { code, out } = await runProgram([path, "--version"], { env })
  return code === 0 && out.trim() === version
}

/** A link on the PATH outlives the folder of one version, which the next update may remove. */
const stableNode = (node: string, env: LauncherOptions["env"]): string => {
  const named = findOnPath("node", env)
  return named !== undefined && realpathOf(named) === realpathOf(node) ? named : node
}

const realpathOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
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

/** The part of a call that starts Headway, when it is one of ours: up to the program, before the command. */
export const ourLauncher = (words: readonly string[], command: string): readonly string[] | undefined => {
  const at = words.findIndex((word) =>
    /^headway(?:\.js|\.cmd|\.exe)?(?:@.+)?$/i.test(basename(word.replaceAll("\\", "/"))),
  )
  return at >= 0 && words.indexOf(command, at) > at ? words.slice(0, at + 1) : undefined
}
