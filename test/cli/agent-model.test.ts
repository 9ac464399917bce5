import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { findModelHere } from "../../src/cli/agent/find-model.ts"
import { dialects } from "../../src/dialects/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const cwd = temporaryFolder()

const find = (named: string | undefined) => findModelHere(named, { env: {}, cwd }, dialects["claude-todos"])

const identity = (model: unknown) => {
  const { provider, modelId } = model as { provider: string; modelId: string }
  return { provider, modelId }
}

describe("the model of headway agent", () => {
  test("may be a script, from the working folder", async () => {
    writeFileSync(join(cwd, "turns.jsonl"), '{"text":"Hello."}\n')
    expect(identity((await find("script:turns.jsonl")).model)).toEqual({ provider: "script", modelId: "turns.jsonl" })
    expect(identity((await find("script:demo")).model).modelId).toBe("demo")
    writeFileSync(join(cwd, "wrong.json"), '[{"txt":"Hello."}]')
    await expect(find("script:wrong.json")).rejects.toMatchObject({ message: expect.stringContaining("Turn 1") })
  })

  test.each([
    [undefined, "no-model", "--model script:demo"],
    ["anthropic/claude-x", "no-key", "ANTHROPIC_API_KEY. Without a key, try the agent with --model script:demo."],
    ["anthropic", "usage", "script:FILE"],
    ["script:", "usage", "script:FILE"],
    ["script:gone.json", "script-unreadable", "gone.json"],
  ])("%s that is not available is refused with what would be right", async (named, code, message) => {
    await expect(find(named)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })
})
