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

/** Returns a function that returns only facts that are new or have changed. */
export const createNews = (from: NewsSnapshot = []) => {
  const known = new Map<string, Facts>(from)
  const newsAbout = (agent: string, facts: GivenFacts, parent?: Parent): SessionSignal[] => {
    const before = known.get(agent)
    let fresh: Facts = {}
    for (const name of factNames) {
      const fact = facts[name]
      // The first line's folder is the project. Later folders are those into which the shell has changed.
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
