/** Which programs are found and run: never one that a project or another user put in the way. */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildSync } from "esbuild"
import { describe, expect, test } from "vitest"
import { findProgram, trustedEnv } from "../../../src/bridges/programs/find-program.ts"
import { runProgram } from "../../../src/bridges/programs/run-program.ts"
import { namesIn, temporaryFolder } from "../../stores/temporary.ts"
import { ownBin, programOnPath } from "../on-path.ts"

const folderWith = (name: string, folder = join(temporaryFolder(), "bin")): string =>
  programOnPath(folder, name, "echo 1.2.3")

/** The search as a file that Node runs by itself, in any folder. */
const built = (): string => {
  const outfile = join(temporaryFolder(), "find-program.mjs")
  buildSync({
    entryPoints: ["src/bridges/programs/find-program.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  })
  return outfile
}

describe("a program is found", () => {
  test("in the first folder of the PATH that has it, by its full name", () => {
    const [first, second] = [folderWith("claude"), folderWith("claude")]
    const env = { PATH: [temporaryFolder(), first, second].join(delimiter) }
    expect(findProgram("claude", { env })).toBe(join(first, "claude"))
  })

  test.each([".", "", "bin", "./bin", "../bin"])(
    "never in the folder %j, which differs from project to project",
    (folder) => {
      const there = temporaryFolder()
      folderWith("claude", join(there, "bin"))
      folderWith("claude", there)
      const search = `import { findProgram, trustedEnv } from ${JSON.stringify(pathToFileURL(built()).href)}
      const search = { env: { PATH: ${JSON.stringify(folder)} } }
      console.log(JSON.stringify([findProgram("claude", search) ?? null, trustedEnv(search).PATH]))`
      const cwd = folder.startsWith("..") ? join(there, "bin") : there
      const argv = ["--input-type=module", "-e", search]
      const output = execFileSync(process.execPath, argv, { cwd, encoding: "utf8" })
      expect(JSON.parse(output)).toEqual([null, "/usr/bin:/bin"])
    },
  )

  test("never in the project, nor through a link that leads there", () => {
    const [home, project] = [temporaryFolder(), temporaryFolder()]
    const bin = folderWith("claude", join(project, "node_modules/.bin"))
    const link = join(home, "tools")
    symlinkSync(bin, link)
    for (const PATH of [bin, link]) {
      expect(findProgram("claude", { env: { PATH }, home, project })).toBeUndefined()
      expect(trustedEnv({ env: { PATH }, home, project }).PATH).not.toContain(PATH)
    }
  })

  test("in the person's own folders, though the home is a repository", () => {
    const home = temporaryFolder()
    const PATH = folderWith("claude", join(home, ".local/bin"))
    expect(findProgram("claude", { env: { PATH }, home, project: home })).toBe(join(PATH, "claude"))
  })

  test("never through a link that another user can exchange", () => {
    const [bin, above] = [folderWith("tool"), temporaryFolder()]
    const link = join(above, "link")
    symlinkSync(bin, link)
    expect(findProgram("tool", { env: { PATH: link } })).toBe(join(link, "tool"))
    const second = join(temporaryFolder(), "second")
    symlinkSync(link, second)
    chmodSync(above, 0o777)
    for (const PATH of [link, second]) expect(findProgram("tool", { env: { PATH } })).toBeUndefined()
  })

  test("never where every user may write: the folder, the file, or a folder on the way", () => {
    const [folder, file, way] = [folderWith("claude"), folderWith("claude"), temporaryFolder()]
    chmodSync(folder, 0o777)
    chmodSync(join(file, "claude"), 0o757)
    const below = folderWith("claude", join(way, "bin"))
    chmodSync(way, 0o777)
    for (const PATH of [folder, file, below]) expect(findProgram("claude", { env: { PATH } })).toBeUndefined()
    chmodSync(way, 0o1777)
    expect(findProgram("claude", { env: { PATH: below } })).toBe(join(below, "claude"))
  })

  test.skipIf(process.geteuid?.() !== 0)("never where another user may write", () => {
    const [folder, file] = [folderWith("claude"), folderWith("claude")]
    chownSync(folder, 12345, 12345)
    chownSync(join(file, "claude"), 12345, 12345)
    for (const PATH of [folder, file]) expect(findProgram("claude", { env: { PATH } })).toBeUndefined()
  })

  test.each(["", "./claude", "sub/claude", "../bin/claude", "sub\\claude"])("never by %j, which is a path", (name) => {
    const PATH = folderWith("claude")
    folderWith("claude", join(PATH, "sub"))
    expect(findProgram(name, { env: { PATH } })).toBeUndefined()
  })
})

describe("asking a program", () => {
  const search = { env: { PATH: "/usr/bin:/bin" } }
  const run = (name: string, line: string, options = {}) =>
    runProgram([join(programOnPath(temporaryFolder(), name, line), name)], { ...search, ...options })

  /** One that was ended and whose end nothing has asked for yet is not alive. */
  const isAlive = (pid: string): boolean =>
    !/^Z?$/.test(spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.trim().slice(0, 1))

  test("happens in a separate folder, with nothing to read, and leaves nothing behind", async () => {
    const { out } = await run("curious", 'pwd; echo "$PWD $HEADWAY_HOME"; wc -c; touch left-behind')
    const [folder, variables, read] = out.split("\n")
    expect(variables).toBe(`${folder} ${folder}`)
    expect(read?.trim()).toBe("0")
    expect([folder === process.cwd(), existsSync(folder ?? "")]).toEqual([false, false])
  })

  test("ends what the program started and left running, at once", async () => {
    const { code, out } = await run("forks", "tail -f /dev/null & echo $!; exit 3")
    expect(code).toBe(3)
    // A signal was sent to it by then; the system delivers it when it runs the process again.
    await expect.poll(() => isAlive(out.trim())).toBe(false)
  })

  test("ends a group that ignores the first signal when it takes too long", async () => {
    const line = "trap '' TERM; tail -f /dev/null & echo $!; tail -f /dev/null"
    const { out, problem } = await run("deaf", line, { timeLimit: 300 })
    expect(problem).toContain("did not respond")
    await expect.poll(() => isAlive(out.trim())).toBe(false)
  })

  test("ends a group that ignores signals once its output is enough", async () => {
    const line = "trap '' TERM; tail -f /dev/null & echo $!; cat >/dev/null; tail -f /dev/null"
    const { code, out } = await run("deaf", line, { input: "x", isEnough: (text: string) => text.endsWith("\n") })
    expect(code).toBe(0)
    await expect.poll(() => isAlive(out.trim())).toBe(false)
  })

  test("succeeds although the program leaves files that cannot be removed", async () => {
    const name = "d".repeat(200)
    const line = `pwd; i=0; while [ $i -lt 30 ]; do mkdir ${name}; cd ${name}; i=$((i+1)); done`
    const { code, out, problem } = await run("deep", line)
    spawnSync("rm", ["-rf", out.trim()])
    expect([code, problem]).toEqual([0, undefined])
  })

  test.each([
    ["a word no system takes", ["/bin/echo", "a\0b"], /null bytes/],
    ["a name that is not on the PATH", ["no-such-program"], /no-such-program is not on your PATH/],
    ["no word at all", [], /is not on your PATH/],
    ["a path that is not in full", ["./echo"], /is not on your PATH/],
  ])("with %s is a finding", async (_, words, problem) => {
    expect(await runProgram(words, search)).toMatchObject({ problem: expect.stringMatching(problem) })
  })
})

describe("a project that puts programs in the way", () => {
  /** Everything the doctor might call, each telling that it ran. */
  const names = ["claude", "codex", "gemini", "opencode", "qwen", "omp", "headway", "node", "npx", "sh", "env"]

  const trap = () => {
    const home = temporaryFolder()
    const project = join(home, "shop")
    const bin = join(project, "node_modules/.bin")
    mkdirSync(join(project, ".git"), { recursive: true })
    const line = `touch "${join(home, "it-ran-")}$(basename "$0")"`
    for (const folder of [project, bin]) for (const name of names) programOnPath(folder, name, line)
    const tools = programOnPath(join(home, "tools"), "codex", "node --version")
    const PATH = [".", "", "node_modules/.bin", bin, tools, "/usr/bin", "/bin"].join(delimiter)
    const headway = (...words: string[]) =>
      spawnSync(process.execPath, [ownBin, ...words], { cwd: project, encoding: "utf8", env: { HOME: home, PATH } })
    return { home, project, headway, ran: () => namesIn(home).filter((name) => name.startsWith("it-ran")) }
  }

  test("has none of them run by doctor, through PATH, configuration or the scripts of others", () => {
    const { home, project, headway, ran } = trap()
    const mine = { mcpServers: { headway: { command: "headway", args: ["mcp"] } } }
    writeFileSync(join(home, ".claude.json"), JSON.stringify(mine))
    const loose = { mcpServers: { headway: { command: "./headway", args: ["mcp"] } } }
    mkdirSync(join(home, ".qwen"))
    writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(loose))
    mkdirSync(join(home, ".omp/agent"), { recursive: true })
    const script = { mcpServers: { headway: { command: "node", args: ["headway.js", "mcp"] } } }
    writeFileSync(join(home, ".omp/agent/mcp.json"), JSON.stringify(script))
    const named = { mcpServers: { headway: { command: join(project, "headway"), args: ["mcp"] } } }
    writeFileSync(join(project, ".mcp.json"), JSON.stringify(named))
    const { status, stdout } = headway("doctor", "--json")
    expect(ran()).toEqual([])
    expect(status).toBe(1)
    expect(stdout).toContain("headway is not on your PATH")
    expect(stdout.match(/is not an absolute path/g)).toHaveLength(2)
  })

  test("has none of them run though a variable moves the person's files into it", () => {
    const { home, project, headway, ran } = trap()
    const named = { mcpServers: { headway: { command: join(project, "headway"), args: ["mcp"] } } }
    writeFileSync(join(project, ".claude.json"), JSON.stringify(named))
    const bin = [ownBin, "doctor", "claude", "--json"]
    for (const [moved, message] of [
      [".", "CLAUDE_CONFIG_DIR is ignored"],
      [project, '"state": "connected"'],
    ]) {
      const env = { HOME: home, PATH: "/usr/bin", CLAUDE_CONFIG_DIR: moved }
      const { stdout, stderr } = spawnSync(process.execPath, bin, { cwd: project, encoding: "utf8", env })
      expect(stdout + stderr).toContain(message)
    }
    expect([ran(), headway("--version").status]).toEqual([[], 0])
  })

  test("has none of them run or written down by setup", () => {
    const { home, project, headway, ran } = trap()
    for (const agent of ["claude", "codex"]) expect(headway("setup", agent)).toMatchObject({ status: 0 })
    expect(headway("setup", "claude", "--scope", "project")).toMatchObject({ status: 0 })
    expect(ran()).toEqual([])
    const written = spawnSync("/bin/cat", [
      join(home, ".claude.json"),
      join(home, ".codex/config.toml"),
    ]).stdout.toString()
    expect(written).toContain(ownBin)
    expect(written).not.toContain(project)
  })
})
