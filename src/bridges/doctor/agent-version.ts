/** Which version of an agent is installed: read from its package where it has one, else asked of the program itself. */
import { readFileSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Agent, Where } from "../agents/agent.ts"
import { runProgram } from "../run-program.ts"
import { findOnPath } from "../setup/launcher.ts"

export type Installed = { path: string; version?: string }

/** Undefined when its program is not on the PATH. */
export const findInstalled = async ({ program, packages }: Agent, { env }: Where): Promise<Installed | undefined> => {
  const path = findOnPath(program, env)
  if (path === undefined) return undefined
  const version = packagedVersion(path, packages) ?? (await saidVersion(path, env))
  return { path, ...(version === undefined ? {} : { version }) }
}

const versionIn = (text: string): string | undefined => /\b\d+\.\d+\.\d+(?:[-+][\w.-]+)?/.exec(text)?.[0]

/** Nothing has to run for what a file says. */
const packagedVersion = (path: string, packages: readonly string[]): string | undefined => {
  const real = realOf(path)
  // Some installers name the file after its version.
  const named = /^\d+\.\d+\.\d+[\w.-]*$/.exec(basename(real))?.[0]
  if (named) return named
  for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
        string,
        unknown
      >
      if (packages.includes(String(name))) return versionIn(String(version))
    } catch {}
  }
  return undefined
}

const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const saidVersion = async (path: string, env: Where["env"]): Promise<string | undefined> => {
  const { code, out } = await runProgram([path, "--version"], { env, patience: 5000 })
  return code === 0 ? versionIn(out) : undefined
}
