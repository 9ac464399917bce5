/** Builds a program of the tests as the command is built, so that it starts as fast. */
import { basename, join } from "node:path"
import { build } from "esbuild"
import { builtinsWithoutRequire, leftOut } from "../../scripts/bundle-plugins.ts"
import { temporaryFolder } from "../stores/temporary.ts"

/** Returns the file to start. */
export const buildApp = async (entry: string): Promise<string> => {
  const outfile = join(temporaryFolder(), basename(entry).replace(/\.tsx?$/, ".mjs"))
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [leftOut, builtinsWithoutRequire],
    logLevel: "error",
  })
  return outfile
}
