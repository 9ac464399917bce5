/** The process of the agent that started this one: its server and its hooks are children of the same client. */
import { readFileSync, readlinkSync, statSync } from "node:fs"
import { basename } from "node:path"

/** The number of a process and when it began: a number alone is given again to another. */
export type ClientProcess = { pid: number; started: string }

type Found = ClientProcess & { parent: number; user: number; program: string }

/** Looks a process up; undefined when it is gone or cannot be looked at. */
export type LookUp = (pid: number) => Found | undefined

/**
 * The first process above this one that is no shell: agents call hooks through one or two of them. Undefined where the
 * system does not tell, and where that process belongs to another user.
 */
export const findClientProcess = (
  from: number = process.ppid,
  lookUp: LookUp | undefined = (lookUps as Partial<Record<NodeJS.Platform, LookUp>>)[process.platform],
  user: number | undefined = process.getuid?.(),
): ClientProcess | undefined => {
  let pid = from
  for (let step = 0; step < mostShells && pid > 1; step += 1) {
    const found = lookUp?.(pid)
    if (!found || found.user !== user) return undefined
    if (!isShell(found.program)) return { pid: found.pid, started: found.started }
    pid = found.parent
  }
  return undefined
}

/** One that the client starts, our launcher, and one more in case. */
const mostShells = 4

const isShell = (program: string): boolean => /^-?(?:ba|da|z|k|mk|a|fi|tc|c)?sh$|^busybox$/.test(basename(program))

/** `/proc/<pid>/stat`: the number, the name in brackets (which may hold anything), then fields from the third on. */
const fromProc: LookUp = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const [parent, started] = [Number(fields[1]), fields[19]]
    if (started === undefined || !Number.isSafeInteger(parent)) return undefined
    return { pid, started, parent, user: statSync(`/proc/${pid}`).uid, program: readlinkSync(`/proc/${pid}/exe`) }
  } catch {
    return undefined
  }
}

/** `  501   77 Mon Nov 16 13:42:27 2026 /bin/sh` */
const fromPs: LookUp = (pid) => {
  // Asked for only here: a hook on another system would pay for loading it.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const words = ["-o", "uid=,ppid=,lstart=,comm=", "-p", String(pid)]
  const { stdout } = spawnSync("/bin/ps", words, { encoding: "utf8", env: { LC_ALL: "C" }, timeout: 1000 })
  const read = /^\s*(\d+)\s+(\d+)\s+(\w+ \w+\s+\d+ [\d:]+ \d+)\s+(.+?)\s*$/.exec(stdout ?? "")
  if (!read) return undefined
  const [, user, parent, started = "", program = ""] = read
  return { pid, started: String(Date.parse(started) || started), parent: Number(parent), user: Number(user), program }
}

/** By system; any other does not tell. */
export const lookUps = { linux: fromProc, darwin: fromPs } as const
