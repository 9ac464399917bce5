/** Agents on two machines share the plan of a project over the database: each todo is taken by one of them, and done once. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll, expect, test } from "vitest"
import { replay } from "../../../src/plan/index.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import { rounds } from "../../rounds.ts"
import { freshDatabase } from "../../stores/postgres/one-server.ts"
import { temporaryFolder } from "../../stores/temporary.ts"

const bin = fileURLToPath(new URL("../../../dist/bin/headway.js", import.meta.url))
const waitOptions = { timeout: 300_000 }

const clients: Client[] = []
afterAll(async () => void (await Promise.all(clients.map((client) => client.close()))))

/** A clone of the team's repository on a machine of its own. */
const cloneAt = (home: string): string => {
  const folder = join(home, "shop")
  mkdirSync(join(folder, ".git"), { recursive: true })
  writeFileSync(join(folder, ".git", "config"), '[remote "origin"]\n\turl = git@git.example:acme/shop.git\n')
  return folder
}

const agentAt = async (home: string, store: string, name: string): Promise<Client> => {
  const client = new Client({ name, version: "1" })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--share", "--store", store],
    cwd: join(home, "shop"),
    env: { PATH: process.env.PATH ?? "", HOME: home, HEADWAY_HOME: join(home, ".headway"), USER: name },
    stderr: "ignore",
  })
  await client.connect(transport, waitOptions)
  clients.push(client)
  return client
}

const call = async (client: Client, input: object): Promise<string> => {
  const { content } = await client.callTool({ name: "todo", arguments: { ...input } }, undefined, waitOptions)
  return (content as { text: string }[]).map(({ text }) => text).join("\n")
}

const freeIn = (list: string): string[] =>
  [...list.matchAll(/^#(\d+) \[pending\] Part \d+$/gm)].map(([, id = ""]) => id)

/** Takes what is free, one at a time, until nothing is. Returns what it did. */
const work = async (client: Client, name: string, from: number): Promise<string[]> => {
  const did: string[] = []
  for (;;) {
    const free = freeIn(await call(client, {}))
    const id = free[from % free.length]
    if (id === undefined) return did
    if (!(await call(client, { todos: [{ id, owner: name }] })).includes(`${name}'s until`)) continue
    await call(client, { todos: [{ id, status: "completed" }] })
    did.push(id)
  }
}

test("agents on two homes take many todos, each done once", async () => {
  const url = `${await freshDatabase()}?connect_timeout=60&connections=1`
  const homes = [temporaryFolder(), temporaryFolder()]
  for (const home of homes) cloneAt(home)
  const names = Array.from({ length: rounds(16, 6) }, (_, index) => `agent-${index}`)
  const agents: Client[] = []
  for (const [index, name] of names.entries()) agents.push(await agentAt(homes[index % 2] ?? "", url, name))
  const [first] = agents
  if (!first) throw new Error("no agent")
  const ids = Array.from({ length: rounds(200, 50) }, (_, index) => String(index + 1))
  await call(first, { todos: ids.map((id) => ({ content: `Part ${id}` })) })
  // An agent that reads before the plan has reached it would find nothing to do.
  for (const agent of agents)
    await expect.poll(async () => freeIn(await call(agent, {})).length, waitOptions).toBe(ids.length)
  const done = await Promise.all(agents.map((agent, index) => work(agent, names[index] ?? "", index * 12)))
  const inOrder = (list: readonly string[]): string[] => list.toSorted((one, other) => Number(one) - Number(other))
  expect(inOrder(done.flat())).toEqual(ids)
  // The log in the database says the same: one entry finished each of them.
  const store = createPostgresStore({ url })
  const { plans } = await store.list()
  const [plan] = plans
  expect(plans).toHaveLength(1)
  expect(plan).toMatchObject({ isFinished: true, todos: ids.length, project: "git.example/acme/shop" })
  const { entries } = await store.load({ session: plan?.session ?? "", agent: plan?.agent ?? "" })
  await store.close()
  const finished = replay(entries).happenings.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "todo-changed" && event.to.status === "completed" ? [event.id] : [])),
  )
  expect(inOrder(finished)).toEqual(ids)
}, 600_000)
