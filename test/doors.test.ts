/** The doors of the built package, as a program that installed it meets them. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "./stores/temporary.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const run = promisify(execFile)

type Manifest = {
  exports: Record<string, string | { require?: string }>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest
const doors = Object.entries(manifest.exports).flatMap(([door, target]) =>
  typeof target === "string" ? [] : [{ door: `headway${door.slice(1)}`, isGuarded: target.require !== undefined }],
)

/** A folder with the package and its dependencies, and of the optional peers only those named. */
const installed = (...peers: string[]): string => {
  const folder = temporaryFolder()
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "headway"), { recursive: true })
  for (const part of ["dist/lib", "package.json"])
    cpSync(join(root, part), join(modules, "headway", part), { recursive: true })
  for (const name of [...Object.keys(manifest.dependencies), ...peers]) {
    mkdirSync(join(modules, name, ".."), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  return folder
}

/** What each door says, in one program. */
const imported = async (folder: string): Promise<Record<string, string>> => {
  const code = `const results = {}
    for (const door of ${JSON.stringify(doors.map(({ door }) => door))})
      results[door] = await import(door).then(() => "loaded", ({ code, message }) => code + " " + message)
    console.log(JSON.stringify(results))`
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder })
  return JSON.parse(stdout) as Record<string, string>
}

describe("without optional peers", () => {
  const results = imported(installed())

  test.each(doors.filter(({ isGuarded }) => !isGuarded))("$door needs none", async ({ door }) => {
    expect((await results)[door]).toBe("loaded")
  })

  test.each(doors.filter(({ isGuarded }) => isGuarded))("$door says what to install", async ({ door }) => {
    const message = (await results)[door] ?? ""
    expect(message).toMatch(new RegExp(`^missing-package ${door} needs the package \\S+, which is not installed\\. `))
    const [, name = ""] = /npm install "(@?[^@"]+)@[^"]+"/.exec(message) ?? []
    expect(Object.keys(manifest.peerDependencies)).toContain(name)
  })

  test("a model whose package is missing says what to install, too", async () => {
    const code = `const { findModel } = await import("headway/agent")
      await findModel("anthropic/x", { ANTHROPIC_API_KEY: "none" }).catch(({ code, message }) => console.log(code, message))`
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: installed("ai") })
    expect(stdout).toBe(
      "missing-package The provider anthropic needs the package @ai-sdk/anthropic, which is not installed. Install it: npm install @ai-sdk/anthropic\n",
    )
  })
})

test("with all peers every door opens", async () => {
  const results = await imported(installed(...Object.keys(manifest.peerDependencies)))
  expect(results).toEqual(Object.fromEntries(doors.map(({ door }) => [door, "loaded"])))
})
