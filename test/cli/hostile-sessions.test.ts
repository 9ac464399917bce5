/** The command in a home where others left pipes: it lists, shows and follows, and it ends when it is asked to. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { makePipe } from "../streams/pipes.ts"

const program = resolve("dist/bin/headway.js")

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

/** A call that says the list, and its result. */
const line = (todo: string, callId: string): string => {
  const input = { todos: [{ content: todo, status: "pending" }] }
  const line = (role: string, block: object): string =>
    `${JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      type: role,
      uuid: `${role}-${callId}`,
      sessionId: "good",
      version: "2.1.0",
      timestamp: new Date().toISOString(),
      message: { role, content: [block] },
    })}\n`
  return (
    line("assistant", { type: "tool_use", id: callId, name: "TodoWrite", input }) +
    line("user", { type: "tool_result", tool_use_id: callId, content: "Todos have been modified" })
  )
}

const homeWithSession = (): { home: string; session: string } => {
  const home = temporaryFolder()
  const session = join(home, ".claude/projects/-p/good.jsonl")
  mkdirSync(dirname(session), { recursive: true })
  writeFileSync(session, line("Stay", "1"))
  return { home, session }
}

const options = (home: string, cwd = home) => ({ cwd, env: { PATH: process.env.PATH, HOME: home, USER: "ada" } })

/** Ended after a while, so that one that waits for ever fails instead of waiting for ever. */
const headway = (home: string, words: readonly string[], cwd?: string) =>
  spawnSync(process.execPath, [program, ...words], { ...options(home, cwd), encoding: "utf8", timeout: 20_000 })

/** A command that goes on, with what it prints line by line. */
const started = (home: string, words: readonly string[]) => {
  const child = spawn(process.execPath, [program, ...words], { ...options(home), stdio: ["ignore", "pipe", "ignore"] })
  children.push(child)
  const lines: string[] = []
  createInterface({ input: child.stdout }).on("line", (printed) => lines.push(printed))
  const says = (text: string) => expect.poll(() => lines.join("\n"), { timeout: 20_000 }).toContain(text)
  const interrupted = async (): Promise<number | null> => {
    const ended = once(child, "exit")
    child.kill("SIGINT")
    const [code] = (await ended) as [number | null]
    return code
  }
  return { says, interrupted }
}

describe("pipes in the agents' folders", () => {
  const withPipes = (): string => {
    const { home } = homeWithSession()
    for (const place of [".claude/tasks/list/1.json", ".claude/todos/x-agent-x.json", ".gemini/projects.json"])
      makePipe(join(home, place))
    symlinkSync("/dev/zero", join(home, ".claude/tasks/list/2.json"))
    return home
  }

  test("do not hide other sessions from list, which names what was skipped", () => {
    const home = withPipes()
    const { status, stdout, stderr } = headway(home, ["list"])
    expect(stdout).toContain("Stay")
    expect(stderr).toContain(".gemini/projects.json could not be read: it is a pipe")
    expect(stderr).toMatch(/tasks\/list: 1\.json was skipped: it is a pipe and not a regular file\. \(2 times\)/)
    expect(status).toBe(0)
  })

  test("do not hide a session from show and watch", () => {
    const home = withPipes()
    expect(headway(home, ["show", "--session", "good"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Stay"),
    })
    expect(headway(home, ["watch"])).toMatchObject({ status: 0, stdout: expect.stringContaining("Stay") })
  })

  test("do not hide the lists of another program", () => {
    const root = temporaryFolder()
    makePipe(join(root, "todos/pipe-agent-pipe.json"))
    writeFileSync(join(root, "todos/s-agent-s.json"), '[{"content":"Stay","status":"pending"}]')
    const { status, stdout, stderr } = headway(root, ["list", "--root", root])
    expect(stdout).toContain("Stay")
    expect(stderr).toContain("pipe-agent-pipe.json: the list could not be read: it is a pipe and not a regular file")
    expect(status).toBe(0)
  })
})

test("a pipe called .git makes no repository, and blocks nothing", () => {
  const { home } = homeWithSession()
  const folder = join(home, "project")
  makePipe(join(folder, ".git"))
  const written = spawnSync(process.execPath, [program, "write", "--new", "--session", "s"], {
    ...options(home, folder),
    input: '{"todos":[{"content":"Read"}]}',
    encoding: "utf8",
    timeout: 20_000,
  })
  expect(written.status).toBe(0)
})

test("an editor that leaves a pipe instead of the text changes nothing", () => {
  const { home } = homeWithSession()
  const editor = join(home, "editor")
  writeFileSync(editor, '#!/bin/sh\nrm "$1"; mkfifo "$1"\n', { mode: 0o755 })
  const ended = spawnSync(process.execPath, [program, "todo", "edit", "--session", "good"], {
    ...options(home),
    env: { ...options(home).env, EDITOR: editor },
    encoding: "utf8",
    timeout: 20_000,
  })
  expect(ended.status).toBe(1)
  expect(ended.stderr).toContain("The edited file cannot be read: it is a pipe and not a regular file.")
})

describe("events", () => {
  test.each<[string, (path: string) => unknown]>([
    ["a pipe", makePipe],
    ["a folder", (path) => mkdirSync(path)],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
  ])("--follow ends when it is interrupted, though the file has become %s", async (_, put) => {
    const { home, session } = homeWithSession()
    const { says, interrupted } = started(home, ["events", "--follow", session])
    await says("Stay")
    rmSync(session)
    put(session)
    rmSync(session, { recursive: true })
    writeFileSync(session, line("Go on", "2"))
    await says("Go on")
    rmSync(session)
    put(session)
    expect(await interrupted()).toBe(0)
  })

  test("--follow of a pipe whose writer has fallen silent ends when it is interrupted", async () => {
    const { home, session } = homeWithSession()
    const pipe = makePipe(join(home, "pipe"))
    const { says, interrupted } = started(home, ["events", "--follow", pipe])
    const writer = spawn("sh", ["-c", 'exec > "$1"; cat "$2"; exec sleep 60', "sh", pipe, session])
    children.push(writer)
    await says("Stay")
    expect(await interrupted()).toBe(0)
  })

  test("a device is refused with its name", () => {
    const { home } = homeWithSession()
    const { status, stderr } = headway(home, ["events", "/dev/zero"])
    expect([status, stderr]).toEqual([1, "headway: /dev/zero cannot be read: it is a device and not a regular file.\n"])
  })

  test("a pipe that a person names is read to its end", () => {
    const { home, session } = homeWithSession()
    const script = 'exec "$1" "$2" events <(cat "$3")'
    const { status, stdout } = spawnSync("bash", ["-c", script, "bash", process.execPath, program, session], {
      ...options(home),
      encoding: "utf8",
      timeout: 20_000,
    })
    expect([status, stdout.includes("Stay")]).toEqual([0, true])
  })
})

test("watch --follow continues and ends when it is interrupted, whatever a session has become", async () => {
  const { home, session } = homeWithSession()
  const { says, interrupted } = started(home, ["watch", "--follow", "--json"])
  const other = join(dirname(session), "other.jsonl")
  rmSync(session)
  makePipe(session)
  writeFileSync(other, line("Other", "3").replaceAll("good", "other"))
  appendFileSync(other, line("Another", "4").replaceAll("good", "other"))
  await says("Another")
  expect(await interrupted()).toBe(0)
})
