import { describe, expect, test } from "vitest"
import type { Asked } from "../../src/scripted/exchange.ts"
import { readScript } from "../../src/scripted/script.ts"
import { createPlayer } from "../../src/scripted/script-player.ts"

const asked = (changes: Partial<Asked> = {}): Asked => ({
  model: "large",
  system: "You write code.",
  messages: [{ role: "user", parts: [{ type: "text", text: "Go." }] }],
  tools: [{ name: "Read", description: "", schema: {} }],
  stream: false,
  ...changes,
})

const userText = (text: string): Asked["messages"][number] => ({ role: "user", parts: [{ type: "text", text }] })

describe("reading a script", () => {
  test("an array and one turn a line are the same script", () => {
    const turns = [{ text: "One." }, { thread: "side", when: { tools: false } }, { text: "Two.", repeat: true }]
    const array = readScript(JSON.stringify(turns, undefined, 2))
    const lines = readScript(`\uFEFF${turns.map((turn) => JSON.stringify(turn)).join("\r\n\n")}\n`)
    expect(lines).toEqual(array)
    expect(array.threads).toEqual([
      { name: "main", turns: [{ text: "One." }] },
      { name: "side", when: { tools: false }, turns: [{ text: "Two.", repeat: true }] },
    ])
  })

  test("all fields of a turn are kept", () => {
    const turn = {
      text: "a",
      thinking: "b",
      calls: [{ tool: "Read", input: "{broken", id: "x" }, { tool: "Edit", input: null }, { tool: "Glob" }],
      usage: { input: 1, output: 2 },
      stop: "length",
      drop: 3,
      repeat: 4,
    }
    expect(readScript(JSON.stringify(turn)).threads[0]?.turns).toEqual([turn])
  })

  test.each([
    ["", "The script is empty."],
    [" \n ", "The script is empty."],
    ["Hello", "Line 1 is not valid JSON"],
    ['{"text":"a"}\n{"text":', "Line 2 is not valid JSON"],
    ['[\n  {"text": "a"},\n  {"text": }\n]', "The script is not valid JSON: "],
    ["[1]", "Turn 1: A turn is an object"],
    ['[{"text":"a"},["b"]]', "Turn 2: A turn is an object"],
    ['{"text":"a"}\n\n{"txt":"b"}', 'Line 3: Unrecognized key: "txt"'],
    ["{}", "Line 1: It says nothing."],
    ['{"usage":{"input":5}}', "It says nothing."],
    ['{"text":7}', 'Line 1: "text": Invalid input: expected string'],
    ['{"calls":[{"input":{}}]}', '"calls[0].tool": Invalid input: expected string'],
    ['{"calls":[{"tool":"a","arguments":{}}]}', '"calls[0]": Unrecognized key: "arguments"'],
    ['{"error":{"status":200}}', '"error.status"'],
    ['{"error":{"status":500},"text":"a"}', 'Unrecognized key: "text"'],
    ['{"text":"a","drop":-1}', '"drop": takes a number from 0'],
    ['{"text":"a","drop":1,"hang":1}', 'It takes "drop" or "hang", not both.'],
    ['{"text":"a","repeat":0}', '"repeat": takes true, for ever, or how many times'],
    ['{"text":"a","repeat":true}\n{"text":"b"}', "Line 2: It is never reached"],
    ['{"thread":"a"}', '"when"'],
    ['{"thread":"a","when":{}}', '"when": needs at least one of'],
    ['{"when":{"last":"x"},"text":"a"}', '"thread"'],
    ['{"thread":"main","when":{"last":"x"}}', 'There is already a thread "main".'],
  ])("%j is refused with its position", (text, sentence) => {
    expect(() => readScript(text)).toThrow(expect.objectContaining({ name: "HeadwayError", code: "script-invalid" }))
    expect(() => readScript(text)).toThrow(sentence)
  })

  test("all mistakes are reported at once, up to five", () => {
    expect(() => readScript("[{},{},{}]")).toThrow(/Turn 1.*\nTurn 2.*\nTurn 3/)
    expect(() => readScript(JSON.stringify(Array(20).fill({})))).toThrow(/Turn 5.*\n… and 15 more\.$/)
  })
})

