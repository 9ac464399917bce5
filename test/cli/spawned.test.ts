/** The command as a shell runs it: pipes, bytes, full disks and homes that cannot be used. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, onTestFinished, test } from "vitest"
import { claudeSays } from "../board/live-board.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { runCli } from "./run-cli.ts"

const program = resolve("dist/bin/headway.js")

type Ended = { status: number | null; stdout: string; stderr: string }

const shell = (script: string, home: string, input: string | Buffer = "", cwd = process.cwd()): Ended =>
  spawnSync("bash", ["-c", script], {
    cwd,
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { PATH: process.env.PATH, HOME: home, USER: "ada", HEADWAY: `${process.execPath} ${program}` },
  })

const list = '{"todos":[{"content":"Read","status":"completed"},{"content":"Write"}]}'

/** A home with a plan, written in this process: what is tried is what comes after. */
const withPlan = async (): Promise<string> => {
  const home = temporaryFolder()
  await write(home, "s", list)
  return home
}

const write = async (home: string, session: string, input: string): Promise<void> => {
  const now = new Date().toISOString()
  const { code } = await runCli(["write", "--new", "--session", session], { home, cwd: process.cwd(), input, now })
  expect(code).toBe(0)
}

const journalOf = (home: string): string => join(home, ".headway", "journal", "s-agent-main.jsonl")

const shown = async (home: string): Promise<string> =>
  (await runCli(["show", "--session", "s", "--format", "markdown"], { home, cwd: process.cwd() })).out

test("the built command writes, shows and prints its version", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  const home = temporaryFolder()
  expect(shell("$HEADWAY --version", home)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" })
  expect(shell("$HEADWAY write --new --session s", home, list)).toMatchObject({ status: 0, stderr: "" })
  expect(shell("$HEADWAY todo done write --new --session s", home)).toMatchObject({ status: 0, stderr: "" })
  const { stdout } = shell("$HEADWAY show --session s --json", home)
  expect(JSON.parse(stdout)).toMatchObject({ session: "s", progress: { completed: 2, total: 2, percent: 100 } })
  for (const command of ["list", "history --session s", "gc --older-than 1d --dry-run", "help", "demo"]) {
    expect(shell(`$HEADWAY ${command}`, home)).toMatchObject({ status: 0 })
  }
  expect(shell("$HEADWAY shwo", home).status).toBe(2)
})

describe("pipes", () => {
  test("a reader that closes the pipe is not an error", async () => {
    const home = await withPlan()
    const contents = Array.from({ length: 2_000 }, (_, index) => ({ content: `Todo ${index} ${"of many ".repeat(8)}` }))
    await write(home, "many", JSON.stringify({ todos: contents }))
    const { stdout, stderr, status } = shell("set -o pipefail; $HEADWAY show --session many | head -1", home)
    expect(stdout.split("\n")).toHaveLength(2)
    expect(stderr).toBe("")
    expect(status).toBe(0)
    expect(shell("$HEADWAY list | head -1", home)).toMatchObject({
      stdout: expect.stringMatching(/^ *SESSION +AGENT/),
      stderr: "",
    })
  })

  test("a slow reader gets all output", async () => {
    const home = temporaryFolder()
    const contents = Array.from({ length: 5_000 }, (_, index) => ({ content: `Todo ${index}` }))
    await write(home, "many", JSON.stringify({ todos: contents }))
    const { stdout } = shell("$HEADWAY show --session many --json | { head -c 1 > /dev/null; cat; }", home)
    expect(JSON.parse(`{${stdout}`).todos).toHaveLength(5_000)
  })

  test("input that is not UTF-8 loses its bad bytes and nothing else", async () => {
    const home = temporaryFolder()
    const bytes = Buffer.concat([
      Buffer.from('{"todos":[{"content":"Caf'),
      Buffer.from([0xe9]),
      Buffer.from(' in Paris"}]}'),
    ])
    expect(shell("$HEADWAY write --new --session s", home, bytes).status).toBe(0)
    expect(await shown(home)).toBe("- [ ] Caf\ufffd in Paris\n")
  })

  test("a closed input reads the plan", async () => {
    const home = await withPlan()
    expect(shell("$HEADWAY write --new --session s <&-", home)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Write"),
    })
    expect(shell("$HEADWAY write --new --session s < /dev/null", home).status).toBe(0)
  })
})

