/** Turns are counted as they pass, and the counts are those of a plain walk back over the conversation. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type CountingOptions,
  counted,
  countersFrom,
  noTurns,
  type TurnCounters,
  type TurnMessage,
  timesGiven,
  turnsSinceReminder,
  turnsSinceWrite,
  workSinceTouched,
} from "../../src/guidance/index.ts"
import { looked } from "../../src/guidance/turns.ts"
import { rounds } from "../rounds.ts"

const options: CountingOptions = { tools: { list: ["TodoWrite", "TaskUpdate"], reading: ["TaskList"] }, agent: "main" }

const count = (history: readonly TurnMessage[], from = noTurns): TurnCounters =>
  history.reduce((counters, message) => counted(counters, message, options), from)

type Answer = Extract<TurnMessage, { role: "assistant" }>

/** The history as C21 reads it: this agent's, since the last compaction, the parts of an answer made one message. */
const readable = (history: readonly TurnMessage[]): TurnMessage[] => {
  const own = history.filter(({ agent = "main" }) => agent === "main")
  const messages: TurnMessage[] = []
  let last: Answer | undefined
  for (const message of own.slice(own.findLastIndex(({ role }) => role === "compaction") + 1)) {
    if (message.role !== "assistant") {
      messages.push(message)
      continue
    }
    if (message.turn === undefined || message.turn !== last?.turn) {
      last = { ...message }
      messages.push(last)
      continue
    }
    // An answer has begun where the first part of it stands that is more than thinking.
    if (isThinking(last)) messages.push(...messages.splice(messages.indexOf(last), 1))
    last.isThinkingOnly = isThinking(last) && isThinking(message)
    last.tools = [...(last.tools ?? []), ...(message.tools ?? [])]
  }
  return messages
}

const isThinking = ({ isThinkingOnly, tools = [] }: Answer): boolean => isThinkingOnly === true && tools.length === 0
const writes = ({ tools = [] }: Answer): boolean => tools.some((tool) => tool === "TodoWrite" || tool === "TaskUpdate")
const works = ({ tools = [] }: Answer): boolean => tools.some((tool) => tool === "Bash" || tool === "Read")

/** C21 word by word: walk back, count the answers, stop at what is looked for. */
const walkBack = (
  history: readonly TurnMessage[],
  counts: (answer: Answer) => boolean,
  isEnd: (message: TurnMessage) => boolean,
): number => {
  let turns = 0
  for (const message of readable(history).toReversed()) {
    if (message.role === "assistant" && counts(message)) turns += 1
    if (isEnd(message)) return turns
  }
  return turns
}

const isTurn = (answer: Answer): boolean => !isThinking(answer)
const isWrite = (message: TurnMessage): boolean => message.role === "assistant" && writes(message)
const isSaid =
  (type: string) =>
  (message: TurnMessage): boolean =>
    message.role === "reminder" && message.reminder === type

const kinds = ["todo_reminder", "todo", "stale_todo", "__proto__"]
const toolArbitrary = fc.constantFrom("TodoWrite", "TaskUpdate", "TaskList", "Bash", "Read")
const agentArbitrary = fc.option(fc.constantFrom("main", "main", "main", "helper"), { nil: undefined })

const messageArbitrary: fc.Arbitrary<TurnMessage> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      role: fc.constant("assistant" as const),
      tools: fc.option(fc.array(toolArbitrary, { maxLength: 4 }), { nil: undefined }),
      isThinkingOnly: fc.option(fc.boolean(), { nil: undefined }),
      turn: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
      agent: agentArbitrary,
    }),
  },
  { weight: 4, arbitrary: fc.record({ role: fc.constant("user" as const), agent: agentArbitrary }) },
  {
    weight: 4,
    arbitrary: fc.record({
      role: fc.constant("reminder" as const),
      reminder: fc.constantFrom(...kinds),
      agent: agentArbitrary,
    }),
  },
  { weight: 1, arbitrary: fc.record({ role: fc.constant("compaction" as const), agent: agentArbitrary }) },
)

const historyArbitrary = fc.array(messageArbitrary, { maxLength: 80, size: "max" })

const assistant = (...tools: string[]): TurnMessage => ({ role: "assistant", tools })
const work = (turns: number): TurnMessage[] =>
  Array.from({ length: turns }, () => [assistant("Bash"), { role: "user" } as const]).flat()

describe("counting turns", () => {
  test("agrees with a walk back over any history, after every message of it (C21, C23)", () => {
    fc.assert(
      fc.property(historyArbitrary, (history) => {
        let counters = noTurns
        for (const [index, message] of history.entries()) {
          counters = counted(counters, message, options)
          const past = history.slice(0, index + 1)
          expect(turnsSinceWrite(counters)).toBe(walkBack(past, isTurn, isWrite))
          for (const kind of kinds)
            expect(turnsSinceReminder(counters, kind)).toBe(walkBack(past, isTurn, isSaid(kind)))
          expect(workSinceTouched(counters)).toBe(walkBack(past, (answer) => works(answer) && !writes(answer), isWrite))
          const own = past.filter(({ agent = "main" }) => agent === "main")
          for (const kind of kinds) expect(timesGiven(counters, kind)).toBe(own.filter(isSaid(kind)).length)
        }
      }),
      { numRuns: rounds(100) },
    )
  })

  test("continues from plain data as if it had never stopped (C23)", () => {
    fc.assert(
      fc.property(historyArbitrary, fc.nat(80), (history, cut) => {
        const stored = JSON.stringify(count(history.slice(0, cut)))
        const resumed = count(history.slice(cut), countersFrom(JSON.parse(stored)))
        expect(resumed).toEqual(count(history))
      }),
    )
  })

  test("the state does not grow with the conversation (C23)", () => {
    const history: TurnMessage[] = Array.from({ length: 3000 }, (_, index) =>
      index % 2 ? { role: "reminder", reminder: `kind ${index}` } : { ...assistant("Bash"), turn: `turn ${index}` },
    )
    expect(JSON.stringify(count(history)).length).toBeLessThan(4000)
  })

  test("does not change its input (C23)", () => {
    const before = Object.freeze({ ...count(work(3)), said: Object.freeze([]) as readonly never[] })
    expect(counted(before, assistant("TodoWrite"), options)).not.toBe(before)
    expect(counted(before, { role: "reminder", reminder: "todo" }, options).reminders).toHaveLength(1)
  })
})

