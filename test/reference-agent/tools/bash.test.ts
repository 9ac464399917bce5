import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { providers } from "../../../src/reference-agent/index.ts"
import { tools } from "../../../src/reference-agent/tools/index.ts"
import { openWorkshop, type Workshop } from "./workshop.ts"

/** A process that has ended, but that its parent has not taken note of, is not running. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
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

  test("an exit code is reported", async () => {
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

  test("wrong syntax is reported", async () => {
    expect((await openWorkshop().run("Bash", { command: "if (" })).text).toMatch(
      /syntax error[\s\S]*\(Exit code \d+\.\)$/,
    )
  })

  test("a missing shell or folder is named", async () => {
    const { context, cwd } = openWorkshop({}, { env: { PATH: "/nowhere" } })
    expect((await tools.Bash.run({ command: "true" }, context)).text).toBe("There is no bash on this machine.")
    const gone = { ...context, cwd: join(cwd, "gone") }
    expect((await tools.Bash.run({ command: "true" }, gone)).text).toBe(`The working folder is gone: ${gone.cwd}`)
  })

  test("a command gets no input", async () => {
    expect((await openWorkshop().run("Bash", { command: "cat; read x; echo over" })).text).toBe("over")
  })

  test("the middle of a long output is left out", async () => {
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

  test("output is passed on while the command runs, made harmless", async () => {
    const pieces: string[] = []
    const { run } = openWorkshop({}, { onProgress: (text) => pieces.push(text) })
    await run("Bash", { command: String.raw`printf '\033[31mone\n'; printf 'two\n'` })
    expect(pieces.join("")).toBe("one\ntwo\n")
  })

  test("programs get an environment without a person watching", async () => {
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

  test("no command may exceed the maximum time", async () => {
    const { run } = openWorkshop({}, { limits: { longestCommandTime: 100 } })
    expect((await run("Bash", { command: "sleep 600", timeout: 10_000_000 })).text).toBe(
      "(Ended: it took longer than 100 ms.)",
    )
  })

  test("an interruption ends it with all it started, and keeps its output", async () => {
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

  test("processes left in the background are ended, and not awaited", async () => {
    const workshop = openWorkshop()
    const command =
      "(trap '' TERM HUP; echo $BASHPID >> ids; while :; do sleep 600; done) & while [ ! -s ids ]; do :; done; echo over"
    expect((await workshop.run("Bash", { command })).text).toBe("over")
    await gone(workshop)
  })

  const leave = "'echo $$ >> ids; exec sleep 600'"
  test.runIf(process.platform === "linux").each([
    ["a session of its own", `setsid bash -c ${leave} &`],
    ["a session of its own, without the pipes", `setsid bash -c ${leave} </dev/null >/dev/null 2>&1 &`],
    ["nohup", `nohup bash -c ${leave} >/dev/null 2>&1 &`],
    [
      "a second fork",
      `(setsid bash -c '(bash -c ${leave.replaceAll("'", '"').replaceAll("$$", "\\$\\$")} &) ; exit') &`,
    ],
    ["an empty environment", `env -i "PATH=$PATH" setsid bash -c ${leave} >/dev/null 2>&1 &`],
    [
      "all files closed",
      `setsid bash -c 'for n in {3..99}; do eval "exec $n>&-"; done; echo $$ >> ids; exec sleep 600' &`,
    ],
    [
      "signals that it does not hear",
      "setsid bash -c 'trap : TERM HUP; echo $$ >> ids; while :; do sleep 600; done' >/dev/null 2>&1 &",
    ],
  ])("a process that leaves the group with %s is gone when the answer comes", async (_, start) => {
    const workshop = openWorkshop()
    const { text } = await workshop.run("Bash", { command: `${start} while [ ! -s ids ]; do :; done; echo over` })
    expect(text).toBe("over")
    expect(idsIn(workshop)).not.toEqual([])
    expect(idsIn(workshop).filter(isRunning)).toEqual([])
  })

  test.runIf(process.platform === "linux")("an interruption ends processes that left the group too", async () => {
    const stop = new AbortController()
    const workshop = openWorkshop({}, { signal: stop.signal, onProgress: () => stop.abort() })
    const command = `setsid bash -c ${leave} & while [ ! -s ids ]; do :; done; echo begun; sleep 600`
    expect((await workshop.run("Bash", { command })).text).toBe("begun\n\n(Interrupted.)")
    expect(idsIn(workshop).filter(isRunning)).toEqual([])
  })

  test("two commands at once do not end each other", async () => {
    const workshop = openWorkshop()
    const long = workshop.run("Bash", { command: "touch up; until [ -e go ]; do sleep 0.05; done; echo survived" })
    await workshop.run("Bash", { command: "until [ -e up ]; do :; done" })
    await workshop.run("Bash", { command: "setsid sleep 600 & touch go" })
    expect((await long).text).toBe("survived")
  })

  test("a command gets no key of a model's service, unless that is allowed by name", async () => {
    const secrets = [
      ...Object.values(providers).flatMap(({ keys }) => keys),
      ...["GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      ...["AZURE_OPENAI_API_KEY", "OPENROUTER_API_KEY", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "REPLICATE_API_TOKEN"],
      ...["AWS_BEARER_TOKEN_BEDROCK", "WATSONX_APIKEY", "OPENAI_API_KEY_2"],
    ]
    const plain = {
      PATH: process.env.PATH,
      HOME: "/home/ada",
      GOOGLE_CLOUD_PROJECT: "p",
      KEYBOARD: "de",
      TOKENIZER: "t",
    }
    const env = { ...plain, ...Object.fromEntries(secrets.map((name) => [name, `secret of ${name}`])) }
    const { text } = await openWorkshop({}, { env }).run("Bash", { command: "env" })
    expect(text).not.toContain("secret of")
    for (const name of Object.keys(plain)) expect(text).toMatch(new RegExp(`^${name}=`, "m"))
    const allowed = openWorkshop({}, { env, allowedVariables: ["GEMINI_API_KEY"] })
    const shown = (await allowed.run("Bash", { command: "env" })).text
    expect(shown.match(/secret of .*/g)).toEqual(["secret of GEMINI_API_KEY"])
  })

  test("an output of many returns or spaces is read in one pass", async () => {
    const command = "for n in 1 2 3 4 5 6 7 8; do printf '%60000s' ''; printf '%60000s' x | tr ' ' '\\r'; done"
    expect((await openWorkshop().run("Bash", { command })).text).toMatch(/x/)
  })

  test("every command needs permission, for the whole text exactly as it is", async () => {
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
