/**
 * Builds the command: a small loader, packs of scripts that it loads, and two modules. Code that several commands share is there once: esbuild splits
 * it into chunks, each of which runs only when a command needs it, and a pack is a file with many of them.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin, transform } from "esbuild"
import {
  builtinsOnDemand,
  builtinsWithoutRequire,
  leftOut,
  lessOfAiSdk,
  lessOfZod,
  onePackageEach,
} from "./bundle-plugins.ts"
import { chunkBody, importsOf } from "./chunk-scripts.ts"
import { withQuickSpreads } from "./quick-spreads.ts"

const bin = "dist/bin"

const agentParts = (file: RegExp): string[] =>
  readdirSync("src/agents", { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => file.test(path))
    .map((path) => `src/agents/${path}`)

/** Where every start begins. */
const main = "src/cli/bin.ts"

const command = (name: string): string => `src/cli/commands/${name}.ts`

type Pack = {
  name: string
  roots: readonly string[]
  /** Parts that it also has by itself, because its commands load them nearly always. */
  own?: readonly string[]
  /** Only what its roots load with themselves, and nothing that they load later. */
  isQuick?: true
}

const keptInFiles = ["src/stores/file/index.ts", "src/home/error-log.ts"]

/**
 * Each of these packs is built by itself with a beginning of its own, and so has of every file only what its commands use, though
 * that is in another pack too. The first has the beginning of all other commands.
 */
const quickPacks: readonly Pack[] = [
  { name: "main", roots: [] },
  { name: "show", roots: ["show", "statusline"].map(command), own: keptInFiles },
  { name: "write", roots: [command("write")], own: keptInFiles },
]

/**
 * The packs of all others, in order: a chunk is in the first one whose commands may need it, and in the last one if it is in no other.
 * The first has what agents and shells call all the time.
 */
const sharedPacks: readonly Pack[] = [
  {
    name: "quick",
    roots: [...["hook", "list"].map(command), ...agentParts(/^[^/]+\/hooks\.ts$/), ...keptInFiles],
    isQuick: true,
  },
  { name: "board", roots: [...["watch", "run", "find", "todo"].map(command), "src/cli/board/board.ts"] },
  { name: "setup", roots: ["setup", "doctor"].map(command) },
  { name: "serve", roots: ["mcp", "serve"].map(command) },
  { name: "agent", roots: [command("agent")] },
  { name: "other", roots: [] },
]

const quickRoots = quickPacks.flatMap(({ roots }) => roots)

/** Modules: what is drawn with Ink, whose packages wait at their top level, and what is a process of its own. */
const modules = ["src/tui/agent/screen.tsx", "src/sessions/packed/unpacker.ts"]
const moduleName = (source: string): string => join(basename(dirname(source)), basename(source).replace(/\.tsx?$/, ""))

const sourceOf = (resolveDir: string, path: string): string =>
  relative(process.cwd(), resolve(resolveDir, path)).replaceAll("\\", "/")

const modulesStayApart: Plugin = {
  name: "modules-stay-apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const source = sourceOf(resolveDir, path)
      if (kind !== "dynamic-import" || !modules.includes(source)) return undefined
      return { path: `../${moduleName(source)}.mjs`, external: true }
    })
  },
}