describe("a turn", () => {
  test("is not a message of thinking alone (C21)", () => {
    expect(count([{ role: "assistant", isThinkingOnly: true }, assistant()]).turns).toBe(1)
  })

  test("that writes the list is counted too (C21)", () => {
    expect(turnsSinceWrite(count([...work(4), assistant("TodoWrite")]))).toBe(1)
    expect(turnsSinceWrite(count([...work(4), assistant("Bash", "TodoWrite"), ...work(2)]))).toBe(3)
  })

  test("counts if the list was never written, whatever it contains (C21)", () => {
    expect(turnsSinceWrite(count([...work(4), assistant(), assistant("TaskList")]))).toBe(6)
    expect(turnsSinceWrite(noTurns)).toBe(0)
  })

  test("counts once for any number of parallel tools, and of parts (C21)", () => {
    expect(count([assistant("Bash", "Bash", "Read")])).toMatchObject({ turns: 1, work: 1 })
    const parts = ["Bash", "Bash", "TodoWrite", "Read"].map(
      (tool): TurnMessage => ({
        ...(assistant(tool) as Answer),
        turn: "msg_1",
      }),
    )
    const told = count([{ role: "assistant", isThinkingOnly: true, turn: "msg_1" }, ...parts])
    expect(told).toMatchObject({ turns: 1, work: 1 })
    expect(turnsSinceWrite(told)).toBe(1)
    expect(workSinceTouched(told)).toBe(0)
  })

  test("of a sub-agent does not count for the main agent, and the other way round (C27)", () => {
    const history: TurnMessage[] = [assistant("Bash"), { role: "assistant", tools: ["Bash"], agent: "helper" }]
    expect(count(history).turns).toBe(1)
    const helpers = history.reduce((all, one) => counted(all, one, { ...options, agent: "helper" }), noTurns)
    expect(helpers.turns).toBe(2)
  })

  test("before a compaction no longer counts, but the number of reminders does (C18, C21)", () => {
    const history: TurnMessage[] = [...work(5), { role: "reminder", reminder: "stale_todo" }, { role: "compaction" }]
    const cut = count([...history, ...work(2)])
    expect(cut.turns).toBe(2)
    expect(turnsSinceReminder(cut, "stale_todo")).toBe(2)
    expect(timesGiven(cut, "stale_todo")).toBe(1)
    expect(workSinceTouched(cut)).toBe(2)
  })
})

test("only the part of a turn that writes the list makes the model know it", () => {
  const part = (tool: string): TurnMessage => ({ role: "assistant", tools: [tool], turn: "a" })
  const written = looked(count([part("TodoWrite")]), { revision: 4 })
  expect(written).toMatchObject({ known: 4, hasWritten: false })
  const after = looked(count([part("Bash")], written), { revision: 5 })
  expect(after).toMatchObject({ known: 4, looked: 5 })
})

describe("counters from plain data", () => {
  test("start over where they cannot be right", () => {
    const sound = count([...work(3), assistant("TodoWrite"), ...work(2)])
    expect(countersFrom(JSON.parse(JSON.stringify(sound)))).toEqual(sound)
    for (const wrong of [
      undefined,
      null,
      "",
      7,
      [],
      {},
      { ...sound, v: 2 },
      { ...sound, turns: -1 },
      { ...sound, work: "7" },
      { ...sound, messages: Number.NaN },
      { ...sound, reminders: {} },
    ])
      expect(countersFrom(wrong)).toEqual(noTurns)
  })

  test("leave out invalid values, and keep the rest", () => {
    const sound = count([...work(3), assistant("TodoWrite"), ...work(2)])
    const reminders = [null, { type: "todo", times: 1, work: 3 }, { type: 5 }, "x", { type: "a", times: 1, work: 99 }]
    const read = countersFrom({ ...sound, reminders, touched: 99, written: 50, part: 3, known: "2", looked: -4 })
    expect(read).toMatchObject({ turns: 6, reminders: [{ type: "todo", times: 1, work: 3 }] })
    expect(workSinceTouched(read)).toBe(0)
    expect(turnsSinceWrite(read)).toBe(6)
  })

  test("never throw, and never count backwards", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(noTurns), "part"), fc.jsonValue()),
        (any, fields) => {
          for (const json of [any, { ...noTurns, ...fields }]) {
            const counters = count(work(1), countersFrom(json))
            expect(turnsSinceWrite(counters)).toBeGreaterThan(0)
            expect(workSinceTouched(counters)).toBeGreaterThan(0)
          }
        },
      ),
    )
  })
})
