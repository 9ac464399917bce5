/** Builds the bin (one small entry, lazily loaded chunks) and the library doors with their types. */
import { execFileSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { build } from "esbuild"

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }

rmSync("dist", { recursive: true, force: true })

await build({
  entryPoints: { headway: "src/cli/bin.ts" },
  outdir: "dist/bin",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  define: { HEADWAY_VERSION: JSON.stringify(version) },
  legalComments: "none",
  logLevel: "warning",
})

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" })
