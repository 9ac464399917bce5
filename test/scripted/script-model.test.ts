import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { generateText } from "ai"
import { expect, test } from "vitest"
import { createScriptModel, openScriptModel } from "../../src/scripted/script-model.ts"
import { describeWay } from "../contracts/wire.ts"
import { temporaryFolder } from "../stores/temporary.ts"

describeWay("the scripted model", {
  open: async (script) => {
    const model = createScriptModel(script)
    return { model, requests: model.requests, close: async () => {} }
  },
})

test("a script in a file is a model", async () => {
  const file = join(temporaryFolder(), "demo.jsonl")
  writeFileSync(file, '{"text":"Hello."}\n')
  const model = await openScriptModel(file)
  expect(model).toMatchObject({ provider: "script", modelId: "demo.jsonl" })
  expect((await generateText({ model, prompt: "Hi." })).text).toBe("Hello.")
})

test("a file that is missing or not a script is named in the error", async () => {
  const file = join(temporaryFolder(), "demo.jsonl")
  const failure = (code: string, message: RegExp) =>
    expect.objectContaining({ code, message: expect.stringMatching(message) })
  await expect(openScriptModel(file)).rejects.toEqual(
    failure("script-unreadable", /There is no script .*demo\.jsonl\./),
  )
  writeFileSync(file, '{"say":"Hello."}')
  await expect(openScriptModel(file)).rejects.toEqual(failure("script-invalid", /demo\.jsonl\nLine 1: /))
})
