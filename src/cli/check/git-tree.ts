/** The current state of a project according to git: the commit, and a hash of all files. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { findProgram, type Search, trustedEnv } from "../../bridges/programs/find-program.ts"
import { realPath } from "../../home/paths/on-disk.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { makeScratchFolder } from "../../home/writing/scratch-folder.ts"
import { type IndexCache, indexCacheIn } from "./index-cache.ts"

export type GitState = {
  revision?: string
  tree?: string
  /** Another one as soon as a tracked file was touched, even if the file is as it was before. */
  touched?: string
}

/** In place of a tree, in a repository of which git cannot tell it: a file may not be read, or its settings name another folder. */
export const untold = "unknown"

/** Whether files have changed between two states; true where git can tell only one of them, undefined outside of a repository. */
export const isChanged = (before: string | undefined, now: string | undefined): boolean | undefined =>
  before === undefined && now === undefined ? undefined : before !== now || now === untold

/**
 * Empty outside of a repository, and where there is no git. Counts what git tracks and what it does not ignore, also in
 * repositories inside of it, but no plans.
 *
 * Nothing is written to the repository, and nothing that stands in it is run: its own settings may name programs (filters,
 * hooks, a monitor of files). So git works in a repository of ours with settings of ours, which compare files byte for byte. Of
 * the project's index only the names of files count: what it says about their times may have been made up, so that a
 * changed file would pass for unchanged. Our own index of the last time is kept in Headway's home instead, and what it says
 * counts only for files that had not been touched for a while when they were read.
 */
export const gitStateOf = async (project: string, { headwayHome, timeLimit, ...search }: Asking): Promise<GitState> => {
  const gitIn = findGit({ ...search, project }, performance.now() + (timeLimit ?? usualLimit))
  if (gitIn === undefined || !existsSync(join(project, ".git"))) return {}
  return stateOf(project, { gitIn, headwayHome, budget: { left: mostInner } })
}

type Asking = Omit<Search, "project"> & {
  headwayHome: string
  /** In milliseconds, for everything that git is asked. Where it is over, git cannot tell. @default 10 seconds */
  timeLimit?: number
}

/** A pipe in place of a file that git reads would keep it waiting for ever. */
const usualLimit = 10_000

/** Of all repositories inside of a project: each takes a tenth of a second. With more of them git cannot tell in time. */
const mostInner = 100

type Git = (words: readonly string[], options?: GitOptions) => Promise<string>

type GitOptions = {
  env?: Record<string, string>
  input?: string
  /** Of input and output. @default "utf8" */
  encoding?: "utf8" | "latin1"
}

/** Git for a folder. For repositories inside of a project it is the same program, which none of them can have brought. */
type GitIn = (folder: string) => Git

/** How many more repositories may be read. */
type Budget = { left: number }

type Surroundings = { gitIn: GitIn; headwayHome: string; budget: Budget }

