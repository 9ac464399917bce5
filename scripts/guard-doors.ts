/** Writes a guard before every door that loads an optional peer: where the peer is missing it says what to install. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { importsOf } from "./chunk-scripts.ts"

type Manifest = {
  exports: Record<string, string | { require?: string; default: string }>
  peerDependencies: Record<string, string>
}

/** A door whose package cannot be found fails before its first line runs, so the guard has to import it when it runs itself. */
export const guardDoors = async (): Promise<void> => {
  const { exports, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
  for (const [door, target] of Object.entries(exports)) {
    if (typeof target === "string" || target.require === undefined) continue
    const peers = packagesBehind(target.require).filter((name) => name in peerDependencies)
    const needed = Object.fromEntries(peers.map((name) => [name, peerDependencies[name] ?? ""]))
    const names = Object.keys(await import(pathToFileURL(target.require).href)).toSorted()
    const from = (path: string): string => relative(dirname(target.default), path).replaceAll("\\", "/")
    const lines = [
      `import { missingPackage } from "${from("dist/lib/host/missing-package.js")}"`,
      `const needed = ${JSON.stringify(needed)}`,
      `const door = await import("${from(target.require)}").catch((cause) => {`,
      `  throw missingPackage(cause, "${join("headway", door).replaceAll("\\", "/")}", needed)`,
      "})",
      `export const { ${names.join(", ")} } = door`,
    ]
    mkdirSync(dirname(target.default), { recursive: true })
    writeFileSync(target.default, `${lines.join("\n")}\n`)
  }
}

/** Every package that a built file loads as soon as it is loaded itself. */
const packagesBehind = (start: string): string[] => {
  const waiting = [start.replace(/^\.\//, "")]
  const found = new Set<string>()
  for (const path of waiting) {
    for (const specifier of importsOf(readFileSync(path, "utf8")).now) {
      const file = join(dirname(path), specifier)
      if (!specifier.startsWith("."))
        found.add(
          specifier
            .split("/")
            .slice(0, specifier.startsWith("@") ? 2 : 1)
            .join("/"),
        )
      else if (!waiting.includes(file)) waiting.push(file)
    }
  }
  return [...found].toSorted()
}
