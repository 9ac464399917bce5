/** Several viewers of one board: each sees what they have read, and is judged by what they saw. */
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createBoardViewer } from "../../src/board/viewer.ts"
import { edits } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/tracker.ts"
import type { BoardEdit, BoardSession, BoardSource } from "../../src/views/board/session.ts"
import { atHome } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { boardAt, homeWith, homeWithAgent, type WatchedBoard } from "./live-board.ts"

const viewerOf = (board: WatchedBoard) => {
  const viewer = createBoardViewer(board)
  onTestFinished(viewer.close)
  return viewer
}

/** The one session of a board, with its plan in sight. */
const look = (viewer: BoardSource): BoardSession => {
  viewer.show(viewer.sessions.map(({ key }) => key))
  const [session] = viewer.sessions
  if (!session) throw new Error("no session")
  return session
}

const contents = ({ plan }: BoardSession): string[] =>
  plan?.todos.map(({ status, content }) => `${status} ${content}`) ?? []

/** A board over one session with two todos, and two people who look at it. */
const withTwoViewers = async () => {
  const { home, says } = homeWithAgent()
  says(1, ["Read the old data", "pending"], ["Write", "pending"])
  const board = await boardAt(home)
  const [ada, bob] = [viewerOf(board), viewerOf(board)]
  return { board, says, ada, bob, seenByAda: look(ada), seenByBob: look(bob) }
}

/** What a viewer does to the session as they saw it, maybe a while ago. */
const edit = (viewer: BoardSource, { key, plan }: BoardSession, change: BoardEdit): Promise<string> =>
  viewer.edit(key, change, plan).then(({ message }) => message)

describe("edits", () => {
  test("each of two viewers is told what happened to the todo they saw, whatever the other has seen since", async () => {
    const { ada, bob, seenByAda, seenByBob } = await withTwoViewers()
    const text = ada.textOf(seenByAda.plan ?? { todos: [], phases: [], revision: 0 })
    const reworded = text.replace("Read the old data", "Remove the old data")
    expect(await edit(ada, seenByAda, { kind: "text", text: reworded })).toContain("Remove the old data")
    // Ada sees the new words; Bob has not looked since, so his todo is not there any more.
    const now = look(ada)
    expect(await edit(bob, seenByBob, { kind: "toggle", todo: "1" })).toContain("in the meantime")
    expect(await edit(bob, seenByBob, { kind: "drop", todo: "2" })).toBe(
      'dropped "Write"; Claude Code is not connected here, so it will not see this. To connect it: headway setup claude',
    )
    // Bob's edit is not Ada's staleness: her todo is still the one she sees.
    expect(await edit(ada, now, { kind: "toggle", todo: "1" })).toBe(
      'finished "Remove the old data"; Claude Code is not connected here, so it will not see this. To connect it: headway setup claude',
    )
    expect(contents(look(bob))).toEqual(["completed Remove the old data", "cancelled Write"])
    expect(contents(look(ada))).toEqual(contents(look(bob)))
  })

  test("finishing a todo that another person has finished in the meantime does not reopen it", async () => {
    const { ada, bob, seenByAda, seenByBob } = await withTwoViewers()
    await edit(ada, seenByAda, { kind: "toggle", todo: "1" })
    expect(await edit(bob, seenByBob, { kind: "toggle", todo: "1" })).toBe("unchanged")
    const done = look(ada)
    expect(contents(done)[0]).toBe("completed Read the old data")
    // Both see it done, and both open it again.
    const alsoDone = look(bob)
    expect(await edit(ada, done, { kind: "toggle", todo: "1" })).toContain('reopened "Read the old data"')
    expect(await edit(bob, alsoDone, { kind: "toggle", todo: "1" })).toBe("unchanged")
  })

  test("a text of a whole plan is compared with what its own writer saw", async () => {
    const { board, ada, bob, seenByAda, seenByBob } = await withTwoViewers()
    const text = board.textOf(seenByBob.plan ?? { todos: [], phases: [], revision: 0 })
    await edit(ada, seenByAda, { kind: "add", content: "Ask Ada" })
    look(ada)
    expect(await edit(bob, seenByBob, { kind: "text", text: text.replace("[ ] Write", "[x] Write") })).toBe(
      'finished "Write"; Claude Code is not connected here, so it will not see this. To connect it: headway setup claude',
    )
    expect(contents(look(bob))).toEqual(["pending Read the old data", "completed Write", "pending Ask Ada"])
  })

  test("a text for a plan that was never read is refused and kept", async () => {
    const { board } = await withTwoViewers()
    expect(await board.edited(board.row().key, { kind: "text", text: "- [ ] Read\n" })).toMatch(
      /not read before it was edited\. Your text is kept in /,
    )
  })
})

