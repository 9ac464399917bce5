/** Which project a folder belongs to, and who decides that. */
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { branchAt, projectOf, sharedProjectName, workFolderOf } from "../../src/board/project.ts"

const stranger = 61_002
const isRoot = process.getuid?.() === 0

/** A folder that all users share, as /tmp is, with a folder of the person in it. */
const shared = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "headway-shared-")))
  chmodSync(folder, 0o1777)
  const work = join(folder, "work")
  mkdirSync(work)
  return { folder, work }
}

const ofStranger = (path: string): void => chownSync(path, stranger, stranger)

describe.skipIf(!isRoot)("a .git of another user", () => {
  test.each(["folder", "file", "link"])("does not make a project of a folder that all share (%s)", (kind) => {
    const { folder, work } = shared()
    const mark = join(folder, ".git")
    if (kind === "folder") mkdirSync(mark)
    else if (kind === "file") writeFileSync(mark, "gitdir: elsewhere\n")
    else symlinkSync(work, mark)
    expect(projectOf(work)).toBe(folder)
    lchownSync(mark, stranger, stranger)
    expect([projectOf(work), workFolderOf(work)]).toEqual([work, work])
  })

  test.each([0o1777, 0o777])("does not make a project of their own folder that all may write to (%o)", (mode) => {
    const { folder, work } = shared()
    chmodSync(folder, mode)
    mkdirSync(join(folder, ".git"))
    for (const path of [folder, join(folder, ".git")]) ofStranger(path)
    expect([projectOf(work), workFolderOf(work)]).toEqual([work, work])
  })

  test("is a repository in a folder of that user", () => {
    const { folder } = shared()
    const repository = join(folder, "theirs")
    mkdirSync(join(repository, ".git"), { recursive: true })
    for (const path of [repository, join(repository, ".git")]) ofStranger(path)
    mkdirSync(join(repository, "src"))
    expect(projectOf(join(repository, "src"))).toBe(repository)
  })

  test("does not replace a worktree that is gone", () => {
    const { folder, work } = shared()
    const listed = join(work, ".git", "worktrees", "gone")
    mkdirSync(listed, { recursive: true })
    const gone = join(folder, "gone")
    writeFileSync(join(listed, "gitdir"), `${join(gone, ".git")}\n`)
    mkdirSync(gone)
    writeFileSync(join(gone, ".git"), `gitdir: ${listed}\n`)
    expect(projectOf(gone)).toBe(work)
    for (const path of [gone, join(gone, ".git")]) ofStranger(path)
    expect(projectOf(gone)).toBe(gone)
  })
})

describe("the name a project has on all machines", () => {
  const named = (config: string): string => {
    const folder = mkdtempSync(join(tmpdir(), "headway-project-"))
    mkdirSync(join(folder, ".git"))
    writeFileSync(join(folder, ".git", "config"), config)
    return sharedProjectName(folder).replace(/headway-project-\w+/, "FOLDER")
  }

  test.each([
    ['[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:acme/shop.git\n', "github.com/acme/shop"],
    [
      '[remote "origin"]\n\tfetch = +refs\n\turl=https://ada:secret@GitHub.com:443/acme/shop.git/\n',
      "github.com/acme/shop",
    ],
    ['[remote "fork"]\n\turl = git@github.com:ada/shop\n[remote "origin"]\n\turl = ssh://git@host/a/b', "host/a/b"],
    ['[remote "origin"]\n[branch "main"]\n\turl = git@github.com:acme/shop\n', "FOLDER"],
    ['[remote "origin"]\n\turl = ../shop\n', "FOLDER"],
    ["", "FOLDER"],
  ])("of %j is %j", (config, name) => {
    expect(named(config)).toBe(name)
  })

  test.each(["\n", " ", ":/"])("is found in a file of %j without end", (word) => {
    for (let count = 0; count < 20; count += 1)
      expect(named(`[remote "origin"]\n\turl =x:${word.repeat(60_000 / word.length)}`)).toBe("FOLDER")
  })
})

test("a path longer than any system takes belongs to no repository, and is not walked up", () => {
  const path = `/${"a/".repeat(200_000)}`
  expect([projectOf(path), workFolderOf(path), branchAt(path)]).toEqual([path, path, undefined])
})
