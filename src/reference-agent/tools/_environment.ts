/** The environment of a command: the agent's, without API keys of model services. */

/**
 * A command sees no key of a model service, unless the person allowed the variable by name. That keeps keys out of
 * outputs, logs and the conversation. It is no protection against a hostile command, which can still read all that the
 * user can.
 */
export const environmentOf = (env: NodeJS.ProcessEnv, allowed: readonly string[] = []): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => allowed.includes(name) || !holdsKey(name)))

/** Recognises variables with keys by their usual names, and those of model services with other names. */
const holdsKey = (name: string): boolean => namedAsKey.test(name) || ofModels.test(name)

const namedAsKey = /(?:^|_)(?:API_?(?:KEY|TOKEN|SECRET)S?|(?:AUTH|OAUTH|BEARER)_TOKEN)(?:_|$)/i

const services = "ANTHROPIC|CLAUDE|OPENAI|CODEX|GOOGLE|GEMINI|VERTEX|MISTRAL|GROQ|XAI|COHERE|HF|HUGGING_?FACE|COPILOT"
const ofModels = new RegExp(`^(?:${services})_(?:.*_)?(?:KEY|TOKEN|SECRET|CREDENTIALS?)(?:_|$)`, "i")
