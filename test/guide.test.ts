/** The guide is true where it says so: what it tells to type is typed, what it quotes is in its example, its tables are whole. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { defaultSettings } from "../src/home/settings.ts"
import { temporaryFolder } from "./stores/temporary.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

type Section = { page: string; heading: string; text: string }

/** A heading inside of a block counts as one too, and only ends the section earlier. */
const sectionsOf = (page: string): Section[] =>
  `\n${read(page)}`
    .split(/^#+ (?=[A-Z0-9])/m)
    .map((text) => ({ page, heading: text.slice(0, text.indexOf("\n")), text }))

const sections = readdirSync(join(root, "docs/guide"))
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => sectionsOf(`docs/guide/${name}`))

const sectionOf = (heading: string): string => sections.find((section) => section.heading === heading)?.text ?? ""

const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${language})\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, block = ""]) => block)

describe("code in a section that names its example", () => {
  const quoting = sections.flatMap(({ page, heading, text }) => {
    const [, example] = /\]\(\.\.\/\.\.\/examples\/([\w-]+\.tsx?)\)/.exec(text) ?? []
    return example && blocksIn(text, "ts").length > 0 ? [{ page, heading, text, example }] : []
  })

  test.each(quoting)("$page, $heading: is in $example word for word", ({ text, example }) => {
    const code = read(`examples/${example}`)
    expect(blocksIn(text, "ts").filter((block) => !code.includes(block))).toEqual([])
  })

  test.each(["On into another session", "A screen of your own", "As markdown, in a program", "What went wrong"])(
    "%s is one of these",
    (heading) => {
      expect(quoting.map((section) => section.heading)).toContain(heading)
    },
  )
})

/** In one shell a page, from top to bottom. The others need an agent that is installed, or a screen. */
const typed: { page: string; headings: readonly string[]; home?: string; claude?: string }[] = [
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
    page: "docs/guide/05-watch-your-agents.md",
    headings: ["Change another agent's plan", "Put your own agent on the board"],
    home: "test/fixtures/streams/claude-2.1.197/subagents-todowrite/home",
  },
  {
    page: "docs/guide/06-run-an-agent-under-headway.md",
    headings: ["In scripts", "The plan is kept"],
    claude: "test/fixtures/streams/claude-2.1.197/todowrite/stdout.jsonl",
  },
  { page: "docs/guide/07-what-the-model-is-told.md", headings: ["What the hooks say, and when"] },
  { page: "docs/guide/08-the-reference-agent.md", headings: ["See it work, without a key"] },
]

describe.skipIf(process.platform === "win32")("what is typed", () => {
  test.each(typed)("in $page prints what is shown there", ({ page, headings, ...furnished }) => {
    const type = atShell(furnished)
    for (const heading of headings) {
      const blocks = blocksIn(sectionsOf(page).find((section) => section.heading === heading)?.text ?? "", "console|sh")
      expect(blocks.length, heading).toBeGreaterThan(0)
      for (const { command, printed } of blocks.flatMap(typedIn)) {
        const got = type(command, printed)
        if (printed !== undefined) expect(steady(got)).toMatch(expectedOf(printed))
      }
    }
  })
})

test("the table of settings has every key, with its default", () => {
  const rows = [...sectionOf("Settings").matchAll(/^\| `([\w.]+)` +\| `([^`]+)` +\|/gm)].map(([, key, value]) => [
    key,
    value,
  ])
  expect(rows).toEqual(Object.entries(defaultSettings).map(([key, value]) => [key, String(value)]))
})

type Typed = { command: string; printed: string | undefined }

/** A prompt and what follows it, up to the next; all of a block without one is typed, and nothing is said of what it prints. */
const typedIn = (block: string): Typed[] => {
  const [before = "", ...parts] = block.split(/^\$ /m)
  if (parts.length === 0) return [{ command: before, printed: undefined }]
  return parts.map((part) => {
    const end = part.indexOf("\n")
    return { command: part.slice(0, end), printed: part.slice(end + 1) }
  })
}

/** Without what differs from one time to the next: times, lengths of time, ids of entries, and the width of columns. */
const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "DATE")
    .replace(/\b\d+[smhd]\b/g, "TIME")
    .replace(/\b(?=[a-z]*\d)[a-z\d]{19}\b/g, "ENTRY")
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

/**
 * A shell of a person who has the command installed, with an empty home or this one, and with a `claude` that prints what it
 * printed once. A file that is shown is there as it is shown.
 */
const atShell = ({ home: furnished, claude }: { home?: string; claude?: string }) => {
  const home = temporaryFolder()
  if (furnished) cpSync(join(root, furnished), home, { recursive: true })
  const [programs, project] = [join(home, "bin"), join(home, "shop")]
  for (const folder of [programs, project]) mkdirSync(folder)
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/bin/headway.js")}" "$@"\n`
  writeFileSync(join(programs, "headway"), program, { mode: 0o755 })
  if (claude) writeFileSync(join(programs, "claude"), `#!/bin/sh\ncat "${join(root, claude)}"\n`, { mode: 0o755 })
  const { LC_ALL: _, HEADWAY_SESSION: __, ...rest } = process.env
  const settings: NodeJS.ProcessEnv = {
    ...rest,
    USER: "ada",
    HOME: home,
    HEADWAY_HOME: join(home, ".headway"),
    LANG: "en_US.UTF-8",
    TERM: "xterm",
    PATH: `${programs}:${process.env.PATH}`,
  }
  return (command: string, printed: string | undefined): string => {
    const [, shown] = /^cat ([\w.]+)$/.exec(command) ?? []
    if (shown && printed !== undefined) writeFileSync(join(project, shown), printed)
    for (const [, name = "", value = ""] of command.matchAll(/^export (\w+)=(\S+)$/gm)) settings[name] = value
    return spawnSync("sh", ["-c", `{ ${command}\n} 2>&1`], { cwd: project, env: settings, encoding: "utf8" }).stdout
  }
}
