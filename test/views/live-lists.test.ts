/** Which lists a live view shows, from one event to the next (A7). */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type ClearChange,
  type ListChange,
  type LiveLists,
  nextLists,
  noLists,
  type TurnChange,
} from "../../src/views/live-lists.ts"

type Change = ListChange | TurnChange | ClearChange

const list = (agentId: string, items: readonly string[] = ["a"], parentId?: string): ListChange => ({
  type: "todo_list",
  agentId,
  ...(parentId === undefined ? {} : { parentId }),
  items,
})

const turn = (agentId: string, state: TurnChange["state"], parentId?: string): TurnChange => ({
  type: "turn",
  agentId,
  ...(parentId === undefined ? {} : { parentId }),
  state,
})

const shown = (...changes: Change[]): LiveLists<ListChange> =>
  changes.reduce<LiveLists<ListChange>>((lists, change) => nextLists(lists, change), noLists)

const shortly = (...changes: Change[]): string[] =>
  shown(...changes).map(
    ({ list: { agentId, items }, hasEnded }) => `${agentId}: ${items.join()}${hasEnded ? " ✓" : ""}`,
  )

describe("a main agent (A7)", () => {
  test("a list replaces the one before it, and an empty one clears it (A5)", () => {
    expect(shortly(list("a", ["x"]), list("a", ["y", "z"]))).toEqual(["a: y,z"])
    expect(shortly(list("a", ["x"]), list("a", []))).toEqual([])
  })

  test("the end of its turn leaves its list as ended; a turn that continues takes that back", () => {
    expect(shortly(list("a"), turn("a", "ended"))).toEqual(["a: a ✓"])
    expect(shortly(list("a"), turn("a", "ended"), turn("a", "started"))).toEqual(["a: a"])
    expect(shortly(list("a"), turn("a", "ended"), list("a", ["b"]))).toEqual(["a: b"])
  })

  test("another one replaces its list, or clears it when it starts", () => {
    expect(shortly(list("a"), turn("a", "ended"), list("b"))).toEqual(["b: a"])
    expect(shortly(list("a"), turn("a", "ended"), turn("b", "started"))).toEqual([])
  })

  test("an error or a person clears everything", () => {
    expect(shortly(list("a"), list("s", ["x"], "a"), turn("a", "failed"))).toEqual([])
    expect(shortly(list("a"), list("s", ["x"], "a"), { type: "clear" })).toEqual([])
  })
})

describe("a sub-agent", () => {
  test("has its list next to the main one, after it", () => {
    expect(shortly(list("s", ["x"], "a"), list("a"), list("t", ["y"], "a"), list("s", ["z"], "a"))).toEqual([
      "a: a",
      "s: z",
      "t: y",
    ])
  })

  test("that has ended stays until the main agent continues", () => {
    const before = [list("a"), list("s", ["x"], "a"), list("t", ["y"], "a"), turn("s", "ended", "a")]
    expect(shortly(...before)).toEqual(["a: a", "s: x ✓", "t: y"])
    expect(shortly(...before, list("a", ["b"]))).toEqual(["a: b", "t: y"])
    expect(shortly(...before, turn("a", "ended"))).toEqual(["a: a ✓", "t: y"])
  })

  test("that fails loses its own list only", () => {
    expect(shortly(list("a"), list("s", ["x"], "a"), turn("s", "failed", "a"))).toEqual(["a: a"])
  })
})

test("each agent always has one list that is not empty, and there is one main agent", () => {
  const agent = fc.constantFrom<[string, string?]>(["a"], ["b"], ["s", "a"], ["t", "b"])
  const lists = fc.tuple(agent, fc.array(fc.string(), { maxLength: 2 })).map(([[id, of], items]) => list(id, items, of))
  const states = fc.constantFrom<TurnChange["state"]>("started", "ended", "failed")
  const turns = fc.tuple(agent, states).map(([[id, of], state]) => turn(id, state, of))
  const clear = fc.constant<ClearChange>({ type: "clear" })
  fc.assert(
    fc.property(fc.array(fc.oneof(lists, turns, clear), { maxLength: 40 }), (changes) => {
      const all = shown(...changes)
      expect(new Set(all.map((one) => one.list.agentId)).size).toBe(all.length)
      expect(all.every((one) => one.list.items.length > 0)).toBe(true)
      expect(all.filter((one) => one.list.parentId === undefined).length).toBeLessThanOrEqual(1)
      // The state before is left as it was.
      const kept = JSON.stringify(all)
      nextLists(all, list("a", ["new"]))
      expect(JSON.stringify(all)).toBe(kept)
    }),
  )
})
