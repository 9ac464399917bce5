/** Builds the doors of the library: their code in files that they share, and the declarations that can be reached from them. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { build, type Plugin, type TransformOptions, transform } from "esbuild"
import { parseAst } from "vite"
import { applied, type Node } from "./edit-syntax.ts"
import { withQuickSpreads } from "./quick-spreads.ts"
import { usedDeclarations } from "./used-declarations.ts"

const library = "dist/lib"

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
    plugins: [withoutPartsOfCommand, shortLocalNames(entries.map(sourceOf))],
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, withQuickSpreads(text))
  }
  // Types are checked by `npm run types`, all at once; here they are only written down.
  const words = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck", "--checkers", "1"]
  execFileSync(process.execPath, words, { stdio: "inherit" })
  const declarations = usedDeclarations(doors.map((door) => `${library}/${door}.d.ts`))
  keepOnly(declarations)
  for (const [path, text] of declarations) writeFileSync(path, indentedByTabs(text))
}

/** The doors read what agents print. What else the row of an agent can load, only the command asks for. */
const withoutPartsOfCommand: Plugin = {
  name: "without-parts-of-command",
  setup({ onResolve, onLoad }) {
    const namespace = "part-of-command"
    onResolve({ filter: /^\.\/(?:hooks|now|sessions|settings)\.ts$/ }, ({ kind, path, importer }) =>
      kind === "dynamic-import" && /[\\/]src[\\/]agents[\\/][\w-]+[\\/]index\.ts$/.test(importer)
        ? { path: basename(path), namespace }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `throw new Error("An agent's ${path} is in the command only.")`,
    }))
  },
}

/**
 * Shortens the names inside functions. Functions of a file keep theirs, so that a trace from a program that uses the library can be read:
 * esbuild does not rename what is exported, so all of them are until they are bundled. The exports of a door are left as they are.
 */
const shortLocalNames = (doors: readonly string[]): Plugin => ({
  name: "short-local-names",
  setup({ onLoad }) {
    const paths = doors.map((door) => resolve(door))
    onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
      if (paths.includes(path)) return undefined
      const options: TransformOptions = { target: "es2023", jsx: "automatic" }
      const loader = path.endsWith("x") ? "tsx" : "ts"
      const { code } = await transform(readFileSync(path, "utf8"), { ...options, loader })
      const { body } = parseAst(code) as unknown as { body: Node[] }
      const exported = body
        .filter(({ type }) => /^(?:Variable|Function|Class)Declaration$/.test(type))
        .map(({ start }) => ({ start, end: start, text: "export " }))
      const { code: contents } = await transform(applied(code, exported), { ...options, minifyIdentifiers: true })
      return { contents, loader: "js" }
    })
  },
})

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

const keepOnly = (declarations: ReadonlyMap<string, string>): void => {
  const paths = readdirSync(library, { recursive: true, encoding: "utf8" }).map((path) => join(library, path))
  for (const path of paths) if (path.endsWith(".d.ts") && !declarations.has(path)) rmSync(path)
  // Deeper folders first.
  for (const path of paths.toSorted().toReversed())
    if (!/\.(?:js|d\.ts)$/.test(path) && readdirSync(path).length === 0) rmdirSync(path)
}
