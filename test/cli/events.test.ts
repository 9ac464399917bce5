import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, createReadStream, renameSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test, vi } from "vitest"
import { main } from "../../src/cli/main.ts"
import type { StreamEvent, TodoListEvent } from "../../src/streams/index.ts"
import { streamIds } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { captures, samples } from "../streams/samples.ts"
import { runCli } from "./run-cli.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
const command = [bin, "events"]
const stdoutOf = (name: string): string => join(captures, name, "stdout.jsonl")
const eventsIn = (out: string): TodoListEvent[] =>
  out
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as StreamEvent]))
    .flatMap((event) => (event.type === "todo_list" ? [event] : []))
const codex = (...texts: string[]): string =>
  `${JSON.stringify({ type: "item.updated", item: { type: "todo_list", items: texts.map((text) => ({ text, completed: false })) } })}\n`

describe("headway events", () => {
  test("prints a file's lists as JSON lines, and detects the format (A1, A2)", async () => {
    const { code, out, err } = await runCli(["events", stdoutOf("gemini-0.61.0/hooks")])
    expect([code, err]).toEqual([0, ""])
    expect(eventsIn(out).at(-1)).toMatchObject({
      type: "todo_list",
      agentType: "google-gemini",
      items: [
        { text: "Read", status: "completed" },
        { text: "Report", status: "completed" },
      ],
    })
  })

  test("reads standard input, with or without its name", async () => {
    for (const words of [["events"], ["events", "-"], ["events", "--from", "codex", "-"]]) {
      const { code, out } = await runCli(words, { input: codex("a") })
      expect([code, eventsIn(out).map(({ items }) => items[0]?.text)]).toEqual([0, ["a"]])
    }
  })

  test.each(streamIds)("takes %s by name", async (id) => {
    const input = [...samples[id].lines, JSON.stringify(samples[id].list("The last list"))].join("\n")
    const { code, out } = await runCli(["events", "--from", id], { input })
    expect([
      code,
      eventsIn(out)
        .at(-1)
        ?.items.map(({ text }) => text),
    ]).toEqual([0, ["The last list"]])
  })

  test("prints the turns among the lists, in order", async () => {
    const { out } = await runCli(["events", stdoutOf("codex-0.166.0/plan")])
    const types = out.split("\n").flatMap((line) => {
      if (line === "") return []
      const event = JSON.parse(line) as StreamEvent
      return event.type === "turn" ? [event.state] : ["list"]
    })
    expect([types[0], new Set(types.slice(1, -1)), types.at(-1)]).toEqual(["started", new Set(["list"]), "ended"])
  })

  test("--confirmed prints no list whose call is refused", async () => {
    const all = await runCli(["events", stdoutOf("gemini-0.61.0/write-todos")])
    const confirmed = await runCli(["events", "--confirmed", stdoutOf("gemini-0.61.0/write-todos")])
    const refused = eventsIn(all.out).filter(({ items }) => items[0]?.text === "bad")
    expect(refused.map(({ unconfirmed }) => unconfirmed)).toEqual([true])
    expect(eventsIn(confirmed.out).length).toBeGreaterThan(3)
    expect(confirmed.out).not.toContain('"bad"')
  })

  test("warns once of each kind, with a count at the end (A4)", async () => {
    const { code, out, err } = await runCli(["events"], { input: `${codex("a")}{"x\n{"y\n${codex("b")}` })
    expect([code, eventsIn(out).length]).toEqual([0, 2])
    expect(err.split("\n")).toEqual([
      expect.stringMatching(/^headway: A line is not a JSON object and was skipped: \{"x$/),
      "headway: malformed-line: 2 times in all",
      "",
    ])
  })

  test("reports in one sentence at the end that there was other text between the lines", async () => {
    const input = `Reading prompt from stdin...\n${codex("a")}2026 ERROR core: failed\nwarning: x\n${codex("b")}`
    const { code, out, err } = await runCli(["events"], { input })
    expect([code, eventsIn(out).length]).toEqual([0, 2])
    expect(err).toBe(
      "headway: A line is not part of the agent's output and was skipped: Reading prompt from stdin... (and 2 more)\n",
    )
    const one = await runCli(["events"], { input: `${codex("a")}oops\n` })
    expect(one.err).toBe("headway: A line is not part of the agent's output and was skipped: oops\n")
  })

  test("reads several objects on one line", async () => {
    const input = `${codex("a").trimEnd()}${codex("b").trimEnd()} ${codex("{c}").trimEnd()}{"half":\n`
    const { out, err } = await runCli(["events"], { input })
    expect(eventsIn(out).map(({ items }) => items[0]?.text)).toEqual(["a", "b", "{c}"])
    expect(err).toMatch(/A line is not a JSON object and was skipped: \{"half":/)
  })

  test("a stream without a list is not an error", async () => {
    const { code, out, err } = await runCli(["events", stdoutOf("codex-0.166.0/default-no-plan")])
    expect([code, eventsIn(out)]).toEqual([0, []])
    expect(err).toMatch(/holds no todo list \(codex exec --json\)/)
  })

  test("a missing file, or an unknown format, is exit code 1; wrong usage is 2", async () => {
    const missing = await runCli(["events", "nowhere.jsonl"])
    expect([missing.code, missing.out]).toEqual([1, ""])
    expect(missing.err).toMatch(/There is no file nowhere\.jsonl\. With --follow/)
    const unknown = await runCli(["events"], { input: "plain words\n" })
    expect([unknown.code, unknown.out]).toEqual([1, ""])
    expect(unknown.err).toMatch(/no known agent's output was found in standard input\. Headway knows: Claude Code/)
    expect((await runCli(["events", "--from", "codex-exec"], { input: "{}\n" })).code).toBe(1)
    const wrong = await runCli(["events", "--from", "claud"])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toMatch(/claude-code, openai-codex, google-gemini, opencode/)
    expect((await runCli(["events", "one", "two"])).code).toBe(2)
  })

  test("shows a waiting person how much of a large file was read", async () => {
    const path = join(temporaryFolder(), "large.jsonl")
    writeFileSync(
      path,
      codex("a") + `${JSON.stringify({ type: "turn.started", pad: "x".repeat(1000) })}\n`.repeat(2000),
    )
    let clock = 0
    let err = ""
    const io = {
      out: () => {},
      err: (text: string) => {
        err += text
      },
      input: async () => "",
      chunks: () => createReadStream(path),
      env: {},
      cwd: "/",
      home: "/",
      now: () => {
        clock += 300
        return new Date(clock)
      },
      stopped: () => new AbortController().signal,
      pour: async () => true,
      hint: async () => "",
      onSignal: () => () => {},
      terminal: () => ({ output: process.stdout, input: process.stdin }),
      columns: undefined,
    }
    await main(["events", path], { ...io, isTerminal: { in: false, out: false, err: false } })
    expect(err).toBe("")
    await main(["events", path], { ...io, isTerminal: { in: false, out: true, err: true } })
    expect(err).toMatch(/^(?:headway: \d+% of 2 MB read\r\u001b\[K)+$/)
  })
})

describe("as a process", () => {
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL")
  })

  const start = (...words: string[]) => {
    const child = spawn(process.execPath, [...command, ...words])
    children.push(child)
    const seen = { out: "", err: "" }
    child.stdout.on("data", (chunk) => {
      seen.out += chunk
    })
    child.stderr.on("data", (chunk) => {
      seen.err += chunk
    })
    const texts = (): (string | undefined)[] => eventsIn(seen.out).map(({ items }) => items[0]?.text)
    const shows = (...wanted: string[]): Promise<void> =>
      vi.waitFor(() => expect(texts(), seen.err).toEqual(wanted), { timeout: 30_000 })
    return { child, seen, shows }
  }

  test("prints a list while the pipe is still open", async () => {
    const { child, shows, seen } = start()
    child.stdin.write(codex("a"))
    await shows("a")
    child.stdin.write(codex("b").slice(0, -1))
    child.stdin.end()
    expect(await once(child, "exit")).toEqual([0, null])
    await shows("a", "b")
    expect(seen.err).toBe("")
  })

  test.each(["SIGINT", "SIGTERM"] as const)(
    "--follow continues through late creation, truncation and rotation, and ends with %s",
    async (signal) => {
      const path = join(temporaryFolder(), "agent.jsonl")
      const { child, shows, seen } = start("--follow", "--from", "auto", path)
      writeFileSync(path, "")
      appendFileSync(path, codex("late"))
      await shows("late")
      appendFileSync(path, codex("late 2").slice(0, 30))
      appendFileSync(path, codex("late 2").slice(30))
      await shows("late", "late 2")
      truncateSync(path)
      appendFileSync(path, codex("cut"))
      await shows("late", "late 2", "cut")
      renameSync(path, `${path}.1`)
      appendFileSync(`${path}.1`, codex("renamed"))
      await shows("late", "late 2", "cut", "renamed")
      writeFileSync(path, codex("rotated"))
      await shows("late", "late 2", "cut", "renamed", "rotated")
      child.kill(signal)
      expect(await once(child, "exit")).toEqual([0, null])
      expect(seen.err).toBe("")
    },
  )

  test("a reader that closes the pipe ends it quietly", () => {
    const words = [...command, stdoutOf("claude-2.1.197/tasks")].map((word) => `'${word}'`).join(" ")
    const { stdout, stderr } = spawnSync("sh", ["-c", `'${process.execPath}' ${words} | head -n 1`], {
      encoding: "utf8",
    })
    expect([stdout.split("\n").length, stderr]).toEqual([2, ""])
  })
})
