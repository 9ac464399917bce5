/** Pipes for tests: the one kind of file that makes its opener wait. */
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"

export const makePipe = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  execFileSync("mkfifo", [path])
  return path
}
