/** Which session a person means, by whatever a listing prints of it. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { findNamed } from "../../src/cli/choose/named-session.ts"

const one = (session: string, title?: string, agent = "main", updated = "2030-01-01T00:00:00Z") => ({
  session,
  agent,
  updated,
  ...(title === undefined ? {} : { title }),
})

const login = one("f53816a2-a98a-4e21-8afe-ab762e5ceecb", "Repair the login form")
const tests = one("f53817aa-0000-4e21-8afe-ab762e5ceecb", "Repair the failing tests")
const address = one("01a1e08b-9d72-7a13-b8f2-1d8b7c1f0a11", "Adresse ändern")
const shop = one("shop-1", undefined, "main", "2030-01-03T00:00:00Z")
const shop12 = one("shop-12")
const helper = one("shop-1", "Look through the house", "abf7d66e28674ba19")
const all = [login, tests, address, shop, shop12, helper]

const found = (session: string, agent?: string) => {
  const naming = findNamed(all, { session, agent })
  return naming.kind === "found" ? naming.one : naming.kind
}

test.each([
  ["a whole id", login.session, login],
  ["an id in capitals", login.session.toUpperCase(), login],
  ["the beginning of an id", "f53816", login],
  ["the two ends of an id, as a listing has them", "f538..eecb", "ambiguous"],
  ["the two ends of an id that differ", "01a1..0a11", address],
  ["the same with a sign for what is left out", "01a1…0a11", address],
  ["an id that begins another one", "shop-1", shop],
  ["a title", "Repair the login form", login],
  ["a title in other letters", "REPAIR the  Login form", login],
  ["a title that a narrow screen has cut", "Repair the lo…", login],
  ["the same in ASCII", "Repair the fail...", tests],
  ["a word of a title", "login", login],
  ["words of a title, in any order", "tests failing", tests],
  ["a part of a word", "ändern", address],
  ["a word in another normal form", "a\u0308ndern", address],
  ["a sub-agent's id", "abf7d66e", helper],
  ["a sub-agent's title", "through the house", helper],
  ["a session and an agent, as a listing has them", "shop-1 abf7d66e28674ba19", helper],
  ["the same as lines of changes have them", "shop-1/abf7d66e", helper],
])("%s names a session", (_, typed, expected) => {
  expect(found(typed)).toBe(expected)
})

test("an agent of a session is named beside it", () => {
  expect(found("shop-1", "abf7")).toBe(helper)
  expect(found("shop-1", "main")).toBe(shop)
  expect(found("f538", "abf7")).toBe("missing")
})

test("a name that fits several sessions names none, and all of them are listed", () => {
  expect(findNamed(all, { session: "f5381" })).toEqual({ kind: "ambiguous", candidates: [login, tests] })
  expect(findNamed(all, { session: "repair" })).toEqual({ kind: "ambiguous", candidates: [login, tests] })
})

test("as much of an id as a listing prints is not matched with titles; less of it may be either", () => {
  const quoting = one("0b000000-1", "Go on with f53816a2")
  expect(findNamed([login, quoting], { session: "f53816a2" })).toEqual({ kind: "found", one: login })
  const adding = one("add16a2b-1")
  const titled = one("c0ffee00-1", "Add a login")
  expect(findNamed([adding, titled], { session: "add" })).toEqual({ kind: "ambiguous", candidates: [adding, titled] })
})

test("a title equal to the printed id of another session does not name it, however recent", () => {
  const posing = { ...one("0b000000-1", "f53816a2"), printed: ["f53816a2"], isRecent: true }
  const candidates = [posing, login]
  expect(findNamed([login, posing], { session: "f53816a2" })).toEqual({ kind: "ambiguous", candidates })
  expect(findNamed([login, posing], { session: "f53816a2-a" })).toEqual({ kind: "found", one: login })
  const asHelper = one("0b000000-2", "abf7d66e")
  expect(findNamed([asHelper, helper], { session: "abf7d66e" })).toMatchObject({ candidates: [asHelper, helper] })
})

test("a title with the two ends of another's id does not name it", () => {
  const posing = one("0b000000-1", "01a1..0a11")
  expect(findNamed([posing, address], { session: "01a1..0a11" })).toMatchObject({ candidates: [posing, address] })
})

test("a title that several sessions are listed under means all that have it, also those listed under more than it", () => {
  const listed = (session: string, printed: string) => ({ ...one(session, "Tidy up"), printed: [printed] })
  const [first, second] = [listed("0c000000-1", "Tidy up"), listed("0d000000-1", "Tidy up")]
  const others = [listed("0e000000-1", "Tidy up 0e00"), listed("0f000000-1", "Tidy up 0f00")]
  const ambiguous = { kind: "ambiguous", candidates: [first, second, ...others] }
  expect(findNamed([first, second, ...others], { session: "Tidy up" })).toEqual(ambiguous)
  expect(findNamed([first, ...others], { session: "Tidy up" })).toEqual({ kind: "found", one: first })
})

test("of several sessions listed under the same name, the one that is shown is meant", () => {
  const [old, recent] = [one("0c000000-1", "Tidy up"), { ...one("0d000000-1", "Tidy up"), isRecent: true }]
  expect(findNamed([old, recent], { session: "tidy up" })).toEqual({ kind: "found", one: recent })
  expect(findNamed([old, { ...old, session: "0e", isRecent: true }, recent], { session: "Tidy up" })).toMatchObject({
    kind: "ambiguous",
  })
  // A part of a name must be the part of only one.
  expect(findNamed([old, recent], { session: "tidy" })).toMatchObject({ kind: "ambiguous" })
})

test("what a listing prints beside the title names a session too", () => {
  const [first, second] = [
    { ...one("01a1e08b-9d", "Do the work"), printed: ["01a1e08b-9 Do the work"] },
    { ...one("01a1e08b-8b", "Do the work"), printed: ["01a1e08b-8 Do the work"] },
  ]
  expect(findNamed([first, second], { session: "01a1e08b-8 Do the work" })).toEqual({ kind: "found", one: second })
  expect(findNamed([first, second], { session: "01a1e08b-9 Do th…" })).toEqual({ kind: "found", one: first })
})

test("one or two letters in the middle of a title name nothing", () => {
  expect(found("gi")).toBe("missing")
  expect(found("")).toBe("missing")
  expect(found("…")).toBe("missing")
})

test("a mistyped name matches nothing, and similar ones come first", () => {
  expect(findNamed(all, { session: "f53816b2" })).toEqual({ kind: "missing", nearest: [login], isNear: true })
  expect(findNamed(all, { session: "shpo-1" })).toMatchObject({ nearest: [shop, shop12], isNear: true })
  expect(findNamed(all, { session: "logni" })).toMatchObject({ nearest: [login], isNear: true })
  // The newest first where nothing is near.
  expect(findNamed(all, { session: "zzzzzz" })).toMatchObject({ isNear: false, nearest: [shop, { agent: "main" }, {}] })
  expect(findNamed([], { session: "typo" })).toEqual({ kind: "missing", nearest: [], isNear: false })
})

test("whatever is typed, a session that is found has it in its name, and an id always names its own session", () => {
  const sessions = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }), { maxLength: 8 })
  fc.assert(
    fc.property(sessions, fc.string({ unit: "grapheme" }), (ids, typed) => {
      const known = ids.map((id, index) => one(id, index % 2 === 0 ? `Title ${index}` : undefined))
      const naming = findNamed(known, { session: typed })
      if (naming.kind === "found") expect(known).toContain(naming.one)
      for (const session of known) {
        // A name that is all spaces cannot be told from none.
        if (session.session.trim() !== session.session) continue
        expect(findNamed(known, session)).toEqual({ kind: "found", one: session })
      }
    }),
  )
})
