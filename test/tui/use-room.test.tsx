/** The room a component takes when it is not told: what the terminal has, followed as it changes. */
import { Box } from "ink"
import { expect, test } from "vitest"
import { SpinnerWithTodos, TodoList } from "../../src/tui/index.ts"
import { planOf } from "../views/sample.ts"
import { live, settle } from "./live.tsx"

const plan = planOf(Array.from({ length: 9 }, () => ({ content: "x".repeat(200), status: "pending" as const })))
const many = Array.from({ length: 20 }, (_, index) => index)

test("a component fills the columns of its terminal, and the rows but one", async () => {
  const { frame, stdout } = await live(<TodoList plan={plan} />)
  expect(frame().split("\n")).toHaveLength(9)
  expect(frame().split("\n")[0]).toHaveLength(100)
  await settle(async () => {
    Object.defineProperties(stdout, { columns: { value: 40 }, rows: { value: 6 }, isTTY: { value: true } })
    stdout.emit("resize")
  })
  expect(frame().split("\n")).toEqual([...Array(4).fill(`☐ ${"x".repeat(37)}…`), "… 5 more"])
})

test("many components on one screen share one listener for its size, and none when they are gone", async () => {
  const { stdout, rerender } = await live(<Box />)
  const before = stdout.listenerCount("resize")
  await rerender(
    <Box flexDirection="column">
      {many.map((index) => (
        <SpinnerWithTodos key={index} plan={plan} />
      ))}
    </Box>,
  )
  expect(stdout.listenerCount("resize")).toBe(before + 1)
  await rerender(<Box />)
  expect(stdout.listenerCount("resize")).toBe(before)
})

test("a host without rows left gets the todo in progress, not all of them", async () => {
  const { frame, rerender } = await live(<TodoList plan={plan} height={0} width={20} />)
  expect(frame()).toBe(`☐ ${"x".repeat(17)}…`)
  await rerender(<TodoList plan={plan} height={-3} width={20} />)
  expect(frame().split("\n")).toHaveLength(1)
})
