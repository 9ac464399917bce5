/** `headway setup`, killed at random moments while it changes an agent's configuration. */
import { cpSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { checkHome, filesIn } from "../home-check.ts"
import { createMachine, type Machine, misconductOf } from "../machine.ts"
import { killOften, killSummary, runningChild } from "./_kill.ts"
import type { Attack } from "./attack.ts"

const fixtures = fileURLToPath(new URL("../../test/fixtures/configs/", import.meta.url))
/** May lie there until the next command. */
const temporary = /\.tmp$/

const agents = ["claude-code", "openai-codex", "google-gemini", "opencode", "qwen-code", "oh-my-pi"]

export const killSetup: Attack = {
  id: "kill-setup",
  about:
    "a killed set-up leaves each file of configuration as it was or as it was to be, and can be done again and undone",
  rounds: { short: 1, full: 50 },
  async run(stage, rounds) {
    const machine = createMachine(stage.folder)
    const wanted = new Map<string, Files>()
    for (const agent of agents.slice(0, rounds + 1)) wanted.set(agent, await afterSetup(machine, agent))
    const agentOf = (round: number): string => agents[round % agents.length] ?? ""
    const kills = await killOften(stage, {
      rounds,
      folders: [machine.home, ...[".claude", ".codex", ".gemini", ".headway"].map((name) => join(machine.home, name))],
      start: (round) => {
        furnish(machine, agentOf(round))
        const child = machine.start(["setup", agentOf(round)])
        child.stdin?.end()
        child.stdout?.resume()
        child.stderr?.resume()
        return runningChild(child)
      },
      after: async (round) => {
        const agent = agentOf(round)
        const before = configured(join(fixtures, agent))
        const expected = wanted.get(agent) ?? new Map()
        const found = configured(machine.home)
        const broken = [...new Set([...before.keys(), ...expected.keys(), ...found.keys()])]
          .filter((name) => !temporary.test(name) && ![before.get(name), expected.get(name)].includes(found.get(name)))
          .map(
            (name) => `${name} is neither as it was nor as ${agent} was to get it: ${found.get(name)?.slice(0, 200)}`,
          )
        const again = await machine.headway(["setup", agent])
        broken.push(
          ...misconductOf(again),
          ...differences(`set up again, ${agent}`, configured(machine.home), expected),
        )
        const undone = await machine.headway(["setup", agent, "--undo"])
        broken.push(...misconductOf(undone), ...differences(`undone, ${agent}`, configured(machine.home), before))
        return [...broken, ...(await checkHome(machine.headwayHome)).broken]
      },
    })
    return { tried: killSummary(kills, `setup of ${agents.length} agents`), broken: kills.broken }
  },
}

type Files = ReadonlyMap<string, string>

/** All files of a person's home but Headway's own. */
const configured = (home: string): Files =>
  new Map(
    filesIn(home)
      .filter((path) => !path.startsWith(join(home, ".headway")))
      .map((path) => [relative(home, path), readFileSync(path, "latin1")]),
  )

const furnish = ({ home }: Machine, agent: string): void => {
  rmSync(home, { recursive: true, force: true })
  cpSync(join(fixtures, agent), home, { recursive: true })
}

const afterSetup = async (machine: Machine, agent: string): Promise<Files> => {
  furnish(machine, agent)
  const { code, err } = await machine.headway(["setup", agent])
  if (code !== 0) throw new Error(`headway setup ${agent} ends with ${code}: ${err}`)
  return configured(machine.home)
}

const differences = (when: string, found: Files, expected: Files): string[] =>
  [...new Set([...found.keys(), ...expected.keys()])]
    .filter((name) => found.get(name) !== expected.get(name))
    .map((name) => `${when}: ${name} is not as it should be: ${found.get(name)?.slice(0, 200)}`)
