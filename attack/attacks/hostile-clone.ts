/** A person clones a hostile repository and gives every command in it. */
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { hookAgents } from "../../test/agents/loaded.ts"
import { atOnce } from "../at-once.ts"
import { type CommandRow, commandsLeftOut, everyCommand, setupAgents } from "../every-command.ts"
import { createMachine, type Ended, type Machine, misconductOf } from "../machine.ts"
import { pick } from "../random.ts"
import { changesBetween, tracesOf } from "../traces.ts"
import { type Clone, createClone, plantedSession, plantedWords, plants, provedPath } from "./_clone.ts"
import type { Attack } from "./attack.ts"

/** Seconds. */
const timeLimit = 10

const recording = fileURLToPath(new URL("../../test/fixtures/streams/codex-0.166.0/plan/stdout.jsonl", import.meta.url))

export const hostileClone: Attack = {
  id: "hostile-clone",
  about: "a cloned repository decides nothing: it is not written to, leads to no file outside, and speaks to no agent",
  rounds: { short: 1, full: Object.keys(plants).length },
  async run(stage, rounds) {
    const chosen = Object.entries(plants).slice(0, rounds)
    // In the short form the hooks and the set-up of one agent stand for those of all; which one is chosen anew each time.
    const isShort = rounds < Object.keys(plants).length
    const some = <One>(all: readonly [One, ...One[]]): readonly One[] => (isShort ? [pick(stage.random, all)] : all)
    const agents = some(Object.keys(hookAgents) as [string, ...string[]])
    const setups = some(setupAgents)
    let commands = 0
    const found = await atOnce(chosen, 2, async ([name, plant], index) => {
      const folder = join(stage.folder, String(index))
      mkdirSync(folder)
      const machine = createMachine(folder)
      const clone = createClone(folder, machine.home)
      plant(clone)
      const rows = everyCommand({ project: clone.repository, session: plantedSession, recording, agents, setups })
      const broken = commandsLeftOut(rows).map((left) => `no row gives headway ${left}`)
      for (const row of rows) {
        if (broken.length >= enough) break
        stage.progress(`${commands} commands; ${name}: headway ${row.words.join(" ")}`)
        broken.push(...(await give(machine, clone, row)))
        commands += 1
      }
      if (broken.length < enough) {
        broken.push(...(await afterTrust(machine, clone, rows)).map((line) => `once it is trusted: ${line}`))
      }
      return broken.map((line) => `${name}: ${line}`)
    })
    return { tried: `${commands} commands in ${rounds} hostile clones`, broken: found.flat() }
  },
}

/** Evidence enough against one clone; a broken command may take its whole patience to show that it hangs. */
const enough = 4

/** One command in the clone. Returns what it did that it must not do. */
const give = async (machine: Machine, clone: Clone, { words, input, ...row }: CommandRow): Promise<string[]> => {
  const repository = row.changesProject ? join(clone.repository, ".headway") : clone.repository
  const look = () => tracesOf(repository, ...Object.values(clone.victims))
  const before = look()
  const ended = await machine.headway(words, { cwd: clone.repository, input: input ?? "", timeLimit })
  const command = `headway ${words.join(" ")}`
  return [
    ...misconductOf(ended),
    ...changesBetween(before, look()).map((change) => `${command}: ${change}`),
    ...(row.isForAgent && speaks(ended) ? [`${command} tells an agent what the repository says: ${ended.out}`] : []),
    ...proofs(clone).map((path) => `${command} runs what the repository says: ${path} is there`),
  ]
}

const speaks = ({ out }: Ended): boolean => out.includes(plantedWords)

const proofs = ({ repository, home }: Clone): string[] =>
  [join(repository, "PROVED"), provedPath(home)].filter((path) => existsSync(path))

/** Even a person who trusts the repository keeps their files, and its words do not become the person's. */
const afterTrust = async (machine: Machine, clone: Clone, rows: readonly CommandRow[]): Promise<string[]> => {
  const cwd = clone.repository
  const trusted = await machine.headway(["project", "trust"], { cwd, timeLimit })
  const broken = misconductOf(trusted)
  if (trusted.code === 2) return [...broken, `headway project trust is not understood: ${trusted.err.trim()}`]
  const before = tracesOf(...Object.values(clone.victims))
  const writes = (row: CommandRow): boolean => /^(?:list|todo|run|gc)$/.test(row.words[0] ?? "")
  for (const { words, input = "", isForAgent } of rows.filter((row) => row.isForAgent || writes(row))) {
    if (broken.length >= enough) break
    const ended = await machine.headway(words, { cwd, input, timeLimit })
    broken.push(...misconductOf(ended))
    if (isForAgent && isSaidByPerson(ended.out)) {
      broken.push(
        `headway ${words.join(" ")} tells an agent that the person said what the repository says: ${ended.out}`,
      )
    }
  }
  return [...broken, ...changesBetween(before, tracesOf(...Object.values(clone.victims)))]
}

/** The notice of a person's edits, with what was planted in it. */
const isSaidByPerson = (out: string): boolean =>
  (/The person changed the plan by hand:(?:\\n|\n)((?:- .*?(?:\\n|\n))*)/.exec(out)?.[1] ?? "").includes(plantedWords)
