/** The guide is true where it says so: what it tells to type is typed, what it quotes is in its example, its tables are whole. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { defaultSettings } from "../src/home/settings.ts"
import { temporaryFolder } from "./stores/temporary.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

type Section = { page: string; heading: string; text: string }

const pages = readdirSync(join(root, "docs/guide")).filter((name) => name.endsWith(".md"))

const sections: Section[] = pages.flatMap((page) =>
  `\n${read(`docs/guide/${page}`)}`
    .split(/^#+ (?=[A-Z0-9])/m)
    .map((text) => ({ page, heading: text.slice(0, text.indexOf("\n")), text })),
)

const sectionOf = (heading: string): string => sections.find((section) => section.heading === heading)?.text ?? ""

const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, block = ""]) => block)

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

describe.skipIf(process.platform === "win32")("what is typed in the section", () => {
  test.each(["Put your own agent on the board", "What the hooks say, and when"])(
    "%s prints what it says",
    (heading) => {
      const type = atShell()
      const blocks = blocksIn(sectionOf(heading), "console")
      expect(blocks.length).toBeGreaterThan(0)
      for (const { command, printed } of blocks.flatMap(typedIn)) expect(type(command, printed)).toBe(printed)
    },
  )
})

test("the table of settings has every key, with its default", () => {
  const rows = [...sectionOf("Settings").matchAll(/^\| `([\w.]+)` +\| `([^`]+)` +\|/gm)].map(([, key, value]) => [
    key,
    value,
  ])
  expect(rows).toEqual(Object.entries(defaultSettings).map(([key, value]) => [key, String(value)]))
})

/** A prompt and what follows it, up to the next. */
const typedIn = (block: string): { command: string; printed: string }[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n")
      return { command: part.slice(0, end), printed: part.slice(end + 1) }
    })

/** A shell of a person with an empty home, who has the command installed. A file that is shown is there as it is shown. */
const atShell = () => {
  const home = temporaryFolder()
  const [programs, project] = [join(home, "bin"), join(home, "shop")]
  for (const folder of [programs, project]) mkdirSync(folder)
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/bin/headway.js")}" "$@"\n`
  writeFileSync(join(programs, "headway"), program, { mode: 0o755 })
  const { LC_ALL: _, ...rest } = process.env
  const env = { ...rest, HOME: home, HEADWAY_HOME: join(home, ".headway"), LANG: "en_US.UTF-8", TERM: "xterm" }
  return (command: string, printed: string): string => {
    const [, shown] = /^cat ([\w.]+)$/.exec(command) ?? []
    if (shown) writeFileSync(join(project, shown), printed)
    const { stdout } = spawnSync("sh", ["-c", `{ ${command}; } 2>&1`], {
      cwd: project,
      env: { ...env, PATH: `${programs}:${process.env.PATH}` },
      encoding: "utf8",
    })
    return stdout
  }
}
