import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { type AgentTool, createRegistry } from "../../src/reference-agent/registry.ts"
import { offersTodos } from "../../src/reference-agent/todo-tools.ts"
import { open, script } from "./open.ts"

const tool = (name: string, more: Partial<AgentTool> = {}): AgentTool => ({
  name,
  description: `Does ${name}.`,
  schema: { type: "object" },
  isEnabled: () => true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  needsPermission: async () => undefined,
  run: async () => ({ text: `${name} done` }),
  ...more,
})

const machine = ["Read", "Write", "Edit", "Bash", "Glob", "Grep"]

describe("the registry (C29)", () => {
  test("lists the names of the enabled tools, and offers no others", () => {
    let isOn = false
    const registry = createRegistry([tool("a"), tool("b", { isEnabled: () => isOn })])
    expect(registry.names()).toEqual(["a"])
    expect(registry.find("b")).toBeUndefined()
    isOn = true
    expect(registry.offered().map(({ name }) => name)).toEqual(["a", "b"])
    expect(registry.find("b")?.name).toBe("b")
    expect(registry.find("c")).toBeUndefined()
  })

  test("uses a host's tool instead of ours of the same name", async () => {
    const model = script({ calls: [{ tool: "Read", input: {} }] }, { text: "Done." })
    const { agent, eventsOf, run } = await open(model, { tools: [tool("Read")] })
    await run()
    expect(agent.tools.names().filter((name) => name === "Read")).toHaveLength(1)
    expect(eventsOf("tool-ended")).toMatchObject([{ tool: "Read", text: "Read done" }])
  })

  test("has the tools of the machine, the list, plan mode and sub-agents for an agent", async () => {
    const { agent } = await open(script())
    expect(agent.tools.names()).toEqual([...machine, "TodoWrite", "EnterPlanMode", "ExitPlanMode", "Task"])
  })

  test("contains TodoWrite also when it is switched off, but not among its names", async () => {
    const model = script({ text: "Done." })
    const { agent, run } = await open(model, { offersList: false, profile: "classic", level: "full" })
    expect(agent.tools.all.map(({ name }) => name)).toContain("TodoWrite")
    expect(agent.tools.names()).not.toContain("TodoWrite")
    await run()
    expect(JSON.stringify(model.requests)).not.toContain("TodoWrite")
  })

  test.each(Object.values(dialects).filter(({ tools }) => tools.length > 0))(
    "offers the list in the words of $id",
    async (dialect) => {
      const model = script({ text: "Done." })
      const { run } = await open(model, { dialect })
      await run()
      const [current] = dialect.tools.filter(({ isFormer }) => !isFormer)
      const offered = model.requests[0]?.neutral.tools.map(({ name }) => name)
      expect(offered).toContain(current?.name)
      expect(offered?.includes("TodoWrite")).toBe(dialect.tools.some(({ name }) => name === "TodoWrite"))
      expect(model.requests[0]?.neutral.system).toContain(current?.name)
    },
  )
})

describe("the gate of the list (O17)", () => {
  const ohMyPi = dialects["oh-my-pi"]
  const host = { isEnabled: true, isSubAgent: false, includesYield: false }

  test.each([
    ["the list is offered", ohMyPi, host, true],
    ["not when todo.enabled is off", ohMyPi, { ...host, isEnabled: false }, false],
    ["not when the host includes a yield of its own", ohMyPi, { ...host, includesYield: true }, false],
    ["not to sub-agents", ohMyPi, { ...host, isSubAgent: true }, false],
    ["another dialect's is, to sub-agents too", dialects.headway, { ...host, isSubAgent: true }, true],
    ["and is off when it is off", dialects.headway, { ...host, isEnabled: false }, false],
  ])("%s", (_, dialect, given, offered) => {
    expect(offersTodos(dialect, given)).toBe(offered)
  })

  test("a host that yields by itself gets no list of that kind", async () => {
    const { agent } = await open(script(), { dialect: ohMyPi, includesYield: true })
    expect(agent.tools.names()).not.toContain("todo")
  })

  test("the list is exclusive, and silent", async () => {
    const { agent } = await open(script(), { dialect: ohMyPi })
    const list = agent.tools.find("todo")
    expect(list?.isConcurrencySafe()).toBe(false)
    expect(list?.isSilent).toBe(true)
  })
})
