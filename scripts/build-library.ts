/** Builds the doors of the library: their code in files that they share, and the declarations that can be reached from them. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { build } from "esbuild"
import { withQuickSpreads } from "./quick-spreads.ts"

const library = "dist/lib"

/** Names stay as they are written: a trace from a program that uses the library can be read. */
export const buildLibrary = async (): Promise<void> => {
  const doors = doorFiles()
  // What a guard before a door says, and what the page of one agent is about, are no doors.
  const entries = [...doors, "host/missing-package"]
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(entries.map((door) => [door, sourceOf(door)])),
    outdir: library,
    chunkNames: "shared/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    packages: "external",
    platform: "node",
    target: "es2023",
    jsx: "automatic",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    write: false,
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, withQuickSpreads(text))
  }
  // Types are checked by `npm run types`, all at once; here they are only written down.
  const words = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck", "--checkers", "1"]
  execFileSync(process.execPath, words, { stdio: "inherit" })
  const declarations = declarationsBehind(doors.map((door) => `${library}/${door}.d.ts`))
  keepOnly(declarations)
  for (const path of declarations) writeFileSync(path, indentedByTabs(readFileSync(path, "utf8")))
}

/** A tenth of what declarations take is blanks. */
const indentedByTabs = (text: string): string =>
  text.replaceAll(/^(?: {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4))

/** As `exports` has them, without what a file of each kind ends with. */
const doorFiles = (): string[] => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
    exports: Record<string, { types?: string }>
  }
  return Object.values(exports).flatMap(({ types }) =>
    types === undefined
      ? []
      : [
          relative(library, types)
            .replaceAll("\\", "/")
            .replace(/\.d\.ts$/, ""),
        ],
  )
}

const sourceOf = (door: string): string => `src/${door}.${existsSync(`src/${door}.ts`) ? "ts" : "tsx"}`

const declarationsBehind = (doors: readonly string[]): Set<string> => {
  const found = new Set(doors.map((path) => join(path)))
  for (const path of found)
    for (const [, specifier = ""] of readFileSync(path, "utf8").matchAll(
      /(?:\bfrom|\bimport\(|^import) ?"(\.[^"]+)"/gm,
    ))
      found.add(join(dirname(path), specifier.replace(/\.[jt]sx?$/, ".d.ts")))
  return found
}

const keepOnly = (declarations: ReadonlySet<string>): void => {
  const paths = readdirSync(library, { recursive: true, encoding: "utf8" }).map((path) => join(library, path))
  for (const path of paths) if (path.endsWith(".d.ts") && !declarations.has(path)) rmSync(path)
  // Deeper folders first.
  for (const path of paths.toSorted().toReversed())
    if (!/\.(?:js|d\.ts)$/.test(path) && readdirSync(path).length === 0) rmdirSync(path)
}
