/** The guide is true where it says so: what it tells to type is typed, what it quotes is in its example, its tables are whole. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { defaultSettings } from "../src/home/settings.ts"
import { blocksIn, sectionsOf, typedAt } from "./guide-pages.ts"
import { type Furnishing, openGuideShell, root } from "./guide-shell.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const sections = readdirSync(join(root, "docs/guide"))
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => sectionsOf(`docs/guide/${name}`))

const agentSections = readdirSync(join(root, "docs/guide/agents")).flatMap((name) =>
  sectionsOf(`docs/guide/agents/${name}`),
)

const sectionOf = (heading: string): string => sections.find((section) => section.heading === heading)?.text ?? ""

describe("code in a section that names its example", () => {
  const quoting = sections.flatMap(({ page, heading, text }) => {
    const [, example] = /\]\(\.\.\/\.\.\/examples\/([\w-]+\.tsx?)\)/.exec(text) ?? []
    return example && blocksIn(text, "ts").length > 0 ? [{ page, heading, text, example }] : []
  })

  test.each(quoting)("$page, $heading: is in $example word for word", ({ text, example }) => {
    const code = read(`examples/${example}`)
    expect(blocksIn(text, "ts").filter((block) => !code.includes(block))).toEqual([])
  })

  test.each(["Continue in another session", "A screen of your own", "As markdown, in a program", "What went wrong"])(
    "%s is one of these",
    (heading) => {
      expect(quoting.map((section) => section.heading)).toContain(heading)
    },
  )
})

test("a project gets a copy of Headway: a link would load the packages of both, and Ink fails with two Reacts", () => {
  const pages = ["README.md", "docs/examples.md", ...new Set([...sections, ...agentSections].map(({ page }) => page))]
  const installs = pages.flatMap((page) => read(page).match(/npm install(?:\s[^\s#`)]+)*/g) ?? [])
  const ofHeadway = installs.filter((command) => command.includes("/path/to/headway") || command.includes("PATH"))
  expect(ofHeadway.length).toBeGreaterThan(8)
  expect(ofHeadway.filter((command) => !/--(?:install-links|global)\s/.test(command))).toEqual([])
})

/** What is typed in one shell, from top to bottom. */
type Sitting = Furnishing & { page: string; headings: readonly string[] }

const recorded = (client: string): string => `test/fixtures/streams/${client}/stdout.jsonl`

const sittings: Sitting[] = [
  { page: "README.md", headings: ["From the shell"] },
  { page: "docs/guide/01-first-plan.md", headings: ["Write", "Show"] },
  { page: "docs/guide/03-what-models-send.md", headings: ["What is refused"] },
  {
    page: "docs/guide/04-edit-by-hand.md",
    headings: [
      "4. Edit a plan by hand",
      "Change it",
      "What the agent is told",
      "Break it and undo it",
      "Who did what, when",
    ],
  },
  {
    page: "docs/guide/04-edit-by-hand.md",
    headings: ["Where it is kept"],
    files: { ".headway": "test/fixtures/guide/cloned-plans", ".git/HEAD": "test/fixtures/guide/git-head" },
  },
  {
    page: "docs/guide/05-watch-your-agents.md",
    headings: [
      "What a session is called",
      "Find a session",
      "Change another agent's plan",
      "Put your own agent on the board",
    ],
    home: "test/fixtures/streams/claude-2.1.197/subagents-todowrite/home",
  },
  {
    page: "docs/guide/13-evidence-for-done-todos.md",
    headings: ["Marks next to done todos", "What the session shows"],
    home: "test/fixtures/guide/evidence-home",
  },
  {
    page: "docs/guide/06-run-an-agent-under-headway.md",
    headings: ["In scripts", "The plan is kept", "One line for a status bar"],
    agents: { claude: recorded("claude-2.1.197/todowrite") },
  },
  {
    page: "docs/guide/06-run-an-agent-under-headway.md",
    headings: ["Which options an agent needs"],
    agents: { claude: "test/fixtures/guide/answer.txt" },
  },
  {
    page: "docs/guide/06-run-an-agent-under-headway.md",
    headings: ["Several agents in turn"],
    agents: { codex: recorded("codex-0.166.0/plan"), gemini: recorded("gemini-0.61.0/write-todos") },
  },
  { page: "docs/guide/07-what-the-model-is-told.md", headings: ["What the hooks say, and when"] },
  { page: "docs/guide/08-the-reference-agent.md", headings: ["See it work, without a key"] },
  {
    page: "docs/events.md",
    headings: ["With jq"],
    files: { "agent.jsonl": recorded("claude-2.1.197/todowrite") },
  },
  ...readdirSync(join(root, "docs/guide/agents")).map((name) => ({
    page: `docs/guide/agents/${name}`,
    headings: ["Connect it"],
  })),
]

