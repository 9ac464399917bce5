/** The branch a session works on, and since when its present todo is in progress: only where something says so. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { branchAt } from "../../src/board/project.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { boardAt, claudeLine, claudeSays, clock, homeWithAgent, later } from "./live-board.ts"

const repositoryOn = (head: string): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, ".git"))
  writeFileSync(join(folder, ".git", "HEAD"), `${head}\n`)
  return folder
}

describe("the branch of a folder", () => {
  test("is the one in its repository, also for a folder below", () => {
    const folder = repositoryOn("ref: refs/heads/feature/login")
    mkdirSync(join(folder, "src"))
    expect([branchAt(folder), branchAt(join(folder, "src"))]).toEqual(["feature/login", "feature/login"])
  })

  test("is unknown for a detached head, outside a repository, and for a label", () => {
    expect(branchAt(repositoryOn("4b825dc642cb6eb9a060e54bf8d69288fbee4904"))).toBeUndefined()
    expect(branchAt(temporaryFolder())).toBeUndefined()
    expect(branchAt("my-project")).toBeUndefined()
  })

  test("of a worktree is its own, and one that only claims to be a worktree has none", () => {
    const folder = repositoryOn("ref: refs/heads/main")
    const [own, worktree] = [join(folder, ".git", "worktrees", "fix"), temporaryFolder()]
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, "HEAD"), "ref: refs/heads/fix\n")
    writeFileSync(join(worktree, ".git"), `gitdir: ${own}\n`)
    expect(branchAt(worktree)).toBeUndefined()
    writeFileSync(join(own, "gitdir"), `${join(worktree, ".git")}\n`)
    expect(branchAt(worktree)).toBe("fix")
  })

  test("contains nothing that would steer a screen", () => {
    expect(branchAt(repositoryOn("ref: refs/heads/a\u001b[31mb"))).toBe("ab")
  })
})

describe("a row", () => {
  /** A session whose lines say where and on which branch it works. */
  const sessionIn = (cwd: string, gitBranch: string) => {
    const { home, file } = homeWithAgent()
    const message = { role: "user", content: "Go" }
    writeFileSync(file, claudeLine(file, later(0), { type: "user", message, cwd, gitBranch }))
    return { home, file }
  }

  test("has the branch of the session, and while the agent works that of its folder", async () => {
    const { home, file } = sessionIn("/gone", "feature")
    claudeSays(file, later(50), ["Read", "in_progress"])
    expect((await boardAt(home)).row().branch).toBe("feature")
    const working = sessionIn(repositoryOn("ref: refs/heads/switched"), "feature")
    claudeSays(working.file, later(59), ["Read", "in_progress"])
    expect((await boardAt(working.home)).row()).toMatchObject({ state: "working", branch: "switched" })
  })

  test("has none where the session is on no branch", async () => {
    expect((await boardAt(sessionIn("/gone", "HEAD").home)).row()).not.toHaveProperty("branch")
    expect((await boardAt(sessionIn("/gone", "").home)).row()).not.toHaveProperty("branch")
  })

  test("has the time since when the current todo is in progress, from the log of a plan we keep", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "pending"])
    const board = await boardAt(home)
    await board.edit(board.row().key, { kind: "start", todo: "1" }, undefined)
    expect(board.row()).toMatchObject({ current: "Read", currentSince: clock.now.toISOString() })
  })
})
