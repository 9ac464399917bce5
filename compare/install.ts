/** Installs what is compared, outside the project's own dependencies: packages of npm and files of Debian packages. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { install as installFromNpm } from "../interop/install.ts"
import type { Source } from "./peers/peer.ts"

export type Ready = {
  version: string
  program: string
  /** Another program of the same package. */
  beside(name: string): string
}

/** Throws with the reason where it cannot be installed. */
export const install = async (cache: string, source: Source): Promise<Ready> => {
  if ("own" in source) {
    const program = resolve("dist/bin/headway.js")
    return { version: "this version", program, beside: () => program }
  }
  if ("npm" in source) {
    const { version, bin } = await installFromNpm(cache, { package: source.npm, version: source.version })
    return { version, program: join(bin, source.program), beside: (name) => join(bin, name) }
  }
  const { version, root } = fetchFromDebian(cache, source.debian)
  return { version, program: join(root, source.program), beside: (name) => join(root, name) }
}

const run = (program: string, words: readonly string[], cwd: string): string =>
  execFileSync(program, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Unpacks the package without installing it, so that nothing of the system changes. */
const fetchFromDebian = (cache: string, name: string): { version: string; root: string } => {
  mkdirSync(cache, { recursive: true })
  const folder = join(cache, `debian-${name}`)
  if (!existsSync(folder)) {
    const half = mkdtempSync(join(cache, "half-"))
    try {
      run("apt-get", ["download", name], half)
      const [file = ""] = readdirSync(half)
      run("dpkg-deb", ["-x", file, "root"], half)
      renameSync(half, folder)
    } finally {
      rmSync(half, { recursive: true, force: true })
    }
  }
  const file = readdirSync(folder).find((one) => one.endsWith(".deb")) ?? ""
  return { version: run("dpkg-deb", ["-f", file, "Version"], folder).trim(), root: join(folder, "root") }
}
