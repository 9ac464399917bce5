/** Runs the contract of streams on every genuine recording. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type ExpectedList, listsOf, observeBytes, withoutEmpty } from "../contracts/stream.ts"

const root = "test/fixtures/streams"

type Expected = {
  stdout?: ExpectedList[]
  home?: Record<string, ExpectedList[]>
  files?: Record<string, ExpectedList[]>
}

const recordings = readdirSync(root).flatMap((client) =>
  readdirSync(join(root, client)).flatMap((name) => {
    const folder = join(root, client, name)
    const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Expected
    const stdout = expected.stdout ? [{ path: join(folder, "stdout.jsonl"), lists: expected.stdout }] : []
    const home = Object.entries(expected.home ?? {}).map(([path, lists]) => ({
      path: join(folder, "home", path),
      lists,
    }))
    const files = Object.entries(expected.files ?? {}).map(([path, lists]) => ({ path: join(folder, path), lists }))
    return [...stdout, ...home, ...files]
  }),
)

const isLineRecording = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true && /\.(jsonl|txt)$/.test(path)

describe.each(recordings.filter(({ path }) => isLineRecording(path)))("$path", ({ path, lists }) => {
  test("A1 its format is recognised by its first lines", () => {
    expect(observeBytes(readFileSync(path), 65_536).streamId).toMatch(formatOf(path))
  })

  test.each([1, 7, 65_536])("A1 C28 gives the lists a person reads in it, fed by %i bytes", (size) => {
    const observer = observeBytes(readFileSync(path), size)
    expect(listsOf(observer, lists).sort(byAgent)).toEqual(withoutEmpty(lists).sort(byAgent))
  })
})

const byAgent = (one: ExpectedList, other: ExpectedList): number => (one.agent < other.agent ? -1 : 1)

/** What the place of a recording says about its format. */
const formatOf = (path: string): RegExp => {
  const client = path.split("/")[3]?.split("-")[0] ?? ""
  const agent = client === "omp" ? "oh-my-pi" : client
  return new RegExp(
    `^${agent}-${path.includes("/home/") ? "(transcript|rollout|chat|session|events)" : "(stream|exec|run|json|events)"}$`,
  )
}
