/** A clock that jumps: every command at another time, often before the last one. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { checkHome } from "../home-check.ts"
import { createMachine, type Ended, misconductOf } from "../machine.ts"
import { pick } from "../random.ts"
import type { Attack } from "./attack.ts"

const minute = 60_000
const day = 24 * 60 * minute
const start = Date.parse("2026-06-01T12:00:00Z")

/** How far a clock may be off from one command to the next; the last two are a dead battery and a typing error. */
const jumps = [minute, -minute, -day, day, -400 * day, -start, Date.parse("9000-01-01T00:00:00Z") - start] as const

export const clockBackwards: Attack = {
  id: "clock-backwards",
  about:
    "a clock that jumps back and forth makes no negative time, changes no order, frees no claim and removes no plan",
  rounds: { short: 1, full: 60 },
  async run({ folder, random, progress }, rounds) {
    const machine = createMachine(folder)
    const clock = join(folder, "clock.mjs")
    writeFileSync(clock, clockProgram)
    const at = (time: number, ...words: string[]): Promise<Ended> =>
      machine.headway([...words, ...(words[1] === "add" ? ["--new"] : []), "--session", "s"], {
        node: ["--import", pathToFileURL(clock).href],
        env: { ATTACK_TIME: String(time) },
      })
    const broken: string[] = []
    const contents: string[] = []
    let commands = 0
    const give = async (time: number, ...words: string[]): Promise<Ended> => {
      const ended = await at(time, ...words)
      commands += 1
      const when = new Date(time).toISOString()
      broken.push(...[...misconductOf(ended), ...nonsenseIn(ended)].map((line) => `at ${when}: ${line}`))
      return ended
    }
    for (let round = 0; round < rounds; round += 1) {
      const time = start + pick(random, jumps) + Math.floor(random() * minute)
      const content = `Todo ${round}`
      const added = await give(time, "todo", "add", content)
      if (added.code === 0) contents.push(content)
      const change = pick(random, ["start", "done", "reopen", "block"] as const)
      await give(start + pick(random, jumps), "todo", change, pick(random, contents as [string, ...string[]]))
      if (round % 6 === 0) await give(start + pick(random, jumps), ...pick(random, readingCommands))
      progress(`${round} of ${rounds}`)
    }
    const { plans, ...check } = await checkHome(machine.headwayHome)
    const there = plans.flatMap(({ plan }) => plan.todos.map((todo) => todo.content))
    if (there.join() !== contents.join()) broken.push(`the order is ${there.join()} instead of ${contents.join()}`)
    broken.push(...check.broken, ...(await claims(give)), ...(await collections(give)))
    return { tried: `${commands} commands at ${jumps.length} kinds of times`, broken }
  },
}

const readingCommands: readonly [string[], ...string[][]] = [
  ["list"],
  ["show"],
  ["show", "--json"],
  ["history", "--times"],
  ["history", "--times", "--json"],
  ["statusline"],
  ["watch"],
]

type Give = (time: number, ...words: string[]) => Promise<Ended>

/** A claim holds for its time from when it was made, and a clock that is put back does not free it for another. */
const claims = async (give: Give): Promise<string[]> => {
  await give(start, "todo", "add", "Wanted by two")
  const first = await give(start, "todo", "claim", "Wanted by two", "--as", "one", "--lease", "30m")
  const early = await give(start - day, "todo", "claim", "Wanted by two", "--as", "other")
  const late = await give(start + day, "todo", "claim", "Wanted by two", "--as", "other")
  return [
    ...(first.code === 0 ? [] : [`a free todo cannot be claimed: ${first.err}`]),
    ...(early.code === 1 ? [] : ["a clock that was put back frees a claim for another"]),
    ...(late.code === 0 ? [] : [`a claim that ran out still holds: ${late.err}`]),
  ]
}

/** What looks as if it were written in the future is not old. */
const collections = async (give: Give): Promise<string[]> => {
  await give(start, "todo", "clear")
  await give(start, "todo", "add", "Kept")
  await give(start, "todo", "done", "Kept")
  await give(start - 100 * day, "gc", "--older-than", "30d")
  await give(start + day, "gc", "--older-than", "30d")
  const shown = await give(start, "show")
  return shown.out.includes("Kept") ? [] : ["gc removed a plan that was not old"]
}

/** Negative spans and numbers that are none. A todo's own words hold neither. */
const nonsenseIn = ({ words, out, err }: Ended): string[] => {
  const output = `${out}\n${err}`
  const found =
    /(?<![\w.:-])-\d+(?:\.\d+)? ?(?:ms|s|m|h|d|w)\b|\bNaN\b|Infinity|Invalid [Dd]ate|"(?:seconds|ms|\w+Ms)": ?-\d/.exec(
      output,
    )
  return found ? [`headway ${words.join(" ")} says ${JSON.stringify(found[0])}`] : []
}

const clockProgram = `
const time = Number(process.env.ATTACK_TIME)
const offset = time - Date.now()
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset)
    else super(...given)
  }
  static now() {
    return RealDate.now() + offset
  }
}
`
