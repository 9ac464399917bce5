import { describe, expect, test } from "vitest"
import { findModel, providers } from "../../src/reference-agent/index.ts"

const find = (named: string | undefined, env: Record<string, string> = {}) => findModel(named, env)

const identity = (model: unknown) => {
  const { provider, modelId } = model as { provider: string; modelId: string }
  return { provider, modelId }
}

describe("a model by name", () => {
  test.each([
    ["anthropic/claude-x", { ANTHROPIC_API_KEY: "k" }, "anthropic.messages", "claude-x"],
    ["openai/gpt-x", { OPENAI_API_KEY: "k" }, "openai.responses", "gpt-x"],
    ["google/gemini-x", { GEMINI_API_KEY: "k" }, "google.generative-ai", "gemini-x"],
    ["google/gemini-x", { GOOGLE_GENERATIVE_AI_API_KEY: "k" }, "google.generative-ai", "gemini-x"],
    ["local/org/qwen:7b", {}, "local.chat", "org/qwen:7b"],
  ])("%s with %j is that of its provider", async (named, env, provider, modelId) => {
    const found = await find(named, env)
    expect(found.name).toBe(named)
    expect(identity(found.model)).toEqual({ provider, modelId })
    expect(found.contextWindow).toBeGreaterThan(10_000)
  })

  test("is the default one of the first provider with a key, when none is given", async () => {
    expect((await find(undefined, { OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" })).name).toBe("openai/gpt-5")
    expect((await find(undefined, { OPENAI_API_KEY: "", GEMINI_API_KEY: "k" })).name).toBe("google/gemini-2.5-pro")
  })

  test.each([
    [undefined, "no-model", "ANTHROPIC_API_KEY"],
    ["anthropic/claude-x", "no-key", "ANTHROPIC_API_KEY"],
    ["google/gemini-x", "no-key", "GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY"],
    ["anthropic", "usage", "provider/name"],
    ["anthropic/", "usage", "provider/name"],
    ["constructor/x", "usage", "provider/name"],
  ])("%s that is not available is refused with what would be right", async (named, code, message) => {
    await expect(find(named)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })
})

test("every provider has a description and the variables it reads", () => {
  expect(Object.keys(providers)).toEqual(["anthropic", "openai", "google", "local"])
  for (const { about, keys, url } of Object.values(providers)) {
    expect(about).not.toBe("")
    expect([...keys, url].every((name) => /^[A-Z_]+$/.test(name))).toBe(true)
  }
})
