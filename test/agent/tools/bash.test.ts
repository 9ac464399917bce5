import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { tools } from "../../../src/agent/tools/index.ts"
import { openWorkshop, type Workshop } from "./workshop.ts"

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Commands write their process ids into a file, so that a test can see whether they are gone. */
const idsIn = ({ cwd }: Workshop): number[] =>
  existsSync(join(cwd, "ids")) ? readFileSync(join(cwd, "ids"), "utf8").trim().split("\n").map(Number) : []

const gone = (workshop: Workshop) =>
  expect.poll(() => idsIn(workshop).filter(isRunning), { timeout: 20_000, interval: 20 }).toEqual([])

describe("Bash", () => {
  test("output of both kinds comes back, from the working folder", async () => {
    const { run, cwd } = openWorkshop()
    expect(await run("Bash", { command: "pwd; echo warn >&2" })).toEqual({ text: `${cwd}\nwarn`, display: "Done" })
  })

  test("an exit code is told", async () => {
    expect(await openWorkshop().run("Bash", { command: "echo no; exit 3" })).toEqual({
      text: "no\n\n(Exit code 3.)",
      isError: true,
      display: "Exit code 3",
    })
    expect((await openWorkshop().run("Bash", { command: "kill -SEGV $$" })).text).toBe("(Ended by SIGSEGV.)")
    expect((await openWorkshop().run("Bash", { command: "no-such-command-here" })).text).toMatch(
      /not found\n\n\(Exit code 127\.\)$/,
    )
    expect((await openWorkshop().run("Bash", { command: "true" })).text).toBe("(No output.)")
  })

  test("syntax that is wrong is told", async () => {
    expect((await openWorkshop().run("Bash", { command: "if (" })).text).toMatch(
      /syntax error[\s\S]*\(Exit code \d+\.\)$/,
    )
  })

  test("a shell or a folder that is not there is named", async () => {
    const { context, cwd } = openWorkshop({}, { env: { PATH: "/nowhere" } })
    expect((await tools.Bash.run({ command: "true" }, context)).text).toBe("There is no bash on this machine.")
    const gone = { ...context, cwd: join(cwd, "gone") }
    expect((await tools.Bash.run({ command: "true" }, gone)).text).toBe(`The working folder is gone: ${gone.cwd}`)
  })

  test("there is no input to wait for", async () => {
    expect((await openWorkshop().run("Bash", { command: "cat; read x; echo over" })).text).toBe("over")
  })

  test("of a long output the middle is left out", async () => {
    const { run } = openWorkshop({}, { limits: { outputLength: 200 } })
    const { text } = await run("Bash", { command: "echo first; seq 100000; echo last" })
    expect(text).toMatch(/^first\n1\n2\n[\s\S]*\n\n… \(\d+ characters left out\) …\n\n[\s\S]*\n100000\nlast$/)
    expect(text.length).toBeLessThan(260)
  })

  test.each([
    [String.raw`printf '\033[31mred\033[0m \033]0;title\007\033[2Jbell\007'`, "red bell"],
    [String.raw`printf '10%%\r50%%\r100%%\ndone\r\n'`, "100%\ndone"],
    [String.raw`printf 'N\bNA\bA\tx'`, "NA\tx"],
    [String.raw`printf '  indented\n\n\n\nkept  \nlast'`, "  indented\n\n\n\nkept  \nlast"],
    [String.raw`printf 'a\xe2\x80\xaeb\xff\x9bc'`, "ab\ufffd\ufffdc"],
    [String.raw`printf 'Gr\xc3\xbc\xc3\x9fe'`, "Grüße"],
  ])("%s comes out harmless", async (command, text) => {
    expect((await openWorkshop().run("Bash", { command })).text).toBe(text)
  })

  test("what it prints is told while it runs, harmless", async () => {
    const heard: string[] = []
    const { run } = openWorkshop({}, { onProgress: (text) => heard.push(text) })
    await run("Bash", { command: String.raw`printf '\033[31mone\n'; printf 'two\n'` })
    expect(heard.join("")).toBe("one\ntwo\n")
  })

  test("programs are told that nobody watches", async () => {
    const { run } = openWorkshop({}, { env: { PATH: process.env.PATH, MINE: "yes" } })
    expect((await run("Bash", { command: "echo $TERM $PAGER $MINE $HOME" })).text).toBe("dumb cat yes")
  })

  test("a command that takes too long is ended with all it started", async () => {
    const workshop = openWorkshop()
    const command = "echo before; (trap '' TERM; echo $BASHPID >> ids; while :; do :; done) & echo $$ >> ids; sleep 600"
    expect(await workshop.run("Bash", { command, timeout: 1500 })).toEqual({
      text: "before\n\n(Ended: it took longer than 2 s.)",
      isError: true,
      display: "Ended after 2 s",
    })
    expect(idsIn(workshop).length).toBeGreaterThan(0)
    await gone(workshop)
  })

  test("no command may take longer than the longest", async () => {
    const { run } = openWorkshop({}, { limits: { longestCommandTime: 100 } })
    expect((await run("Bash", { command: "sleep 600", timeout: 10_000_000 })).text).toBe(
      "(Ended: it took longer than 100 ms.)",
    )
  })

  test("interrupting ends it with all it started, and keeps what it said", async () => {
    const stop = new AbortController()
    const workshop = openWorkshop({}, { signal: stop.signal, onProgress: () => stop.abort() })
    const command = "sleep 600 & echo $! >> ids; echo $$ >> ids; echo started; wait"
    expect(await workshop.run("Bash", { command })).toEqual({
      text: "started\n\n(Interrupted.)",
      isError: true,
      display: "Interrupted",
    })
    expect(idsIn(workshop)).toHaveLength(2)
    await gone(workshop)
  })

  test("what it left in the background is ended, and does not keep anybody waiting", async () => {
    const workshop = openWorkshop()
    const command =
      "(trap '' TERM HUP; echo $BASHPID >> ids; while :; do sleep 600; done) & while [ ! -s ids ]; do :; done; echo over"
    expect((await workshop.run("Bash", { command })).text).toBe("over")
    await gone(workshop)
  })

  test("a process that leaves the group does not keep anybody waiting", async () => {
    const workshop = openWorkshop()
    const command = "setsid bash -c 'echo $$ >> ids; exec sleep 600' & while [ ! -s ids ]; do :; done; echo over"
    expect((await workshop.run("Bash", { command })).text).toBe("over")
    for (const pid of idsIn(workshop)) process.kill(pid, "SIGKILL")
  })

  test("it always asks, about the whole command exactly as it is", async () => {
    const { ask } = openWorkshop()
    const command = `rm -rf x\n\x1b[8mhidden\x1b[0m${"\n\n\n  more  ".repeat(1000)}`
    expect(await ask("Bash", { command, description: "Tidies up" })).toEqual({
      action: "run",
      target: command,
      isOutside: false,
      question: "Run a command? The model says: Tidies up",
      detail: command,
    })
  })
})
