/** Searches all sessions and kept plans that are known here, for a command and for the board. */
import { type Joined, type JoinedSession, keyOf } from "../../board/joined-session.ts"
import { createFold } from "../../plan/index.ts"
import { textFileIn } from "../../sessions/index-file.ts"
import { createSearch, type FoundSession, type Searched } from "../../sessions/search/search.ts"
import type { PlanKey, Store } from "../../stores/store.ts"
import type { BoardFound } from "../../views/board/session.ts"
import { namesIn } from "../choose/plans.ts"
import { joinedEverywhere } from "../choose/sessions-here.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place/place.ts"

export type FindSessions = (words: readonly string[]) => Promise<FoundSessions>

/** `all` are those that were searched: an id that is cut short must tell a session from each of them. */
export type FoundSessions = { found: FoundSession<JoinedSession>[]; all: readonly JoinedSession[] }

/** What was read stays at hand for the next search. */
export const openFind = (context: Context): FindSessions => {
  const { env, home } = context.io
  const search = createSearch({ env, home, file: textFileIn(homeOf(context)) })
  return async (words) => {
    const { joined: known, storeOf } = await joinedEverywhere(context)
    const names = namesIn(context).read()
    const all = Array.from(known.values(), (joined) => {
      const title = names.get(keyOf(joined.session)) ?? joined.session.title
      return { ...joined.session, ...(title === undefined ? {} : { title }), list: listOf(joined, storeOf) }
    })
    const found = await search.find(words, all)
    return { found: found.map(({ one: { list: _, ...one }, lines }) => ({ one, lines })), all }
  }
}

/** The same for the filter of the board, which has rows by their keys. */
export const findForBoard = (context: Context): ((words: string) => Promise<BoardFound[]>) => {
  const find = openFind(context)
  return async (words) => {
    const { found } = await find(words.split(/\s+/))
    return found.map(({ one, lines }) => ({ key: keyOf(one), text: lines[0]?.text ?? "" }))
  }
}

/** A plan of ours is what the person has, and changes by itself; any other is what the session shows. */
const listOf = ({ plan, seen }: Joined, storeOf: (plan: PlanKey) => Store): Searched["list"] => {
  if (plan)
    return plan.todos > 0 ? { stamp: `kept ${plan.updated}`, read: () => keptTodos(plan, storeOf(plan)) } : undefined
  if (seen?.fingerprint === undefined) return undefined
  return {
    stamp: seen.fingerprint,
    // Words are looked for, not ids: for those, the whole session would have to be read.
    read: async () => seen.plan?.todos.map(({ content }) => content) ?? [],
  }
}

const keptTodos = async (key: PlanKey, store: Store): Promise<string[]> => {
  const fold = createFold()
  for (const entry of (await store.load({ session: key.session, agent: key.agent })).entries) fold.add(entry)
  return fold.plan.todos.map(({ content }) => content)
}
