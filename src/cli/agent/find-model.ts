/** The model `headway agent` works with: one of a provider, or a script that replaces one. */
import { resolve } from "node:path"
import type { Dialect } from "../../dialects/dialect.ts"
import { HeadwayError, isHeadwayError } from "../../plan/index.ts"
import { type FoundModel, findModel } from "../../reference-agent/index.ts"
import { createDemoScript, createScriptModel, openScriptModel, type ScriptModel } from "../../scripted/index.ts"
import type { Io } from "../io.ts"

export const findModelHere = async (
  named: string | undefined,
  { env, cwd }: Pick<Io, "env" | "cwd">,
  dialect: Dialect,
): Promise<FoundModel> => {
  if (named?.startsWith("script:"))
    return { name: named, contextWindow: 200_000, model: await openScript(named, cwd, dialect) }
  try {
    return await findModel(named, env)
  } catch (cause) {
    if (!isHeadwayError(cause) || !Object.hasOwn(hints, cause.code)) throw cause
    throw new HeadwayError(cause.code, `${cause.message} ${hints[cause.code]}`, { cause })
  }
}

/** What else there is on the command line, by the code of what is wrong. */
const hints: Readonly<Record<string, string>> = {
  usage: "Write a script as script:FILE.",
  "no-key": "Without a key, try the agent with --model script:demo.",
  "no-model": "To try the agent without a model, use --model script:demo.",
}

const openScript = async (name: string, cwd: string, dialect: Dialect): Promise<ScriptModel> => {
  const file = name.slice("script:".length)
  if (file === "demo") return createScriptModel(createDemoScript(dialect), { modelId: "demo" })
  if (file === "") throw new HeadwayError("usage", "Write a scripted model as script:FILE or script:demo.")
  return openScriptModel(resolve(cwd, file))
}
