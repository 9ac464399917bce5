/** A small app for the terminal tests: an agent at work on as many todos as it is told; `q` ends it. */
import { Box, render, useApp, useInput } from "ink"
import { AgentTodos, KeyHint, useTerminalSize, useTodosToggle } from "../../src/tui/index.ts"
import { planOf } from "../views/sample.ts"

const count = Number(process.argv[2])
const plan = planOf(
  Array.from({ length: count }, (_, index) => ({
    content: `Todo ${index + 1} of more words than a narrow screen has room for`,
    status: index + 1 === Math.ceil(count / 2) ? "in_progress" : "pending",
  })),
)

const App = () => {
  const { exit } = useApp()
  const { rows } = useTerminalSize()
  const { isExpanded } = useTodosToggle({ plan })
  useInput((input) => {
    if (input === "q") exit()
  })
  return (
    <Box flexDirection="column">
      <AgentTodos plan={plan} isWorking isExpanded={isExpanded} height={rows - 2} />
      <KeyHint isExpanded={isExpanded} />
    </Box>
  )
}

render(<App />)
