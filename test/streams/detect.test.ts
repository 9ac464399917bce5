import { describe, expect, test } from "vitest"
import { loadStreams } from "../../src/agents/index.ts"
import { createDetector, createObserver } from "../../src/streams/index.ts"
import { streamIds, streams, streamsOf } from "../agents/loaded.ts"
import { ofType } from "./damage.ts"
import { samples } from "./samples.ts"

const last = "The last list"

describe.each(streamIds)("%s", (id) => {
  const { lines, list } = samples[id]

  test("is recognised by its lines (A1), and distinguished from its agent's other formats", () => {
    for (const from of ["auto", streams[id].agentType, id]) {
      const detector = createDetector(streamsOf(from))
      for (const line of lines) detector.read(line)
      detector.end()
      expect(detector).toMatchObject({ isRecognised: true, stream: { id } })
    }
  })

  test("is recognised within a few lines", () => {
    const detector = createDetector(streamsOf("auto"))
    // Agents that were made from each other begin alike.
    for (const line of lines.slice(0, 7)) detector.read(line)
    expect(detector.stream?.id).toBe(id)
  })

  test("is recognised after garbage, and nothing after the garbage is lost", () => {
    const detector = createDetector(streamsOf("auto"))
    const observer = createObserver()
    const garbage = ["npm warn something", "\u0000\u0001", "[]", "7", '{"half":', '{"type":null}', ""]
    for (const line of [...garbage, ...lines, JSON.stringify(list(last))]) {
      for (const signal of detector.read(line)) observer.take(signal)
    }
    for (const signal of detector.end()) observer.take(signal)
    expect(detector.stream?.id).toBe(id)
    const texts = [...observer.agents.values()].flatMap(({ plan }) => plan?.todos.map(({ content }) => content) ?? [])
    expect(texts).toContain(last)
    expect(observer.problems.get("other-text")?.count).toBeGreaterThanOrEqual(3)
    expect(observer.problems.get("malformed-line")?.count).toBeGreaterThanOrEqual(1)
  })
})

test("a byte order mark before the first line does no harm", () => {
  const detector = createDetector(streamsOf("auto"))
  detector.read(`\uFEFF${samples["codex-exec"].lines[0]}`)
  expect(detector.stream?.id).toBe("codex-exec")
})

test("lines that fit several formats wait for one that decides, or for the end", () => {
  const header = samples["oh-my-pi-json"].lines[0] ?? ""
  const detector = createDetector(streamsOf("oh-my-pi"))
  expect(detector.read(header)).toEqual([])
  expect(detector.stream).toBeUndefined()
  const signals = detector.read(samples["oh-my-pi-json"].lines[1] ?? "")
  expect(ofType(signals, "session")).toHaveLength(1)
})

test("unrecognised text is dropped, and that is reported", () => {
  const detector = createDetector(streamsOf("auto"))
  const signals = Array.from({ length: 5000 }, (_, index) => detector.read(`plain words ${index}`)).flat()
  expect(ofType(signals, "problem").map(({ problem }) => problem.code)).toEqual(
    Array.from({ length: 4000 }, () => "unrecognised-line"),
  )
  expect(detector.end()).toEqual([])
  expect(detector).toMatchObject({ stream: undefined, isRecognised: false })
})

test("the only requested format is recognised only once it has a line", () => {
  const detector = createDetector(streamsOf("codex-exec"))
  detector.read('{"type":"other"}')
  expect(detector.isRecognised).toBe(false)
  for (const line of samples["codex-exec"].lines) detector.read(line)
  expect(detector.isRecognised).toBe(true)
})

test("agents have short names; a wrong name is refused with the right ones", async () => {
  expect((await loadStreams("claude")).map(({ id }) => id)).toEqual(["claude-stream", "claude-transcript"])
  for (const name of ["claud", "", "__proto__", "constructor"]) {
    await expect(loadStreams(name)).rejects.toThrow(/Use auto, one of claude-code, .*codex-rollout/)
  }
})
