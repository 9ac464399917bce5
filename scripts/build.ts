/** Builds the bin (a small entry, one self-contained file per command) and the library doors with their types. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { build, type Plugin } from "esbuild"
import { builtinsOnDemand, builtinsWithoutRequire, noDeveloperTools } from "./bundle-plugins.ts"

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
  "src/dialects/strict.ts",
  "src/stores/_watch.ts",
  "src/cli/board/board.ts",
  "src/cli/sessions-here.ts",
  "src/cli/output/session-table.ts",
  "src/board/kept-sessions.ts",
  "src/sessions/_read-found.ts",
  "src/sessions/named-file.ts",
  "src/sessions/_unpacker.ts",
  "src/tui/agent/screen.tsx",
  "src/tui/board/screen.ts",
  "src/bridges/mcp-http.ts",
  "src/cli/bridge/act-on-hook.ts",
]

const entryFiles = ["src/cli/bin.ts", "src/cli/main.ts", "src/cli/commands/index.ts"]

const outputOf = (source: string): string => join(basename(dirname(source)), basename(source).replace(/\.tsx?$/, ""))

const partsStayApart: Plugin = {
  name: "parts-stay-apart",
  setup({ onResolve, initialOptions }) {
    const out = initialOptions.outdir ?? ""
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, importer }) => {
      const source = relative(process.cwd(), resolve(resolveDir, path))
      if (kind !== "dynamic-import" || !parts.includes(source)) return undefined
      // What the entry holds itself; everything else is bundled into a part, one folder down.
      const isFromEntry = entryFiles.includes(relative(process.cwd(), importer))
      return { path: `${isFromEntry ? "./" : "../"}${relative(out, join(out, outputOf(source)))}.js`, external: true }
    })
  },
}

rmSync("dist", { recursive: true, force: true })

await build({
  entryPoints: { headway: "src/cli/bin.ts", ...Object.fromEntries(parts.map((part) => [outputOf(part), part])) },
  outdir: "dist/bin",
  bundle: true,
  minify: true,
  format: "esm",
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
})

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" })
