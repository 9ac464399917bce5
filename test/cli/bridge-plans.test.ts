/** The plans behind a bridge: names that lead to no plan cost nothing. */
import { mkdirSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, test } from "vitest"
import { createRecent } from "../../src/board/recent.ts"
import { openBridgePlans } from "../../src/cli/bridge/plans/bridge-plans.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { dialects } from "../../src/dialects/index.ts"
import { collectGarbage } from "../collect-garbage.ts"
import { contentsUnder, namesIn, temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"
import { silentIo } from "./silent-io.ts"

const heap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const opened = () => {
  const home = temporaryFolder()
  const context = { io: silentIo(home), values: {}, words: [], behind: [], opened: createOpened() }
  const plans = openBridgePlans(context, { isShared: false, isChild: false })
  return { home, plans: { ...plans, ...plans.connect() } }
}

describe("a plan that does not exist", () => {
  test("is not started by a read, and nothing of it is kept", async () => {
    const { home, plans } = opened()
    const look = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number += 1) {
        const session = `nobody-${number}-${"x".repeat(30_000)}`
        expect(await plans.planAt({ session, agent: "main" })).toBeUndefined()
        const tracker = await plans.planFor({ session: `somebody-${session}` })
        await tracker.write({ tool: "todo", input: {} }, dialects.headway)
      }
    }
    await look(0, 100)
    const before = heap()
    await look(100, 200)
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024)
    expect(contentsUnder(home)).toEqual({})
    await plans.close()
  })

  test("exists once it was written, however many were read since", async () => {
    const { home, plans } = opened()
    const first = await plans.planFor({ session: "s" })
    await first.write({ tool: "todo", input: { todos: [{ content: "Read" }] } }, dialects.headway)
    for (let number = 0; number < 200; number += 1) await plans.planFor({ session: `s-${number}` })
    const again = await plans.planFor({ session: "s" })
    expect(again).not.toBe(first)
    await again.write({ tool: "todo", input: { todos: [{ content: "Write" }] } }, dialects.headway)
    const seen = await plans.planAt({ session: "s", agent: "main" })
    expect(seen?.plan.todos.map(({ content }) => content)).toEqual(["Read", "Write"])
    await plans.close()
    expect(namesIn(`${home}/.headway/journal`)).toHaveLength(1)
  })
})

test("a plan that was read is followed, however many others are written since", async () => {
  const { plans } = opened()
  const write = async (session: string, content: string): Promise<unknown> =>
    (await plans.planFor({ session })).write({ tool: "todo", input: { todos: [{ content }] } }, dialects.headway)
  await write("s", "Read")
  const seen = await plans.planAt({ session: "s", agent: "main" })
  const contents: string[] = []
  seen?.subscribe(({ plan }) => contents.push(...plan.todos.map(({ content }) => content)))
  for (let number = 0; number < 100; number += 1) await plans.planFor({ session: `s-${number}` })
  await write("s", "Write")
  await seen?.refresh()
  expect(contents).toEqual(["Read", "Write"])
  await plans.close()
})

describe("a plan of another project", () => {
  test("is neither listed nor read, and one of this project is both", async () => {
    const { home, run } = atHome()
    const [here, there] = ["here", "there"].map((name) => join(home, name))
    for (const cwd of [here, there]) {
      if (!cwd) continue
      mkdirSync(join(cwd, ".git"), { recursive: true })
      await run(["write", "--new", "--session", basename(cwd)], { cwd, input: '{"todos":[{"content":"Read"}]}' })
    }
    const plans = openBridgePlans(
      { io: { ...silentIo(home), cwd: here ?? "" }, values: {}, words: [], behind: [], opened: createOpened() },
      { isShared: false, isChild: false },
    )
    expect((await plans.plans()).map(({ session }) => session)).toEqual(["here"])
    expect((await plans.planAt({ session: "here", agent: "main" }))?.plan.todos).toHaveLength(1)
    expect(await plans.planAt({ session: "there", agent: "main" })).toBeUndefined()
    await plans.close()
  })
})

