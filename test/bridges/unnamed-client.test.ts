/** A client whose session becomes known while there is no room to write. */
import { expect, test } from "vitest"
import { createUnnamedClient } from "../../src/cli/bridge/unnamed-client.ts"
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
