/** The guide to the components is true: its pictures are what they draw, its tables what they take. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { buildApp } from "./built-app.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8")
const page = read("docs/guide/10-show-a-plan-in-your-terminal-app.md")

/** What the door offers to draw a plan with: everything that has props of its own. */
const components = [...read("src/tui/index.ts").matchAll(/export \{ ([A-Z]\w+), type \1Props \} from "\.\/(.+)"/g)].map(
  ([, name = "", file = ""]) => ({ name, file }),
)

/** What the page says about a component or a hook. */
const sectionOf = (name: string): string => page.split(/^#+ /m).find((section) => section.startsWith(`${name}\n`)) ?? ""

test("the guide shows each component as the gallery draws it", async () => {
  const gallery = await buildApp(join(root, "examples/04-every-component.tsx"))
  const { stdout } = await promisify(execFile)(process.execPath, [gallery], { cwd: root })
  // A picture may have empty rows of its own.
  const names = components.map(({ name }) => name).join("|")
  const pictures = new Map(
    stdout
      .trimEnd()
      .split(new RegExp(`\\n\\n+(?=(?:${names})\\n)`))
      .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).replace(/^\n+| *\n+$/g, "")]),
  )
  expect([...pictures.keys()].toSorted()).toEqual(components.map(({ name }) => name).toSorted())
  for (const [name, picture] of pictures) expect(sectionOf(name)).toContain(`\`\`\`text\n${picture}\n\`\`\``)
})

test.each([
  ...components,
  { name: "SpinnerWithTodos", file: "components/spinner.tsx" },
  { name: "useTodosToggle", file: "components/use-todos-toggle.ts" },
  { name: "useVisibleTodos", file: "components/use-visible-todos.ts" },
])("the guide names every prop of $name", ({ name, file }) => {
  const source = read(`src/tui/${file}`)
  const [, body = ""] = /(?:Props|ToggleOptions|VisibleTodosOptions) =[^{]*\{\n([\s\S]*?)\n\}/.exec(source) ?? []
  const props = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, prop = ""]) => prop)
  expect(props.length).toBeGreaterThan(0)
  expect(props.filter((prop) => !sectionOf(name).includes(`| \`${prop}\``))).toEqual([])
})

test("the guide quotes the terminal app word for word", () => {
  const app = read("examples/03-a-terminal-app.tsx").replace(/^\/\*\*.*\n/, "")
  expect(page).toContain(`\`\`\`tsx\n${app}\`\`\``)
})
