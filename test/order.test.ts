import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { named } from "./order.ts"

test("the order of the test files names only files that exist, each once", () => {
  expect(named.filter((name) => !existsSync(join("test", name)))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})
