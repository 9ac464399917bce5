/** A client whose session becomes known late, or only in part. */
import { expect, test } from "vitest"
import { createUnnamedClient } from "../../src/cli/bridge/plans/unnamed-client.ts"
import { type ClientProcess, noteClient } from "../../src/home/processes/clients.ts"
import { temporaryFolder } from "../stores/temporary.ts"

test("a plan that could not be joined to its session is joined with the next call", async () => {
  const joined: string[] = []
  let isKnown = false
  let isFull = true
  const client = createUnnamedClient({
    home: temporaryFolder(),
    clientOf: () => undefined,
    finderOf: async () => ({ find: async () => (isKnown ? { session: "s", agent: "main" } : undefined), close() {} }),
    newSession: () => "own",
    isOwn: async () => true,
    keepCalls: async () => {},
    join: async (from) => {
      if (isFull) throw new Error("no room")
      joined.push(from)
    },
    now: () => new Date(),
  })
  const call = { tool: "todo", input: {} }
  expect(await client.keyFor({}, call)).toMatchObject({ session: "own" })
  isKnown = true
  await expect(client.keyFor({}, call)).rejects.toThrow("no room")
  isFull = false
  expect(await client.keyFor({}, call)).toMatchObject({ session: "s" })
  expect(joined).toEqual(["own"])
})

test("an agent whose hooks know only the session is found in its files, also a little later", async () => {
  const home = temporaryFolder()
  const client: ClientProcess = { agentType: "kimi-code", process: { pid: 7, start: "1" } }
  await noteClient(home, client, { session: "s", through: "hook", isCurrent: true }, new Date())
  let looks = 0
  const keyFor = (asksFilesFirst: boolean) =>
    createUnnamedClient({
      home,
      clientOf: () => client,
      finderOf: async () => ({
        find: async () => {
          looks += 1
          return looks < 3 ? undefined : { session: "s", agent: "agent-0" }
        },
        close() {},
      }),
      asksFilesFirst: () => asksFilesFirst,
      newSession: () => "own",
      isOwn: async () => true,
      keepCalls: async () => {},
      join: async () => {},
      now: () => new Date(),
    }).keyFor({ agentType: "kimi-code" }, { tool: "todo", input: {} })
  expect(await keyFor(false)).toEqual({ session: "s", agent: "main" })
  expect(await keyFor(true)).toEqual({ session: "s", agent: "agent-0" })
  expect(looks).toBe(3)
})
