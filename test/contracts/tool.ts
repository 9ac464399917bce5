/** What every tool must do, whatever it works on. */
import { describe, expect, test } from "vitest"
import { z } from "zod"
import type { ToolName, ToolResult } from "../../src/reference-agent/tools/index.ts"
import { defaultLimits, type Tool } from "../../src/reference-agent/tools/index.ts"
import { openWorkshop, type Workshop } from "../reference-agent/tools/workshop.ts"

export type ToolUnderTest = {
  /** Inputs that ask for much; the answers must stay bounded. */
  large: (workshop: Workshop) => Promise<unknown[]>
}

const wrongInputs: unknown[] = [
  undefined,
  null,
  "",
  "{broken",
  7,
  true,
  [],
  [[]],
  {},
  { unknown: 1 },
  { file_path: 7, pattern: 7, command: 7 },
  { file_path: "", pattern: "", command: "" },
  { file_path: "a\0b", pattern: "a\0b", path: "a\0b", content: "", old_string: "a", new_string: "b" },
  { file_path: "x".repeat(10_000), pattern: "x".repeat(10_000), content: "", old_string: "a", new_string: "b" },
  { __proto__: { file_path: "a" }, constructor: "b" },
]

/** The answer allows for a note and what a person reads around the text. */
const allowance = 1000

const isSound = ({ text, display }: ToolResult): void => {
  expect(typeof text).toBe("string")
  expect(text).not.toBe("")
  expect(text.length).toBeLessThanOrEqual(defaultLimits.outputLength + allowance)
  expect(display ?? "").not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
}

export const describeTool = (name: ToolName, tool: Tool, { large }: ToolUnderTest): void => {
  describe(name, () => {
    test("it has the name of its row and a purpose", () => {
      expect(tool.name).toBe(name)
      expect(tool.description.length).toBeGreaterThan(40)
      expect(tool.isEnabled()).toBe(true)
      expect(tool.isConcurrencySafe()).toBe(tool.isReadOnly())
    })

    test("its example is valid, and its schema can be sent to a model", () => {
      expect(tool.input.safeParse(tool.example).success).toBe(true)
      const schema = z.toJSONSchema(tool.input, { io: "input" })
      expect(schema).toMatchObject({ type: "object", additionalProperties: false })
      expect(Object.values(schema.properties ?? {}).every((one) => typeof one === "object" && "type" in one)).toBe(true)
    })

    test.each(wrongInputs)("%j is answered with an error and a valid example", async (input) => {
      const { run, ask } = openWorkshop()
      const result = await run(name, input)
      isSound(result)
      expect(result.isError).toBe(true)
      expect(result.text).toMatch(new RegExp(`^The input of ${name} is wrong: .*A valid input is: \\{`, "s"))
      expect(await ask(name, input)).toBeUndefined()
    })

    test("its answers are bounded", async () => {
      const workshop = openWorkshop()
      for (const input of await large(workshop)) isSound(await workshop.run(name, input))
    })

    test("once interrupted it does nothing", async () => {
      const stop = new AbortController()
      stop.abort()
      const { run } = openWorkshop({ "a.txt": "a" }, { signal: stop.signal })
      expect(await run(name, tool.example)).toEqual({ text: "Interrupted before it began.", isError: true })
    })

    test("a missing working folder is an error, not a crash", async () => {
      const workshop = openWorkshop()
      const gone = { ...workshop.context, cwd: `${workshop.cwd}/gone` }
      isSound(await tool.run(tool.example, gone))
      await tool.needsPermission(tool.example, gone)
    })
  })
}
