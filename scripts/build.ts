/** Builds the bin (a small entry, one self-contained file per command) and the library doors with their types. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { type BuildOptions, build, type OutputFile, type Plugin } from "esbuild"
import { builtinsOnDemand, builtinsWithoutRequire, noDeveloperTools } from "./bundle-plugins.ts"
import { guardDoors } from "./guard-doors.ts"

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }

/** Loaded on their own, when they are asked for. Everything else is bundled into what imports it: each file costs time at start. */
const parts = [
  ...readdirSync("src/cli/commands")
    .filter((file) => file !== "index.ts")
    .map((file) => `src/cli/commands/${file}`),
  // What is known of an agent, part by part.
  ...readdirSync("src/agents", { recursive: true, encoding: "utf8" })
    .filter((file) => /^[^/]+\/(?!index\.|_)/.test(file))
    .map((file) => `src/agents/${file}`),
  "src/cli/help.ts",
  "src/cli/suggest.ts",
  "src/cli/leading-options.ts",
  "src/dialects/strict.ts",
  "src/stores/_watch.ts",
  "src/cli/board/board.ts",
  "src/cli/sessions-here.ts",
  "src/cli/chosen-session.ts",
  "src/cli/named-plan.ts",
  "src/cli/find/find-sessions.ts",
  "src/cli/open/from-board.ts",
  "src/cli/output/session-table.ts",
  "src/board/kept-sessions.ts",
  "src/sessions/file/read-found.ts",
  "src/sessions/named-file.ts",
  "src/sessions/packed/unpacker.ts",
  "src/tui/agent/screen.tsx",
  "src/tui/board/screen.ts",
  "src/bridges/mcp-http.ts",
  "src/bridges/doctor/inspect.ts",
  "src/cli/bridge/act-on-hook.ts",
  "src/cli/bridge/join-unnamed.ts",
  "src/cli/bridge/note-caller.ts",
  "src/cli/bridge/take-in.ts",
  "src/bridges/setup/also-set-up.ts",
  "src/cli/edit/hearing.ts",
]

/**
 * Modules: what is drawn with Ink, whose packages wait at their top level, and what is a process of its own. All others are scripts,
 * which start sooner and whose compiled form is kept (`part-loader.ts`).
 */
const isModule = (part: string): boolean =>
  /^src\/(?:cli\/commands\/agent|tui\/agent\/|sessions\/packed\/unpacker)/.test(part)
const isQuick = (part: string): boolean => !isModule(part)

const entryFiles = ["src/cli/bin.ts", "src/cli/main.ts", "src/cli/commands/index.ts"]

const outputOf = (source: string): string => join(basename(dirname(source)), basename(source).replace(/\.tsx?$/, ""))
const endingOf = (source: string): string => (isQuick(source) ? ".js" : ".mjs")

const partsStayApart: Plugin = {
  name: "parts-stay-apart",
  setup({ onResolve, initialOptions }) {
    const out = initialOptions.outdir ?? ""
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, importer }) => {
      const source = relative(process.cwd(), resolve(resolveDir, path))
      if (kind !== "dynamic-import" || !parts.includes(source)) return undefined
      // What the entry holds itself; everything else is bundled into a part, one folder down.
      const isFromEntry = entryFiles.includes(relative(process.cwd(), importer))
      const file = `${relative(out, join(out, outputOf(source)))}${endingOf(source)}`
      return { path: `${isFromEntry ? "./" : "../"}${file}`, external: true }
    })
  },
}

rmSync("dist", { recursive: true, force: true })

const bin = "dist/bin"

const shared: BuildOptions = {
  outdir: bin,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20.19",
  define: {
    HEADWAY_VERSION: JSON.stringify(version),
    "process.env.NODE_ENV": '"production"',
  },
  plugins: [partsStayApart, builtinsOnDemand, noDeveloperTools, builtinsWithoutRequire],
  // Its main file is made for an older kind of module, which cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // Finds its binary beside itself.
  external: ["libsql"],
  legalComments: "none",
  logLevel: "warning",
}

const entryPoints = (chosen: readonly string[]): Record<string, string> =>
  Object.fromEntries(chosen.map((part) => [outputOf(part), part]))

const asScripts: BuildOptions = { ...shared, format: "cjs", write: false }

const textsOf = async (options: BuildOptions): Promise<OutputFile[]> => (await build(options)).outputFiles ?? []

const moduleFiles = await textsOf({
  ...shared,
  entryPoints: entryPoints(parts.filter((part) => !isQuick(part))),
  format: "esm",
  outExtension: { ".js": ".mjs" },
  write: false,
})
const quickFiles = await textsOf({
  ...asScripts,
  entryPoints: entryPoints(parts.filter(isQuick)),
  define: { ...shared.define, "import.meta.url": "__url" },
})
const entryFile = await textsOf({ ...asScripts, entryPoints: { headway: "src/cli/bin.ts" } })

const digest = createHash("sha256")
for (const { text } of [...quickFiles, ...entryFile]) digest.update(text)

const [loader] = await textsOf({
  ...asScripts,
  entryPoints: { loader: "scripts/part-loader.ts" },
  format: "iife",
  globalName: "__parts",
  define: { HEADWAY_BUILD: JSON.stringify(digest.digest("hex").slice(0, 16)) },
})

/** Scripts ask the loader for other parts; a script that was loaded in another way knows no loader. */
const withLoader = (text: string): string =>
  text.replaceAll(
    /\bimport\(("\.\.?\/[^"]+\.m?js")\)/g,
    (all, path: string) => `(typeof __parts<"u"?__parts.load(require,__dirname,${path}):${all})`,
  )

/** So do modules for scripts: Node would read and compile each of them anew. The loader is the entry's, and not there in a worker. */
const withSharedLoader = (text: string): string =>
  text.replaceAll(
    /\bimport\(("\.\.?\/[^"]+\.js")\)/g,
    (all, path: string) => `(globalThis.${sharedLoader}?.(import.meta.dirname,${path})??${all})`,
  )

const sharedLoader = "__headwayPart"
const sharesLoader = `globalThis.${sharedLoader}=(from,path)=>__parts.load(require,from,path);`

/** A script has no `import.meta`. */
const withUrl = (text: string): string =>
  text.includes("__url") ? `const __url=require("node:url").pathToFileURL(__filename).href;${text}` : text

for (const { path, text } of moduleFiles) write(path, withSharedLoader(text))
for (const { path, text } of quickFiles) write(path, withUrl(withLoader(text)))
for (const { path, text } of entryFile)
  write(path, withLoader(text.replace(/^#!.*\n/, (line) => `${line}${loader?.text ?? ""}${sharesLoader}`)), 0o755)
write(join(bin, "headway-launcher"), readFileSync("src/bridges/hooks/launcher.sh", "utf8"), 0o755)
write(join(bin, "package.json"), '{"type":"commonjs"}\n')

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" })

await guardDoors()