describe("a session that a client names", () => {
  /** Claude Code has a plan in `shop`, which a person has changed since. */
  const planned = async () => {
    const { home, run } = atHome()
    const folders = { shop: join(home, "shop"), other: join(home, "other") }
    for (const folder of Object.values(folders)) mkdirSync(join(folder, ".git"), { recursive: true })
    const from = (cwd: string) =>
      openBridgePlans(
        { io: { ...silentIo(home), cwd }, values: {}, words: [], behind: [], opened: createOpened() },
        { isShared: false, isChild: false },
      )
    const owner = from(folders.shop)
    const theirs = await owner.connect().planFor({ agentType: "claude-code", session: "s" })
    await theirs.write({ tool: "todo", input: { todos: [{ content: "Rotate the keys" }] } }, dialects.headway)
    await run(["todo", "add", "--session", "s", "Ask Ada first"], { cwd: folders.shop })
    return { run, folders, from, owner, theirs }
  }

  test.each([
    ["of another project", "claude-code", "other"],
    ["of another agent", "openai-codex", "shop"],
    ["of another agent and project", "openai-codex", "other"],
  ] as const)("%s gives it neither the plan nor the person's notice", async (_, agentType, folder) => {
    const { folders, from, owner, theirs } = await planned()
    const plans = from(folders[folder])
    const caller = { agentType, session: "s" }
    const call = { tool: "todo", input: { todos: [{ content: "Injected" }] } }
    const client = plans.connect()
    expect((await client.planFor(caller)).plan.todos).toEqual([])
    const { text } = await (await client.planFor(caller, call)).write(call, dialects.headway)
    expect(text).not.toContain("Ask Ada")
    if (folder === "other") expect(await plans.planAt({ session: "s", agent: "main" })).toBeUndefined()
    const { todos } = await theirs.refresh()
    expect(todos.map(({ content }) => content)).toEqual(["Rotate the keys", "Ask Ada first"])
    expect(await theirs.tellAgent()).toContain("Ask Ada first")
    await client.onClose?.()
    await plans.close()
    await owner.close()
  })

  test("of its own agent and project gives it the plan, also one that a person began", async () => {
    const { run, folders, from, owner } = await planned()
    const plans = from(folders.shop)
    const client = plans.connect()
    const again = await client.planFor({ agentType: "claude-code", session: "s" })
    expect(again.plan.todos).toHaveLength(2)
    await run(["write", "--new", "--session", "new"], {
      cwd: folders.shop,
      input: '{"todos":[{"content":"Begin here"}]}',
    })
    const begun = await client.planFor({ agentType: "claude-code", session: "new" })
    expect(begun.plan.todos.map(({ content }) => content)).toEqual(["Begin here"])
    await plans.close()
    await owner.close()
  })
})

test("the values used last are kept, and the others are notified that they are dropped", () => {
  const gone: string[] = []
  const recent = createRecent<number, string>(2, (value) => gone.push(value))
  recent.set(1, "one")
  recent.set(2, "two")
  expect(recent.get(1)).toBe("one")
  recent.set(3, "three")
  recent.set(3, "three again")
  expect([gone, recent.values(), recent.get(2)]).toEqual([["two"], ["one", "three again"], undefined])
})

