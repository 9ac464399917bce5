/**
 * Loads the parts of the built command, which lie in packs, and keeps beside the program what V8 made of a pack, so that the
 * next start need not compile it again. Who can write there can change the program itself: it is no other trust.
 */
import {
  closeSync,
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
import { Script } from "node:vm"

declare const HEADWAY_BUILD: string
/** The number of the first chunk in each pack, and the name of the pack. */
declare const HEADWAY_PACKS: readonly (readonly [first: number, name: string])[]
/** The number of the chunk that begins a command, by its name, and under "" of all that have none of their own. */
declare const HEADWAY_STARTS: Readonly<Record<string, number>>
/** What packs know the loader by. */
declare const __parts: Record<string, unknown>

type Exports = Record<string, unknown>
type Chunk = (exports: Exports) => void
type Pack = {
  name: string
  script: Script
  keptAt: string
  /** The chunks whose functions are in what was kept. */
  known: readonly number[]
  ran: number[]
}

const loaded = new Map<number, Exports>()
const chunks: Record<number, Chunk> = {}
const packs = new Map<string, Pack>()

/** A part, in the place of `import()`, which fails in code that was kept. */
const load = async (number: number): Promise<Exports> => use(number)

/** The exports of a chunk, which has run when they are returned. */
const use = (number: number): Exports => {
  const known = loaded.get(number)
  if (known) return known
  const exports: Exports = {}
  loaded.set(number, exports)
  const pack = packWith(number)
  pack.ran.push(number)
  chunks[number]?.(exports)
  return exports
}

/** A module of the command, by its path from a pack. */
const module = (path: string): Promise<unknown> => import(urlOf(join(packFolder, path)))

const urlOf = (path: string): string => process.getBuiltinModule("node:url").pathToFileURL(path).href

/** A package that is not bundled, or a module of Node. Those are scripts. What is exported only on demand is not asked for. */
const installed = async (name: string): Promise<unknown> => {
  const exports = require(name) as Exports
  return Object.create(exports, { default: { value: exports } })
}

const required = new Map<string, unknown>()

/** `require`, which takes longer to find what it has found before. */
const requireOnce = (name: string): unknown => {
  const known = required.get(name)
  if (known !== undefined) return known
  const exports: unknown = require(name)
  required.set(name, exports)
  return exports
}

/** Called by each pack. One of another build has other chunks under the same numbers. */
const define = (buildId: string, functions: Record<number, Chunk>): void => {
  if (buildId !== HEADWAY_BUILD) {
    const message = "Headway was replaced by another version while this was running. Start it again."
    throw Object.assign(new Error(message), { name: "HeadwayError", code: "replaced" })
  }
  Object.assign(chunks, functions)
}

Object.assign(__parts, { load, use, module, installed, define })

const packFolder = join(__dirname, "packs")

const packWith = (number: number): Pack => {
  let name = ""
  for (const [first, one] of HEADWAY_PACKS) if (number >= first) name = one
  return packs.get(name) ?? opened(name)
}

const opened = (name: string): Pack => {
  const filename = join(packFolder, `${name}.js`)
  const keptAt = placeOf(name)
  const { data, known } = keptIn(keptAt)
  const script = new Script(readFileSync(filename, "latin1"), { filename, ...(data ? { cachedData: data } : {}) })
  const isKept = data !== undefined && script.cachedDataRejected === false
  const pack: Pack = { name, script, keptAt, known: isKept ? known : [], ran: [] }
  packs.set(name, pack)
  // V8 refuses what was made under other flags. A start with flags of its own leaves what is kept to all others.
  const hasFlags = process.execArgv.length > 0 || process.env.NODE_OPTIONS !== undefined
  if (!hasFlags || !data) keepAtExit(pack)
  const run = script.runInThisContext() as (...words: unknown[]) => void
  const here = {
    get url() {
      return urlOf(filename)
    },
  }
  run(requireOnce, __parts, here)
  return pack
}

/**
 * V8 ends the process over data that is damaged, so what is not whole is not shown to it. The file holds the data twice: to
 * compare the two takes no time, and to load what makes a checksum takes as long as a tenth of a command.
 */
const keptIn = (path: string): { data?: Buffer; known: number[] } => {
  const bytes = bytesIn(path)
  const whole = bytes.subarray(0, bytes.length / 2)
  if (whole.length < 4 || !whole.equals(bytes.subarray(whole.length))) return { known: [] }
  const end = whole.readUInt32LE(whole.length - 4)
  const known = numbersIn(whole.toString("latin1", end, whole.length - 4))
  return known.length === 0 ? { known } : { data: whole.subarray(0, end), known }
}

/** None in what is damaged and still the same twice, such as a file of zeros. */
const numbersIn = (text: string): number[] => {
  try {
    return JSON.parse(text) as number[]
  } catch {
    return []
  }
}

/** Empty where there is none, or where it may not be read: its owner may have kept it for themselves alone. */
const bytesIn = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Each command keeps its own: of a pack that several share it compiled other functions. */
const command = /^[a-z]{1,20}$/.exec(process.argv[2] ?? "")?.[0] ?? ""

/** V8 tells code of another version, but not another text of the same length: the build says which one it is. */
const placeOf = (pack: string): string =>
  join(__dirname, "cache", `${HEADWAY_BUILD}-${process.version}-${process.arch}`, `${command || "headway"}.${pack}`)

const waiting: Pack[] = []

const keepAtExit = (pack: Pack): void => {
  if (waiting.length === 0) process.on("exit", keepAll)
  waiting.push(pack)
}

/** At the end, when all that a run needs has been compiled. A program that belongs to another user, or cannot be written, stays as it is. */
const keepAll = (code: number): void => {
  if (code !== 0) return
  try {
    for (const { keptAt, script, known, ran } of waiting) {
      if (ran.every((number) => known.includes(number))) continue
      const folder = dirname(keptAt)
      if (statSync(dirname(dirname(folder))).uid !== process.geteuid?.()) return
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      const data = script.createCachedData()
      const end = Buffer.alloc(4)
      end.writeUInt32LE(data.length)
      replace(keptAt, Buffer.concat([data, Buffer.from(JSON.stringify([...new Set([...known, ...ran])])), end]))
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

const first = Object.hasOwn(HEADWAY_STARTS, command) ? command : ""

// Where the first part is missing or of another build, nothing is there yet that could print why.
load(HEADWAY_STARTS[first] ?? 0).catch((cause: Error) => {
  process.stderr.write(`headway: ${cause.message}\n`)
  process.exitCode = 1
})
