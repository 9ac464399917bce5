/** Kilo, told from opencode by what it prints and where it keeps its database. */
import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { kiloRun } from "../../src/agents/kilo/run.ts"
import { opencodeRun } from "../../src/agents/opencode/run.ts"
import { discover } from "../../src/sessions/discover.ts"
import { createDetector } from "../../src/streams/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { fixture, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"
import { sources, streamsOf } from "./loaded.ts"

const own = fixture("kilo-7.7.7/todowrite/stdout.jsonl")
const opencodes = ["todos", "mcp", "own-tool"].map((name) => fixture(`opencode-1.18.33/${name}/stdout.jsonl`))
const rows = "test/fixtures/streams/kilo-7.7.7/todowrite/home/.local/share/kilo/kilo.db"
const now = new Date("2026-11-16T04:00:00Z")

/** The format that is recognised after this many lines. */
const detected = (text: string, count: number): string | undefined => {
  const detector = createDetector(streamsOf("auto"))
  for (const line of text.split("\n").slice(0, count)) detector.read(line)
  detector.end()
  return detector.stream?.id
}

describe("what it prints", () => {
  test("is distinguished from opencode's as soon as a call or a step has ended", () => {
    expect(detected(own, 2)).toBe("kilo-run")
    expect(detected(own.split("\n").toSpliced(1, 1).join("\n"), 2)).toBe("kilo-run")
    expect(opencodes.map((text) => detected(text, 4))).toEqual(opencodes.map(() => "opencode-run"))
  })

  test("is never recognised as both, on any line about the agent", () => {
    for (const line of [own, ...opencodes].flatMap((text) => text.split("\n").filter(Boolean))) {
      const value: Record<string, unknown> = JSON.parse(line)
      const [isKilo, isOpencode] = [kiloRun.recognises(value), opencodeRun.recognises(value)]
      expect(isKilo || isOpencode).toBe(true)
      if (value.type === "tool_use" || value.type === "step_finish") expect(isKilo).not.toBe(isOpencode)
    }
  })

  test("gives the same signals by its needles alone, and damaged lines do not throw", () => {
    expect(withoutActivity(readByNeedles(kiloRun, own))).toEqual(withoutActivity(readAll(kiloRun, own)))
    readDamaged(kiloRun, own)
  })
})

describe("its database", () => {
  test("is found in its own folder, with the current list", async () => {
    const home = temporaryFolder()
    writeOpencodeDatabase(rows, join(home, ".local/share/kilo/kilo.db"))
    const { sessions, problems } = await look(home)
    expect(problems).toEqual([])
    expect(sessions).toMatchObject([
      { agentType: "kilo", agent: "main", project: "/home/user/project", version: "7.7.7", summary: { todos: 3 } },
    ])
    const plan = sessions[0]?.plan
    expect(plan?.todos.map(({ status, content }) => `${status} ${content}`)).toEqual([
      "completed Read the README",
      "in_progress Write the parser",
      "pending Test it",
    ])
  })

  test("is Kilo's, and not opencode's, also where only its folder is named", async () => {
    const home = temporaryFolder()
    const folder = join(home, "copied")
    mkdirSync(folder)
    writeOpencodeDatabase(rows, join(home, "kilo.db"))
    cpSync(join(home, "kilo.db"), join(folder, "kilo.db"))
    const { sessions } = await look(home, [folder])
    expect(sessions.map(({ agentType }) => agentType)).toEqual(["kilo"])
  })
})

const look = async (home: string, paths?: string[]) => {
  const problems: unknown[] = []
  const onProblem = (problem: unknown): void => void problems.push(problem)
  return { sessions: await discover({ sources, env: {}, home, now, onProblem, ...(paths ? { paths } : {}) }), problems }
}
