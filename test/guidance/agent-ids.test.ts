/** What an agent is told names todos by the ids its own tools know. */
import { expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { attachmentText, editNotice, mayStop, todoAttachment } from "../../src/guidance/index.ts"
import { edits } from "../../src/plan/index.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { open, patch, pending, person } from "../tracker/open.ts"

/** The person's own todo comes first, so that each task has another number here than in the agent's tool. */
const withTasks = async (): Promise<Tracker> => {
  const tracker = await open({ editNotice })
  await tracker.edit(person, () => edits.add("Ask Ada"))
  await tracker.tellAgent()
  for (const [index, subject] of ["Read", "Deploy"].entries()) {
    const call = { tool: "TaskCreate", input: { subject }, result: { task: { id: String(index + 1), subject } } }
    await tracker.write({ ...call, observed: true }, dialects["claude-tasks"])
  }
  return tracker
}

const restoredText = ({ plan }: Tracker): string | undefined =>
  attachmentText(todoAttachment(plan.todos, { context: "post-compact" }), { list: "TaskUpdate" })

const stopText = ({ plan }: Tracker): string => {
  const verdict = mayStop({ plan, work: 0 })
  return verdict.stop ? "" : verdict.text
}

test("a restored list has the agent's numbers, and none for what a person added", async () => {
  const text = restoredText(await withTasks())
  expect(text).toContain("\n[pending] Ask Ada\n#1 [pending] Read\n#2 [pending] Deploy\n")
})

test("an agent that is sent back to work is sent to its own numbers", async () => {
  const text = stopText(await withTasks())
  expect(text).toContain('- "Ask Ada"\n- #1 "Read"\n- #2 "Deploy"\n')
})

test("a notice of a person's changes has the agent's numbers, also for what is gone", async () => {
  const tracker = await withTasks()
  await tracker.edit(person, ({ todos: [, read, deploy] }) =>
    read && deploy ? [...edits.remove(deploy), ...edits.start(read), ...edits.add("Tell Bob")] : [],
  )
  await tracker.edit(person, () => [
    { type: "todo-changed", id: "2", from: { blockedBy: null }, to: { blockedBy: ["1"] } },
  ])
  const notice = await tracker.tellAgent()
  expect(notice).toContain('- removed 2 "Deploy"\n- 1 "Read": now in_progress\n- added "Tell Bob"\n')
  expect(notice).toContain('- 1 "Read": waits for todo "Ask Ada"\n')
})

test("an agent without its own ids is told ours", async () => {
  const tracker = await open({ editNotice })
  await patch(tracker, pending("Read", "Deploy"))
  await tracker.edit(person, () => edits.add("Ask Ada"))
  expect(await tracker.tellAgent()).toContain('- added 3 "Ask Ada"\n')
  expect(restoredText(tracker)).toContain("\n#3 [pending] Ask Ada\n")
  expect(stopText(tracker)).toContain('- #3 "Ask Ada"\n')
})

test("a notice does not call the beginning of a plan a change", async () => {
  const tracker = await open({ editNotice })
  await tracker.edit(person, () => edits.add("Ask Ada"))
  const notice = await tracker.tellAgent()
  expect(notice).toContain('- added 1 "Ask Ada"')
  expect(notice).not.toContain("began")
})
