/** `headway watch` and `headway` alone: the board at a terminal, else the list, or a line for every change. */
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { notifyOf } from "../../src/cli/board/notify.ts"
import { withDoor } from "../../src/cli/door.ts"
import { main } from "../../src/cli/main.ts"
import type { BoardSession, WatchedRows } from "../../src/views/board/session.ts"
import {
  claudeSays,
  fileIn,
  folderOnNoMachine,
  homeWith,
  homeWithAgent,
  homeWithPerson,
  ioAt,
  later,
  recordedFolder,
} from "../board/live-board.ts"
import { typedAt } from "../guide-pages.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { headwayIn } from "../terminal.ts"
import { atHome } from "./run-cli.ts"

const now = "2026-11-15T19:00:00Z"
const subagents = "claude-2.1.197/subagents-todowrite"

describe("without a terminal", () => {
  test("it prints the list once and ends, as list does", async () => {
    const { run } = atHome({ home: homeWith(subagents, "codex-0.166.0/plan"), now })
    const watched = await run(["watch"])
    expect(watched).toEqual(await run(["list"]))
    expect(watched).toMatchObject({ code: 0, err: "", out: expect.stringContaining("Reporting") })
    expect(await run([])).toEqual(watched)
    expect(await run(["watch", "--json"])).toEqual(await run(["list", "--json"]))
  })

  test("with --session it prints only that session and its sub-agents", async () => {
    const { run } = atHome({ home: homeWith(subagents, "codex-0.166.0/plan"), now })
    const words = ["--session", "f53816a2"]
    const { code, out } = await run(["watch", ...words])
    expect([code, out]).toEqual([0, (await run(["list", ...words])).out])
    expect(out).toContain("Claude Code")
    expect(out).not.toContain("Codex")
    expect(await run(words)).toMatchObject({ out })
    expect(await run(["watch", "--session", "yours"])).toMatchObject({ code: 1, out: "" })
  })

  test("it has our plans only where a session is found", async () => {
    const { run } = atHome({ home: homeWith(subagents), now })
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    await run(["todo", "add", "Ask Ada", "--session", "f538"])
    const { out } = await run(["watch"])
    expect(out).not.toContain("mine")
    expect(out).toMatch(/Do the demo work\. +Claude Code +ended +1\/3/)
  })

  test("paths are homes, agents' folders or files, several at once", async () => {
    const home = homeWith(subagents)
    const other = homeWith("codex-0.166.0/plan")
    const { run } = atHome({ now })
    const { out } = await run([
      "watch",
      fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl"),
      join(other, ".codex"),
    ])
    expect(out).toContain("Claude Code")
    expect(out).toContain("Codex")
    expect(out).not.toContain("abf7")
    expect(await run(["watch", temporaryFolder()])).toEqual({
      code: 0,
      out: "",
      err: "headway: no agent sessions there yet\n",
    })
  })

  test("a file elsewhere that claims a session of this machine does not change the plan kept for it", async () => {
    const { home, file, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const copy = join(temporaryFolder(), basename(file))
    claudeSays(copy, later(30), ["Delete all", "completed"])
    const at = (seconds: number) => atHome({ home, now: later(seconds) }).run
    await at(10)(["todo", "add", "Ask Ada", "--session", "11111111"])
    const shown = await at(40)(["show", "11111111"])
    const { out } = await at(40)(["watch", copy])
    expect(out).toMatch(/1\/1/)
    expect(out).not.toContain("Ask Ada")
    expect(await at(40)(["show", "11111111"])).toEqual(shown)
    expect((await at(40)(["watch", file])).out).toMatch(/0\/2/)
  })

  test("a list that is dated in the future does not block later ones", async () => {
    const { home, file, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const at = (seconds: number) => atHome({ home, now: later(seconds) }).run
    await at(10)(["todo", "add", "Ask Ada", "--session", "11111111"])
    claudeSays(file, "2999-01-01T00:00:00.000Z", ["Rest", "completed"])
    await at(20)(["show", "11111111"])
    says(30, ["Read", "completed"])
    expect((await at(40)(["show", "11111111"])).out).toContain("☒ 1 Read")
  })

  test("a path that does not exist is reported, exit code 1", async () => {
    const { code, err } = await atHome().run(["watch", "no/such/place"])
    expect([code, err]).toEqual([1, expect.stringContaining("There is no no/such/place")])
  })

  test("--notify without a way to notify is wrong usage, exit code 2", async () => {
    const { run } = atHome({ home: homeWith(subagents) })
    expect(await run(["watch", "--notify", "bell"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("terminal"),
    })
    expect(await run(["watch", "--notify", " "])).toMatchObject({ code: 2, err: expect.stringContaining("command") })
    expect(await run(["watch", "--notify"])).toMatchObject({ code: 2 })
  })
})

/** `headway` as it goes on, until it is stopped. */
const running = (home: string, argv: readonly string[]) => {
  const controller = new AbortController()
  const time = { now: new Date(now) }
  let out = ""
  let err = ""
  let look = (): void => {}
  const io = ioAt(home, {
    out: (text) => {
      out += text
      look()
    },
    err: (text) => {
      err += text
    },
    now: () => time.now,
    stopped: () => controller.signal,
  })
  const ended = main(argv, io)
  onTestFinished(() => controller.abort())
  return {
    time,
    ended,
    errors: () => err,
    until: (holds: (out: string) => boolean): Promise<string> =>
      new Promise((resolve) => {
        look = () => {
          if (holds(out)) resolve(out)
        }
        look()
      }),
    stop: (): Promise<number> => {
      controller.abort()
      return ended
    },
  }
}

/** Resolves with what is in a file once there is something. */
const written = (path: string): Promise<string> =>
  new Promise((resolve) => {
    const watcher = watch(dirname(path), () => look())
    onTestFinished(() => watcher.close())
    const look = (): void => {
      const text = existsSync(path) ? readFileSync(path, "utf8") : ""
      if (text.endsWith("\n")) resolve(text)
    }
    look()
  })

describe("--follow", () => {
  test("prints a line for each active agent, then one for each change, until it is stopped", async () => {
    const home = homeWithPerson(subagents)
    const { until, stop, errors } = running(home, ["watch", "--follow"])
    const first = await until((out) => out.includes("\n"))
    expect(first).toBe(
      `2026-11-15T19:00:00.000Z  ${folderOnNoMachine}  claude-code Do the demo work.  waiting  1/2  Reporting\n`,
    )
    const file = fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl")
    claudeSays(file, "2026-11-15T18:59:59Z", ["Delegate the survey", "completed"], ["Report \u001b[2J", "completed"])
    const all = await until((out) => out.split("\n").length > 2)
    expect(all.slice(first.length)).toBe(
      `2026-11-15T19:00:00.000Z  ${folderOnNoMachine}  claude-code Do the demo work.  working  2/2  finished\n`,
    )
    expect([await stop(), errors()]).toEqual([0, ""])
    const [guide] = typedAt("docs/guide/05-watch-your-agents.md", "Follow without a screen")
    expect(all.replaceAll(folderOnNoMachine, recordedFolder)).toBe(guide?.printed)
  })

  test("with --session prints only the lines of that session", async () => {
    const home = homeWithPerson(subagents)
    await atHome({ home, now }).run(["write", "--new", "--session", "mine"], {
      input: '{"todos":[{"content":"Rest"}]}',
    })
    const { until, stop } = running(home, ["--session", "Do the demo work.", "watch", "--follow", "--json"])
    const first = await until((out) => out.includes("\n"))
    const lines = first.trim().split("\n")
    expect(lines.map((line) => (JSON.parse(line) as { title: string }).title)).toEqual(["Do the demo work."])
    expect(await stop()).toBe(0)
    const { errors, ended } = running(home, ["watch", "--follow", "--session", "yours"])
    expect([await ended, errors()]).toEqual([1, expect.stringContaining('There is no session "yours" here.')])
  })

  test("as JSON prints one object a line", async () => {
    const { until, stop } = running(homeWithPerson(subagents), ["watch", "--follow", "--json"])
    const [line = ""] = (await until((out) => out.includes("\n"))).split("\n")
    expect(JSON.parse(line)).toMatchObject({ at: "2026-11-15T19:00:00.000Z", state: "waiting", current: "Reporting" })
    expect(await stop()).toBe(0)
  })
})

describe("--notify", () => {
  test("runs the command with the facts in its environment, whatever an agent said", async () => {
    const home = homeWithPerson(subagents)
    const log = join(temporaryFolder(), "heard")
    const command = `printf '%s|' "$HEADWAY_EVENT" "$HEADWAY_AGENT" "$HEADWAY_PROJECT" "$HEADWAY_SESSION" "$HEADWAY_MESSAGE" >> '${log}'; echo >> '${log}'`
    const { time, until, stop } = running(home, ["watch", "--notify", command])
    await until((out) => out.includes("\n"))
    const file = fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl")
    const nasty = `$(touch '${join(dirname(log), "touched")}')`
    claudeSays(file, "2026-11-15T18:59:59Z", [nasty, "completed"], ["Report", "completed"])
    await until((out) => out.includes("2/2"))
    time.now = new Date("2026-11-15T19:00:10Z")
    expect(await written(log)).toBe(
      `all_done|claude-code|${folderOnNoMachine}|f53816a2-a98a-4e21-8afe-ab762e5ceecb|Do the demo work. (Claude Code in ${folderOnNoMachine}): all 2 todos are done|\n`,
    )
    expect(namesIn(dirname(log))).toEqual(["heard"])
    expect(await stop()).toBe(0)
  })

  /** A board of one session whose state a test decides, and a clock that goes on by ten seconds with each change. */
  const oneSession = (current = `"; touch evil; "`) => {
    let state: BoardSession["state"] = "working"
    let seconds = 0
    const listeners = new Set<() => void>()
    const session = (): BoardSession => ({
      key: "s",
      agentType: "claude-code",
      session: "s",
      agent: "main",
      project: "~/p",
      state,
      planTool: "present",
      updated: now,
      progress: { completed: 0, total: 1, percent: 0 },
      todos: 1,
      current,
      isEditable: true,
      version: 0,
    })
    const source: WatchedRows = {
      get sessions() {
        return [session()]
      },
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const becomes = (next: BoardSession["state"]): void => {
      for (let times = 0; times < 2; times += 1) {
        state = next
        seconds += 10
        for (const listener of listeners) listener()
      }
    }
    return { source, becomes, now: () => new Date(Date.parse(now) + seconds * 1000) }
  }

  test("rings the bell of the terminal", () => {
    const { source, becomes, now } = oneSession()
    let rung = ""
    const io = withDoor({
      ...ioAt("/", { now, isTerminal: { in: true, out: true, err: true } }),
      out: (text) => {
        rung += text
      },
    })
    const stop = notifyOf(source, { how: "bell", io, onFailure: () => {} })
    becomes("waiting")
    expect(rung).toBe("\u0007")
    stop()
    becomes("stalled")
    expect(rung).toBe("\u0007")
  })

  test("a command that fails or does not exist is reported once and stops nothing", async () => {
    for (const how of ["exit 3", "/no/such/command"]) {
      const { source, becomes, now } = oneSession()
      const failed = new Promise<string>((resolve) => {
        onTestFinished(notifyOf(source, { how, io: ioAt("/", { now, env: process.env }), onFailure: resolve }))
      })
      becomes("waiting")
      expect(await failed).toMatch(/^The --notify command ended with (?:3|127)\.$/)
    }
  })

  test("a command gets what an agent said in a variable, shortened, and runs no program of the project", async () => {
    const words = '$(touch evil) `touch evil` "; touch evil; #'
    const { source, becomes, now } = oneSession(`${words}${"x".repeat(300_000)}`)
    const [project, folder] = [temporaryFolder(), temporaryFolder()]
    for (const name of ["sh", "cp", "mv"]) {
      writeFileSync(join(project, name), `#!/bin/sh\ntouch "${join(folder, "it-ran")}"\n`, { mode: 0o755 })
    }
    const how = `printf %s "$HEADWAY_MESSAGE" > '${folder}/draft'; mv '${folder}/draft' '${folder}/said'`
    const env = { ...process.env, PATH: `.::${project}:${process.env.PATH}` }
    const io = ioAt(project, { now, env, cwd: project, home: folder })
    const failed: string[] = []
    const written = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => namesIn(folder).includes("said") && resolve())
      onTestFinished(() => watcher.close())
    })
    onTestFinished(notifyOf(source, { how, io, onFailure: (message) => failed.push(message) }))
    becomes("waiting")
    await written
    const text = readFileSync(join(folder, "said"), "utf8")
    expect([text.length, text.includes(words), failed]).toEqual([1000, true, []])
    expect([namesIn(folder), namesIn(project)]).toEqual([["said"], ["cp", "mv", "sh"]])
  })

  test("commands that never end are not started without bound", async () => {
    const { source, becomes, now } = oneSession()
    const failures: string[] = []
    const folder = temporaryFolder()
    // Each writes its id, so that the test can end it.
    const how = `echo $$ > '${folder}'/$$; exec sleep 1000`
    const io = ioAt("/", { now, env: process.env })
    const stop = notifyOf(source, { how, io, onFailure: (message) => failures.push(message) })
    for (let times = 0; times < 12; times += 1) {
      becomes("waiting")
      becomes("working")
      for (let quiet = 0; quiet < 3; quiet += 1) becomes("working")
    }
    stop()
    expect(failures).toEqual([expect.stringContaining("takes too long")])
    const ids = new Set<string>()
    await new Promise<void>((resolve) => {
      const look = (): void => {
        for (const name of namesIn(folder)) ids.add(name)
        if (ids.size === 4) resolve()
      }
      const watcher = watch(folder, look)
      onTestFinished(() => watcher.close())
      look()
    })
    for (const id of ids) process.kill(Number(id))
  })
})

describe("at a terminal", () => {
  test.each([[[]], [["watch"]]])("headway %s opens the board, and q ends it", async (argv) => {
    const home = homeWith(subagents)
    const terminal = headwayIn(argv, { env: { HOME: home }, columns: 100, rows: 30 })
    await terminal.waitFor("Report")
    terminal.type("q")
    expect(await terminal.exited).toBe(0)
    expect(namesIn(join(home, ".headway/journal"))).toEqual([])
  })

  test.each([
    [[], { TERM: "dumb" }],
    [["watch"], { TERM: "dumb" }],
    [["--json"], {}],
    [["watch", "--json"], {}],
  ])("headway %j with %j still lists", async (argv, env) => {
    let out = ""
    const io = ioAt(homeWith(subagents), {
      env,
      isTerminal: { in: true, out: true, err: true },
      out: (text) => {
        out += text
      },
    })
    expect(await main(argv, io)).toBe(0)
    expect(out).toContain("Do the demo work.")
  })
})
