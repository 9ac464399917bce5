/**
 * Loads the parts of the built command that must start quickly, and keeps beside the program what V8 made of them, so that the
 * next start need not compile them again. Whoever can write there can change the program itself: it is no other trust.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { Script } from "node:vm"

declare const HEADWAY_BUILD: string

type Module = { exports: unknown }
type Kept = { path: string; script: Script }

const loaded = new Map<string, Module>()
/** Compiled in this process, and to be kept when it ends well. */
const compiled: Kept[] = []

/**
 * Called by built code in the place of `import()`, which fails in code that was kept. `from` is the folder of the file that asks.
 */
export const load = async (require: NodeJS.Require, from: string, path: string): Promise<unknown> =>
  path.endsWith(".mjs") ? import(pathToFileURL(join(from, path)).href) : partAt(require, join(from, path))

const partAt = (require: NodeJS.Require, path: string): unknown => {
  const known = loaded.get(path)
  if (known) return known.exports
  const module: Module = { exports: {} }
  loaded.set(path, module)
  const run = compile(path).runInThisContext() as (...words: unknown[]) => void
  run(module.exports, require, module, path, dirname(path), parts)
  return module.exports
}

const parts = { load }

const compile = (filename: string): Script => {
  const source = readFileSync(filename, "utf8")
  const code = `(function (exports, require, module, __filename, __dirname, __parts) {${source}\n})`
  const keptAt = placeOf(filename)
  const cachedData = keptIn(keptAt)
  const script = new Script(code, { filename, ...(cachedData ? { cachedData } : {}) })
  // V8 refuses what was made under other flags. Who starts it with flags of their own leaves what is kept to all others.
  const hasFlags = process.execArgv.length > 0 || process.env.NODE_OPTIONS !== undefined
  if (!cachedData || (script.cachedDataRejected && !hasFlags)) keepAtExit({ path: keptAt, script })
  return script
}

/**
 * V8 ends the process over data that is damaged, so what is not whole is not shown to it. The file holds the data twice: to
 * compare the two takes no time, and to load what makes a checksum takes as long as a tenth of a command.
 */
const keptIn = (path: string): Buffer | undefined => {
  const bytes = bytesIn(path)
  const data = bytes.subarray(0, bytes.length / 2)
  return data.length > 0 && data.equals(bytes.subarray(data.length)) ? data : undefined
}

/** Empty where there is none, or where it may not be read: its owner may have kept it for themselves alone. */
const bytesIn = (path: string): Buffer => {
  try {
    return existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

/** V8 tells code of another version, but not another text of the same length: the build says which one it is. */
const placeOf = (path: string): string =>
  join(dirname(dirname(path)), "cache", `${HEADWAY_BUILD}-${process.version}-${process.arch}`, nameOf(path))

const nameOf = (path: string): string => path.slice(dirname(dirname(path)).length + 1).replaceAll(/[\\/]/g, ".")

const keepAtExit = (kept: Kept): void => {
  if (compiled.length === 0) process.on("exit", keepAll)
  compiled.push(kept)
}

/** At the end, when all that a run needs has been compiled. A program that belongs to another user, or cannot be written, stays as it is. */
const keepAll = (code: number): void => {
  if (code !== 0) return
  try {
    for (const { path, script } of compiled) {
      const folder = dirname(path)
      if (statSync(dirname(dirname(folder))).uid !== process.geteuid?.()) return
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      replace(path, script.createCachedData())
    }
  } catch {
    // Only slower.
  }
}

/** The name only ever leads to all of it, also after the system has failed. */
const replace = (path: string, data: Buffer): void => {
  const temporary = `${path}.${process.pid}`
  try {
    const file = openSync(temporary, "wx", 0o644)
    try {
      writeFileSync(file, Buffer.concat([data, data]))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
