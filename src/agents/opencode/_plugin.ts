/**
 * The text of our opencode plugin as set-up writes it: this package's file, with the command that works on this
 * machine.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { readForeignText } from "../../home/reading/foreign-file.ts"

const callsLine = /^const calls = .*$/m

/** The text of the plugin that calls this command line at each event. */
export const pluginText = (hook: string): string =>
  readForeignText(pluginFile()).replace(callsLine, () => `const calls = ${JSON.stringify({ hook })}`)

/** In source and in the build, this file has different depths below the package. */
const pluginFile = (): string => {
  const name = join("plugins", "opencode", "headway.js")
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, name)) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, name)
}
