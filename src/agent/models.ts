/** From `provider/name` to a model: the table of providers, each loaded only when it is asked for. */
import type { LanguageModel } from "ai"
import { HeadwayError } from "../plan/index.ts"
import { readScript } from "./script.ts"
import { createScriptModel } from "./script-model.ts"

export type Env = Readonly<Record<string, string | undefined>>

type Provider = {
  /** The variable that holds its key; one that needs none has none. */
  key?: string
  /** The variable that leads to another address. */
  url: string
  about: string
  /** Taken when nobody names a model but the key is there. */
  usual?: string
  load(name: string, settings: { apiKey?: string; baseURL?: string }): Promise<LanguageModel>
}

export const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    key: "ANTHROPIC_API_KEY",
    url: "ANTHROPIC_BASE_URL",
    about: "Claude models",
    usual: "claude-sonnet-4-5",
    load: async (name, settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings)(name),
  },
  openai: {
    key: "OPENAI_API_KEY",
    url: "OPENAI_BASE_URL",
    about: "OpenAI models, through the Responses API",
    usual: "gpt-5",
    load: async (name, settings) => (await import("@ai-sdk/openai")).createOpenAI(settings)(name),
  },
  google: {
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    url: "GOOGLE_BASE_URL",
    about: "Gemini models",
    usual: "gemini-2.5-pro",
    load: async (name, settings) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(name),
  },
  local: {
    url: "LOCAL_BASE_URL",
    about: "any service that speaks OpenAI's chat format: Ollama, llama.cpp, vLLM, …",
    load: async (name, { apiKey, baseURL = "http://127.0.0.1:11434/v1" }) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      return createOpenAICompatible({ name: "local", baseURL, ...(apiKey === undefined ? {} : { apiKey }) })(name)
    },
  },
}

const known = (): string => Object.keys(providers).join(", ")

/** The model somebody named, or the usual one of the first provider whose key is there. */
export const findModel = async (
  named: string | undefined,
  { env, readFile }: { env: Env; readFile: (path: string) => string },
): Promise<LanguageModel> => {
  const wanted = named ?? usualModel(env)
  if (wanted.startsWith("script:")) return createScriptModel(readScript(readFile(wanted.slice("script:".length))))
  const [provider = "", ...rest] = wanted.split("/")
  const name = rest.join("/")
  const row = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (!row || name === "") {
    throw new HeadwayError(
      "usage",
      `"${wanted}" names no model. Write provider/name with one of ${known()}, or script:FILE.`,
    )
  }
  const apiKey = row.key === undefined ? env.LOCAL_API_KEY : env[row.key]
  if (row.key !== undefined && !apiKey)
    throw new HeadwayError("no-key", `${provider} needs a key in ${row.key}. Without one, try --model script:demo.`)
  const baseURL = env[row.url]
  return row.load(name, { ...(apiKey ? { apiKey } : {}), ...(baseURL ? { baseURL } : {}) })
}

const usualModel = (env: Env): string => {
  for (const [provider, { key, usual }] of Object.entries(providers))
    if (key !== undefined && usual !== undefined && env[key]) return `${provider}/${usual}`
  const keys = Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key]))
  throw new HeadwayError(
    "no-model",
    `No model is named and there is no key. Set one of ${keys.join(", ")}, name a model with --model provider/name (${known()}), or see the agent work without one: --model script:demo.`,
  )
}
