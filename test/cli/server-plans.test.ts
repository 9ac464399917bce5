/** A server that was started in one project, and clients that work in another: a session has one plan, where its hook says. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { leaveCallNote } from "../../src/bridges/hooks/call-notes.ts"
import { openServerPlans } from "../../src/cli/bridge/plans/server-plans.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { dialects } from "../../src/dialects/index.ts"
import { namesIn } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"
import { silentIo } from "./silent-io.ts"

type Todo = { content: string; status?: string }

/** A server in the person's own folder, and Claude Code in the repository `shop`. */
const serving = ({ keepsPlans = false, values = {} } = {}) => {
  const { home, run } = atHome()
  const shop = join(home, "code/shop")
  mkdirSync(join(shop, ".git"), { recursive: true })
  const io = silentIo(home)
  const opened = createOpened()
  const plans = openServerPlans({ io, values, words: [], behind: [], opened }, { isShared: false, isChild: false })
  const client = plans.connect()
  const keepPlans = async (): Promise<void> => {
    if (keepsPlans) await run(["todo", "add", "x", "--project", "--new", "--session", "first"], { cwd: shop })
  }
  const fire = (event: object) =>
    run(["hook", "claude-code"], { cwd: shop, input: JSON.stringify({ session_id: "s-1", cwd: shop, ...event }) })
  const native = (...todos: Todo[]) =>
    fire({ hook_event_name: "PostToolUse", tool_name: "TodoWrite", tool_input: { todos }, tool_use_id: "native" })
  let calls = 0
  /** Our tool: the hook announces the call, and then the server gets it. */
  const call = async (agentType: string, ...todos: Todo[]) => {
    calls += 1
    const [tool_use_id, tool_input] = [`call-${calls}`, { todos }]
    await fire({ hook_event_name: "PreToolUse", tool_name: "mcp__headway__todo", tool_input, tool_use_id })
    const caller = { agentType, ...plans.whose(tool_use_id) }
    const made = { tool: "todo", input: tool_input }
    return (await client.planFor(caller, made)).write(made, dialects.headway)
  }
  const shown = async (cwd: string): Promise<string[]> => {
    const { out, code } = await run(["show", "--json", "--session", "s-1"], { cwd })
    if (code !== 0) return []
    return JSON.parse(out).todos.map(({ content, status }: Record<string, string>) => `${status} ${content}`)
  }
  const listed = async (): Promise<{ session: string; project: string }[]> =>
    JSON.parse((await run(["list", "--json"], { cwd: shop })).out)
  const close = async (): Promise<void> => {
    await client.onClose?.()
    await plans.close()
    await opened.close()
  }
  return { home, shop, run, plans, keepPlans, fire, native, call, shown, listed, close }
}

describe("a client in another project than the server's", () => {
  test.each([false, true])(
    "has one plan in the project that its hook names (in the repository: %s)",
    async (keepsPlans) => {
      const { home, shop, keepPlans, native, call, shown, listed, fire, close } = serving({ keepsPlans })
      await keepPlans()
      await native({ content: "Read", status: "in_progress" })
      await call("claude-code", { content: "Read", status: "completed" })
      expect(await shown(shop)).toEqual(["completed Read"])
      expect((await listed()).filter(({ session }) => session !== "first")).toHaveLength(1)
      expect(namesIn(join(keepsPlans ? shop : home, ".headway/journal"))).toContain("s-1-agent-main.jsonl")
      const { out } = await fire({ hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." })
      expect(out).not.toContain("block")
      await close()
    },
  )

  test("begins its plan there, also where the server keeps its own plans in a repository", async () => {
    const { home, shop, call, shown, listed, close } = serving({ values: { project: true } })
    await call("claude-code", { content: "Read" })
    expect(await shown(shop)).toEqual(["pending Read"])
    expect((await listed()).map(({ project }) => project)).toEqual([shop])
    expect(namesIn(join(home, ".headway/journal"))).toEqual(["s-1-agent-main.jsonl"])
    await close()
  })

  test("does not get the plan of another agent's session", async () => {
    const { shop, native, call, shown, run, close } = serving()
    await native({ content: "Read", status: "in_progress" })
    await run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: shop })
    expect((await call("openai-codex", { content: "Injected" })).text).not.toContain("Ask Ada")
    expect(await shown(shop)).toEqual(["in_progress Read", "pending Ask Ada"])
    await close()
  })

  test("gets no plan of a project whose folder is gone, or is not named by its full path", async () => {
    const { home, plans, native, close } = serving()
    await native({ content: "Read", status: "in_progress" })
    leaveCallNote(join(home, ".headway"), "relative", { session: "s-1", agent: "main", folder: "code/shop" })
    leaveCallNote(join(home, ".headway"), "gone", { session: "s-1", agent: "main", folder: join(home, "gone") })
    for (const callId of ["relative", "gone"])
      await expect(plans.connect().planFor({ agentType: "claude-code", ...plans.whose(callId) })).rejects.toThrow(
        "does not know which one you work in",
      )
    expect(await plans.planAt({ session: "s-1", agent: "main" })).toBeUndefined()
    await close()
  })
})
