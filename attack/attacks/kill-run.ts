/** `headway run`, killed at random moments while its agent changes its list. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { checkHome } from "../home-check.ts"
import { createMachine } from "../machine.ts"
import { afterNext, killOften, killSummary, runningChild, writtenFolders } from "./_kill.ts"
import type { Attack } from "./attack.ts"

const agent = fileURLToPath(new URL("../../test/cli/fake-agent.mjs", import.meta.url))
const lists = 30

export const killRun: Attack = {
  id: "kill-run",
  about: "a killed run leaves a list its agent really had, and the next run of it ends with the last",
  rounds: { short: 1, full: 50 },
  async run(stage, rounds) {
    const machine = createMachine(stage.folder)
    const recording = join(stage.folder, "recording.jsonl")
    writeFileSync(recording, Array.from({ length: lists }, (_, index) => linesOf(index)).join(""))
    const sessionOf = (round: number): string => `run-${round}`
    const wordsOf = (round: number): string[] => [
      ...["run", "--new", "--session", sessionOf(round), "--from", "claude-code"],
      ...["--", process.execPath, agent, recording],
    ]
    const planOf = async (round: number): Promise<string> => {
      const { plans } = await checkHome(machine.headwayHome)
      const found = plans.find(({ session }) => session === sessionOf(round))
      return (found?.plan.todos ?? []).map(({ status, content }) => `${status} ${content}`).join("\n")
    }
    const known = new Set(["", ...Array.from({ length: lists }, (_, index) => listOf(index).join("\n"))])
    const last = listOf(lists - 1).join("\n")
    const kills = await killOften(stage, {
      rounds,
      folders: writtenFolders(machine.headwayHome),
      start: (round) => {
        const child = machine.start(wordsOf(round))
        child.stdin?.end()
        child.stdout?.resume()
        child.stderr?.resume()
        return runningChild(child)
      },
      after: async (round, isDone) => {
        const left = await planOf(round)
        // A listing opens no plan; one that is opened has its list published again.
        const next = left === "" ? ["list"] : ["show", "--session", sessionOf(round)]
        const broken = await afterNext(machine, next)
        if (!known.has(left)) broken.push(`the plan is a list the agent never had:\n${left}`)
        if (isDone && left !== last) broken.push(`a run that ended well left:\n${left}`)
        if (isDone || round % 5 > 0) return broken
        const again = await machine.headway(wordsOf(round))
        if (again.code !== 0) broken.push(`the next run ends with ${again.code}: ${again.err}`)
        if ((await planOf(round)) !== last) broken.push(`the next run left:\n${await planOf(round)}`)
        return broken
      },
    })
    return { tried: killSummary(kills, `run of an agent with ${lists} lists`), broken: kills.broken }
  },
}

/** Of as many todos as there are lists before it, and one more; the last is in progress. */
const todosOf = (index: number): { content: string; status: string }[] =>
  Array.from({ length: index + 1 }, (_, number) => ({
    content: `Step ${number} of the agent`,
    status: number < index ? "completed" : "in_progress",
  }))

const listOf = (index: number): string[] => todosOf(index).map(({ status, content }) => `${status} ${content}`)

/** A call and its result, as Claude Code prints them. */
const linesOf = (index: number): string => {
  const id = `toolu_${index}`
  const todos = todosOf(index).map((todo) => ({ ...todo, activeForm: todo.content }))
  const about = { parent_tool_use_id: null, session_id: "killed", uuid: `u${index}` }
  const call = { type: "tool_use", id, name: "TodoWrite", input: { todos } }
  const answer = { type: "tool_result", tool_use_id: id, content: "Todos have been modified successfully." }
  return [
    { type: "assistant", message: { id: `msg_${index}`, role: "assistant", content: [call] }, ...about },
    { type: "user", message: { role: "user", content: [answer] }, ...about },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")
}
