/** G8 Hostile text in every field of every input, and every command that could print it: nothing of it steers a terminal. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { commandNames } from "../../src/cli/commands/index.ts"
import { dialects } from "../../src/dialects/index.ts"
import { atHome } from "../cli/run-cli.ts"
import { isFull } from "../rounds.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { samples } from "../streams/samples.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"
import { hostileName, hostileTexts, largeTexts, mark, singleTexts } from "./hostile.ts"
import {
  appended,
  appendedInTurn,
  type Change,
  changed,
  changedFile,
  copyChanged,
  filesUnder,
  isStructural,
  only,
  pathsIn,
  renameFiles,
} from "./inject.ts"
import { createSweep, sweepHome } from "./sweep.ts"

// All of it takes its time.
if (isFull) vi.setConfig({ testTimeout: 3_600_000 })

const fixtures = resolve("test/fixtures")
const now = "2026-11-15T19:30:00Z"

/** One recording of each agent and way to keep a list. Each of them has a list that is shown. */
const chosen =
  /subagents-todowrite|\/tasks|1\.0\.60\/todowrite|\/plan\/|tracker|omp-[^/]+\/todos|qwen|opencode-[^/]+\/todos/

const recordings = readdirSync(join(fixtures, "streams"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("/home") && (isFull || chosen.test(path)))
  .map((path) => join(fixtures, "streams", path))

const [[, everything] = ["", ""]] = hostileTexts

/** A person's home with what an agent left there, its strings changed. */
const withAgent = (recording: string, change: Change) => {
  const home = temporaryFolder()
  copyChanged(recording, home, change)
  const rows = join(home, ".local/share/opencode/opencode.db")
  if (existsSync(`${rows}.todo.json`)) writeOpencodeDatabase(rows, rows)
  return { home, sweep: createSweep(atHome({ home, now }).run) }
}

/** How a text goes into recorded data. Several kinds share one look: each value has another one, and each round begins elsewhere. */
const changes: readonly [name: string, text: string, change: () => Change][] = [
  ...largeTexts.map(([name, text]): [string, string, () => Change] => [name, text, () => appended(text)]),
  ...(isFull ? [0, 5, 11, 17] : []).map((first): [string, string, () => Change] => [
    `each kind in turn, from number ${first + 1}`,
    singleTexts[first] ?? "",
    () => appendedInTurn(singleTexts, first),
  ]),
]

describe.each(changes)("%s", (_name, text, change) => {
  // All of it goes through every recording, the others through one of each kind, which has the same fields.
  const used = text === everything ? recordings : recordings.filter((path) => chosen.test(path))

  test.each(used.map((path) => [path.slice(fixtures.length + 9), path]))(
    "in the sessions of %s",
    async (_recording, path) => {
      const { sweep } = withAgent(path, change())
      await sweepHome(sweep)
      expect(sweep.harm).toEqual([])
      // A session whose every field is very long may not be known as one.
      const expected = chosen.test(path) && !isVeryLong(text) ? ["list", "watch", "show", "todo"] : []
      for (const command of expected) expect(sweep.reached).toContain(command)
    },
  )

  test("in the calls of every dialect, as they are written and then shown", async () => {
    const { run } = atHome({ now })
    const sweep = createSweep(run)
    for (const dialect of Object.keys(dialects)) {
      const calls = callsOf(dialect).slice(0, isFull && text === everything ? undefined : 3)
      for (const [index, call] of calls.entries()) {
        const input =
          typeof call.raw === "string" ? changedFile(call.raw, change()) : JSON.stringify(changed(call.input, change()))
        const words = ["write", "--new", "--dialect", dialect, "--session", `${dialect}${text.slice(0, 60)}`]
        await sweep([...words, "--tool", String(call.tool ?? "")], { input })
        if (index > 0 && !isFull) continue
        await sweep([...words, "--json"], { input })
        await sweep(words, { input: input + text })
      }
    }
    // Once written, plans do not differ by their dialect: those of one dialect of each shape are looked at in every form.
    await sweepHome(sweep, (session) => isFull || shapes.some((dialect) => session.startsWith(`${dialect}${mark}`)))
    expect(sweep.harm).toEqual([])
    // A status line has no room for a very long text.
    const expected = ["write", "list", "gc", "show", "history", "todo", ...(isVeryLong(text) ? [] : ["statusline"])]
    for (const command of expected) expect(sweep.reached).toContain(command)
  })
})

describe.each(hostileTexts)("%s", (_name, text) => {
  test.each([
    // Entries that are not what they must be are left out, and said to be.
    ["in every field of a journal and of its published list", /(?!)/, []],
    ["in every field that may hold any text", /(?:^|\.)(?:type|status|kind|at|until|priority|context)$/, everyCommand],
    [
      "in every such field but those that name the plan",
      /(?:^|\.)(?:type|status|kind|at|until|priority|context|session|agent)$/,
      everyCommand,
    ],
  ])("%s", async (_fields, spared, reached) => {
    const { home, run } = await withOwnPlan()
    const change: Change = (value, path) => (spared.test(path) ? value : appended(text)(value, path))
    for (const path of filesUnder(join(home, ".headway")))
      writeFileSync(path, changedFile(readFileSync(path, "utf8"), change))
    const sweep = createSweep(run)
    await sweepHome(sweep)
    expect(sweep.harm).toEqual([])
    for (const command of reached) expect(sweep.reached).toContain(command)
  })

  test("in what every agent prints, as events", async () => {
    const sweep = createSweep(atHome({ now }).run)
    for (const { lines } of Object.values(samples)) {
      const input = lines.map((line) => changedFile(line, appended(text))).join("\n")
      await sweep(["events"], { input })
      await sweep(["events"], { input: `${text}\n${input}\n${text}` })
    }
    await sweep(["events", "--from", "claude-code"], { input: `{"type":"${text}` })
    expect(sweep.harm).toEqual([])
    expect(sweep.reached).toContain("events")
  })

  test("in what an agent's hooks and status line pass on", async () => {
    const sweep = createSweep(atHome({ now }).run)
    for (const [agent, event] of hookEvents()) {
      await sweep(["hook", agent], { input: JSON.stringify(changed(event, appended(text))) })
      await sweep(["hook", agent], { input: JSON.stringify(event) + text })
    }
    const told = JSON.parse(
      readFileSync(join(fixtures, "status-line/claude-2.1.197.jsonl"), "utf8").split("\n")[0] ?? "",
    )
    await sweep(["statusline"], { input: JSON.stringify(changed(told, appended(text))) })
    await sweepHome(sweep)
    expect(sweep.harm).toEqual([])
  })

  test("in the configuration of every agent", async () => {
    for (const agent of readdirSync(join(fixtures, "configs"))) {
      for (const damage of [false, true]) {
        const home = temporaryFolder()
        copyChanged(join(fixtures, "configs", agent), home, appended(text))
        if (damage) for (const path of filesUnder(home)) writeFileSync(path, `${readFileSync(path, "utf8")}${text}\n{"`)
        else for (const path of filesUnder(home).filter((one) => one.endsWith(".toml"))) hurtToml(path, text)
        const sweep = createSweep(atHome({ home, now }).run)
        // The change of a file is shown with its own indentation.
        for (const argv of [
          ["doctor", agent, "--look"],
          ["doctor", agent, "--look", "--json"],
          ["setup", agent, "--dry-run"],
          ["setup", agent, "--dry-run", "--json"],
          ["setup", agent],
          ["setup", agent, "--undo"],
          ["setup"],
        ].filter((argv) => isFull || !damage || !argv.includes("--json")))
          await sweep(argv, {}, { tabs: argv[0] === "setup" })
        expect(sweep.harm).toEqual([])
      }
    }
  })

  test("in the words of a command line", async () => {
    const { home, run } = await withOwnPlan()
    const sweep = createSweep(run)
    for (const argv of hostileWords(text)) await sweep(argv.map((word) => word.replaceAll("\0", "")))
    expect(sweep.harm).toEqual([])
    expect(sweep.reached).toContain("todo")
    await sweepHome(createSweep(atHome({ home, now }).run))
    expect(sweep.harm).toEqual([])
  })

  test("in the environment", async () => {
    const value = text.replaceAll("\0", "")
    const { home, run } = await withOwnPlan()
    const sweep = createSweep(run)
    for (const name of [
      "USER",
      "TERM",
      "COLUMNS",
      "HEADWAY_SESSION",
      "HEADWAY_STORE",
      "HEADWAY_HOME",
      "EDITOR",
      "NO_COLOR",
    ]) {
      const env = { EDITOR: "false", [name]: name === "EDITOR" ? `false '${value.replaceAll("'", "")}'` : value }
      for (const argv of [["show"], ["todo", "add", "More"], ["history"], ["statusline"], ["list"], ["todo", "edit"]])
        await sweep(argv, { env })
    }
    await sweepHome(createSweep(atHome({ home, now }).run))
    expect(sweep.harm).toEqual([])
    expect(sweep.reached).toContain("history")
  })

  test("in a plan that is imported", async () => {
    const { run } = await withOwnPlan()
    const sweep = createSweep(run)
    const input = `# ${text}\n\n## Phase ${text}\n\n- [ ] ${text}\n  ${text}\n- [x] ${text}\nno todo ${text}\n`
    await sweep(["todo", "import", "-", "--session", "one"], { input })
    await sweepHome(sweep)
    expect(sweep.harm).toEqual([])
  })

  test("in what the reference agent's model says", async () => {
    const home = temporaryFolder()
    const script = join(home, "script.json")
    const todos = [{ content: text, status: "in_progress", activeForm: text }]
    writeFileSync(
      script,
      JSON.stringify([
        {
          text,
          calls: [
            { tool: "TodoWrite", input: { todos } },
            { tool: "Bash", input: { command: `echo '${mark}'`, description: text } },
          ],
        },
        {
          calls: [
            { tool: `No${text}`, input: { [text]: text } },
            { tool: "Read", input: { file_path: text } },
          ],
        },
        { text, calls: [{ tool: "TodoWrite", input: { todos: [{ ...todos[0], status: "completed" }] } }] },
        { text },
      ]),
    )
    const sweep = createSweep(atHome({ home, now }).run)
    const words = ["agent", "--print", "--yes", "--model", `script:${script}`]
    // What a model says is text of several lines; it begins where the model wants.
    await sweep([...words, `Do ${text}`], {}, { breaks: true, tabs: true })
    await sweep([...words, "--output-format", "stream-json", `Do ${text}`])
    await sweepHome(sweep)
    expect(sweep.harm).toEqual([])
    expect(sweep.reached).toContain("agent")
  })
})

/** A list replaced, todos changed one by one, operations on a list, and a text. */
const shapes = ["headway", "claude-tasks", "oh-my-pi", "markdown"]

const everyCommand = ["list", "show", "history", "todo"]

const isVeryLong = (text: string): boolean => text.length > 15_000

describe("names of files and folders", () => {
  test("of sessions", async () => {
    for (const recording of recordings) {
      const { home, sweep } = withAgent(recording, (value) => value)
      for (const folder of foldersWithFiles(home)) renameFiles(folder, hostileName)
      await sweepHome(sweep)
      expect(sweep.harm).toEqual([])
    }
  })

  test("of journals and published lists, whole and damaged", async () => {
    const { home, run } = await withOwnPlan()
    for (const folder of ["journal", "todos"]) {
      const [path = ""] = filesUnder(join(home, ".headway", folder))
      const text = readFileSync(path, "utf8")
      for (const [name, content] of [
        [hostileName, text],
        [`${hostileName}2`, "{"],
        [`${hostileName}-agent-${hostileName}`, text],
      ])
        writeFileSync(join(dirname(path), `${name}${path.slice(path.lastIndexOf("."))}`), content ?? "")
    }
    const sweep = createSweep(run)
    await sweepHome(sweep)
    await sweep(["list", "--root", ".headway"])
    expect(sweep.harm).toEqual([])
  })

  test("of the project and its branch", async () => {
    const { home, run } = atHome({ now })
    const cwd = join(home, hostileName)
    mkdirSync(join(cwd, ".git"), { recursive: true })
    writeFileSync(join(cwd, ".git", "HEAD"), `ref: refs/heads/${everything}\n`)
    const sweep = createSweep((argv, options) => run(argv, { cwd, ...options }))
    await sweep(["todo", "add", "One"])
    await sweep(["show"])
    await sweep(["setup", "claude-code", "--scope", "project", "--dry-run"])
    await sweep(["todo", "export", "plan.md"])
    await sweep(["todo", "import", "missing.md"])
    await sweep(["events", "missing.jsonl"])
    await sweepHome(sweep)
    expect(sweep.harm).toEqual([])
    expect(sweep.reached).toContain("list")
  })
})

/** One field at a time, also those that say what a record is: what becomes of it is then another path through the code. */
describe.runIf(isFull)("each field alone", () => {
  // An agent has most of its fields in all of its recordings; each is tried in the first that has it, best where a list is shown.
  const tried = new Set<string>()
  const ordered = recordings.toSorted((one, other) => Number(chosen.test(other)) - Number(chosen.test(one)))
  test.each(ordered.map((path) => [path.slice(fixtures.length + 9), path]))("of %s", async (name, path) => {
    const [agent = ""] = name.split("-")
    const paths = new Set(filesUnder(path).flatMap((file) => pathsIn(readFileSync(file, "utf8"))))
    const untried = [...paths].filter((field) => !tried.has(`${agent} ${field}`))
    for (const field of untried) {
      tried.add(`${agent} ${field}`)
      // What may hold any text was tried with the text behind it, in all such fields at once.
      for (const isBehind of isStructural(field) ? [true, false] : [false]) {
        const { sweep } = withAgent(path, only(field, everything, isBehind))
        await sweepHome(sweep)
        expect([field, sweep.harm]).toEqual([field, []])
      }
    }
  })

  test("of a journal", async () => {
    const { home } = await withOwnPlan()
    const paths = new Set(
      filesUnder(join(home, ".headway", "journal")).flatMap((file) => pathsIn(readFileSync(file, "utf8"))),
    )
    for (const field of paths) {
      const own = await withOwnPlan()
      for (const path of filesUnder(join(own.home, ".headway")))
        writeFileSync(path, changedFile(readFileSync(path, "utf8"), only(field, everything, false)))
      const sweep = createSweep(own.run)
      await sweepHome(sweep)
      expect([field, sweep.harm]).toEqual([field, []])
    }
  })
})

/** A plan with every field a todo can have, kept by us, with a history. */
const withOwnPlan = async () => {
  const { home, run } = atHome({ now })
  const todos = [
    {
      content: "Read",
      status: "completed",
      activeForm: "Reading",
      phase: "First",
      notes: ["a note"],
      priority: "high",
    },
    { content: "Write", status: "in_progress", description: "with care", owner: "worker", blockedBy: ["1"] },
    { content: "Wait", status: "blocked", reason: "no access", waitsFor: "Ada", phase: "Second" },
  ]
  await run(["write", "--new", "--session", "one"], { input: JSON.stringify({ todos }) })
  await run(["todo", "note", "2", "by hand", "--session", "one"])
  return { home, run }
}

const callsOf = (dialect: string): Record<string, unknown>[] => {
  const lines = [readFileSync(join(fixtures, "calls.jsonl"), "utf8")]
  try {
    lines.unshift(readFileSync(join(fixtures, "dialects", `${dialect}.jsonl`), "utf8"))
  } catch {}
  return lines
    .join("\n")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((call) => (call.dialect ?? dialect) === dialect && (call.input !== undefined || call.raw !== undefined))
}

const hookAgents: Record<string, string> = { claude: "claude-code", codex: "openai-codex", gemini: "google-gemini" }

/** The first event of each kind and client. */
const hookEvents = (): [agent: string, event: unknown][] =>
  readdirSync(join(fixtures, "hooks")).flatMap((client) =>
    readdirSync(join(fixtures, "hooks", client)).map((file): [string, unknown] => {
      const [line = ""] = readFileSync(join(fixtures, "hooks", client, file), "utf8").split("\n")
      return [hookAgents[client.split("-")[0] ?? ""] ?? "", JSON.parse(line)]
    }),
  )

/** A table that TOML can read, with an unexpected value. */
const hurtToml = (path: string, text: string): void =>
  writeFileSync(
    path,
    `${readFileSync(path, "utf8")}\n[mallory]\nname = ${JSON.stringify(text.replace(/[\ud800-\udfff]/g, ""))}\n`,
  )

const foldersWithFiles = (home: string): string[] => [...new Set(filesUnder(home).map(dirname))]

/** Commands that would begin something that stays. */
const staying = ["mcp", "serve", "run", "agent"]

/** Every command with the text as a word, as an option, and as the value of each of its own options. */
function* hostileWords(text: string): Generator<string[]> {
  yield [text]
  yield [`--${text}`]
  yield ["help", text]
  for (const name of commandNames) {
    yield [name, `--${text}`]
    if (staying.includes(name)) continue
    yield [name, text]
    yield [name, "--session", text]
    yield [name, "--agent", text]
    yield [name, "--store", text]
    yield [name, "--root", text]
  }
  for (const option of ["dialect", "level", "port"]) yield ["serve", `--${option}`, text]
  for (const option of ["dialect", "level"]) yield ["mcp", `--${option}`, text]
  for (const option of ["model", "resume", "level", "profile", "max-turns", "context", "output-format"])
    yield ["agent", "--print", `--${option}`, text, text]
  for (const option of ["member", "from"]) yield ["run", `--${option}`, `${text}:${text}`, "--", "no-such-program"]
  yield ["run", "--", `no-such-${text}`]
  for (const option of ["format", "width"]) yield ["show", `--${option}`, text]
  for (const option of ["dialect", "tool"]) yield ["write", `--${option}`, text]
  for (const verb of ["add", "start", "done", "drop", "block", "rm", "undo", "import", text])
    yield ["todo", verb, text, "--session", "one", "--reason", text, "--waits-for", text, "--phase", text]
  yield ["todo", "note", "2", text, "--session", "one"]
  yield ["todo", "edit", "2", text, "--session", "one"]
  yield ["todo", "claim", "2", "--as", text, "--session", "one"]
  yield ["todo", "claim", "2", "--as", "other", "--session", "one"]
  yield ["todo", "export", `/no/${text}`, "--session", "one"]
  yield ["events", "--from", text]
  yield ["gc", "--older-than", text]
  yield ["watch", "--notify", "", text]
  yield ["hook", "claude-code", "--profile", text]
  yield ["setup", "claude-code", "--dry-run", "--home", `/no/${text}`]
  yield ["demo", "--speed", text]
}
