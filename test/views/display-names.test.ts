/** Sessions go by their titles, and by ids only where two would look the same. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { displayNames, type Nameable, shortNames } from "../../src/views/display-names.ts"

const session = (id: string, about: Partial<Nameable> = {}): Nameable => ({
  session: id,
  agent: "main",
  agentType: "claude-code",
  project: "/p",
  ...about,
})

const named = (...sessions: Nameable[]) => [...displayNames(sessions).values()]

const [first, second, third] = [
  "01a1e08b-9af0-7500-95e8-8929b3726fe8",
  "01a1e08b-8b66-7c81-9dcf-24706e85f08d",
  "f53816a2-a98a-4e21-8afe-ab762e5ceecb",
]

describe("a session", () => {
  test("has its title as name", () => {
    expect(named(session(first, { title: "Fix the login" }), session(third, { title: "Write docs" }))).toEqual([
      { name: "Fix the login" },
      { name: "Write docs" },
    ])
  })

  test("shows as much of its id as needed where another has the same title", () => {
    const title = "Do the work"
    expect(named(session(first, { title }), session(second, { title: "do the Work" }), session(third))).toEqual([
      { name: title, id: "01a1e08b-9" },
      { name: "do the Work", id: "01a1e08b-8" },
      { name: "f53816a2" },
    ])
  })

  test("shows the two ends of its id where many ids begin alike", () => {
    const title = "Do the work"
    const ids = ["aa01", "aa02", "ba02"].map((end) => `43c87127-491b-488e-a553-95aa3f04${end}`)
    expect(named(...ids.map((id) => session(id, { title })), session(third, { title }))).toEqual([
      { name: title, id: "43c8..aa01" },
      { name: title, id: "43c8..aa02" },
      { name: title, id: "43c8..ba02" },
      { name: title, id: "f53816a2" },
    ])
  })

  test("needs no id where its agent or its project differs", () => {
    const title = "Do the work"
    const all = [
      session(first, { title }),
      session(second, { title, agentType: "openai-codex" }),
      session(third, { title, project: "/q" }),
    ]
    expect(named(...all)).toEqual([{ name: title }, { name: title }, { name: title }])
  })

  test("without a title has its id as name, and all of it where that is a name", () => {
    expect(named(session("shop-1"), session(first))).toEqual([{ name: "shop-1" }, { name: "01a1e08b" }])
  })
})

describe("a sub-agent", () => {
  const child = (agent: string, about: Partial<Nameable> = {}) => session(first, { agent, ...about })

  test("has its task as name, else its kind, else its id", () => {
    expect(
      named(
        child("a3b22d34f61719c9b", { title: "Survey", role: "Explore" }),
        child("b1", { role: "Plan" }),
        child("b2"),
      ),
    ).toEqual([{ name: "Survey" }, { name: "Plan" }, { name: "b2" }])
  })

  test("shows its own id where another of its session has the same name", () => {
    const role = "Explore"
    expect(named(child("a3b22d34f61719c9b", { role }), child("abf7d66e28674ba19", { role }))).toEqual([
      { name: role, id: "a3b22d34" },
      { name: role, id: "abf7d66e" },
    ])
  })
})

test("no two sessions of one agent in one project ever look the same", () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.string({ minLength: 1, maxLength: 6 }),
    fc.constantFrom("One", first, second, third),
  )
  const given = fc.record({
    session: id,
    agent: fc.oneof(fc.constant("main"), fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom("R", "One")),
    agentType: fc.constantFrom("a", "b"),
    project: fc.constantFrom("/p", undefined),
    title: fc.option(fc.constantFrom("One", "one", "Two", ""), { nil: undefined }),
    role: fc.option(fc.constantFrom("One", "R"), { nil: undefined }),
  })
  const distinct = fc.uniqueArray(given, {
    selector: ({ session, agent, agentType }) => JSON.stringify([session, agent, agentType]),
    maxLength: 30,
  })
  fc.assert(
    fc.property(distinct, (sessions) => {
      const names = displayNames(sessions)
      const looks = sessions.map((one) => {
        const { name = "", id: shown } = names.get(one) ?? {}
        expect(shown).not.toBe("")
        const under = one.agent === "main" ? one.project : one.session
        return JSON.stringify([under, one.agent === "main", one.agentType, name, shown])
      })
      expect(new Set(looks).size).toBe(looks.length)
    }),
  )
})

test("short names differ, and are the beginnings or both ends of the ids", () => {
  const long = fc.string({ minLength: 30, maxLength: 40 })
  const alike = fc
    .tuple(fc.constantFrom("01a1e08b-9af0-7500", "01a1e08b-9af0-7501"), long)
    .map((parts) => parts.join(""))
  const posing = fc.constantFrom("01a1..0000", "01a1..e08b", `01a1..${"e".repeat(30)}`)
  fc.assert(
    fc.property(fc.uniqueArray(fc.oneof(fc.uuid(), long, alike, posing)), (ids) => {
      const short = shortNames(ids)
      for (const id of ids) {
        const name = short.get(id) ?? id
        const [start = "", ...end] = name.split("..")
        expect(id.startsWith(name) || (id.startsWith(start) && id.endsWith(end.join("..")))).toBe(true)
      }
      expect(new Set(ids.map((id) => short.get(id) ?? id)).size).toBe(ids.length)
    }),
  )
})
