/** The environment of a command: the agent's, without API keys of model services. */

/**
 * A command sees no key of a model's service, unless the person allowed the variable by name. That keeps keys out of
 * outputs, logs and the conversation. It is not a wall: a command of the same user can still read what that user can.
 */
export const environmentOf = (env: NodeJS.ProcessEnv, allowed: readonly string[] = []): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => allowed.includes(name) || !holdsKey(name)))

/** Keys of any service by the way they are named, and what the services of models name otherwise. */
const holdsKey = (name: string): boolean => namedAsKey.test(name) || ofModels.test(name)

const namedAsKey = /(?:^|_)(?:API_?(?:KEY|TOKEN|SECRET)S?|(?:AUTH|OAUTH|BEARER)_TOKEN)(?:_|$)/i

const services = "ANTHROPIC|CLAUDE|OPENAI|CODEX|GOOGLE|GEMINI|VERTEX|MISTRAL|GROQ|XAI|COHERE|HF|HUGGING_?FACE|COPILOT"
const ofModels = new RegExp(`^(?:${services})_(?:.*_)?(?:KEY|TOKEN|SECRET|CREDENTIALS?)(?:_|$)`, "i")