describe("the view of each viewer", () => {
  test("rows and plans are plain data", async () => {
    const board = await boardAt(homeWith("claude-2.1.197/subagents-todowrite"))
    expect(board.rows.length).toBeGreaterThan(1)
    for (const row of board.rows) {
      const plan = await board.read(row.key)
      expect(JSON.parse(JSON.stringify({ row, plan }))).toEqual({ row, plan })
      expect(Object.values(Object.getOwnPropertyDescriptors(row)).filter(({ get }) => get)).toEqual([])
    }
  })

  test("only a plan that a viewer shows is read, and follows its agent", async () => {
    const { board, says, ada, bob } = await withTwoViewers()
    const third = viewerOf(board)
    expect(third.sessions).toBe(board.rows)
    says(2, ["Read the old data", "completed"], ["Write", "in_progress"])
    await board.until(() => board.row().current === "Write")
    expect(contents(look(ada))).toEqual(["completed Read the old data", "in_progress Write"])
    expect(contents(look(ada))).toEqual(contents(look(bob)))
    expect(third.sessions[0]?.plan).toBeUndefined()
  })

  test("a plan that must be read first comes with a change", async () => {
    const home = temporaryFolder()
    const { run } = atHome({ home })
    const board = await boardAt(home)
    const viewer = viewerOf(board)
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    await board.until(({ rows }) => rows.length === 1)
    const changed = new Promise<void>((resolve) => viewer.subscribe(resolve))
    expect(look(viewer).plan).toBeUndefined()
    await changed
    expect(contents(look(viewer))).toEqual(["pending Rest"])
  })

  test("a version shows that a plan has changed, also where its row is the same", async () => {
    const { board, ada, seenByAda } = await withTwoViewers()
    const { version, progress } = board.row()
    const text = ada.textOf(seenByAda.plan ?? { todos: [], phases: [], revision: 0 })
    await edit(ada, seenByAda, { kind: "text", text: text.replace("Read the old data", "Read all the old data") })
    expect(board.row().progress).toEqual(progress)
    expect(board.row().version).toBeGreaterThan(version)
  })
})

test("a session with the id of another agent's plan has its own row, for viewing only", async () => {
  const { home, says } = homeWithAgent()
  says(1, ["Read", "pending"], ["Write", "pending"])
  const session = "11111111-2222-4333-8444-555555555555"
  const store = createFileStore({ home: join(home, ".headway") })
  const tracker = await openTracker({ store, session, opened: { agentType: "openai-codex" } })
  await tracker.edit({ kind: "person", id: "ada" }, () => edits.add("Codex's own"))
  await tracker.close()
  await store.close()
  const board = await boardAt(home)
  const [codex, claude] = ["openai-codex", "claude-code"].map((type) =>
    board.rows.find(({ agentType }) => agentType === type),
  )
  expect([codex, claude]).toMatchObject([
    { todos: 1, isEditable: true },
    { todos: 2, isEditable: false },
  ])
  expect((await board.read(claude?.key ?? "")).plan?.todos).toHaveLength(2)
  expect(await board.edited(claude?.key ?? "", { kind: "add", content: "More" })).toContain("read-only")
  expect((await board.read(codex?.key ?? "")).plan?.todos).toMatchObject([{ content: "Codex's own" }])
})