describe("a home that cannot be used: clear error, exit 1, old state intact", () => {
  test("a full disk", async () => {
    const home = await withPlan()
    const before = readFileSync(journalOf(home))
    const input = JSON.stringify({ todos: ["a", "b", "c", "d"].map((letter) => ({ content: letter.repeat(15_000) })) })
    const full = shell("ulimit -f 16; $HEADWAY write --new --session s", home, input)
    expect(full.status).toBe(1)
    expect(full.stdout).toBe("")
    expect(full.stderr).toMatch(/^headway: .*s-agent-main\.jsonl.*\n$/)
    expect(full.stderr).toMatch(/disk full|too large/)
    expect(readFileSync(journalOf(home)).subarray(0, before.length)).toEqual(before)
    expect(await shown(home)).toBe("- [x] Read\n- [ ] Write\n")
    expect(shell("$HEADWAY todo add Rest --session s", home).status).toBe(0)
    expect(await shown(home)).toBe("- [x] Read\n- [ ] Write\n- [ ] Rest\n")
  })

  test.each(["name s Shop", "check allow true", "serve --port 0"])(
    "a disk that is full, in a sentence with the name of the file: %s",
    async (words) => {
      const home = await withPlan()
      const full = shell(`ulimit -f 0; $HEADWAY ${words}`, home)
      expect(full).toMatchObject({ status: 1, stdout: "" })
      expect(full.stderr).toMatch(/^headway: The file would become too large \(EFBIG\): \/.*\n$/)
      expect(full.stderr).not.toContain(".tmp")
    },
  )

  test("a disk that is full before anything is written", async () => {
    const home = await withPlan()
    const full = shell("ulimit -f 0; $HEADWAY todo add Rest --session s", home)
    expect(full).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^headway: .*could not be written/),
    })
    expect(await shown(home)).toBe("- [x] Read\n- [ ] Write\n")
    expect(namesIn(join(home, ".headway", "tmp"))).toEqual([])
  })

  test("a disk that becomes full in the middle of a name: the old one stays, and that is said", async () => {
    const home = await withPlan()
    expect(shell("$HEADWAY name s Old", home).status).toBe(0)
    const names = join(home, ".headway", "names.jsonl")
    const line = readFileSync(names, "utf8")
    writeFileSync(names, `${"\n".repeat(4 * 1024 - line.length - 20)}${line}`)
    const full = shell("ulimit -f 4; $HEADWAY name s New", home)
    expect(full).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(/too large|disk full/) })
    expect(shell("$HEADWAY name s", home).stdout).toBe("Old\n")
    expect(shell("$HEADWAY name s New", home).stdout).toBe("New\n")
  })

  test("room for the journal and none for the list: written, and reported", async () => {
    const home = temporaryFolder()
    const todos = Array.from({ length: 60 }, (_, index) => ({ content: `Todo ${index}` }))
    const { status, stderr } = shell("ulimit -f 6; $HEADWAY write --new --session s", home, JSON.stringify({ todos }))
    expect(stderr).toMatch(/todos\/s-agent-main\.json could not be written/)
    expect(status).toBe(0)
    expect((await shown(home)).split("\n")).toHaveLength(61)
    expect(JSON.parse(readFileSync(join(home, ".headway", "todos", "s-agent-main.json"), "utf8"))).toHaveLength(60)
  })

  test("a home below a file", () => {
    const home = temporaryFolder()
    writeFileSync(join(home, "file"), "precious")
    for (const command of [
      "write --new --session s",
      "write",
      "show --session s",
      "list",
      "todo add Rest",
      "gc --older-than 1d",
    ]) {
      const { status, stdout, stderr } = shell(`$HEADWAY ${command} --home ${home}/file/x`, home, list)
      expect([command, status, stdout]).toEqual([command, 1, ""])
      expect(stderr).toMatch(/headway: .*file\/x\/.* could not be (?:read|written): ENOTDIR/)
      expect(stderr).not.toContain("    at ")
    }
    expect(readFileSync(join(home, "file"), "utf8")).toBe("precious")
    expect(namesIn(home)).toEqual(["file"])
  })

  test("a home that is a link to nothing", () => {
    const home = temporaryFolder()
    symlinkSync(join(home, "gone"), join(home, ".headway"))
    const { status, stderr } = shell("$HEADWAY write --new --session s", home, list)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^headway: .*\.headway is a link that leads to no folder/)
  })
})