describe("plans that a pull brings while a server runs", () => {
  const beside = () => {
    const home = temporaryFolder()
    const repository = join(home, "shop")
    mkdirSync(join(repository, ".git"), { recursive: true })
    const io = { ...silentIo(home), cwd: repository }
    const context = { io, values: { project: true }, words: [], behind: [], opened: createOpened() }
    const pull = (): void => {
      mkdirSync(join(repository, ".headway", "journal"), { recursive: true, mode: 0o700 })
    }
    return { home, repository, plans: openBridgePlans(context, { isShared: false, isChild: false }), pull }
  }
  const todos = { tool: "todo", input: { todos: [{ content: "Read" }] } }

  test("are left alone: what the server keeps from then on is in the home", async () => {
    const { home, repository, plans, pull } = beside()
    pull()
    await (await plans.connect().planFor({ session: "s" })).write(todos, dialects.headway)
    expect(namesIn(join(repository, ".headway", "journal"))).toEqual([])
    expect(namesIn(join(home, ".headway", "journal"))).toEqual(["s-agent-main.jsonl"])
    await plans.close()
  })

  test("are left alone by a running server, as soon as a person no longer trusts them", async () => {
    const { home, repository, plans } = beside()
    const tracker = await plans.connect().planFor({ session: "s" })
    await tracker.write(todos, dialects.headway)
    const before = contentsUnder(join(repository, ".headway"))
    expect(Object.keys(before)).not.toEqual([])
    const { code } = await atHome({ home, cwd: repository }).run(["project", "untrust"])
    expect(code).toBe(0)
    const more = { tool: "todo", input: { todos: [{ content: "Write" }] } }
    await expect(tracker.write(more, dialects.headway)).rejects.toThrow("came with this repository")
    await expect(plans.plans()).rejects.toThrow("came with this repository")
    expect(contentsUnder(join(repository, ".headway"))).toEqual(before)
    await plans.close()
  })

  test("once they are not trusted any more, what a server begins in the home belongs to this project", async () => {
    const { home, repository, plans } = beside()
    const { run } = atHome({ home, cwd: repository })
    const caller = { session: "s", agentType: "claude-code" }
    await run(["write", "--project", "--new", "--session", "other"], { input: '{"todos":[{"content":"Read"}]}' })
    await run(["project", "untrust"])
    await (await plans.connect().planFor(caller)).write(todos, dialects.headway)
    await plans.close()
    const [plan] = JSON.parse((await run(["list", "--own", "--json"])).out)
    expect(plan).toMatchObject({ session: "s", project: repository })
  })

  test("are neither read nor written by a server that was about to begin plans there", async () => {
    const { repository, plans, pull } = beside()
    expect(await plans.plans()).toEqual([])
    const tracker = await plans.connect().planFor({ session: "s" })
    pull()
    await expect(tracker.write(todos, dialects.headway)).rejects.toThrow("came with this repository")
    await expect(plans.plans()).rejects.toThrow("came with this repository")
    expect(contentsUnder(join(repository, ".headway"))).toEqual({})
    await plans.close()
  })
})

describe("a shared plan that servers begin at the same moment", () => {
  const servers = (...folders: string[]) => {
    const home = temporaryFolder()
    return folders.map((folder) => {
      const cwd = join(home, folder)
      mkdirSync(join(cwd, ".git"), { recursive: true })
      const context = { io: { ...silentIo(home), cwd }, values: {}, words: [], behind: [], opened: createOpened() }
      return openBridgePlans(context, { isShared: true, isChild: false })
    })
  }

  /** All open their plan before any of them writes to it. */
  const written = async (all: ReturnType<typeof servers>): Promise<string[][]> => {
    const trackers = await Promise.all(all.map((plans) => plans.connect().planFor({})))
    for (const [index, tracker] of trackers.entries())
      await tracker.write({ tool: "todo", input: { todos: [{ content: `Of ${index}` }] } }, dialects.headway)
    for (const tracker of trackers) await tracker.refresh()
    const contents = trackers.map(({ plan }) => plan.todos.map(({ content }) => content))
    await Promise.all(all.map((plans) => plans.close()))
    return contents
  }

  test("is one for each project, even if their folders have the same name", async () => {
    expect(await written(servers("one/shop", "two/shop"))).toEqual([["Of 0"], ["Of 1"]])
  })

  test("is the same for all servers of a project", async () => {
    expect(await written(servers("shop", "shop"))).toEqual([
      ["Of 0", "Of 1"],
      ["Of 0", "Of 1"],
    ])
  })
})
