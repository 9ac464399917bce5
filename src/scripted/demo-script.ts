/** The script of `script:demo`: a small coding task with a plan, a failing test and its fix. The tools are real. */
import type { Dialect } from "../dialects/dialect.ts"
import { emptyPlan, type Plan } from "../plan/index.ts"
import type { Script, ScriptCall } from "./script.ts"

const steps = [
  ["Write slug.mjs", "Writing slug.mjs"],
  ["Write a test for it", "Writing a test"],
  ["Make the test pass", "Making the test pass"],
  ["Try it out", "Trying it out"],
] as const

/** The list with this many steps done and the next one begun. */
const planAfter = (done: number): Plan => ({
  ...emptyPlan,
  todos: steps.map(([content, activeForm], index) => ({
    id: String(index + 1),
    content,
    activeForm,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  })),
})

/**
 * Returns a function for the calls that lead to such a list, in a dialect. Calls made for an earlier list are not
 * repeated.
 */
const createPlanCalls = (dialect: Dialect): ((done: number) => ScriptCall[]) => {
  const sent = new Set<string>()
  return (done) =>
    dialect.encode(planAfter(done)).flatMap(({ tool, input }) => {
      const words = JSON.stringify([tool, input])
      if (sent.has(words)) return []
      sent.add(words)
      return [{ tool, input }]
    })
}

const write = (file_path: string, lines: readonly string[]): ScriptCall => ({
  tool: "Write",
  input: { file_path, content: `${lines.join("\n")}\n` },
})

const run = (command: string, description: string): ScriptCall => ({ tool: "Bash", input: { command, description } })

const slug = [
  "/** A title as it stands in a web address. */",
  'export const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]/g, "-")',
]

const repaired = [
  "export const slug = (title) =>",
  "  title",
  '    .normalize("NFD")',
  '    .replace(/\\p{Mark}/gu, "")',
  "    .toLowerCase()",
  '    .replace(/[^a-z0-9]+/g, "-")',
  '    .replace(/^-|-$/g, "")',
]

const module = JSON.stringify("./slug.mjs")

const test = [
  'import assert from "node:assert/strict"',
  `import { slug } from ${module}`,
  "",
  'assert.equal(slug("Hello World"), "hello-world")',
  'assert.equal(slug("Crème brûlée, twice!"), "creme-brulee-twice")',
  'console.log("ok, 2 titles")',
]

const runTest = run("node slug.test.mjs", "Runs the test")

/** The demo for an agent with this dialect's list tools. */
export const createDemoScript = (dialect: Dialect): Script => {
  const plan = createPlanCalls(dialect)
  return {
    threads: [
      {
        name: "main",
        turns: [
          { text: "A small module that turns titles into web addresses, with a test. First the plan.", calls: plan(0) },
          { calls: [write("slug.mjs", slug)] },
          { calls: [...plan(1), write("slug.test.mjs", test)] },
          { calls: [...plan(2), runTest] },
          {
            text: "Accents and runs of punctuation are not handled yet. I'll fix that.",
            calls: [
              {
                tool: "Edit",
                input: { file_path: "slug.mjs", old_string: slug[1], new_string: repaired.join("\n") },
              },
            ],
          },
          { calls: [runTest] },
          {
            text: "The test passes.",
            calls: [
              ...plan(3),
              run(
                `node -e 'import(${module}).then(({ slug }) => console.log(slug("Ça va? Très bien!")))'`,
                "Tries it with another title",
              ),
            ],
          },
          { calls: plan(4) },
          {
            text: "Done. slug.mjs turns titles into web addresses, and slug.test.mjs proves it for two of them, accents included. Run it with: node slug.test.mjs",
          },
        ],
      },
      {
        name: "refused",
        when: { last: "not allow" },
        turns: [
          {
            text: "I am not allowed to do that, so I stop here and the rest of the plan stays open. Shall I try again, with your permission or with --yes?",
            repeat: true,
          },
        ],
      },
      {
        name: "summary",
        when: { system: "summaries" },
        turns: [{ text: "A slug function is being built in slug.mjs, with a test in slug.test.mjs.", repeat: true }],
      },
      {
        name: "seen before",
        when: { last: "has not been read yet" },
        turns: [
          { text: "The files of this demo already exist. Shall I start again in an empty folder?", repeat: true },
        ],
      },
    ],
  }
}
