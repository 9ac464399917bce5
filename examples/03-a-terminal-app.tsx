/** A terminal app for an agent: its plan stays visible while it works, and Ctrl+T shows all of it. */
import { setTimeout as pause } from "node:timers/promises"
import { findDialect, openStore, openTracker } from "headway"
import { AgentTodos, KeyHint, useTodosToggle } from "headway/tui"
import { Box, render } from "ink"

const tracker = await openTracker({ store: await openStore("memory:"), session: "release" })

/** Stands in for a model: its list calls, turn by turn. */
const script = [
  [{ content: "Run the tests", status: "in_progress" }, { content: "Fix what fails" }, { content: "Publish" }],
  [
    { id: "1", status: "completed" },
    { id: "2", status: "in_progress" },
  ],
  [
    { id: "2", status: "completed" },
    { id: "3", status: "in_progress" },
  ],
  [{ id: "3", status: "completed" }],
]

const Screen = ({ isWorking }: { isWorking: boolean }) => {
  const { isExpanded } = useTodosToggle({ plan: tracker, startsExpanded: true })
  return (
    <Box flexDirection="column">
      <AgentTodos plan={tracker} isWorking={isWorking} isExpanded={isExpanded} tip="ctrl+c ends the app" />
      <KeyHint isExpanded={isExpanded} />
    </Box>
  )
}

const app = render(<Screen isWorking />)
for (const todos of script) {
  await tracker.write({ tool: "todo", input: { todos } }, findDialect("headway"))
  await pause(process.stdout.isTTY ? 1500 : 0) // time to watch, and to press Ctrl+T
}
app.rerender(<Screen isWorking={false} />)
app.unmount()
await tracker.close()
