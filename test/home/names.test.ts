/** What people call sessions outlives the process, several may name at once, and damage costs one name at most. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { nameKey, openNames } from "../../src/home/names.ts"
import type { Problem } from "../../src/plan/problem.ts"
import { anyCharacter } from "../any-character.ts"
import { rounds } from "../rounds.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const one = { session: "s1", agent: "main" }
const other = { session: "s2", agent: "sub" }

const readIn = (home: string) => {
  const problems: Problem[] = []
  const names = openNames(home, (problem) => problems.push(problem)).read()
  return { names, problems: problems.map(({ message }) => message.replace(home, "~")) }
}

test("without a file, or without a home, no session has a name", () => {
  const home = temporaryFolder()
  expect(readIn(home)).toEqual({ names: new Map(), problems: [] })
  expect(readIn(join(home, "new"))).toEqual({ names: new Map(), problems: [] })
})

test("a name lasts, the last one counts, and it can be removed", async () => {
  const home = join(temporaryFolder(), "new")
  const names = openNames(home)
  await names.name(one, "First")
  await names.name(other, "Other")
  await names.name(one, "Second")
  expect(readIn(home).names).toEqual(
    new Map([
      [nameKey(other), "Other"],
      [nameKey(one), "Second"],
    ]),
  )
  expect(names.read()).toEqual(readIn(home).names)
  await names.name(one, undefined)
  expect(readIn(home).names).toEqual(new Map([[nameKey(other), "Other"]]))
  expect(statSync(join(home, "names.jsonl")).mode & 0o777).toBe(0o600)
})

test("names are read again only when the file has changed, also by another process", async () => {
  const home = temporaryFolder()
  const names = openNames(home)
  await names.name(one, "First")
  const before = names.read()
  expect(names.read()).toBe(before)
  await openNames(home).name(one, "Second")
  expect(names.read().get(nameKey(one))).toBe("Second")
})

test("names given at once are all kept", async () => {
  const home = temporaryFolder()
  const all = Array.from({ length: 20 }, (_, index) => ({ session: `s${index}`, agent: "main" }))
  await Promise.all(all.map((named) => openNames(home).name(named, `Name of ${named.session}`)))
  const { names, problems } = readIn(home)
  expect(all.map((named) => names.get(nameKey(named)))).toEqual(all.map(({ session }) => `Name of ${session}`))
  expect(problems).toEqual([])
})

test("a damaged line is reported and loses no other name, nor the next one", async () => {
  const home = temporaryFolder()
  await openNames(home).name(one, "First")
  appendFileSync(
    join(home, "names.jsonl"),
    '{"v":1,"session":"s3","agent":"main","title":7}\n{"v":1,"session":"s9","ag',
  )
  await openNames(home).name(other, "Other")
  expect(readIn(home)).toEqual({
    names: new Map([
      [nameKey(one), "First"],
      [nameKey(other), "Other"],
    ]),
    problems: ["~/names.jsonl has 2 lines without a name, which were skipped; all other names are used."],
  })
})

test("a link or a folder instead of the file is reported, and is neither followed nor written", async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, "names.jsonl"))
  expect(readIn(home).problems).toEqual([
    expect.stringMatching(/^~\/names\.jsonl could not be read, so sessions have their own titles: it is a folder/),
  ])
  const linked = temporaryFolder()
  writeFileSync(join(linked, "target"), "")
  symlinkSync(join(linked, "target"), join(linked, "names.jsonl"))
  await expect(openNames(linked).name(one, "First")).rejects.toThrow("is a link or not a regular file")
  expect(readFileSync(join(linked, "target"), "utf8")).toBe("")
})

test("the file stays short however often sessions are named, and keeps the last name of each", async () => {
  const home = temporaryFolder()
  const line = (session: string, title: string) => `${JSON.stringify({ v: 1, session, agent: "main", title })}\n`
  writeFileSync(join(home, "names.jsonl"), line("kept", "Kept") + line("s1", "x".repeat(150)).repeat(8_000))
  await openNames(home).name(one, "Last")
  expect(statSync(join(home, "names.jsonl")).size).toBeLessThan(1_000)
  expect(readIn(home).names).toEqual(
    new Map([
      [nameKey({ session: "kept", agent: "main" }), "Kept"],
      [nameKey(one), "Last"],
    ]),
  )
})

test("whatever a name and an id are, the name is one safe line and is found under that id again", async () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(text, text, text, async (session, agent, title) => {
      const home = temporaryFolder()
      await openNames(home).name({ session, agent }, title)
      await openNames(home).name(one, "One")
      const { names, problems } = readIn(home)
      expect(problems).toEqual([])
      expect(names.get(nameKey(one))).toBe("One")
      const found = names.get(nameKey({ session, agent }))
      if (nameKey({ session, agent }) !== nameKey(one) && found !== undefined) expect(found).not.toMatch(/[\n\r\u001b]/)
    }),
    { numRuns: rounds(40) },
  )
})

test("a file that is too large is kept aside, and the new name counts", async () => {
  const home = temporaryFolder()
  const path = join(home, "names.jsonl")
  await openNames(home).name(one, "First")
  appendFileSync(path, "x".repeat(17 << 20))
  const problems: Problem[] = []
  await openNames(home, (problem) => problems.push(problem)).name(other, "Second")
  expect(readIn(home)).toEqual({ names: new Map([[nameKey(other), "Second"]]), problems: [] })
  expect(problems.map(({ code }) => code)).toEqual(["names-kept-aside"])
  const [aside = ""] = readdirSync(home).filter((name) => name.startsWith("names.jsonl.bad-"))
  expect(readFileSync(join(home, aside), "utf8")).toContain('"title":"First"')
})
