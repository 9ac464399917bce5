/** Hostile texts in every field of every input, and all else that tests try at random: the tests that have a long form, in it. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { filesIn } from "../home-check.ts"
import { ended } from "../machine.ts"
import type { Attack } from "./attack.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Tests of hostile texts lie beside the short form of this suite; a test elsewhere asks for its counts, leaves them to fast-check or to a contract. */
const hasFullForm = (path: string): boolean => {
  if (!/\.test\.tsx?$/.test(path) || path.endsWith("attack/suite.test.ts")) return false
  return path.includes("test/attack/") || /rounds\.ts"|"fast-check"|\/contracts\//.test(readFileSync(path, "utf8"))
}

/** Seconds for all of them. */
const timeLimit = 3_600

export const hostileTexts: Attack = {
  id: "hostile-texts",
  about: "no text steers a terminal or speaks to a model as someone else, whatever field and command it goes through",
  // In `npm test` these tests run by themselves, in their short form.
  rounds: { short: 0, full: 1 },
  async run({ progress }, rounds) {
    const files = filesIn(join(root, "test")).filter(hasFullForm)
    if (rounds === 0) return { skipped: "these tests run by themselves" }
    if (files.length === 0) return { tried: "tests with a long form", broken: ["there is no test with a long form"] }
    const words = ["vitest", "run", "--reporter=dot", ...files.map((path) => relative(root, path))]
    const child = spawn("npx", words, { cwd: root, env: { ...process.env, HEADWAY_ATTACK: "full" } })
    const timer = setInterval(() => progress(`${files.length} files of tests`), 1000)
    const { code, out, err } = await ended(child, words, timeLimit)
    clearInterval(timer)
    const tests = /Tests\s+(.*)/.exec(out.replace(/\u001b\[[\d;]*m/g, ""))?.[1] ?? "no tests"
    return {
      tried: `${files.map((path) => relative(root, path)).join(", ")}: ${tests}`,
      broken: code === 0 ? [] : [`${words.join(" ")} ends with ${code}: ${`${out}\n${err}`.slice(-3000)}`],
    }
  },
}
