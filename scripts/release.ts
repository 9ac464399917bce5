/** `npm run release -- --dry-run [VERSION]`: says what is ready for a release and what is missing. It changes and publishes nothing. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Packed } from "./package-limits.ts"
import {
  type Check,
  checkChangelog,
  checkName,
  checkPack,
  checkProvenance,
  checkTree,
  checkVersion,
  type Manifest,
  versionAfter,
} from "./release-checks.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean" }, "skip-tests": { type: "boolean" } },
})

type Ended = { status: number | null; stdout: string; stderr: string }

/** On Windows npm is a script of the shell. */
const run = (program: string, words: readonly string[], cwd = process.cwd()): Ended =>
  spawnSync(program, words, { cwd, encoding: "utf8", maxBuffer: 1 << 28, shell: process.platform === "win32" })

const lastLines = (text: string): string => text.trim().split("\n").slice(-12).join("\n")

const checkTests = (): Check => {
  if (values["skip-tests"]) {
    const { status, stderr } = run("npm", ["run", "--silent", "build"])
    return {
      what: "tests",
      isGood: status === 0 ? undefined : false,
      says: status === 0 ? "skipped; only built" : lastLines(stderr),
    }
  }
  const { status, stdout, stderr } = run("npm", ["test"])
  return { what: "tests", isGood: status === 0, says: status === 0 ? "npm test is green" : lastLines(stdout + stderr) }
}

/** As a person would: the tarball, in an empty folder. Dependencies come from the registry, or from npm's cache. */
const checkInstall = (tarball: string, version: string): Check => {
  const what = "install"
  const folder = mkdtempSync(join(tmpdir(), "headway-release-"))
  try {
    writeFileSync(join(folder, "package.json"), '{"private":true}')
    const installed = run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], folder)
    if (installed.status !== 0) return { what, isGood: false, says: lastLines(installed.stderr) }
    const result = run("npx", ["--no", "--", "headway", "--version"], folder)
    const isGood = result.status === 0 && result.stdout.trim() === version
    return {
      what,
      isGood,
      says: isGood ? "npm install of the tarball, then npx headway: works" : lastLines(result.stdout + result.stderr),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const foundAs = (name: string): { version?: string; repository?: unknown } | undefined => {
  const { status, stdout, stderr } = run("npm", ["view", name, "version", "repository", "--json"])
  if (status === 0) return JSON.parse(stdout) as { version?: string }
  return /E404/.test(stdout + stderr) ? {} : undefined
}

const checked = (next: string): Check[] => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
  const folder = mkdtempSync(join(tmpdir(), "headway-release-"))
  try {
    const before = [
      checkVersion(manifest, next, run("git", ["tag"]).stdout.split("\n")),
      checkChangelog(readFileSync("CHANGELOG.md", "utf8"), next),
      checkTree(run("git", ["status", "--porcelain"]).stdout),
      checkProvenance(manifest),
      checkName(manifest, foundAs(manifest.name)),
      checkTests(),
    ]
    // After the tests, which build it.
    const { status, stdout, stderr } = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder])
    if (status !== 0) return [...before, { what: "package", isGood: false, says: lastLines(stderr) }]
    const [packed] = JSON.parse(stdout) as [Packed]
    return [...before, checkPack(packed), checkInstall(join(folder, packed.filename), manifest.version)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const main = (): number => {
  if (!values["dry-run"]) {
    console.error(
      "Publishing is done by hand. npm run release -- --dry-run [VERSION] [--skip-tests] says what is ready.",
    )
    return 2
  }
  const next = positionals[0] ?? versionAfter((JSON.parse(readFileSync("package.json", "utf8")) as Manifest).version)
  const checks = checked(next)
  for (const { what, isGood, says } of checks)
    console.log(`${isGood === undefined ? "?" : isGood ? "✓" : "✗"} ${what}: ${says}`)
  const wrong = checks.filter(({ isGood }) => isGood !== true)
  console.log(
    wrong.length === 0
      ? `${next} can be released.`
      : `${next} cannot be released yet: ${wrong.map(({ what }) => what).join(", ")}.`,
  )
  return wrong.length === 0 ? 0 : 1
}

process.exitCode = main()
