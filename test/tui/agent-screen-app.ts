/** The agent's screen for the terminal tests: the real agent in a folder, with a scripted model. FOLDER SCRIPT [PROMPT] */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createMemoryTranscript, createScriptModel, openAgent, readScript } from "../../src/agent/index.ts"
import { main } from "../../src/cli/main.ts"
import { processIo } from "../../src/cli/process-io.ts"
import { dialects } from "../../src/dialects/index.ts"
import { openTracker } from "../../src/open-tracker.ts"
import { loadSettings, openStore, saveSettings } from "../../src/stores/index.ts"
import { openAgentScreen } from "../../src/tui/screens.ts"

const [folder = "", script = "", prompt] = process.argv.slice(2)
const home = join(folder, ".headway")
const look = { colour: process.env.NO_COLOR === undefined, ascii: process.env.ASCII !== undefined }
const tracker = await openTracker({ store: await openStore("file:", { home }), session: "s" })

const { ending } = await openAgentScreen({
  open: (host) =>
    openAgent({
      model: createScriptModel(readScript(readFileSync(script, "utf8"))),
      tracker,
      transcript: createMemoryTranscript(),
      cwd: folder,
      dialect: dialects["claude-todos"],
      planFile: join(home, "plans", "s.md"),
      ...host,
    }),
  prompt,
  greeting: "Headway agent",
  look,
  editTodos: async (words) => {
    if (words[0] === "crash")
      setImmediate(() => {
        throw new Error("crashed")
      })
    let said = ""
    const hear = (text: string): void => {
      said += text
    }
    const argv = ["todo", ...words, "--home", home, "--session", "s"]
    const code = await main(argv, { ...processIo, out: hear, err: hear, cwd: folder })
    if (code !== 0) throw new Error(said)
    return said
  },
  startsExpanded: loadSettings(home).showExpandedTodos,
  onSaveExpanded: (showExpandedTodos) => saveSettings(home, { showExpandedTodos }),
})
await tracker.close()
console.error(`${ending}. Go on with: headway agent --resume s`)
