/** What guidance costs: the check before a turn in a long conversation, and the tokens a model reads because of it. */
import { createReminders, type GuidanceLevel, type Profile, type Reminders } from "../src/guidance/index.ts"
import { emptyPlan, type Plan } from "../src/plan/index.ts"
import { replayRun } from "../test/guidance/scripted-run.ts"
import { median, type Row } from "./measure.ts"

const plan: Plan = {
  ...emptyPlan,
  todos: Array.from({ length: 20 }, (_, index) => ({
    id: String(index + 1),
    content: `Migrate module number ${index + 1} to the new interface`,
    status: index < 5 ? "completed" : index === 5 ? "in_progress" : "pending",
  })),
}

const after = (messages: number): Reminders => {
  const reminders = createReminders({ tools: { list: "TodoWrite" }, profile: "classic" })
  for (let index = 0; index < messages; index += 1) {
    const isAnswer = index % 2 === 0
    const tools = [index % 20 === 0 ? "TodoWrite" : "Bash"]
    reminders.saw(isAnswer ? { role: "assistant", tools } : { role: "user" })
  }
  return reminders
}

/** A turn as a host goes through it: the check, then the answer and its results are seen. */
const turns = async (reminders: Reminders, count: number): Promise<number> => {
  const started = performance.now()
  for (let turn = 0; turn < count; turn += 1) {
    await reminders.due({ plan })
    reminders.saw({ role: "assistant", tools: [turn % 10 === 0 ? "TodoWrite" : "Bash"] })
    reminders.saw({ role: "user" })
  }
  return ((performance.now() - started) / count) * 1000
}

const checks = async (): Promise<Row[]> => {
  const lengths = [100, 100_000] as const
  const times = new Map(lengths.map((length): [number, number[]] => [length, []]))
  // Both by turns, each from a conversation of its own; the first rounds warm up.
  for (let round = 0; round < 45; round += 1) {
    for (const length of lengths) {
      const each = await turns(after(length), 200)
      if (round >= 5) times.get(length)?.push(each)
    }
  }
  const [short = 0, long = 0] = lengths.map((length) => median(times.get(length) ?? []))
  return [
    { what: "check and count, 100 messages", figure: `${short.toFixed(2)} µs a turn` },
    {
      what: "check and count, 100,000 messages",
      figure: `${long.toFixed(2)} µs a turn`,
      ratio: long / short,
      limit: 2,
    },
  ]
}

const choices: [name: string, GuidanceLevel, Profile][] = [
  ["off", "off", "off"],
  ["quiet", "quiet", "quiet"],
  ["full, reminders quiet", "full", "quiet"],
  ["classic, prompts quiet", "quiet", "classic"],
  ["gencode, prompts quiet", "quiet", "gencode"],
  ["classic + full", "full", "classic"],
]

const costs = async (): Promise<Row[]> => {
  const strong = await replayRun("full", "classic")
  const rows: Row[] = []
  for (const [name, level, profile] of choices) {
    const { perTurn, definition, sections, reminders } = await replayRun(level, profile)
    const reminderTokens = reminders.reduce((sum, { tokens }) => sum + tokens, 0)
    rows.push({
      what: `50 turns, ${name}`,
      figure: `${perTurn.toFixed(0)} tokens a turn (tool ${definition}, prompt ${sections}, ${reminders.length} reminders ${reminderTokens})`,
      ...(name === "quiet" ? { ratio: perTurn / strong.perTurn, limit: 0.15 } : {}),
    })
  }
  return rows
}

export const guidance = async (): Promise<Row[]> => [...(await checks()), ...(await costs())]
