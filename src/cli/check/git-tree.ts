/** The current state of a project according to git: the commit, and a hash of all files. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { findProgram, realpathOf, type Search, trustedEnv } from "../../bridges/find-program.ts"
import { foreignTextIn, readForeignFile } from "../../home/foreign-file.ts"
import { makeScratchFolder } from "../../home/scratch-folder.ts"

export type GitState = { revision?: string; tree?: string }

/** In place of a tree, in a repository of which git cannot tell it: a file may not be read, or its settings name another folder. */
const untold = "unknown"

/** Whether files have changed between two states; true where git can tell only one of them, undefined outside of a repository. */
export const isChanged = (before: string | undefined, now: string | undefined): boolean | undefined =>
  before === undefined && now === undefined ? undefined : before !== now || now === untold

/**
 * Empty outside of a repository, and where there is no git. Counts what git tracks and what it does not ignore, also in
 * repositories inside of it, but no plans.
 *
 * Nothing is written to the repository, and nothing that stands in it is run: its own settings may name programs (filters,
 * hooks, a monitor of files). So git is given a repository of ours for the work, with a copy of the index, and of the
 * project's settings only those that are words.
 */
export const gitStateOf = async (project: string, search: Omit<Search, "project">): Promise<GitState> => {
  const gitIn = findGit({ ...search, project })
  return gitIn === undefined || !existsSync(join(project, ".git")) ? {} : stateOf(project, gitIn, { left: mostInner })
}

/** Of all repositories inside of a project: each takes a tenth of a second. With more of them git cannot tell in time. */
const mostInner = 100

type Git = (words: readonly string[], env?: Record<string, string>) => Promise<string>

/** Git for a folder. For repositories inside of a project it is the same program, which none of them can have brought. */
type GitIn = (folder: string) => Git

/** How many more repositories may be looked at. */
type Budget = { left: number }

