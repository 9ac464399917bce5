/** Reports repeated facts about an agent's session once, and again when they change. */
import type { SessionSignal } from "./stream.ts"

type Parent = NonNullable<SessionSignal["parent"]>

const factNames = [
  "session",
  "project",
  "branch",
  "version",
  "model",
  "title",
  "role",
  "sharedList",
  "isOneShot",
] as const
type Facts = Pick<SessionSignal, (typeof factNames)[number]>
type GivenFacts = { [Name in keyof Facts]?: Facts[Name] | undefined }

export type NewsSnapshot = [agent: string, facts: Facts][]

/** Tells each fact about an agent's session once, and again when it changes. */
export const createNews = (from: NewsSnapshot = []) => {
  const known = new Map<string, Facts>(from)
  const newsAbout = (agent: string, facts: GivenFacts, parent?: Parent): SessionSignal[] => {
    const before = known.get(agent)
    let fresh: Facts = {}
    for (const name of factNames) {
      const fact = facts[name]
      // The folder of the first line is the project; later ones are where its shell has gone.
      if (fact === undefined || fact === before?.[name] || (name === "project" && before?.project)) continue
      fresh = { ...fresh, [name]: fact }
    }
    const news = { ...fresh, ...(before === undefined && parent ? { parent } : {}) }
    if (Object.keys(news).length === 0) return []
    known.set(agent, { ...before, ...fresh })
    return [{ type: "session", agent, ...news }]
  }
  return Object.assign(newsAbout, { snapshot: (): NewsSnapshot => [...known] })
}
