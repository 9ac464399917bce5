/** A repository that someone else made, whose settings and proposals are to run something on this machine. */
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const isWindows = process.platform === "win32"

const begun = async (path = process.env.PATH ?? "") => {
  const { home, run } = atHome({ env: { PATH: path } })
  const [cwd, marks] = [join(home, "shop"), join(home, "marks")]
  for (const folder of [cwd, marks]) mkdirSync(folder)
  const git = (...words: string[]) => execFileSync("git", words, { cwd, stdio: "pipe" })
  git("init", "-q")
  const headway = (...words: string[]) => run(words, { cwd })
  const write = (...todos: object[]) => run(["write", "--session", "s"], { cwd, input: JSON.stringify({ todos }) })
  await run(["write", "--new", "--session", "s"], {
    cwd,
    input: JSON.stringify({ todos: [{ content: "Fix login", status: "completed" }] }),
  })
  /** A program that leaves a mark when it is run. */
  const program = (name: string, folder = home): string => {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\ntouch '${join(marks, name)}'\ncat\n`)
    chmodSync(file, 0o755)
    return file
  }
  return { home, cwd, git, headway, write, program, marks: () => readdirSync(marks) }
}

test.skipIf(isWindows)("no program that the settings of a repository or a nested one name is run", async () => {
  const { cwd, git, headway, program, marks } = await begun()
  const set = (folder: string): void => {
    const config = (name: string, value: string) => execFileSync("git", ["config", name, value], { cwd: folder })
    config("core.fsmonitor", program("monitor"))
    config("filter.mine.clean", program("clean"))
    config("filter.mine.process", program("process"))
    config("filter.mine.required", "true")
    config("diff.external", program("diff"))
    config("core.sshCommand", program("ssh"))
    mkdirSync(join(folder, "hooks"))
    program("post-index-change", join(folder, "hooks"))
    config("core.hooksPath", join(folder, "hooks"))
    writeFileSync(join(folder, ".gitattributes"), "* filter=mine diff=mine\n")
  }
  writeFileSync(join(cwd, "a.txt"), "one")
  git("add", "a.txt")
  const inner = join(cwd, "inner")
  mkdirSync(inner)
  execFileSync("git", ["init", "-q"], { cwd: inner })
  writeFileSync(join(inner, "b.txt"), "one")
  execFileSync("git", ["add", "."], { cwd: inner })
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], { cwd: inner })
  git("add", "inner")
  set(cwd)
  set(inner)
  // Both have changed, so that git would look at them through its filters.
  for (const file of ["a.txt", "inner/b.txt"]) writeFileSync(join(cwd, file), "two and more")
  await headway("check", "set", "true")
  expect((await headway("check")).code).toBe(0)
  expect((await headway("check", "list")).out).toMatch(/passed 0s ago\n/)
  writeFileSync(join(cwd, "a.txt"), "three")
  expect((await headway("check", "list")).out).toContain("stale: files have changed since")
  await headway("show", "--evidence")
  expect(marks()).toEqual([])
  expect(existsSync(join(cwd, ".git/index.lock"))).toBe(false)
})

test.skipIf(isWindows)("a git inside the project is not run", async () => {
  const { cwd, headway, program, marks } = await begun(`.:bin:${process.env.PATH ?? ""}`)
  mkdirSync(join(cwd, "bin"))
  program("git", cwd)
  program("git", join(cwd, "bin"))
  await headway("check", "set", "true")
  expect((await headway("check", "list")).code).toBe(0)
  expect(marks()).toEqual([])
})

test.skipIf(isWindows)("untracked files count, and ignored ones do not", async () => {
  const { cwd, headway } = await begun()
  writeFileSync(join(cwd, ".gitignore"), "out/\n")
  await headway("check", "set", "true")
  await headway("check")
  mkdirSync(join(cwd, "out"))
  writeFileSync(join(cwd, "out/app.js"), "built")
  expect((await headway("check", "list")).out).not.toContain("stale")
  writeFileSync(join(cwd, "new.txt"), "new")
  expect((await headway("check", "list")).out).toContain("stale")
})

test("a command that cannot be shown whole is never allowed", async () => {
  const { home, cwd, headway, write } = await begun()
  const hidden = `true\u202e\u200b; touch ${join(home, "hidden")}`
  const lines = `true\n\u001b[2Ktouch ${join(home, "lines")}`
  mkdirSync(join(cwd, ".headway"), { recursive: true })
  writeFileSync(join(cwd, ".headway/checks.json"), JSON.stringify({ plan: [hidden] }))
  await write({ content: "Fix login", check: lines })
  const { err, code } = await headway("check")
  expect(code).toBe(1)
  expect(err).toContain("Such a command cannot be allowed.")
  expect(err).not.toMatch(/[\u001b\u202e\u200b]/)
  expect((await headway("check", "allow", hidden)).code).toBe(2)
  await headway("check", "allow", hidden.replaceAll(/[\u202e\u200b]/g, ""))
  await headway("check")
  expect([existsSync(join(home, "hidden")), existsSync(join(home, "lines"))]).toEqual([false, false])
})

test("another command for the same todo, and the same one in another folder, need permission again", async () => {
  const { home, cwd, headway, write } = await begun()
  const mark = (name: string): string => `touch ${join(home, name)}`
  await headway("check", "allow", mark("first"))
  await write({ content: "Fix login", check: mark("second") })
  expect((await headway("check")).code).toBe(1)
  await write({ content: "Fix login", check: mark("first") })
  expect((await headway("check")).code).toBe(0)
  expect([existsSync(join(home, "first")), existsSync(join(home, "second"))]).toEqual([true, false])
  if (isWindows) return
  const [other, link] = [join(home, "other"), join(home, "link")]
  mkdirSync(join(other, ".headway"), { recursive: true })
  writeFileSync(join(other, ".headway/checks.json"), JSON.stringify({ plan: [mark("third")] }))
  execFileSync("git", ["init", "-q"], { cwd: other })
  symlinkSync(cwd, link)
  const { run } = atHome({ home, env: { PATH: process.env.PATH ?? "" } })
  // By its other name it is the same folder; what stood in for it later is not.
  await run(["check", "allow", mark("third")], { cwd: link })
  await run(["write", "--new", "--session", "t"], { cwd: other, input: '{"todos":[{"content":"A"}]}' })
  expect((await run(["check", "--session", "t"], { cwd: other })).code).toBe(1)
  expect(existsSync(join(home, "third"))).toBe(false)
})

test.skipIf(isWindows)("a check that leaves something running ends, and so does what it left", async () => {
  const { home, headway } = await begun()
  const path = join(home, "pid")
  await headway("check", "set", `sleep 600 & echo $! > ${path}; echo fine`)
  expect(await headway("check", "--timeout", "5m")).toMatchObject({ code: 0, out: expect.stringContaining("passed") })
  const pid = Number(execFileSync("cat", [path], { encoding: "utf8" }))
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false)
})

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // One that has ended and was not asked for yet still has its number.
    return !/^State:\s+Z/m.test(execFileSync("cat", [`/proc/${pid}/status`], { encoding: "utf8" }))
  } catch {
    return false
  }
}
