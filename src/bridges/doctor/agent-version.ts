/** The installed version of an agent: from its package if it has one, otherwise from the program. */
import { basename, dirname, join } from "node:path"
import { realPath } from "../../home/paths/on-disk.ts"
import { textOfConfig } from "../config/config-bytes.ts"
import { findProgram } from "../programs/find-program.ts"
import { runProgram } from "../programs/run-program.ts"
import type { Agent, Where } from "../setup/agent-settings.ts"

export type Installed = { path: string; version?: string }

/** Undefined when its program is not on the PATH. */
export const findInstalled = async ({ program, packages }: Agent, where: Where): Promise<Installed | undefined> => {
  const path = findProgram(program, where)
  if (path === undefined) return undefined
  const version = packagedVersion(path, packages) ?? (await saidVersion(path, where))
  return { path, ...(version === undefined ? {} : { version }) }
}

const versionIn = (text: string): string | undefined => /\b\d+\.\d+\.\d+(?:[-+][\w.-]+)?/.exec(text)?.[0]

/** Nothing has to run for what a file says. */
const packagedVersion = (path: string, packages: readonly string[]): string | undefined => {
  const real = realPath(path)
  // Some installers name the file after its version.
  const named = /^\d+\.\d+\.\d+[\w.-]*$/.exec(basename(real))?.[0]
  if (named) return named
  for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(textOfConfig(join(folder, "package.json")) ?? "{}") as Record<
        string,
        unknown
      >
      if (packages.includes(String(name))) return versionIn(String(version))
    } catch {}
  }
  return undefined
}

const saidVersion = async (path: string, { env, home, project }: Where): Promise<string | undefined> => {
  const { code, out } = await runProgram([path, "--version"], { env, home, project, timeLimit: 5000 })
  return code === 0 ? versionIn(out) : undefined
}
