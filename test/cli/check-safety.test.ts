/** What a repository or an agent brings neither runs nor counts unless the person asked for it. */

import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { gitStateOf } from "../../src/cli/check/git-tree.ts"
import type { Evidence } from "../../src/evidence/index.ts"
import { atHome } from "./run-cli.ts"

const path = process.env.PATH ?? ""

/** The folders of other tests may be in memory, where no index is kept. */
const homeOnDisk = (): string => {
  const home = realpathSync(mkdtempSync(join(process.env.HEADWAY_TEST_TMPDIR ?? tmpdir(), "headway-test-")))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const begun = async (env: Record<string, string> = { PATH: path }, at: { home?: string } = {}) => {
  const { home, run } = atHome({ env, ...at })
  const cwd = join(home, "shop")
  mkdirSync(cwd)
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...words], {
      cwd,
      stdio: "pipe",
    })
  git("init", "-q")
  git("commit", "-q", "--allow-empty", "-m", "begun")
  const write = (todos: object[], words: string[] = []) =>
    run(["write", "--session", "s", ...words], { cwd, input: JSON.stringify({ todos }) })
  await write([{ content: "Fix login", status: "completed" }], ["--new"])
  const headway = (words: string[], folder = cwd) => run(words, { cwd: folder })
  const wordNow = async (): Promise<string | undefined> => {
    const { evidence } = JSON.parse((await headway(["show", "--json"])).out) as { evidence?: Evidence }
    return evidence?.todos[0]?.word
  }
  return { home, cwd, git, write, headway, wordNow }
}

type Project = { cwd: string; file: string }

