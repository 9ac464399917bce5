/** Kilo, which is driven as opencode is. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "./client.ts"
import { configFor, opencode } from "./opencode.ts"

export const kilo: Client = {
  ...opencode,
  id: "kilo",
  title: "Kilo",
  agent: "kilo",
  package: "@kilocode/cli",
  program: "kilo",
  prepare({ home, url }) {
    const folder = join(home, ".config", "kilo")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "kilo.jsonc"), `${JSON.stringify(configFor(url), null, 2)}\n`)
  },
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: "1",
    KILO_DISABLE_LSP_DOWNLOAD: "1",
    KILO_DISABLE_MODELS_FETCH: "1",
    KILO_TELEMETRY_LEVEL: "off",
  }),
  args: (prompt, { isResumed }) => ["run", "--auto", "--format", "json", ...(isResumed ? ["--continue"] : []), prompt],
  cannot: {
    clearing: "`kilo run` takes one prompt and ends.",
    stopping: "A plugin is told that the agent stops, and cannot send it back to work.",
    plugin: "Our plugin comes with set-up only.",
  },
}
