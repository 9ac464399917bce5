/** One client on a machine of its own: connected by `headway setup`, talking to a scripted model. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { loadConnectedAgent } from "../src/agents/index.ts"
import { createLoopback, type LoopbackRequest } from "../src/scripted/loopback.ts"
import type { Script, Thread, Turn } from "../src/scripted/script.ts"
import type { Aside, Client, Place } from "./clients/client.ts"

export type Stage = {
  client: Client
  /** Of the conversation itself, without titles and summaries. */
  requests(): readonly LoopbackRequest[]
  /** Calls the built program as a person would in the project. */
  headway(...words: string[]): { code: number | null; out: string; err: string }
  /** Runs the client until it ends; returns what it printed. */
  converse(prompts: readonly [string, ...string[]], options?: ConverseOptions): Promise<Ran>
  /** The same for one prompt under `headway run --json`. */
  runUnderHeadway(prompt: string): Promise<Ran>
  /** @param isKept leaves the folder to be inspected, with every request and what the client printed. */
  close(isKept: boolean): Promise<void>
  home: string
}

export type ConverseOptions = {
  isResumed?: boolean
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Ends the client, with all it has started, as soon as the conversation has come to this many requests and is written down. */
  endWith?: { signal: NodeJS.Signals; afterRequests: number }
}

export type Ran = { code: number | null; out: string; err: string; isLate: boolean }

export type StageOptions = {
  client: Client
  /** Folders of programs, the client's first. */
  bins: readonly string[]
  /** What the model says. */
  turns: readonly Turn[]
  /** What it says to a sub-agent, by the task it was sent off with. */
  delegated?: { task: string; turns: readonly Turn[] }
  /** Connected by the client's own way to install our plugin from a clone of this repository, and not by set-up. */
  isInstalled?: boolean
  /** More words for `headway setup AGENT`. */
  setup?: readonly string[]
  /** Calls of `headway` made while a turn of the conversation is being answered, by its number. */
  meanwhile?: Readonly<Record<number, readonly string[]>>
}

const built = fileURLToPath(new URL("../dist/bin/headway.js", import.meta.url))

/** Longer than any of these runs takes. */
const timeLimit = 120_000

