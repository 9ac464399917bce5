/** The package as it is published, unpacked in an empty folder: what `npm install` puts there, without asking a registry. */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Packed } from "../scripts/package-limits.ts"
import { temporaryFolder } from "./stores/temporary.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const run = promisify(execFile)

/** What `npm pack` says of it, and the tarball itself in a folder of its own. */
export const packed = async (folder = temporaryFolder()): Promise<Packed & { tarball: string }> => {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]
  // Its cache, its notices and its logs stay out of the person's home.
  const env = { ...process.env, npm_config_cache: temporaryFolder(), npm_config_update_notifier: "false" }
  const { stdout } = await run("npm", words, {
    cwd: root,
    env,
    maxBuffer: 1 << 26,
    // On Windows npm is a script of the shell.
    shell: process.platform === "win32",
  })
  const [one] = JSON.parse(stdout) as Packed[]
  if (!one) throw new Error("npm pack named no package")
  return { ...one, tarball: join(folder, one.filename) }
}

/** A folder with nothing but the package and these packages of ours: its dependencies, unless told otherwise. */
export const unpacked = async (tarball: string, packages?: readonly string[]): Promise<string> => {
  const folder = temporaryFolder()
  const own = join(folder, "node_modules", "headway")
  mkdirSync(own, { recursive: true })
  await run("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"])
  const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as { dependencies: object }
  for (const name of packages ?? Object.keys(dependencies)) {
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction")
  }
  return folder
}