describe("a home that is unusual", () => {
  test("a missing one is made", () => {
    const home = temporaryFolder()
    expect(shell("cd ~ && $HEADWAY write --new --session s --home a/b/c", home, list).status).toBe(0)
    expect(existsSync(join(home, "a", "b", "c", "journal"))).toBe(true)
  })

  test("one that is a link is used", async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, "real"))
    symlinkSync(join(home, "real"), join(home, ".headway"))
    expect(shell("$HEADWAY write --new --session s", home, list)).toMatchObject({ status: 0, stderr: "" })
    expect(namesIn(join(home, "real", "journal"))).toEqual(["s-agent-main.jsonl"])
    expect(await shown(home)).toBe("- [x] Read\n- [ ] Write\n")
  })

  test("damage is reported once, and written to the error log with its time (C12, C17)", async () => {
    const home = await withPlan()
    writeFileSync(journalOf(home), "garbage\n", { flag: "a" })
    const { status, stderr } = shell("$HEADWAY show", home)
    expect(status).toBe(0)
    expect(stderr.match(/could not be read/g)).toHaveLength(1)
    const log = readFileSync(join(home, ".headway", "errors.log"), "utf8")
    expect(log.match(/could not be read/g)).toHaveLength(1)
    expect(log).toMatch(/^\[\d{4}-/)
    shell("HEADWAY_NO_ERROR_LOG=1 $HEADWAY show --session s", home)
    expect(readFileSync(join(home, ".headway", "errors.log"), "utf8")).toBe(log)
  })

  test.each([
    "show --session s",
    "show --session nothing",
    "list",
    "history --session s --json",
    "todo undo --session s",
  ])("temporary files of ended processes are gone after %s", async (command) => {
    const home = await withPlan()
    const orphan = join(home, ".headway", "tmp", "4194305-abc.tmp")
    writeFileSync(orphan, "half a list")
    shell(`$HEADWAY ${command}`, home)
    expect(existsSync(orphan)).toBe(false)
  })
})

test("what follows without a terminal outlives the terminal it was started in, as after nohup", async () => {
  const home = temporaryFolder()
  const folder = join(home, ".claude/projects/-p")
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "11111111-2222-4333-8444-555555555555.jsonl")
  claudeSays(file, new Date().toISOString(), ["Read", "in_progress"])
  const child = spawn(process.execPath, [program, "watch", "--follow"], { env: { ...process.env, HOME: home } })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toContain("0/1  Read")
  child.kill("SIGHUP")
  claudeSays(file, new Date().toISOString(), ["Read", "completed"], ["Write", "in_progress"])
  expect((await lines.next()).value).toContain("1/2  Writ")
  child.kill("SIGTERM")
  expect(await once(child, "exit")).toEqual([0, null])
})

describe("a file a person named", () => {
  test("stays as it was when the new one does not fit on the disk, exit code 1", async () => {
    const home = await withPlan()
    const todos = Array.from({ length: 400 }, (_, index) => ({ content: `Read chapter ${index} of the manual` }))
    await write(home, "long", JSON.stringify({ todos }))
    expect(shell("$HEADWAY todo export plan.md --session s", home, "", home).status).toBe(0)
    const before = readFileSync(join(home, "plan.md"), "utf8")
    // A limit on the size of files fails a write half-way, as a full disk does.
    const ended = shell("ulimit -f 4; $HEADWAY todo export plan.md --session long", home, "", home)
    expect(ended).toMatchObject({ status: 1, stdout: "" })
    expect(ended.stderr).toMatch(/^headway: .*plan\.md could not be written and was left as it was: EFBIG/)
    expect(readFileSync(join(home, "plan.md"), "utf8")).toBe(before)
    expect(namesIn(home).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })
})

test("doctor leaves nothing in the folder for temporary files", () => {
  const home = temporaryFolder()
  const temporary = temporaryFolder()
  const { stdout } = shell(`TMPDIR=${temporary} $HEADWAY doctor`, home)
  expect(stdout).toContain("written, kept, read back")
  expect(namesIn(temporary)).toEqual([])
})

test.each([
  ["never says a word", ""],
  ["lets everyone in and says nothing more", "in"],
])("a command ends by itself where a database %s", async (_, kind) => {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const letIn = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))])
  const server = createServer((socket) => {
    socket.on("error", () => {})
    // The first question is whether it speaks TLS.
    if (kind === "in") socket.on("data", ({ length }) => socket.write(length === 8 ? "N" : letIn))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const home = temporaryFolder()
  const env = { PATH: process.env.PATH, HOME: home, USER: "ada" }
  // Its own limits would end it: ten seconds for a connection, thirty for a question.
  const child = spawn(process.execPath, [program, "list", "--store", `postgres://ada@127.0.0.1:${port}/plans`], {
    cwd: home,
    env,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 9_000,
  })
  let stderr = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  expect(await once(child, "close")).toEqual([0, null])
  expect(stderr).toContain("has been unreachable since")
})