export const openStage = async (options: StageOptions): Promise<Stage> => {
  const { client, bins, setup = [], meanwhile = {} } = options
  const home = mkdtempSync(join(tmpdir(), "headway-interop-"))
  const project = join(home, "project")
  const ownBin = join(home, "bin")
  for (const folder of [project, ownBin]) mkdirSync(folder)
  symlinkSync(built, join(ownBin, "headway"))
  const PATH = [ownBin, ...bins, process.env.PATH].join(delimiter)
  const env = { PATH, HOME: home, LANG: "C.UTF-8", TERM: "dumb" }

  const headway: Stage["headway"] = (...words) => {
    const { status, stdout, stderr } = spawnSync("headway", words, { cwd: project, env, encoding: "utf8" })
    return { code: status, out: stdout, err: stderr }
  }

  const loopback = await createLoopback(scriptFor(options), {
    onRequest: ({ played: { thread, turn = -1 } }) => {
      const words = thread === "main" ? meanwhile[turn] : undefined
      if (words) headway(...words)
    },
  })
  const printed: Ran[] = []
  const place: Place = { home, project, url: loopback.url }
  client.prepare?.(place)
  if (options.isInstalled) await installPlugin(client, { home, project, env: { ...env, ...client.env(place) } })
  else {
    const connected = headway("setup", client.agent, ...setup)
    if (connected.code !== 0) throw new Error(`headway setup ${client.agent} failed: ${connected.err}`)
  }

  const requests: Stage["requests"] = () => loopback.requests.filter(({ played }) => played.thread === "main")

  const start = ([program = "", ...words]: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawn(program, words, {
      cwd: project,
      env: { ...env, ...client.env(place), ...more },
      // A group of its own, so that all it started can be ended with it.
      detached: true,
    })

  const ended = async (child: ChildProcess, dialogue?: Dialogue): Promise<Ran> => {
    const ran = await finished(child, dialogue)
    printed.push(ran)
    return ran
  }

  return {
    client,
    home,
    requests,
    headway,
    converse: (prompts, { isResumed = false, args = [], env: more = {}, endWith } = {}) => {
      const child = start([client.program, ...client.args(prompts[0], { isResumed }), ...args], more)
      const ending = setInterval(() => {
        if (!endWith || requests().length < endWith.afterRequests) return
        if (!(client.isWrittenDown?.(place) ?? true)) return
        clearInterval(ending)
        if (child.pid !== undefined) process.kill(-child.pid, endWith.signal)
      }, 50)
      child.once("close", () => clearInterval(ending))
      return ended(child, client.dialogue ? { ...client.dialogue, prompts } : undefined)
    },
    runUnderHeadway: (prompt) => {
      const words = client.argsAlone?.(prompt) ?? client.args(prompt, { isResumed: false })
      return ended(start(["headway", "run", "--json", "--", client.program, ...words]))
    },
    async close(isKept) {
      await loopback.close()
      if (!isKept) return rmSync(home, { recursive: true, force: true })
      const keep = (name: string, value: unknown): void =>
        writeFileSync(join(home, name), `${JSON.stringify(value, null, 2)}\n`)
      keep("requests.json", loopback.requests)
      keep("printed.json", printed)
    },
  }
}

type Machine = { home: string; project: string; env: Record<string, string> }

/** By the words our rows give a person, on what is committed here. */
const installPlugin = async ({ agent, consent = [] }: Client, { home, project, env }: Machine): Promise<void> => {
  const clone = join(home, "clone")
  spawnSync("git", ["clone", "--quiet", "--depth", "1", new URL("..", import.meta.url).href, clone])
  const { plugin } = await loadConnectedAgent(agent)
  for (const line of plugin?.install(clone) ?? []) {
    const [program = "", ...words] = line.split(" ")
    // Some ask whether the folder is to be trusted.
    const options = { cwd: project, env, encoding: "utf8", input: "y\n", timeout: timeLimit } as const
    const { status, stdout, stderr } = spawnSync(program, [...words, ...consent], options)
    if (status !== 0) throw new Error(`${line} failed: ${stdout}${stderr}`)
  }
}

const scriptFor = ({ client: { compaction, asides }, turns, delegated }: StageOptions): Script => {
  const always = (name: string, { when, text }: Aside): Thread => ({
    name,
    when,
    turns: [{ text, repeat: true }],
  })
  return {
    threads: [
      { name: "main", turns: [...turns] },
      // Before the sub-agent's: a title may be asked for with its task.
      ...(asides ?? []).map((aside) => always("aside", aside)),
      ...(delegated
        ? [{ name: "sub-agent", when: { prompt: delegated.task, tools: true }, turns: [...delegated.turns] }]
        : []),
      ...(compaction ? [always("compaction", compaction)] : []),
    ],
  }
}

type Dialogue = NonNullable<Client["dialogue"]> & { prompts: readonly string[] }

const finished = (child: ChildProcess, dialogue: Dialogue | undefined): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const { stdin, stdout, stderr } = child
    if (!stdin || !stdout || !stderr) return reject(new Error("The client has no pipes."))
    const waiting = [...(dialogue?.prompts ?? [])]
    const next = (): void => {
      const prompt = waiting.shift()
      if (prompt === undefined) stdin.end()
      else stdin.write(dialogue?.write(prompt))
    }
    const ran: Ran = { code: null, out: "", err: "", isLate: false }
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      } catch {
        // It has ended already.
      }
    }
    const timer = setTimeout(() => {
      ran.isLate = true
      end()
    }, timeLimit)
    process.once("exit", end)
    createInterface({ input: stdout }).on("line", (line) => {
      ran.out += `${line}\n`
      if (dialogue?.isTurnEnd(line)) next()
    })
    stderr.on("data", (chunk: Buffer) => {
      ran.err += chunk.toString("utf8")
    })
    // It may end without reading.
    stdin.on("error", () => {})
    child.on("error", reject)
    child.on("close", (code) => {
      clearTimeout(timer)
      process.off("exit", end)
      resolve({ ...ran, code })
    })
    next()
  })
