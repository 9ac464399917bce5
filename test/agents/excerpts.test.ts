/** Recordings of which only some lines were kept: too little to tell the format, enough to read the list. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type ExpectedList, listsOf, observeBytes } from "../contracts/stream.ts"

const folder = "test/fixtures/excerpts/claude-2.1.197-resume"
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Record<string, ExpectedList[]>

describe.each(Object.entries(expected))("%s", (file, lists) => {
  test.each([1, 7, 65_536])("C28 gives the list its results say, fed by %i bytes", (size) => {
    const observer = observeBytes(readFileSync(join(folder, file)), size, "claude-stream")
    expect(listsOf(observer, lists)).toEqual(lists)
  })
})