const stateOf = async (project: string, surroundings: Surroundings): Promise<GitState> => {
  let folder: string | undefined
  try {
    folder = makeScratchFolder("tree")
    return await stateIn(folder, project, surroundings)
  } catch {
    return { tree: untold }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

const stateIn = async (folder: string, project: string, surroundings: Surroundings): Promise<GitState> => {
  const { gitIn, headwayHome, budget } = surroundings
  const git = gitIn(project)
  const about = ["--absolute-git-dir", "--show-toplevel", "--show-object-format", "--git-common-dir"]
  const [gitFolder = "", top = "", format = "sha1", common = ""] = (await git(["rev-parse", ...about])).split("\n")
  // The repository's settings may name a folder of files that are not those that are checked.
  if (!isAbsolute(gitFolder) || realPath(top) !== realPath(project)) return { tree: untold }
  const own = join(folder, "repository")
  const [revision, tracked] = await Promise.all([
    git(["rev-parse", "--verify", "HEAD"]).catch(() => undefined),
    // Without an index that can be read, all files that are not ignored still count.
    entriesIn(git).catch(() => []),
    git(["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, own]),
  ])
  const env = { GIT_DIR: own, GIT_WORK_TREE: top, GIT_INDEX_FILE: join(own, "index") }
  // A linked worktree shares this file with its repository. Git names the folder as seen from the project.
  const excluded = foreignTextIn(resolve(project, common, "info", "exclude"), longestExclude)
  mkdirSync(join(own, "info"), { recursive: true })
  if (excluded !== undefined) writeFileSync(join(own, "info", "exclude"), excluded)
  // Otherwise neither what stands in "$Id: … $" nor a change of line endings would count, and filters of the person would run.
  writeFileSync(join(own, "info", "attributes"), "* -ident -text -working-tree-encoding -filter\n")
  const ours: Git = (words, options) => git(words, { ...options, env })
  const cache = indexCacheIn(headwayHome, [indexVersion, realPath(top), format])
  const added = await treeWith(ours, { tracked, cache, index: env.GIT_INDEX_FILE, top })
  const told = await withInner(added, (path) => stateOf(join(top, path), surroundings), budget)
  return { ...told, ...(revision === undefined ? {} : { revision }) }
}

/** Git says of a repository inside of another only at which commit it is, not which of its files have changed since. */
const withInner = async (
  { tree, touched, inner }: Added,
  stateAt: (path: string) => Promise<GitState>,
  budget: Budget,
): Promise<GitState> => {
  if (inner.length === 0) return { tree, touched }
  budget.left -= inner.length
  if (budget.left < 0) return { tree: untold }
  const [trees, touches] = [[tree], [touched]]
  for (const path of inner) {
    const found = await stateAt(path)
    if (found.tree === undefined || found.tree === untold) return { tree: untold }
    trees.push(found.tree)
    touches.push(found.touched ?? "")
  }
  return { tree: digestOf(trees), touched: digestOf(touches) }
}

const digestOf = (lines: readonly string[]): string => {
  const { createHash } = process.getBuiltinModule("node:crypto")
  return createHash("sha256").update(lines.join("\n")).digest("hex")
}

type Added = {
  tree: string
  touched: string
  /** The repositories inside of it, whose files are not in the tree. */
  inner: readonly string[]
}

type Indexed = { tracked: readonly IndexEntry[]; cache: IndexCache; index: string; top: string }

/** With the index of the last time only what has changed since is read; one that cannot be used is done without. */
const treeWith = async (git: Git, { tracked, cache, index, top }: Indexed): Promise<Added> => {
  if (isInMemory(top)) return addedTree(git, { tracked, top, known: [] })
  const keptAt = cache.restoreTo(index)
  const added =
    keptAt === undefined ? undefined : await addedSince(git, { tracked, top, keptAt }).catch(() => undefined)
  if (added) {
    cache.keep(index)
    return added
  }
  rmSync(index, { force: true })
  const anew = await addedTree(git, { tracked, top, known: [] })
  cache.keep(index)
  return anew
}

/** There a program that maps a file into its memory changes it without changing its times. */
const isInMemory = (folder: string): boolean => memoryDisks.has(statfsSync(folder).type)

/** What Linux calls tmpfs and ramfs. */
const memoryDisks: ReadonlySet<number> = new Set([0x01021994, 0x858458f6])

const addedSince = async (
  git: Git,
  { tracked, top, keptAt }: Pick<Indexed, "tracked" | "top"> & { keptAt: number },
): Promise<Added> => {
  const known = (await ownEntriesIn(git)).map((entry) => ({ ...entry, isOld: entry.touched < keptAt - restTime }))
  return addedTree(git, { tracked, top, known })
}

/**
 * In seconds, between the last touch of a file and the reading of it, for its times to count from then on. Git compares whole
 * seconds, so a file that was just touched can change without other times. So can one that a program has mapped into its
 * memory, until the system has written it to the disk, which takes half a minute.
 */
const restTime = 60

type Known = IndexEntry & {
  /** What the index says of its times counts. */
  isOld: boolean
}

type Adding = Pick<Indexed, "tracked" | "top"> & { known: readonly Known[] }

const addedTree = async (git: Git, { tracked, top, known }: Adding): Promise<Added> => {
  const isTracked = new Set(tracked.map(({ path }) => path))
  const isUnread = new Set(known.flatMap(({ path, isOld }) => (isOld ? path : [])))
  // Git would look into each repository, with its own settings. It may also be a folder of files that only claims to be one.
  const removed = known.filter((entry) => !isTracked.has(entry.path) || !isFile(entry))
  // Entered without times, so that git reads the file. Files that are ignored count only if they are tracked.
  const more = tracked.filter((entry) => !isUnread.has(entry.path) && isFile(entry))
  const lines = [
    ...removed.map(({ path, hash }) => `0 ${"0".repeat(hash.length)}\t${path}\0`),
    ...more.map(({ mode, hash, path }) => `${mode} ${hash}\t${path}\0`),
  ]
  if (lines.length > 0)
    await git(["-C", top, "update-index", "-z", "--replace", "--index-info"], {
      input: lines.join(""),
      encoding: bytes,
    })
  await git(["add", "--all", "--", ".", ...plansPaths.map((path) => `:(top,exclude,glob)${path}`)])
  const [entries, tree] = await Promise.all([ownEntriesIn(git), git(["write-tree", "--missing-ok"])])
  const inner = entries.filter(isRepository)
  const ofTracked = entries.filter((entry) => isTracked.has(entry.path) && isFile(entry))
  return {
    tree,
    touched: digestOf(ofTracked.map(({ path, touched }) => JSON.stringify([path, touched]))),
    inner: inner.map(({ path }) => Buffer.from(path, bytes).toString("utf8")),
  }
}

type IndexEntry = { mode: string; hash: string; path: string }

/** Names of files are bytes, which need not be UTF-8. */
const bytes = "latin1"

const entriesIn = async (git: Git): Promise<IndexEntry[]> =>
  (await git(["ls-files", "--stage", "-z", "--full-name", ":/"], { encoding: bytes })).split("\0").flatMap((line) => {
    const [, mode = "", hash = "", path] = /^(\d+) ([\da-f]+) \d\t(.+)$/s.exec(line) ?? []
    return path === undefined ? [] : [{ mode, hash, path }]
  })

type OwnEntry = IndexEntry & {
  /** In seconds, when the file last changed in any way, as the system says: no program can choose it. */
  touched: number
}

/** Of our own index. Throws where git lists it in another way. */
const ownEntriesIn = async (git: Git): Promise<OwnEntry[]> => {
  const words = ["ls-files", "--stage", "--debug", "-z", "--full-name", ":/"]
  // Git's information about an entry is in lines after it, and so before the next one.
  const parts = (await git(words, { encoding: bytes })).split("\0")
  return parts.slice(0, -1).map((part, at) => {
    const [, mode, hash, path] = /^(?: {2}[^\n]*\n)*(\d+) ([\da-f]+) \d\t(.+)$/s.exec(part) ?? []
    if (mode === undefined || hash === undefined || path === undefined)
      throw new Error("Git lists its index otherwise.")
    const [, seconds, rest] = /^ {2}ctime: (\d+):(\d+)\n/.exec(parts[at + 1] ?? "") ?? []
    const touched = seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) + Number(rest) / 1e9
    return { mode, hash, path, touched }
  })
}

/** Of a mode only the type counts: git takes `160644`, which an index may hold, for a repository as well. */
const isFile = ({ mode, path }: IndexEntry): boolean => fileTypes.has(typeOf(mode)) && !plans.test(path)

const isRepository = ({ mode }: IndexEntry): boolean => typeOf(mode) === 0o160000

const typeOf = (mode: string): number => Number.parseInt(mode, 8) & 0o170000

/** Regular files and links. */
const fileTypes: ReadonlySet<number> = new Set([0o100000, 0o120000])

/** Plans that are kept in the project are not the subject of a check, and its result is written to one of them. */
const plansPaths = [".headway/journal/*.jsonl", ".headway/todos/*.json"]
const plans = /^\.headway\/(?:journal\/[^/]+\.jsonl|todos\/[^/]+\.json)$/

/** In bytes. */
const longestExclude = 1 << 20

/** Another one where what git keeps in an index may no longer be believed. */
const indexVersion = "2"

/** Programs that a repository's settings name are not started, and no setting lets a changed file pass for unchanged. */
const quiet = [
  "core.trustctime=true",
  "core.checkStat=default",
  "core.ignoreStat=false",
  "core.sparseCheckout=false",
  "core.splitIndex=false",
  "add.ignoreErrors=false",
  "core.filemode=true",
  "core.symlinks=true",
  "core.ignorecase=false",
  "core.precomposeunicode=false",
  "core.autocrlf=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "submodule.recurse=false",
]

/** What git says of a folder that it may not list, or whose path is too long. It goes on without the files in it. */
const unlisted = /could not open directory/

/** Git from the person's PATH, never from the project, and told nothing by variables about another repository. */
const findGit = (search: Search, until: number): GitIn | undefined => {
  const program = findProgram("git", search)
  if (program === undefined) return undefined
  const env = Object.fromEntries(Object.entries(trustedEnv(search)).filter(([name]) => !/^GIT_/i.test(name)))
  const always = {
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Older versions of git do not know the variable above, and a repository's `protocol.ext.allow` overrides `protocol.allow`.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PAGER: "cat",
    LC_ALL: "C",
  }
  return (folder) =>
    (words, { env: more = {}, input = "", encoding = "utf8" } = {}) =>
      new Promise((resolve, reject) => {
        const surroundings = { cwd: folder, env: { ...env, ...always, ...more } }
        const left = until - performance.now()
        if (left <= 0) throw new Error("There is no time left to ask git.")
        const options = { ...surroundings, encoding, timeout: Math.ceil(left), maxBuffer: 1 << 28 }
        const settings = quiet.flatMap((setting) => ["-c", setting])
        const child = execFile(program, [...settings, ...words], options, (error, stdout, stderr) =>
          error || unlisted.test(stderr) ? reject(error ?? new Error(stderr)) : resolve(stdout.replace(/\n$/, "")),
        )
        // It may end before it has read everything, and then says why itself.
        child.stdin?.on("error", () => {})
        child.stdin?.end(input, encoding)
      })
}