const optionsFor = (version: string): BuildOptions => ({
  outdir: bin,
  bundle: true,
  minifySyntax: true,
  write: false,
  metafile: true,
  platform: "node",
  target: "node20.19",
  define: { HEADWAY_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
  plugins: [
    modulesStayApart,
    builtinsOnDemand,
    leftOut,
    lessOfAiSdk,
    lessOfZod,
    onePackageEach,
    builtinsWithoutRequire,
  ],
  // Its main file is made for an older kind of module, which cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // Finds its binary beside itself.
  external: ["libsql"],
  legalComments: "none",
  logLevel: "warning",
})

export const buildCommand = async (version: string): Promise<void> => {
  const options = optionsFor(version)
  const scripts: BuildOptions = {
    ...options,
    format: "esm",
    splitting: true,
    // The names that chunks know each other's exports by.
    minifyIdentifiers: true,
    define: { ...options.define, "import.meta.url": "__here.url" },
    // A script asks Node for what each chunk uses of its modules. In one module of names, each command would ask for those of all.
    plugins: options.plugins?.filter((plugin) => plugin !== builtinsOnDemand) ?? [],
  }
  const shared = new Set<string>()
  const quick: Chunk[] = []
  for (const { name, roots, own = [] } of quickPacks) {
    const isElsewhere = (source: string): boolean => !roots.includes(source) && !own.includes(source)
    const built = chunksOf(await splitBuild(scripts, name, [main, ...roots], isElsewhere, shared))
    quick.push(...built.map((chunk) => ({ ...chunk, pack: name })))
  }
  const others = await splitBuild(scripts, "shared", [...shared], (source) => quickRoots.includes(source), new Set())
  const chunks = [...quick, ...inPacks(chunksOf(others))]
  // By its file inside a build, by its source between two. A part that a quick pack has by itself is the shared one for all others.
  const numbers = new Map(chunks.map(({ file }, number) => [file, number]))
  for (const [number, { source }] of chunks.entries()) if (source !== undefined) numbers.set(source, number)
  const digest = createHash("sha256")
  for (const { text } of chunks) digest.update(text)
  const buildId = digest.digest("hex").slice(0, 16)
  for (const name of new Set(chunks.map(({ pack }) => pack))) {
    const own = chunks.filter(({ pack }) => pack === name)
    const bodies = own.map(({ file, text }) => [numbers.get(file) ?? 0, chunkBody(text, numbers)] as const)
    const text = await packText(buildId, bodies)
    // Most of the agent's is the AI SDK, and waits for a model.
    write(join(bin, "packs", `${name}.js`), name === "agent" ? text : withQuickSpreads(text))
  }
  const loader = await loaderText(buildId, chunks)
  write(join(bin, "headway.js"), `#!/usr/bin/env node\n${loader}`, 0o755)
  await buildModules(options)
  write(join(bin, "headway-launcher"), readFileSync("src/bridges/hooks/launcher.sh", "utf8"), 0o755)
  write(join(bin, "package.json"), '{"type":"commonjs"}\n')
}

type Split = { outputFiles?: OutputFile[] | undefined; metafile?: Metafile | undefined }

/** What is in another build is asked for by the name of its source, and noted. */
const splitBuild = (
  options: BuildOptions,
  name: string,
  roots: readonly string[],
  isElsewhere: (source: string) => boolean,
  noted: Set<string>,
): Promise<Split> => {
  const elsewhere: Plugin = {
    name: "parts-elsewhere",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const source = sourceOf(resolveDir, path)
        if (kind !== "dynamic-import" || modules.includes(source) || !isElsewhere(source)) return undefined
        if (!quickRoots.includes(source)) noted.add(source)
        return { path: source, external: true }
      })
    },
  }
  return build({
    ...options,
    entryPoints: [...roots],
    entryNames: `${name}-[name]-[hash]`,
    chunkNames: `${name}-[hash]`,
    plugins: [elsewhere, ...(options.plugins ?? [])],
  })
}

type Chunk = { file: string; text: string; pack: string; source: string | undefined }

const chunksOf = ({ outputFiles = [], metafile }: Split): Omit<Chunk, "pack">[] => {
  const sources = new Map(
    Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [basename(path), output.entryPoint]),
  )
  return outputFiles.map(({ path, text }) => ({ file: basename(path), text, source: sources.get(basename(path)) }))
}

