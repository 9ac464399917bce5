/** The sessions of other agents on this machine, as the commands want them. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { loadSources } from "../agents/index.ts"
import { foreignTextIn } from "../home/foreign-file.ts"
import { replaceFile } from "../home/write-file.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/problem.ts"
import { type DiscoveredSession, discover } from "../sessions/discover.ts"
import type { Context } from "./command.ts"
import { homeOf } from "./place.ts"
import { reporter } from "./plans.ts"

export type ForeignSession = DiscoveredSession

/** Messages beyond this many are only counted: history holds the mistakes of years. */
const mostMessages = 5

/** All sessions of all agents, here or under `--root`. What was read is kept in the cache for the next time. */
export const foreignSessions = async (context: Context): Promise<ForeignSession[]> => {
  const root = rootOf(context)
  if (root !== undefined && isPlainLayout(root)) return []
  return sessionsAt(context, root === undefined ? undefined : [root])
}

/** The sessions at these places, or all there are here. */
export const sessionsAt = async (context: Context, paths: readonly string[] | undefined): Promise<ForeignSession[]> => {
  const { io } = context
  const problems: Problem[] = []
  const sessions = await discover({
    sources: await loadSources(),
    env: io.env,
    home: io.home,
    paths,
    index: paths === undefined ? indexIn(homeOf(context)) : undefined,
    now: io.now(),
    onProblem: (problem) => problems.push(problem),
  })
  report(context, problems)
  return sessions
}

/** The agent of the one session whose id begins so; undefined when there is none. */
export const foreignSession = async (
  context: Context,
  session: string,
  agent: string,
): Promise<ForeignSession | undefined> => {
  const found = (await foreignSessions(context)).filter((one) => one.agent.startsWith(agent))
  const exact = found.filter((one) => one.session === session)
  const meant = exact.length > 0 ? exact : found.filter((one) => one.session.startsWith(session))
  const [first, ...others] = new Set(meant.map((one) => one.session))
  if (first === undefined || others.length === 0) return meant[0]
  const list = [first, ...others].slice(0, 10).map((one) => `\n  ${one}`)
  throw new HeadwayError("ambiguous-session", `Several sessions begin with "${session}":${list.join("")}`)
}

/** Only lists of the common layout, of whatever program: nothing that would tell an agent. */
const isPlainLayout = (root: string): boolean =>
  existsSync(join(root, "todos")) && !["projects", "tasks"].some((name) => existsSync(join(root, name)))

const rootOf = ({ io, values }: Context): string | undefined =>
  typeof values.root === "string" && values.root !== "" ? resolve(io.cwd, values.root) : undefined

/** In bytes. What is longer is no index of ours, or of a home that is better read anew. */
const longestIndex = 256 << 20

export const indexIn = (home: string) => {
  const path = join(home, "cache", "sessions.index")
  return {
    load: (): string | undefined => foreignTextIn(path, longestIndex),
    save: (text: string): void => void replaceFile(path, text, join(home, "tmp")),
  }
}

const report = (context: Context, problems: readonly Problem[]): void => {
  const say = reporter(context)
  problems.slice(0, mostMessages).forEach(say)
  const more = problems.length - mostMessages
  if (more > 0) say(warning("more-problems", `${more} more files of agents could not be read in full.`))
}