/** What cannot be typed here, or is typed by another test, and why. */
const notTyped: Record<string, string> = {
  Headway: "the two commands that this test is a part of",
  "5. Watch your agents": "a screen: guide-live.test.ts",
  "Follow without a screen": "runs until it is stopped: watch.test.ts",
  "Be notified": "runs until it is stopped: watch.test.ts",
  "6. Run an agent under Headway": "a screen: guide-live.test.ts",
  Sessions: "needs a model: guide-live.test.ts",
  "For another program": "needs a model: guide-live.test.ts",
  "Start your own from it": "installs from the registry",
  "10. Show a plan in your terminal app": "installs from the registry",
  "Its own list": "a command of oh-my-pi",
  "A server that already runs": "runs until it is stopped: guide-live.test.ts",
  "12. The board in your browser": "runs until it is stopped: serve-page.test.ts",
  "On the phone": "runs until it is stopped: serve-page.test.ts",
  "Devices that are paired": "needs a device: serve-page.test.ts",
  "Prepare the database": "a database: guide-team.test.ts",
  "Use it on your machine": "a database: guide-team.test.ts",
  "Connect your agents": "a database: guide-team.test.ts",
  "Work together": "a database: guide-team.test.ts",
  "The team's board": "runs until it is stopped: guide-team.test.ts",
  "When the database is away": "a database: guide-team.test.ts",
  "Or install the plugin": "needs the agent itself: the scenario plugin of interop",
  Events: "files of agents that are not here: events.test.ts",
}

describe.skipIf(process.platform === "win32")("commands on the pages", () => {
  test.each(sittings)(
    "of $page $headings work and print what is shown there",
    async ({ page, headings, ...furnishing }) => {
      const { type, home, project } = openGuideShell(furnishing)
      for (const heading of headings) {
        const commands = typedAt(page, heading).filter(({ command }) => !command.includes("--follow"))
        for (const { command, printed } of commands) {
          const [, shown] = /^cat ([\w.]+)$/.exec(command) ?? []
          if (shown && printed !== undefined) writeFileSync(join(project, shown), printed)
          const got = await type(command)
          if (printed === undefined) expect(got.code, got.printed).toBe(0)
          else expect(steady(got.printed.replaceAll(home, "/home/ada"))).toMatch(expectedOf(printed))
        }
      }
    },
  )

  test("are all tested", () => {
    const typed = new Set(sittings.flatMap(({ page, headings }) => headings.map((heading) => `${page} ${heading}`)))
    const left = [...sectionsOf("README.md"), ...sections, ...agentSections, ...sectionsOf("docs/events.md")]
      .filter(({ text }) => blocksIn(text, "console|sh").length > 0)
      .filter(({ page, heading }) => !typed.has(`${page} ${heading}`) && !notTyped[heading])
    expect(left.map(({ page, heading }) => `${page} ${heading}`)).toEqual([])
  })
})

test("what tmux inserts into a shell line of the guide is quoted, because a folder may be named like a command", () => {
  const inserted = [
    ...sections
      .map(({ text }) => text)
      .join("\n")
      .matchAll(/#\([^\n]*?#\{(\w+:)?\w+\}/g),
  ].map(([, how]) => how)
  expect(inserted).toEqual(["q:"])
})

test("the table of settings has every key, with its default", () => {
  const rows = [...sectionOf("Settings").matchAll(/^\| `([\w.]+)` +\| `([^`]+)` +\|/gm)].map(([, key, value]) => [
    key,
    value,
  ])
  expect(rows).toEqual(Object.entries(defaultSettings).map(([key, value]) => [key, String(value)]))
})

/** Without what differs from one time to the next: times, lengths of time, ids of entries, and the width of columns. */
const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "DATE")
    .replace(/\b\d+[smhd]\b/g, "TIME")
    // Also long words: they are the same on both sides.
    .replace(/\b[a-z\d]{17,23}\b/g, "ENTRY")
    .replace(/(?<=\S) +/g, " ")
    .trimEnd()
    .concat("\n")

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** A line with nothing but an ellipsis stands for any lines. */
const expectedOf = (printed: string): RegExp => {
  const lines = steady(printed).split(/(?<=\n)/)
  const patterns = lines.map((line) => (line.trim() === "…" ? "(?:.*\\n)*?" : escaped(line)))
  return new RegExp(`^${patterns.join("")}$`)
}