const inPacks = (chunks: readonly Omit<Chunk, "pack">[]): Chunk[] => {
  const known = new Map(chunks.map((chunk) => [chunk.file, { ...chunk, ...importsOf(chunk.text) }]))
  const taken = new Map<string, string>()
  const take = (file: string, name: string, isQuick: boolean): void => {
    const chunk = known.get(file)
    if (!chunk || taken.has(file)) return
    taken.set(file, name)
    for (const next of isQuick ? chunk.now : [...chunk.now, ...chunk.later]) take(basename(next), name, isQuick)
  }
  for (const { name, roots, isQuick = false } of sharedPacks)
    for (const root of roots) {
      const chunk = chunks.find(({ source }) => source === root)
      if (!chunk) throw new Error(`${root} is in no chunk of its own.`)
      take(chunk.file, name, isQuick)
    }
  const places = sharedPacks.map(({ name }) => name)
  const [first = "", last = ""] = [places[0], places.at(-1)]
  for (const file of smallShared(known, (chunk) => taken.get(chunk) ?? last)) taken.set(file, first)
  return chunks
    .map((chunk) => ({ ...chunk, pack: taken.get(chunk.file) ?? last }))
    .toSorted((one, other) => places.indexOf(one.pack) - places.indexOf(other.pack))
}

/** In bytes, before its names are shortened. */
const small = 1_000

/**
 * A few functions that are needed in several packs. They are kept in the first one, which every command has: a command of one pack would
 * open the other one for them.
 */
const smallShared = (
  chunks: ReadonlyMap<string, { text: string; source: string | undefined; now: readonly string[] }>,
  packOf: (file: string) => string,
): string[] => {
  const users = new Map<string, Set<string>>()
  for (const [file, { now }] of chunks)
    for (const next of now) users.set(basename(next), (users.get(basename(next)) ?? new Set()).add(packOf(file)))
  return [...chunks].flatMap(([file, { text, source }]) =>
    source === undefined && text.length < small && (users.get(file)?.size ?? 0) > 1 ? [file] : [],
  )
}

/** One call that hands the loader a table of functions, so that the names inside them can be shortened. */
const packText = async (
  buildId: string,
  bodies: readonly (readonly [number: number, body: string])[],
): Promise<string> => {
  const table = bodies.map(([number, body]) => `${number}:function(exports){${body}\n}`)
  const { code } = await transform(`__parts.define("${buildId}",{${table.join(",\n")}})`, {
    minify: true,
    target: "node20.19",
    legalComments: "none",
  })
  return `(function(require,__parts,__here){"use strict";${inAscii(code.trim())}})\n`
}

/** The loader reads ASCII alone, which is read soonest. esbuild leaves other characters in regular expressions only, where an escape means the same. */
const inAscii = (code: string): string =>
  code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, slashes: string, unit: string) => {
    // A character that was escaped by itself is not any more.
    const before = slashes.length % 2 === 0 ? slashes : slashes.slice(1)
    return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  })

const loaderText = async (buildId: string, chunks: readonly Chunk[]): Promise<string> => {
  const names = new Set(chunks.map(({ pack }) => pack))
  const firsts = [...names].map((name) => [chunks.findIndex(({ pack }) => pack === name), name])
  const { outputFiles } = await build({
    entryPoints: { loader: "scripts/part-loader.ts" },
    outdir: bin,
    bundle: true,
    minify: true,
    write: false,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    plugins: [builtinsOnDemand],
    define: {
      HEADWAY_BUILD: JSON.stringify(buildId),
      HEADWAY_PACKS: JSON.stringify(firsts),
      HEADWAY_STARTS: JSON.stringify(startsIn(chunks)),
    },
    logLevel: "warning",
  })
  return `var __parts={};${outputFiles[0]?.text ?? ""}`
}

/** The chunk that begins each command of a quick pack, by the command's name, and under "" that of all others. */
const startsIn = (chunks: readonly Chunk[]): Record<string, number> => {
  const starts = quickPacks.flatMap(({ name, roots }, index) => {
    const start = chunks.findIndex(({ source, pack }) => source === main && pack === name)
    const words = index === 0 ? [""] : roots.flatMap((root) => /commands\/(\w+)\.ts$/.exec(root)?.[1] ?? [])
    return words.map((word) => [word, start])
  })
  return Object.fromEntries(starts)
}

const buildModules = async (options: BuildOptions): Promise<void> => {
  const { outputFiles = [] } = await build({
    ...options,
    minify: true,
    entryPoints: Object.fromEntries(modules.map((source) => [moduleName(source), source])),
    format: "esm",
    outExtension: { ".js": ".mjs" },
  })
  for (const { path, text } of outputFiles) write(path, text)
}

const write = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}
