/** Turns `provider/name` into a model. Has the table of providers, each of which is loaded only when needed. */
import type { LanguageModel } from "ai"
import { missingPackage } from "../host/missing-package.ts"
import { HeadwayError } from "../plan/index.ts"

export type Env = Readonly<Record<string, string | undefined>>

type Settings = { apiKey?: string; baseURL?: string }

type Provider = {
  about: string
  /** The package that contains the provider. */
  package: string
  /** The environment variables with its key, the usual one first. */
  keys: readonly string[]
  needsKey: boolean
  /** The environment variable with another address of the service. */
  url: string
  /** The model used if none is named but the key is set. */
  usual?: string
  /** The approximate context size of its models, in tokens. */
  contextWindow: number
  load(name: string, settings: Settings): Promise<LanguageModel>
}

export const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    about: "Claude models",
    package: "@ai-sdk/anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    url: "ANTHROPIC_BASE_URL",
    usual: "claude-sonnet-4-5",
    contextWindow: 200_000,
    load: async (name, { baseURL, ...settings }) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      // Other programs that read this variable add the version themselves.
      const versioned =
        baseURL === undefined || /\/v\d+\/?$/.test(baseURL) ? baseURL : `${baseURL.replace(/\/$/, "")}/v1`
      return createAnthropic({ ...settings, ...(versioned === undefined ? {} : { baseURL: versioned }) })(name)
    },
  },
  openai: {
    about: "OpenAI models, through the Responses API",
    package: "@ai-sdk/openai",
    keys: ["OPENAI_API_KEY"],
    needsKey: true,
    url: "OPENAI_BASE_URL",
    usual: "gpt-5",
    contextWindow: 272_000,
    load: async (name, settings) => (await import("@ai-sdk/openai")).createOpenAI(settings)(name),
  },
  google: {
    about: "Gemini models",
    package: "@ai-sdk/google",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    needsKey: true,
    url: "GOOGLE_GEMINI_BASE_URL",
    usual: "gemini-2.5-pro",
    contextWindow: 1_000_000,
    load: async (name, { baseURL, ...settings }) => {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google")
      const versioned =
        baseURL === undefined || /\/v\d+\w*\/?$/.test(baseURL) ? baseURL : `${baseURL.replace(/\/$/, "")}/v1beta`
      return createGoogleGenerativeAI({ ...settings, ...(versioned === undefined ? {} : { baseURL: versioned }) })(name)
    },
  },
  local: {
    about: "any service that speaks OpenAI's chat format: Ollama, llama.cpp, vLLM, …",
    package: "@ai-sdk/openai-compatible",
    keys: ["LOCAL_API_KEY"],
    needsKey: false,
    url: "LOCAL_BASE_URL",
    contextWindow: 32_000,
    load: async (name, { baseURL = "http://127.0.0.1:11434/v1", ...settings }) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      return createOpenAICompatible({ name: "local", baseURL, includeUsage: true, ...settings })(name)
    },
  },
}

export type FoundModel = { model: LanguageModel; name: string; contextWindow: number }

/** The named model, or the default one of the first provider with a key. */
export const findModel = async (named: string | undefined, env: Env): Promise<FoundModel> => {
  const name = named ?? usualModel(env)
  const at = name.indexOf("/")
  const [provider, model] = at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)]
  const row = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (!row || model === "") {
    throw new HeadwayError("usage", `"${name}" is not a model. Write provider/name with one of ${known}.`)
  }
  const apiKey = keyOf(row, env)
  if (row.needsKey && apiKey === undefined) {
    throw new HeadwayError("no-key", `${provider} needs a key in ${row.keys.join(" or ")}.`)
  }
  const baseURL = env[row.url]
  const settings = { ...(apiKey ? { apiKey } : {}), ...(baseURL ? { baseURL } : {}) }
  const loaded = await row.load(model, settings).catch((cause: unknown) => {
    throw missingPackage(cause, `The provider ${provider}`, { [row.package]: "" })
  })
  return { name, contextWindow: row.contextWindow, model: loaded }
}

const known = Object.keys(providers).join(", ")

const keyOf = ({ keys }: Provider, env: Env): string | undefined =>
  keys.map((key) => env[key]).find((value) => value !== undefined && value !== "")

const usualModel = (env: Env): string => {
  for (const [provider, row] of Object.entries(providers))
    if (row.usual !== undefined && keyOf(row, env) !== undefined) return `${provider}/${row.usual}`
  const keys = Object.values(providers).flatMap((row) => (row.needsKey ? row.keys : []))
  throw new HeadwayError(
    "no-model",
    `No model is named and there is no key. Set one of ${keys.join(", ")}, or name a model as provider/name, with one of ${known}.`,
  )
}