/** A program that leaves a trace when it is run. */
const trap = (folder: string, name: string): { trace: string; program: string } => {
  const [trace, program] = [join(folder, `ran-${name}`), join(folder, name)]
  writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\ncat 2>/dev/null\nexit 1\n`)
  chmodSync(program, 0o755)
  return { trace, program }
}

test.skipIf(process.getuid?.() !== 0)(
  "a .git that another user put into a shared folder does not move a check there",
  async () => {
    const { home, run } = atHome({ env: { PATH: path } })
    const shared = join(home, "shared")
    const cwd = join(shared, "work")
    mkdirSync(cwd, { recursive: true })
    chmodSync(shared, 0o1777)
    mkdirSync(join(shared, ".git"))
    chownSync(join(shared, ".git"), 61_002, 61_002)
    writeFileSync(join(shared, "test.sh"), "exit 1\n")
    writeFileSync(join(cwd, "test.sh"), "exit 0\n")
    await run(["todo", "add", "Fix login"], { cwd })
    await run(["check", "set", "sh test.sh"], { cwd })
    expect((await run(["check"], { cwd })).out).toContain("passed")
  },
)

describe("asking git what has changed", () => {
  test("runs no filter, monitor or hook of the repository or of one inside it", async () => {
    const { home, cwd, git, headway, wordNow } = await begun()
    const traps = ["filter", "process", "monitor", "hook", "inner"].map((name) => trap(home, name))
    const [filter, process_, monitor, hook, inner] = traps.map(({ program }) => program)
    execFileSync("git", ["clone", "-q", cwd, join(home, "part")])
    git("submodule", "add", "-q", join(home, "part"), "part")
    writeFileSync(join(cwd, "part/.gitattributes"), "* filter=evil\n")
    execFileSync("git", ["config", "filter.evil.clean", inner ?? ""], { cwd: join(cwd, "part") })
    execFileSync("git", ["config", "core.fsmonitor", monitor ?? ""], { cwd: join(cwd, "part") })
    git("commit", "-q", "-m", "part")
    writeFileSync(join(cwd, "part/a.txt"), "changed")
    writeFileSync(join(cwd, ".gitattributes"), "*.txt filter=evil\n*.md filter=long\n")
    git("config", "filter.evil.clean", filter ?? "")
    git("config", "filter.long.process", process_ ?? "")
    git("config", "core.fsmonitor", monitor ?? "")
    git("config", "core.hooksPath", home)
    writeFileSync(join(home, "post-index-change"), readFileSync(hook ?? ""), { mode: 0o755 })
    for (const name of ["a.txt", "b.md"]) writeFileSync(join(cwd, name), "changed")
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    writeFileSync(join(cwd, "a.txt"), "changed again")
    expect((await headway(["check", "list"])).out).toContain("stale")
    expect(traps.filter(({ trace }) => existsSync(trace))).toEqual([])
  })

  test("fetches nothing from a remote that names a program, also with a git that does not know GIT_NO_LAZY_FETCH", async () => {
    const bin = join(homeOnDisk(), "bin")
    mkdirSync(bin)
    const real = String(execFileSync("sh", ["-c", "command -v git"])).trim()
    writeFileSync(join(bin, "git"), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '${real}' "$@"\n`, { mode: 0o755 })
    const { home, cwd, git, headway } = await begun({ PATH: `${bin}:${path}` })
    const { trace, program } = trap(home, "fetch")
    mkdirSync(join(cwd, "collapsed"))
    for (const name of ["a.txt", "collapsed/b.txt"]) writeFileSync(join(cwd, name), "as checked")
    git("add", "a.txt", "collapsed")
    git("commit", "-q", "-m", "files")
    git("sparse-checkout", "set", "--cone", "--sparse-index", "elsewhere")
    const settings = {
      "extensions.partialClone": "origin",
      "remote.origin.promisor": "true",
      "remote.origin.url": `ext::${program}`,
      "protocol.ext.allow": "always",
    }
    for (const [name, value] of Object.entries(settings)) git("config", name, value)
    // Git needs this object to list the files of the collapsed folder, and would fetch it.
    const missing = String(git("rev-parse", "HEAD:collapsed")).trim()
    rmSync(join(cwd, ".git/objects", missing.slice(0, 2), missing.slice(2)))
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(existsSync(trace)).toBe(false)
  })

  test("runs no filter of a nested repository that the index lists with the permissions of a file", async () => {
    const { home, cwd, git, headway } = await begun()
    const { trace, program } = trap(home, "filter")
    const inner = join(cwd, "inner")
    mkdirSync(inner)
    for (const name of ["a.txt", ".gitattributes"]) writeFileSync(join(inner, name), "* filter=evil\n")
    for (const words of ["init -q", "add .", "commit -q -m inner"]) git("-C", inner, ...words.split(" "))
    git("-C", inner, "config", "filter.evil.clean", program)
    git("add", "inner")
    const index = readFileSync(join(cwd, ".git/index")).subarray(0, -20)
    index.writeUInt32BE(0o160644, index.indexOf(Buffer.from([0, 0, 0xe0, 0])))
    writeFileSync(join(cwd, ".git/index"), Buffer.concat([index, createHash("sha1").update(index).digest()]))
    expect(String(git("ls-files", "--stage"))).toMatch(/^160644 .*\tinner$/m)
    writeFileSync(join(inner, "a.txt"), "changed")
    await headway(["check", "set", "true"])
    expect((await headway(["check"])).out).toContain("passed")
    expect(existsSync(trace)).toBe(false)
  })

  test.each(["a repository in the project", "a folder that git takes for one"])("sees changes in %s", async (kind) => {
    const { cwd, git, headway, wordNow } = await begun()
    const inner = join(cwd, "inner")
    mkdirSync(inner)
    writeFileSync(join(inner, "a.txt"), "as checked")
    const head = git("rev-parse", "HEAD").toString().trim()
    if (kind.startsWith("a folder")) git("update-index", "--add", "--cacheinfo", `160000,${head},inner`)
    else for (const words of ["init -q", "add .", "commit -q -m inner"]) git("-C", inner, ...words.split(" "))
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    writeFileSync(join(inner, "a.txt"), "changed")
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("gives up on a project with very many nested repositories, and verifies nothing", async () => {
    const { cwd, git, headway, wordNow } = await begun()
    await headway(["check", "set", "true"])
    git("init", "-q", "one")
    git("-C", join(cwd, "one"), "commit", "-q", "--allow-empty", "-m", "one")
    for (let number = 0; number < 100; number += 1)
      cpSync(join(cwd, "one"), join(cwd, `copy-${number}`), { recursive: true })
    await headway(["check"])
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("uses no git of the project, and no settings from variables of another repository", async () => {
    const folder = "node_modules/.bin"
    const { home, cwd, headway, wordNow } = await begun({ PATH: `${folder}:${path}`, GIT_DIR: "/nowhere" })
    mkdirSync(join(cwd, folder), { recursive: true })
    const { trace } = trap(join(cwd, folder), "git")
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    expect([existsSync(trace), existsSync(join(home, "ran-git"))]).toEqual([false, false])
    expect((await headway(["history", "--json"])).out).toContain('"tree"')
  })
})

describe("a verified todo", () => {
  test("stays verified although the result is written to a plan in the repository, committed or not", async () => {
    const { cwd, git, headway } = await begun()
    await headway(["todo", "add", "Ship it", "--project", "--new", "--session", "kept"])
    await headway(["todo", "done", "1", "--session", "kept"])
    await headway(["check", "set", "true", "--session", "kept"])
    await headway(["check", "--session", "kept"])
    const evidence = async () => (await headway(["evidence", "--session", "kept"])).out
    expect(await evidence()).toContain("done and verified")
    git("add", ".")
    git("commit", "-q", "-m", "with the plan")
    await headway(["todo", "add", "Rest", "--session", "kept"])
    expect(await evidence()).toContain("done and verified")
    writeFileSync(join(cwd, "a.txt"), "changed")
    expect(await evidence()).toContain("files have changed since")
  })

  test("is verified for the current worktree", async () => {
    const { home, git, headway } = await begun()
    const other = join(home, "other")
    git("worktree", "add", "-q", other)
    writeFileSync(join(other, "here"), "")
    await headway(["check", "set", "test -e here"])
    expect((await headway(["check"], other)).code).toBe(0)
    expect((await headway(["check"])).code).toBe(1)
  })

  test.each([["the repository"], ["a linked worktree"]])(
    "stays verified in %s when a file changes that info/exclude names, and no other",
    async (place) => {
      const { home, cwd, git, headway } = await begun()
      const other = join(home, "other")
      git("worktree", "add", "-q", other)
      const folder = place === "the repository" ? cwd : other
      mkdirSync(join(cwd, ".git/info"), { recursive: true })
      writeFileSync(join(cwd, ".git/info/exclude"), "*.local\n")
      await headway(["check", "set", "true"])
      const list = async (): Promise<string> => (await headway(["check", "list"], folder)).out
      await headway(["check"], folder)
      writeFileSync(join(folder, "notes.local"), "mine")
      expect(await list()).not.toContain("stale")
      writeFileSync(join(folder, "notes.txt"), "new")
      expect(await list()).toContain("stale")
    },
  )

  test("is no longer verified when git cannot be asked", async () => {
    const { cwd, headway, wordNow } = await begun()
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    rmSync(join(cwd, ".git/HEAD"))
    expect(await wordNow()).toBe("nothing-seen")
  })

  test.each([["--assume-unchanged"], ["--skip-worktree"], ["--assume-unchanged", "--skip-worktree"]])(
    "is no longer verified when a file changes that git was told to ignore (%s)",
    async (...marks) => {
      const { cwd, git, headway, wordNow } = await begun()
      writeFileSync(join(cwd, "a.txt"), "one")
      git("add", "a.txt")
      for (const mark of marks) git("update-index", mark, "a.txt")
      await headway(["check", "set", "true"])
      await headway(["check"])
      expect(await wordNow()).toBe("verified")
      writeFileSync(join(cwd, "a.txt"), "two and more")
      expect(await wordNow()).toBe("nothing-seen")
      // The marks are the person's.
      expect(String(git("ls-files", "-v"))).not.toContain("H a.txt")
    },
  )

  test.each<[string, (project: Project) => void]>([
    ["to other line endings, which git is told to ignore", ({ file }) => writeFileSync(file, "one\r\ntwo\r\n")],
    ["in its mode, which git is told to ignore", ({ file }) => chmodSync(file, 0o644)],
    [
      "beside one that differs in case, which git is told to ignore",
      ({ cwd }) => writeFileSync(join(cwd, "A.sh"), "1"),
    ],
  ])("is no longer so when a file changes %s", async (_, change) => {
    const { cwd, git, headway, wordNow } = await begun()
    const file = join(cwd, "a.sh")
    writeFileSync(join(cwd, ".gitattributes"), "* text=auto\n")
    writeFileSync(file, "one\ntwo\n", { mode: 0o755 })
    git("add", ".")
    for (const setting of ["core.autocrlf=input", "core.fileMode=false", "core.ignoreCase=true"])
      git("config", ...setting.split("="))
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    change({ cwd, file })
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("cannot be told where git waits for a pipe", async () => {
    const { home, cwd } = await begun()
    mkdirSync(join(cwd, "inner"))
    execFileSync("mkfifo", [join(cwd, "inner/.gitignore")])
    const asking = { env: { PATH: path }, headwayHome: join(home, ".headway"), timeLimit: 500 }
    expect((await gitStateOf(cwd, asking)).tree).toBe("unknown")
  })

  test("is no longer verified when a file changes whose times and old content were put into git's index", async () => {
    const { home, cwd, git, headway, wordNow } = await begun()
    const [file, attributes] = [join(cwd, "a.txt"), join(home, "attributes")]
    writeFileSync(file, "one")
    git("add", "a.txt")
    const old = String(git("rev-parse", ":a.txt")).trim()
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    writeFileSync(file, "two and more")
    const longAgo = new Date("2026-01-01T00:00:00Z")
    utimesSync(file, longAgo, longAgo)
    writeFileSync(attributes, "a.txt filter=old\n")
    git("-c", `core.attributesFile=${attributes}`, "-c", `filter.old.clean=git cat-file blob ${old}`, "add", "a.txt")
    expect(String(git("rev-parse", ":a.txt")).trim()).toBe(old)
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("depends on ignored files that git tracks, and on no others", async () => {
    const { cwd, git, headway, wordNow } = await begun()
    writeFileSync(join(cwd, ".gitignore"), "*.log\n")
    for (const name of ["tracked.log", "other.log"]) writeFileSync(join(cwd, name), "one")
    git("add", "--force", ".gitignore", "tracked.log")
    await headway(["check", "set", "true"])
    await headway(["check"])
    writeFileSync(join(cwd, "other.log"), "two and more")
    expect(await wordNow()).toBe("verified")
    writeFileSync(join(cwd, "tracked.log"), "two and more")
    expect(await wordNow()).toBe("nothing-seen")
    await headway(["check"])
    git("rm", "--quiet", "--cached", "--force", "tracked.log")
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is recognised without the index that Headway kept where that is damaged or removed", async () => {
    const { home, cwd, headway, wordNow } = await begun({ PATH: path }, { home: homeOnDisk() })
    writeFileSync(join(cwd, "a.txt"), "one")
    await headway(["check", "set", "true"])
    await headway(["check"])
    const kept = join(home, ".headway/cache/trees")
    const [name = ""] = readdirSync(kept)
    for (const bytes of ["", "12345678DIRC and no more", "x".repeat(1000)]) {
      writeFileSync(join(kept, name), bytes)
      expect(await wordNow()).toBe("verified")
    }
    rmSync(kept, { recursive: true })
    expect(await wordNow()).toBe("verified")
  })

  test("is no longer verified when the repository's settings name other files", async () => {
    const { home, cwd, git, headway, wordNow } = await begun()
    writeFileSync(join(cwd, "a.txt"), "one")
    mkdirSync(join(home, "elsewhere"))
    git("config", "core.worktree", join(home, "elsewhere"))
    await headway(["check", "set", "true"])
    expect((await headway(["check"])).code).toBe(0)
    writeFileSync(join(cwd, "a.txt"), "two and more")
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is not verified for what git could not read, before or now", async () => {
    const { cwd, git, headway, wordNow } = await begun()
    // A repository without a commit in it makes git give up.
    git("init", "-q", "inner")
    writeFileSync(join(cwd, "inner/b.txt"), "one")
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("nothing-seen")
    rmSync(join(cwd, "inner"), { recursive: true })
    expect(await wordNow()).toBe("nothing-seen")
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
  })

  test("is not verified where git leaves out a folder that it cannot list", async () => {
    const { cwd, headway, wordNow } = await begun()
    // A path that is too long for the system; as another user than root, a folder that may not be read does the same.
    const name = "x".repeat(200)
    execFileSync(
      "sh",
      ["-c", 'for at in $(seq 25); do mkdir "$1" && cd -P "./$1" || exit; done; echo 1 > a', "-", name],
      { cwd },
    )
    onTestFinished(() => void execFileSync("rm", ["-rf", join(cwd, name)]))
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is no longer verified when a repository has appeared since the check", async () => {
    const { cwd, headway, wordNow } = await begun()
    renameSync(join(cwd, ".git"), join(cwd, "git"))
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    renameSync(join(cwd, "git"), join(cwd, ".git"))
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is no longer verified when a file changes to the same length in the second in which git wrote its index", async () => {
    const { cwd, git, headway, wordNow } = await begun()
    const file = join(cwd, "a.txt")
    const longAgo = new Date("2026-01-01T00:00:00Z")
    const writeLongAgo = (text: string): void => {
      writeFileSync(file, text)
      utimesSync(file, longAgo, longAgo)
    }
    const secondOf = (path: string): number => Math.floor(statSync(path).ctimeMs / 1000)
    let begunAt: number
    do {
      writeLongAgo("one")
      begunAt = secondOf(file)
      git("add", "a.txt")
      writeLongAgo("two")
    } while (secondOf(file) !== begunAt)
    utimesSync(join(cwd, ".git/index"), longAgo, longAgo)
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    rmSync(file)
    writeFileSync(file, "one")
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is no longer verified when a file changes to the same length and times in the second in which Headway looked at it", async () => {
    const { home, cwd, git, headway, wordNow } = await begun({ PATH: path }, { home: homeOnDisk() })
    const look = () => gitStateOf(cwd, { env: { PATH: path }, headwayHome: join(home, ".headway") })
    const file = join(cwd, "a.txt")
    const longAgo = new Date("2026-01-01T00:00:00Z")
    const writeLongAgo = (text: string): number => {
      writeFileSync(file, text)
      utimesSync(file, longAgo, longAgo)
      return Math.floor(statSync(file).ctimeMs / 1000)
    }
    writeLongAgo("one")
    git("add", "a.txt")
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    let begunAt: number
    do {
      begunAt = writeLongAgo("one")
      await look()
    } while (writeLongAgo("two") !== begunAt)
    expect(await wordNow()).toBe("nothing-seen")
  })

  test.runIf(process.platform === "linux" && existsSync("/dev/shm"))(
    "keeps no index of a project in memory, where a mapped file changes without its times",
    async () => {
      const home = mkdtempSync("/dev/shm/headway-test-")
      onTestFinished(() => rmSync(home, { recursive: true, force: true }))
      const { headway, wordNow } = await begun({ PATH: path }, { home })
      await headway(["check", "set", "true"])
      await headway(["check"])
      expect(await wordNow()).toBe("verified")
      expect(existsSync(join(home, ".headway/cache/trees"))).toBe(false)
    },
  )

  test("is no longer verified when a file changes inside of $Id$", async () => {
    const { cwd, git, headway, wordNow } = await begun()
    writeFileSync(join(cwd, ".gitattributes"), "* ident\n")
    writeFileSync(join(cwd, "a.js"), "$Id: one $\n")
    git("add", ".")
    await headway(["check", "set", "true"])
    await headway(["check"])
    expect(await wordNow()).toBe("verified")
    writeFileSync(join(cwd, "a.js"), "$Id: two and more $\n")
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is verified for the files at the start of the check, not for changes while it ran", async () => {
    const { cwd, headway, wordNow } = await begun()
    writeFileSync(join(cwd, "a.txt"), "one")
    // In place of a person who saves a file meanwhile, each time.
    await headway(["check", "set", "echo more >> a.txt"])
    expect((await headway(["check"])).code).toBe(0)
    expect(await wordNow()).toBe("nothing-seen")
  })

  test.each([
    ["tracked by git", true],
    ["in a repository inside", false],
  ])("is not verified where a file %s was another only while the check ran", async (_, isOurs) => {
    const { cwd, git, headway, wordNow } = await begun()
    const folder = isOurs ? cwd : join(cwd, "inner")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "a.sh"), "exit 1\n")
    if (!isOurs) git("-C", folder, "init", "-q")
    for (const words of ["add .", "commit -q -m a"]) git("-C", folder, ...words.split(" "))
    // In place of a process that an agent has left behind.
    const file = isOurs ? "a.sh" : "inner/a.sh"
    await headway(["check", "set", `echo exit 0 > ${file}; sh ${file}; code=$?; echo exit 1 > ${file}; exit $code`])
    await headway(["check"])
    expect(readFileSync(join(cwd, file), "utf8")).toBe("exit 1\n")
    expect(await wordNow()).toBe("nothing-seen")
  })

  test("is verified for what the check has built, which is built again to confirm it", async () => {
    const { cwd, headway, wordNow } = await begun()
    await headway(["check", "set", "echo built > out.txt"])
    expect((await headway(["check"])).code).toBe(0)
    expect(await wordNow()).toBe("verified")
    writeFileSync(join(cwd, "out.txt"), "another")
    expect(await wordNow()).toBe("nothing-seen")
    // Only what passes on the files that are there counts.
    await headway(["check", "remove", "echo built > out.txt"])
    await headway(["check", "set", "test ! -e once && touch once"])
    expect((await headway(["check"])).code).toBe(1)
  })

  test("follows the person's checks, also where an agent proposes an easier one that is allowed", async () => {
    const { headway, write, wordNow } = await begun()
    await headway(["check", "set", "exit 3"])
    await headway(["check", "allow", "true"])
    await write([{ content: "Fix login", status: "completed", check: "true" }])
    expect((await headway(["check"])).code).toBe(1)
    expect(await wordNow()).toBe("contradicted")
  })

  test("does not follow a path that a file of the project names", async () => {
    const { cwd, headway, wordNow } = await begun()
    mkdirSync(join(cwd, ".headway"), { recursive: true })
    writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify({ files: [".git/HEAD"] }))
    expect((await headway(["check"])).code).toBe(0)
    expect([undefined, "nothing-seen"]).toContain(await wordNow())
  })
})

test.each([
  ["a name with a zero byte", "a\u0000b"],
  ["a name that is too long", "x".repeat(5_000)],
  ["a link in circles", "circle"],
])("%s among the files that a project names stops neither the person's checks nor the gate", async (_, file) => {
  const { cwd, headway, write } = await begun()
  symlinkSync("circle", join(cwd, "circle"))
  mkdirSync(join(cwd, ".headway"), { recursive: true })
  writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify({ files: [file] }))
  await headway(["check", "set", "echo broken; exit 3"])
  const { code, out, err } = await headway(["check"])
  expect({ code, err }).toMatchObject({ code: 1, err: expect.not.stringContaining("should not have happened") })
  expect(out).toContain("There is no file")
  await write([{ content: "Fix login", status: "in_progress" }])
  writeFileSync(join(cwd, "a.txt"), "changed")
  expect((await write([{ content: "Fix login", status: "completed" }], ["--gate"])).out).toContain("broken")
  expect((await headway(["show"])).out).not.toContain("☒")
})

test("a project file with very many requests is read in part", async () => {
  const { cwd, headway } = await begun()
  mkdirSync(join(cwd, ".headway"), { recursive: true })
  const propose = (count: number) => {
    const plan = Array.from({ length: count }, (_, at) => `echo ${at}`)
    writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify({ plan }))
  }
  propose(5_000)
  const { out } = await headway(["check", "list"])
  expect(out.split("\n").filter((line) => line.includes("proposed by the project"))).toHaveLength(100)
  propose(200_000)
  expect((await headway(["check", "list"])).err).toContain("there are no checks yet")
})

test.runIf(process.platform === "linux")(
  "a check ends although a process it started keeps its output open",
  async () => {
    const { cwd, headway } = await begun()
    await headway(["check", "set", "setsid sleep 60 & echo $! > pid"])
    expect((await headway(["check"])).out).toContain("passed")
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"))
    expect(process.kill(pid, "SIGKILL")).toBe(true)
  },
)

test.runIf(process.platform === "linux")("a check that has passed leaves no process of its group running", async () => {
  const { cwd, headway } = await begun()
  await headway(["check", "set", "sleep 60 > /dev/null 2>&1 & echo $! > pid"])
  expect((await headway(["check"])).out).toContain("passed")
  const pid = Number(readFileSync(join(cwd, "pid"), "utf8"))
  const isRunning = (): boolean => {
    try {
      // One that has ended is there until its parent has asked how.
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
    } catch {
      return false
    }
  }
  await expect.poll(isRunning).toBe(false)
})

test("a command that is disallowed does not run for a project that proposes it, though the person once set it", async () => {
  const { cwd, headway } = await begun()
  await headway(["check", "set", "touch ran"])
  const removed = await headway(["check", "remove", "touch ran"])
  expect(removed.err).toContain("to take that back: headway check disallow 'touch ran'")
  expect(await headway(["check", "disallow", "touch ran"])).toMatchObject({ code: 0 })
  expect(await headway(["check", "disallow", "touch ran"])).toMatchObject({ code: 1 })
  mkdirSync(join(cwd, ".headway"))
  writeFileSync(join(cwd, ".headway", "checks.json"), JSON.stringify({ plan: ["touch ran"] }))
  expect((await headway(["check"])).code).toBe(1)
  expect(existsSync(join(cwd, "ran"))).toBe(false)
  await headway(["check", "allow", "touch ran"])
  await headway(["check"])
  expect(existsSync(join(cwd, "ran"))).toBe(true)
})
