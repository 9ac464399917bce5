/** The shell of a person who reads the guide: an empty home, a project, and the programs that a page speaks of. */
import { spawn } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "./stores/temporary.ts"

export const root = fileURLToPath(new URL("..", import.meta.url))

export type Furnishing = {
  /** A folder of fixtures that the home begins with. */
  home?: string
  /** Files of the project, each a copy of a fixture. */
  files?: Record<string, string>
  /** Agents that are installed, each with the file it prints whatever it is told. */
  agents?: Record<string, string>
  /** Programs that are installed, each with the words that it stands for. */
  programs?: Record<string, readonly string[]>
  env?: NodeJS.ProcessEnv
}

export type GuideShell = {
  home: string
  project: string
  env: NodeJS.ProcessEnv
  /** Types a command and waits for its end. */
  type(command: string): Promise<{ printed: string; code: number | null }>
}

export const openGuideShell = ({
  home: furnished,
  files = {},
  agents = {},
  programs: others = {},
  env: given = {},
}: Furnishing): GuideShell => {
  const home = temporaryFolder()
  if (furnished) cpSync(join(root, furnished), home, { recursive: true })
  const [programs, project] = [join(home, "bin"), join(home, "shop")]
  for (const folder of [programs, project]) mkdirSync(folder)
  for (const [name, source] of Object.entries(files))
    cpSync(join(root, source), join(project, name), { recursive: true })
  const install = (name: string, script: string): void =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const node = `exec "${process.execPath}"`
  install("headway", `${node} "${join(root, "dist/bin/headway.js")}" "$@"`)
  install("jq", `${node} "${join(root, "test/fixtures/jq.mjs")}" "$@"`)
  for (const [name, source] of Object.entries(agents)) install(name, `cat "${join(root, source)}"`)
  for (const [name, words] of Object.entries(others))
    install(name, `exec ${words.map((word) => `"${word}"`).join(" ")}`)
  const { LC_ALL: _, HEADWAY_SESSION: __, HEADWAY_HOME: ___, ...rest } = process.env
  const env: NodeJS.ProcessEnv = {
    ...rest,
    USER: "ada",
    HOME: home,
    LANG: "en_US.UTF-8",
    TERM: "xterm",
    PATH: `${programs}:${process.env.PATH}`,
    ...given,
  }
  return {
    home,
    project,
    env,
    async type(command) {
      for (const [, name = "", value = ""] of command.matchAll(/^export (\w+)=(\S+)$/gm)) env[name] = value
      const shell = spawn("sh", ["-c", `{ ${command}\n} 2>&1`], {
        cwd: project,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      })
      const chunks: Buffer[] = []
      shell.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
      const code = await new Promise<number | null>((resolve) => shell.on("close", resolve))
      return { printed: Buffer.concat(chunks).toString(), code }
    },
  }
}