describe("playing a script", () => {
  const play = (turns: unknown[]) => createPlayer(readScript(JSON.stringify(turns)))

  test("turns are played in order until the end", () => {
    const player = play([{ text: "One." }, { text: "Two." }])
    const texts = [1, 2, 3, 4].map(() => player.answer(asked()).reply?.text)
    expect(texts).toEqual(["One.", "Two.", "The script ends here.", "The script ends here."])
  })

  test("a turn repeats as often as it declares, with a new id each time", () => {
    const player = play([{ calls: [{ tool: "Read" }], repeat: 3 }, { text: "Enough." }])
    const replies = [1, 2, 3, 4].map(() => player.answer(asked()).reply)
    expect(replies.map((one) => one?.calls.length)).toEqual([1, 1, 1, 0])
    expect(new Set(replies.flatMap((one) => one?.calls.map(({ id }) => id))).size).toBe(3)
  })

  test("a model that never stops goes on for ever", () => {
    const player = play([{ calls: [{ tool: "Read", id: "same" }], repeat: true }])
    const answers = Array.from({ length: 500 }, () => player.answer(asked()))
    expect(answers.every(({ reply, turn }) => turn === 0 && reply?.calls[0]?.id === "same")).toBe(true)
  })

  test("ids differ between two players of one script", () => {
    const [one, other] = [1, 2].map(() => play([{ calls: [{ tool: "Read" }] }]).answer(asked()).reply?.calls[0]?.id)
    expect(one).not.toBe(other)
  })

  test("a thread is chosen by the request, the first that matches, else the main one", () => {
    const player = play([
      { text: "main 1" },
      { text: "main 2" },
      { thread: "helper", when: { system: "You SEARCH" } },
      { text: "helper 1" },
      { text: "helper 2" },
      { thread: "second", when: { prompt: "second half" } },
      { text: "second 1" },
      { thread: "summary", when: { last: "summary of", model: "large" } },
      { text: "summary 1" },
      { thread: "title", when: { tools: false } },
      { text: "title 1" },
    ])
    const search = asked({ system: "Hello. You search files." })
    const answers = [
      asked(),
      search,
      asked({ messages: [userText("Do the second half."), userText("More.")] }),
      asked({ messages: [userText("Go."), userText("Write a summary of this.")] }),
      asked({ messages: [userText("Write a summary of this.")], model: "small" }),
      asked({ tools: [] }),
      search,
    ].map((one) => player.answer(one))
    expect(answers.map(({ reply }) => reply?.text)).toEqual([
      "main 1",
      "helper 1",
      "second 1",
      "summary 1",
      "main 2",
      "title 1",
      "helper 2",
    ])
    expect(answers.at(-1)).toMatchObject({ thread: "helper", turn: 1 })
  })

  test("the newest message may be a tool's result", () => {
    const player = play([{ text: "main" }, { thread: "failed", when: { last: "exit code 1" } }, { text: "I mend it." }])
    const result = { role: "tool" as const, parts: [{ type: "result" as const, id: "1", text: "Exit code 1" }] }
    expect(player.answer(asked({ messages: [userText("Go."), result] })).reply?.text).toBe("I mend it.")
  })

  test("an error is an answer, and the next request gets the next turn", () => {
    const player = play([{ error: { status: 529 }, repeat: 2 }, { text: "Now." }])
    const answers = [1, 2, 3].map(() => player.answer(asked()))
    expect(answers).toMatchObject([
      { failure: { status: 529, message: "Scripted error" }, turn: 0 },
      { failure: { status: 529 }, turn: 0 },
      { reply: { text: "Now." }, turn: 1 },
    ])
  })

  test.each([
    ["Read", ["Read"], "Read"],
    ["todo", ["mcp__headway__todo"], "mcp__headway__todo"],
    ["todo", ["mcp_headway_todo", "headway_todo"], "headway_todo"],
    ["todo", ["mcp__headway.todo"], "mcp__headway.todo"],
    ["todo", ["todo", "mcp__headway__todo"], "todo"],
    ["do", ["todo"], "do"],
    ["todo", ["todowrite"], "todo"],
    ["fly", [], "fly"],
  ])("%s among %j calls %s", (tool, names, called) => {
    const tools = names.map((name) => ({ name, description: "", schema: {} }))
    expect(play([{ calls: [{ tool }] }]).answer(asked({ tools })).reply?.calls[0]?.tool).toBe(called)
  })
})
