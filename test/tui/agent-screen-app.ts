/** The agent's screen for the terminal tests: the real agent in a folder, with a scripted model. FOLDER SCRIPT [TASK] */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createMemoryTranscript, createScriptModel, openAgent, readScript } from "../../src/agent/index.ts"
import { main } from "../../src/cli/main.ts"
import { processIo } from "../../src/cli/process-io.ts"
import { dialects } from "../../src/dialects/index.ts"
import { openTracker } from "../../src/open-tracker.ts"
import { loadSettings, openStore, saveSettings } from "../../src/stores/index.ts"
import { openAgentScreen } from "../../src/tui/screens.ts"
import { todosText } from "../../src/views/index.ts"

const [folder = "", script = "", task] = process.argv.slice(2)
const home = join(folder, ".headway")
const look = { colour: process.env.NO_COLOR === undefined, ascii: process.env.ASCII !== undefined }
const tracker = await openTracker({ store: await openStore("file:", { home }), session: "s" })

/** As the command line does it, in fewer words. */
const command = async (line: string): Promise<{ text: string; isExit?: boolean }> => {
  if (line === "/exit") return { text: "", isExit: true }
  if (line === "/todos") return { text: todosText(tracker.plan) }
  if (line === "/crash")
    setImmediate(() => {
      throw new Error("crashed")
    })
  let text = ""
  const hear = (more: string): void => {
    text += more
  }
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "")
  const argv = ["todo", ...words.slice(1), "--home", home, "--session", "s"]
  await main(argv, { ...processIo, out: hear, err: hear, cwd: folder })
  await tracker.refresh()
  return { text }
}

await openAgentScreen({
  open: (ears) =>
    openAgent({
      model: createScriptModel(readScript(readFileSync(script, "utf8"))),
      tracker,
      transcript: createMemoryTranscript(),
      cwd: folder,
      dialect: dialects["claude-todos"],
      planFile: join(home, "plans", "s.md"),
      ...ears,
    }),
  ...{ session: "s", model: "script", isResumed: false, task, command, commands: [], look },
  now: () => new Date(),
  isExpanded: loadSettings(home).showExpandedTodos,
  saveExpanded: (showExpandedTodos) => saveSettings(home, { showExpandedTodos }),
  clearDelay: loadSettings(home)["tasks.todoClearDelay"],
  stopped: processIo.stopped(),
})
await tracker.close()
