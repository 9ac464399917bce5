/** A scan of a long file, or of the last of many, says what a scan of a short one says. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { scanFile } from "../../src/sessions/index.ts"
import { createObserver, type Stream } from "../../src/streams/index.ts"
import { streams } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const fileOf = (lines: readonly object[]): string => {
  const path = join(temporaryFolder(), "session.jsonl")
  writeFileSync(path, textOf(lines))
  return path
}

const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("")

const scan = (path: string, stream: Stream) => {
  const { observer } = scanFile(path, stream)
  return observer.agents().map(({ agent, about, plan }) => ({ agent, about, todos: plan?.todos.map(todoText) }))
}

const todoText = ({ content, status }: { content: string; status: string }): string => `${status} ${content}`

const readAll = (lines: readonly object[], stream: Stream) => {
  const observer = createObserver()
  const reader = stream.open()
  for (const line of textOf(lines).split("\n")) for (const signal of reader.read(line)) observer.take(signal)
  return Array.from(observer.agents.values(), ({ agent, plan }) => ({ agent, todos: plan?.todos.map(todoText) }))
}

const at = "2030-01-01T00:00:00Z"

const codex = {
  line: (type: string, payload: object) => ({ timestamp: at, type, payload }),
  plan: (call_id: string, step: string) =>
    codex.line("response_item", {
      type: "function_call",
      name: "update_plan",
      arguments: JSON.stringify({ plan: [{ step, status: "pending" }] }),
      call_id,
    }),
  output: (call_id: string, output: string) =>
    codex.line("response_item", { type: "function_call_output", call_id, output }),
  says: (text: string) =>
    codex.line("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text }] }),
  words: (size: number) => codex.says("word ".repeat(size / 5)),
  start: (more = {}) => [
    codex.line("session_meta", { id: "s", cwd: "/p", cli_version: "0.140.0", source: "cli", ...more }),
    codex.line("turn_context", { turn_id: "1", cwd: "/p", model: "gpt-5" }),
  ],
}

/** A file that names our own tool is read in order, any other from its last list on. */
test.each(["mcp__headway__todo", ""])("a call counts by its result, however far behind it is (%s)", (named) => {
  const stream = streams["codex-rollout"]
  const pause = Array.from({ length: 30 }, () => codex.words(100_000))
  const [first, second] = [codex.plan("call_1", "First"), codex.plan("call_2", "Second")]
  const start = [...codex.start(), codex.says(named), first, codex.output("call_1", "Plan updated"), second, ...pause]
  for (const [output, content] of [
    ["failed to parse function arguments: missing field", "First"],
    ["Plan updated", "Second"],
  ] as const) {
    const lines = [...start, codex.output("call_2", output), ...pause]
    const found = scan(fileOf(lines), stream).map(({ agent, todos }) => ({ agent, todos }))
    expect(found).toEqual(readAll(lines, stream))
    expect(found).toMatchObject([{ todos: [`pending ${content}`] }])
  }
})

const claude = {
  about: { isSidechain: false, sessionId: "s", version: "2.1.120", cwd: "/p", timestamp: at },
  prompt: (content: string) => ({
    ...claude.about,
    type: "user",
    uuid: "u",
    parentUuid: null,
    message: { role: "user", content },
  }),
  words: (size: number) => ({
    ...claude.about,
    type: "assistant",
    uuid: "a",
    parentUuid: "u",
    message: { role: "assistant", model: "claude-x", content: [{ type: "text", text: "word ".repeat(size / 5) }] },
  }),
  title: (aiTitle: string) => ({ type: "ai-title", sessionId: "s", aiTitle }),
}

test("the title at the end of the hundredth file is found as in the first", () => {
  const lines = (title: string) => [
    claude.prompt("Do it."),
    claude.words(70_000),
    claude.title(title),
    claude.words(20_000),
  ]
  for (let count = 0; count < 100; count += 1) {
    const path = fileOf(count % 3 === 0 ? lines(`Title ${count}`) : lines("").filter((line) => !("aiTitle" in line)))
    const [main] = scan(path, streams["claude-transcript"])
    expect(main?.about.title).toBe(count % 3 === 0 ? `Title ${count}` : undefined)
  }
})

test.each([1_000, 20_000, 100_000])("what the first lines say is known where they have %d bytes", (size) => {
  const start = codex.start({ instructions: "x".repeat(size) })
  const path = fileOf([...start, ...Array.from({ length: 40 }, () => codex.words(10_000))])
  expect(scan(path, streams["codex-rollout"])).toMatchObject([{ about: { model: "gpt-5", project: "/p" } }])
})
