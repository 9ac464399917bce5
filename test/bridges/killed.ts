/** Set-up and hooks that are killed at any moment, with real processes, and what must hold afterwards. */
import assert from "node:assert/strict"
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createFileStore } from "../../src/stores/file/index.ts"

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const bin = fileAt("../../dist/bin/headway.js")
const killer = new URL("../fixtures/kill-at.mjs", import.meta.url).href

type Kill = { at: number; how: "before" | "after" | "half" }

type CallOptions = { input?: string; env?: Record<string, string>; node?: readonly string[] }

/** One call of the built command. */
const headway = (home: string, words: readonly string[], { input = "", env = {}, node = [] }: CallOptions = {}) =>
  spawnSync(process.execPath, [...node, bin, ...words], {
    cwd: home,
    env: { HOME: home, ...env },
    input,
    encoding: "utf8",
  })

/** The same, with the number of its steps; it may be killed at one of them. */
const countedHeadway = (home: string, words: readonly string[], { kill, input }: { kill?: Kill; input?: string }) => {
  const count = join(home, "steps")
  const env = { COUNT_FILE: count, ...(kill ? { KILL_AT: String(kill.at), KILL_HOW: kill.how } : {}) }
  const ran = headway(home, words, { env, node: ["--import", killer], ...(input === undefined ? {} : { input }) })
  const steps = existsSync(count) ? Number(readFileSync(count, "utf8")) : 0
  rmSync(count, { force: true })
  return { ...ran, steps }
}

const wasKilled = ({ signal }: SpawnSyncReturns<string>): boolean => signal === "SIGKILL"

/** Every file below a folder, by its path from there. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((one) => !one.isDirectory())
      .map((one) => join(one.parentPath, one.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "latin1")]),
  )

const isOurs = (name: string): boolean => name.startsWith(".headway/")

/** The agent's files alone. */
const agentsFiles = (home: string): Record<string, string> =>
  Object.fromEntries(Object.entries(filesIn(home)).filter(([name]) => !isOurs(name)))

/** What is killed, after which other calls, and in which states each file may be found then. */
type Scenario = { agent: string; before: string[][]; killed: string[] }

export const scenarios: readonly Scenario[] = [
  { agent: "claude-code", before: [], killed: [] },
  { agent: "claude-code", before: [[]], killed: ["--native", "on", "--status-line"] },
  { agent: "claude-code", before: [[]], killed: ["--undo"] },
  { agent: "openai-codex", before: [], killed: ["--native", "on"] },
  { agent: "openai-codex", before: [["--native", "on"]], killed: ["--undo"] },
  // Nothing there before, so that files and folders are made and removed.
  { agent: "opencode-new", before: [], killed: [] },
  { agent: "opencode-new", before: [[]], killed: ["--undo"] },
]

const furnished = (folder: string, { agent, before }: Scenario): { home: string; name: string } => {
  const home = mkdtempSync(join(folder, "home-"))
  const name = agent.replace("-new", "")
  if (name === agent) cpSync(fileAt(`../fixtures/configs/${agent}`), home, { recursive: true })
  for (const words of before) assert.equal(headway(home, ["setup", name, ...words]).status, 0)
  return { home, name }
}

export type KillReport = { killed: number; steps: number }

export type KillOptions = {
  /** Where the homes are made. */
  folder: string
  rounds: number
  random?: () => number
}

/** Set-up is killed at random steps, round after round; each time another next command puts everything right. */
export const killSetups = ({ folder, rounds, random = Math.random }: KillOptions): KillReport => {
  const report: KillReport = { killed: 0, steps: 0 }
  const known = scenarios.map((scenario) => outcomeOf(folder, scenario))
  for (let round = 0; round < rounds; round += 1) {
    const index = round % scenarios.length
    const [scenario, outcome] = [scenarios[index], known[index]]
    assert(scenario && outcome)
    const kill = { at: 1 + Math.floor(random() * outcome.steps), how: pick(hows, random) }
    const { home, name } = furnished(folder, scenario)
    const ran = countedHeadway(home, ["setup", name, ...scenario.killed], { kill })
    const told = `setup ${name} ${scenario.killed.join(" ")}, killed ${kill.how} step ${kill.at} of ${outcome.steps}`
    assert(wasKilled(ran), `${told}: it is killed`)
    for (const [file, text] of Object.entries(agentsFiles(home))) {
      const may = [outcome.old[file], outcome.made[file]]
      assert(isTemporary(file) || may.includes(text), `${told}: ${file} is the old one or the new one`)
    }
    for (const next of nexts(name, pick([0, 1, 2], random))) {
      assert.notEqual(headway(home, next).signal, "SIGKILL")
      assertTidy(home, `${told}, then ${next.join(" ")}`)
    }
    assert.deepEqual(agentsFiles(home), outcome.original, `${told}: --undo puts every byte back`)
    const left = Object.keys(filesIn(home)).filter((file) => isOurs(file) && !file.startsWith(".headway/cache/"))
    assert.deepEqual(left, [], `${told}: no note and no backup is left`)
    rmSync(home, { recursive: true })
    report.killed += 1
    report.steps = Math.max(report.steps, outcome.steps)
  }
  return report
}

const hows = ["before", "after", "half"] as const

const pick = <One>(list: readonly One[], random: () => number): One => {
  const one = list[Math.floor(random() * list.length)]
  assert(one !== undefined)
  return one
}

/** The commands after a kill: all of them end with everything taken back. */
const nexts = (name: string, which: number): string[][] => {
  const undo = ["setup", name, "--undo"]
  return [[undo], [["setup", name], undo], [["doctor", name, "--look"], undo]][which] ?? []
}

