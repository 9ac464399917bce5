/** The demo without a terminal: the main moments of three recorded agents, and an end. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type Recording, recordings } from "../../src/cli/demo/recordings.ts"
import { createObserver } from "../../src/streams/index.ts"
import { widthOf } from "../../src/views/index.ts"
import { namesIn } from "../stores/temporary.ts"
import { captures } from "../streams/samples.ts"
import { atHome, runCli } from "./run-cli.ts"

const demo = async (...argv: string[]): Promise<string> => (await runCli(["demo", ...argv])).out

/** The moments, each from its title to the next. */
const momentsOf = (out: string): string[] => out.split(/\n\n/)

const momentAt = async (time: string): Promise<string> =>
  momentsOf(await demo()).find((moment) => moment.startsWith(time)) ?? `nothing at ${time}`

describe("without a terminal", () => {
  test("the demo plays to its end in a home that stays empty", async () => {
    const { home, run } = atHome()
    const { code, out, err } = await run(["demo"])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toMatch(/The demo is over\..*\n$/s)
    expect(namesIn(home)).toEqual([])
  })

  test("it prints the same every time, whatever the clock is", async () => {
    const { out } = await runCli(["demo"], { now: "2040-05-05T05:05:05Z" })
    expect(out).toBe(await demo())
    expect(out).toBe(await demo("--speed", "100"))
  })

  test("agents of three vendors begin and end", async () => {
    const out = await demo()
    const [start = ""] = momentsOf(out)
    for (const name of ["Claude Code", "Codex", "Gemini CLI"]) expect(start).toContain(name)
    expect(out).toContain("Claude Code · 7 of 7 done · finished")
    expect(out).toContain("Codex · 5 of 5 done · finished")
    expect(out).toContain("Gemini CLI · 4 of 5 done · waits for you")
  })

  test("a sub-agent has a plan of its own", async () => {
    const moment = await momentAt("0:10")
    expect(moment).toContain("▶ Checking how webhooks are retried")
    expect(moment).toMatch(/sub-agent, Check the webhooks:\n.*\n│ ▶ Finding the webhook handlers/)
  })

  test("a cancelled todo stays on the list and no longer counts", async () => {
    const moment = await momentAt("0:14")
    expect(moment).toContain("✗ Record a short video")
    expect(moment).toContain("Progress: 2/5")
  })

  test("a todo is blocked while the work goes on (N5)", async () => {
    const moment = await momentAt("0:27")
    expect(moment).toContain("⊘ Take new screenshots")
    expect(moment).toContain("▶ Checking every link")
  })

  test("a person's edit outlives the agent's list, the agent is told and takes it up (N3, O15)", async () => {
    const added = "Keep the old webhook address for one release"
    expect(await momentAt("0:24")).toContain(`○ ${added}`)
    expect(await momentAt("0:43")).toContain(`│ - added 7 "${added}"`)
    expect(await momentAt("0:50")).toContain("▶ Keeping the old webhook address")
    expect(await momentAt("1:10")).toContain(`✓ ${added}`)
  })

  test("broken calls are repaired, or refused with a reason (N2)", async () => {
    const out = await demo()
    expect(out).toMatch(/Repaired: the list is a string[^┌]*┌.*\n│ ✓ Find every caller of the old date parser/)
    expect(out).toMatch(/Refused: two todos in progress at once[^┌]*Only one todo may be in_progress/)
    expect(out).toMatch(/Repaired: the call is cut off[^┌]*todos missing from it were kept/)
  })

  test("--ascii draws with ASCII only", async () => {
    expect((await demo("--ascii")).match(/[^\n -~]/g)).toBeNull()
  })

  test.each([40, 20])("at %i columns no line is wider", async (columns) => {
    const { out } = await runCli(["demo"], { columns })
    expect(out.split("\n").filter((line) => widthOf(line) > columns)).toEqual([])
  })

  test("nothing in it steers a terminal", async () => {
    expect(await demo()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })
})

test.each(["fast", "0", "-1", "", "1e9", "2x", "Infinity"])(
  "--speed %j is refused with what would be right",
  async (speed) => {
    const { code, out, err } = await runCli(["demo", `--speed=${speed}`])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(`--speed takes a number from 0.1 to 1000, not "${speed}".`)
  },
)

describe.each(recordings)("the recording of $name", (recording) => {
  test("is read without a problem", () => {
    const observer = createObserver()
    const reader = recording.stream.open()
    for (const { text } of recording.lines) for (const signal of reader.read(text)) observer.take(signal)
    observer.end()
    expect([...observer.problems.values()]).toEqual([])
    expect(observer.agents.get("main")?.plan?.todos.length).toBeGreaterThan(4)
  })

  test("has only shapes that captured runs of its client have", () => {
    const genuine = new Set(captured(recording).flatMap((line) => shapesOf(JSON.parse(line))))
    const ours = recording.lines.flatMap(({ text }) => shapesOf(JSON.parse(text)))
    expect(ours.length).toBeGreaterThan(0)
    expect([...new Set(ours)].filter((shape) => !genuine.has(shape))).toEqual([])
  })

  test("is in the order of time, and names no machine", () => {
    const times = recording.lines.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    const paths = recording.lines.flatMap(({ text }) => text.match(/\/(?:home|Users|root|tmp|work)\/[\w.-]*/g) ?? [])
    expect([...new Set(paths)].filter((path) => path !== "/home/user")).toEqual([])
  })
})

/** Every line of the captured files that are in the recording's format. */
const captured = ({ stream }: Recording): string[] =>
  readdirSync(captures, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl"))
    .map((path) => readFileSync(join(captures, path), "utf8").split("\n").filter(Boolean))
    .filter(([first = "null"]) => stream.recognises(JSON.parse(first)))
    .flat()

/** Which fields a line has, at any depth, and of which kind. */
const shapesOf = (value: unknown, path = ""): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => shapesOf(item, `${path}[]`))
  if (typeof value !== "object" || value === null) return [`${path}: ${value === null ? "null" : typeof value}`]
  const { type } = value as { type?: unknown }
  const kind = typeof type === "string" ? `${path}<${type}>` : path
  return Object.entries(value).flatMap(([field, inner]) => shapesOf(inner, `${kind}.${field}`))
}