const stateOf = async (project: string, gitIn: GitIn, budget: Budget): Promise<GitState> => {
  const folder = makeScratchFolder("tree")
  try {
    return await stateIn(folder, gitIn, project, budget)
  } catch {
    return { tree: untold }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const stateIn = async (folder: string, gitIn: GitIn, project: string, budget: Budget): Promise<GitState> => {
  const git = gitIn(project)
  const asked = await git(["rev-parse", "--absolute-git-dir", "--show-toplevel", "--show-object-format"])
  const [gitFolder = "", top = "", format = "sha1"] = asked.split("\n")
  // The repository's settings may name a folder of files that are not those that are checked.
  if (!isAbsolute(gitFolder) || realpathOf(top) !== realpathOf(project)) return { tree: untold }
  const revision = await git(["rev-parse", "--verify", "HEAD"]).catch(() => undefined)
  const settings = await harmlessSettings(git)
  const own = join(folder, "repository")
  await git(["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, own])
  const env = { GIT_DIR: own, GIT_WORK_TREE: top, GIT_INDEX_FILE: join(own, "index") }
  const excluded = foreignTextIn(join(gitFolder, "info", "exclude"), longestExclude)
  mkdirSync(join(own, "info"), { recursive: true })
  if (excluded !== undefined) writeFileSync(join(own, "info", "exclude"), excluded)
  // What stands in "$Id: … $" would not count.
  writeFileSync(join(own, "info", "attributes"), "* -ident\n")
  const ours: Git = (words) => git([...settings, ...words], env)
  const added = await treeWith(ours, { index: join(gitFolder, "index"), copy: env.GIT_INDEX_FILE, top })
  const tree = await withInner(added, (path) => stateOf(join(top, path), gitIn, budget), budget)
  return { tree, ...(revision === undefined ? {} : { revision }) }
}

/** Git says of a repository inside of another only at which commit it is, not which of its files have changed since. */
const withInner = async (
  { tree, inner }: Added,
  stateAt: (path: string) => Promise<GitState>,
  budget: Budget,
): Promise<string> => {
  if (inner.length === 0) return tree
  budget.left -= inner.length
  if (budget.left < 0) return untold
  const trees: string[] = []
  for (const path of inner) trees.push((await stateAt(path)).tree ?? untold)
  if (trees.includes(untold)) return untold
  const { createHash } = process.getBuiltinModule("node:crypto")
  return createHash("sha256")
    .update([tree, ...trees].join("\n"))
    .digest("hex")
}

type Added = {
  tree: string
  /** The repositories inside of it, whose files are not in the tree. */
  inner: readonly string[]
}

/** With the project's index only what has changed is read; one that cannot be used alone is done without. */
const treeWith = async (git: Git, { index, copy, top }: Record<"index" | "copy" | "top", string>): Promise<Added> => {
  if (existsSync(index)) {
    const { bytes, stats } = readForeignFile(index, largestIndex)
    writeFileSync(copy, bytes)
    // Git reads files that were changed in the second in which the index was written. Rounded down, that is no second fewer.
    const written = Math.floor(stats.mtimeMs / 1000)
    utimesSync(copy, written, written)
    const added = await addedTree(git, top).catch(() => undefined)
    if (added !== undefined) return added
    rmSync(copy, { force: true })
  }
  return addedTree(git, top)
}

const addedTree = async (git: Git, top: string): Promise<Added> => {
  const listed = await entriesIn(git)
  // Git was told not to look at these: what was checked may be another file by now.
  for (const [kind, word] of unseen) {
    const paths = pathsOf(listed, kind)
    if (paths.length > 0) await git(["-C", top, "update-index", word, "--", ...paths])
  }
  // Git would look into each repository, with its own settings. It may also be a folder of files that only claims to be one.
  const left = [...pathsOf(listed, repository), ...pathsOf(listed, plans)]
  if (left.length > 0) await git(["-C", top, "update-index", "--force-remove", "--", ...left])
  await git(["add", "--all", "--", ".", ...plansPaths.map((path) => `:(top,exclude,glob)${path}`)])
  return { tree: await git(["write-tree", "--missing-ok"]), inner: pathsOf(await entriesIn(git), repository) }
}

const entriesIn = async (git: Git): Promise<string[]> =>
  (await git(["ls-files", "--stage", "-v", "-z", "--full-name", ":/"])).split("\0")

const pathsOf = (listed: readonly string[], kind: RegExp): string[] =>
  listed.flatMap((entry) => (kind.test(entry) ? [entry.slice(entry.indexOf("\t") + 1)] : []))

/** How the index says that a path is a repository of its own. */
const repository = /^\w 160000 /

/** Plans that are kept in the project are no files that a check is about, and its result is written to one of them. */
const plansPaths = [".headway/journal/*.jsonl", ".headway/todos/*.json"]
const plans = /\t\.headway\/(?:journal\/[^/]+\.jsonl|todos\/[^/]+\.json)$/

/** Marks of a file in the index, and what takes them away. */
const unseen: readonly [RegExp, string][] = [
  [/^[a-z] /, "--no-assume-unchanged"],
  [/^[sS] /, "--no-skip-worktree"],
]

/** What says how files are compared, and is one of a few words. */
const harmlessSettings = async (git: Git): Promise<string[]> => {
  const listed = await git([
    "config",
    "--get-regexp",
    "^core\\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode)$",
  ]).catch(() => "")
  return listed.split("\n").flatMap((line) => {
    const [, name, value] = /^(core\.[a-z]+) (true|false|input|lf|crlf|native)$/i.exec(line) ?? []
    return name === undefined ? [] : ["-c", `${name}=${value}`]
  })
}

/** In bytes. */
const [longestExclude, largestIndex] = [1 << 20, 1 << 30]

/** In milliseconds; a large repository takes a second or two. */
const timeLimit = 30_000

/** Programs that a repository's settings name are not started. */
const quiet = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "submodule.recurse=false",
  "protocol.allow=never",
]

/** Git from the person's PATH, never from the project, and told nothing by variables about another repository. */
const findGit = (search: Search): GitIn | undefined => {
  const program = findProgram("git", search)
  if (program === undefined) return undefined
  const env = Object.fromEntries(Object.entries(trustedEnv(search)).filter(([name]) => !/^GIT_/i.test(name)))
  const always = {
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_PAGER: "cat",
    LC_ALL: "C",
  }
  return (folder) =>
    (words, more = {}) =>
      new Promise((resolve, reject) => {
        const options = { cwd: folder, env: { ...env, ...always, ...more }, timeout: timeLimit, maxBuffer: 1 << 26 }
        const settings = quiet.flatMap((setting) => ["-c", setting])
        execFile(program, [...settings, ...words], options, (error, stdout) =>
          error ? reject(error) : resolve(stdout.replace(/\n$/, "")),
        )
      })
}