const isTemporary = (file: string): boolean => /^\.headway-\d+-\w+\.tmp$/.test(basename(file))

type Outcome = {
  original: Record<string, string>
  old: Record<string, string>
  made: Record<string, string>
  steps: number
}

/** How it goes when nothing is killed. */
const outcomeOf = (folder: string, scenario: Scenario): Outcome => {
  const original = agentsFiles(furnished(folder, { ...scenario, before: [] }).home)
  const { home, name } = furnished(folder, scenario)
  const old = agentsFiles(home)
  const { status, steps } = countedHeadway(home, ["setup", name, ...scenario.killed], {})
  assert.equal(status, 0)
  return { original, old, made: agentsFiles(home), steps }
}

/** After any next command: no temporary file, no note of a run, and no backup that is not needed to undo. */
const assertTidy = (home: string, told: string): void => {
  const names = Object.keys(filesIn(home))
  assert.deepEqual(
    names.filter((name) => /\.tmp$|running|lock/.test(name)),
    [],
    `${told}: nothing lies about`,
  )
  const record = join(home, ".headway/setup.json")
  const noted = existsSync(record) ? readFileSync(record, "utf8") : ""
  const backups = names.filter((name) => name.startsWith(".headway/backups/"))
  assert.deepEqual(
    backups.filter((name) => !noted.includes(JSON.stringify(join(home, name)))),
    [],
    `${told}: no stray backup`,
  )
}

/** A hook is killed at random steps; what others were told is written is never lost. */
export const killHooks = async ({ folder, rounds, random = Math.random }: KillOptions): Promise<KillReport> => {
  const home = mkdtempSync(join(folder, "home-"))
  const report: KillReport = { killed: 0, steps: 0 }
  const acknowledged: string[] = []
  const fire = (callId: string, kill?: Kill) => {
    const todos = [{ content: `Todo of ${callId}`, status: "in_progress", activeForm: callId }]
    const call = { tool_name: "TodoWrite", tool_input: { todos }, tool_use_id: callId }
    const event = { session_id: "s", cwd: home, hook_event_name: "PostToolUse", ...call }
    const ran = countedHeadway(home, ["hook", "claude-code"], {
      input: JSON.stringify(event),
      ...(kill ? { kill } : {}),
    })
    if (ran.status === 0) acknowledged.push(callId)
    return ran
  }
  mkdirSync(join(home, ".git"))
  fire("first")
  for (let round = 0; round < rounds; round += 1) {
    const { steps } = fire(`whole-${round}`)
    const kill = { at: 1 + Math.floor(random() * steps), how: pick(hows, random) }
    const told = `killed ${kill.how} step ${kill.at} of ${steps}`
    // The plan is another one each time, and so may be the number of steps.
    if (wasKilled(fire(`killed-${round}`, kill))) report.killed += 1
    const { status } = headway(home, ["show", "--session", "s"])
    assert.equal(status, 0, `${told}: the plan opens`)
    const names = Object.keys(filesIn(home))
    assert.deepEqual(
      names.filter((name) => /\.tmp$|lock/.test(name)),
      [],
      `${told}: nothing lies about`,
    )
    const { entries } = await createFileStore({ home: join(home, ".headway") }).load({ session: "s", agent: "main" })
    const calls = entries.flatMap(({ via }) => via?.callId ?? [])
    assert.equal(new Set(calls).size, calls.length, `${told}: no call is there twice`)
    assert.deepEqual(
      acknowledged.filter((id) => !calls.some((call) => call.startsWith(`${id} `))),
      [],
      `${told}: nothing acknowledged is lost`,
    )
    report.steps = Math.max(report.steps, steps)
  }
  return report
}

/** A person's change reaches the agent from the hook that was killed or from the next one, whichever step it died at. */
export const killTellingHooks = async ({
  folder,
  rounds,
}: Pick<KillOptions, "folder" | "rounds">): Promise<KillReport> => {
  const home = mkdtempSync(join(folder, "home-"))
  const report: KillReport = { killed: 0, steps: 0 }
  const eventOf = (callId: string, name: string, input: object): { input: string } => {
    const call = { tool_name: name, tool_input: input, tool_use_id: callId }
    return { input: JSON.stringify({ session_id: "s", cwd: home, hook_event_name: "PostToolUse", ...call }) }
  }
  const tool = (callId: string, name: string, input: object) =>
    headway(home, ["hook", "claude-code"], eventOf(callId, name, input))
  const told = (change: string, callId: string, kill?: Kill) => {
    assert.equal(headway(home, ["todo", "add", change, "--session", "s"]).status, 0)
    return countedHeadway(home, ["hook", "claude-code"], { ...eventOf(callId, "Bash", {}), ...(kill ? { kill } : {}) })
  }
  mkdirSync(join(home, ".git"))
  tool("first", "TodoWrite", { todos: [{ content: "Begin", status: "in_progress", activeForm: "Beginning" }] })
  const { steps } = told("Seen whole", "whole")
  for (let round = 0; round < rounds; round += 1) {
    const at = 1 + Math.floor((round * steps) / rounds)
    const change = `Changed in round ${round}`
    const killed = told(change, `killed-${round}`, { at, how: "after" })
    if (wasKilled(killed)) report.killed += 1
    const next = tool(`next-${round}`, "Bash", {})
    assert.ok(
      `${killed.stdout}${next.stdout}`.includes(change),
      `killed after step ${at} of ${steps}: the agent is told`,
    )
    assert.ok(
      !tool(`last-${round}`, "Bash", {}).stdout.includes(change),
      `killed after step ${at} of ${steps}: and then no more`,
    )
  }
  report.steps = steps
  return report
}
