/** Ctrl+T: what it changes, whom it tells, and what it leaves alone. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Box } from "ink"
import { describe, expect, onTestFinished, test } from "vitest"
import { loadSettings, saveSettings } from "../../src/home/settings.ts"
import { emptyPlan } from "../../src/plan/todo.ts"
import {
  AgentTodos,
  KeyHint,
  type TodosToggleOptions,
  type ToggleTodosEvent,
  useTodosToggle,
} from "../../src/tui/index.ts"
import { threeTodos } from "../views/sample.ts"
import { live } from "./live.tsx"

const ctrlT = "\u0014"

const App = ({ isWorking = false, ...options }: TodosToggleOptions & { isWorking?: boolean }) => {
  const { isExpanded } = useTodosToggle(options)
  return (
    <Box flexDirection="column">
      <AgentTodos plan={options.plan} isWorking={isWorking} isExpanded={isExpanded} />
      <KeyHint isExpanded={isExpanded} />
    </Box>
  )
}

describe("Ctrl+T", () => {
  test("C32 toggles expanded and collapsed, and the hint with it", async () => {
    const { frame, press } = await live(<App plan={threeTodos} />)
    expect(frame()).toBe("ctrl+t show todos")
    await press(ctrlT)
    expect(frame()).toContain("☐ Write the tests")
    expect(frame()).toContain("ctrl+t hide todos")
    await press(ctrlT)
    expect(frame()).toBe("ctrl+t show todos")
  })

  test("C33 it works the same under the spinner", async () => {
    const { frame, press } = await live(<App plan={threeTodos} isWorking />)
    expect(frame()).toBe("✻ Writing the tests…\n  Next: Ship it\nctrl+t show todos")
    await press(ctrlT)
    expect(frame()).toContain("  ☐ Write the tests")
  })

  test("C32 each toggle emits an event with the state before it", async () => {
    const events: ToggleTodosEvent[] = []
    const { press, rerender } = await live(<App plan={threeTodos} onEvent={(event) => events.push(event)} />)
    await press(ctrlT)
    await press(ctrlT)
    await rerender(<App plan={emptyPlan} onEvent={(event) => events.push(event)} />)
    await press(ctrlT)
    expect(events).toEqual([
      { type: "toggle_todos", is_expanded: false, has_todos: true },
      { type: "toggle_todos", is_expanded: true, has_todos: true },
      { type: "toggle_todos", is_expanded: false, has_todos: false },
    ])
  })

  test("C16 the view is saved with each toggle and starts as it was left", async () => {
    const home = mkdtempSync(join(tmpdir(), "headway-tui-"))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const app = (
      <App
        plan={threeTodos}
        startsExpanded={loadSettings(home).showExpandedTodos}
        onSave={(showExpandedTodos) => saveSettings(home, { showExpandedTodos })}
      />
    )
    const first = await live(app)
    expect(first.frame()).toBe("ctrl+t show todos")
    await first.press(ctrlT)
    expect(loadSettings(home).showExpandedTodos).toBe(true)
    const again = await live(<App plan={threeTodos} startsExpanded={loadSettings(home).showExpandedTodos} />)
    expect(again.frame()).toContain("ctrl+t hide todos")
  })

  test("C32 other keys, the key's release and an inactive hook change nothing", async () => {
    const { frame, press, rerender } = await live(<App plan={threeTodos} />)
    for (const key of ["t", "T", "\u0015", "\r", "\u001bt", "\u001b[116;5:3u"]) await press(key)
    expect(frame()).toBe("ctrl+t show todos")
    await press("\u001b[116;5u")
    expect(frame()).toContain("ctrl+t hide todos")
    await rerender(<App plan={threeTodos} isActive={false} />)
    await press(ctrlT)
    expect(frame()).toContain("ctrl+t hide todos")
  })

  test("C32 keys that come before anything is drawn all count", async () => {
    const events: boolean[] = []
    const { frame, press } = await live(
      <App plan={threeTodos} onEvent={({ is_expanded }) => events.push(is_expanded)} />,
    )
    await press(ctrlT, ctrlT, ctrlT)
    expect(events).toEqual([false, true, false])
    expect(frame()).toContain("ctrl+t hide todos")
  })
})
