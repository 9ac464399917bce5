/**
 * Finds environment variables that name an agent's folder with a relative path, which Headway ignores; the doctor
 * reports them.
 */
import { isAbsolute, resolve, sep } from "node:path"
import type { Source } from "../../sessions/source.ts"

type Env = Readonly<Record<string, string | undefined>>

/** A variable counts that would lead elsewhere, were it a full path. */
export const unusedVariables = (
  sources: Readonly<Record<string, Pick<Source, "homes">>>,
  env: Env,
  home: string,
): string[] => {
  const namedBy = (name: string, value: string | undefined): string =>
    JSON.stringify(Object.values(sources).map((source) => source.homes({ ...env, [name]: value }, home)))
  return Object.entries(env).flatMap(([name, value]) =>
    value && !isAbsolute(value) && /_(?:HOME|DIR)$/.test(name) && namedBy(name, undefined) !== namedBy(name, elsewhere)
      ? [name]
      : [],
  )
}

const elsewhere = resolve(sep, "elsewhere")
