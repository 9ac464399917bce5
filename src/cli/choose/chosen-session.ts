/** The session a command is about, chosen among all that are known here. */
import { isOfInterest, type Joined, type JoinedSession, keyOf } from "../../board/joined-session.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { PlanKey } from "../../stores/store.ts"
import { sessionLines, sessionName } from "../output/session-names.ts"
import { printedNames } from "../output/session-table.ts"
import type { RootedContext } from "../place/place.ts"
import { findNamed, type Naming } from "./named-session.ts"
import { isOfProject, namedAgent, namesIn, newestFirst } from "./plans.ts"
import { joinedHere } from "./sessions-here.ts"

/** With its sources; both absent for an agent without a plan in an existing session. */
export type Chosen = Pick<Joined, "plan" | "seen"> & {
  key: PlanKey
  session?: JoinedSession
  /** The sessions it was chosen from. */
  all: readonly JoinedSession[]
}

/** A session with what it was joined from, to find it by its names. */
type Candidate = JoinedSession & { joined: Joined; printed?: readonly string[]; isRecent?: boolean }

/** The session a person names, by id or title. Throws if several match, or none. */
export const chooseNamed = async (
  context: RootedContext,
  { session, mayBegin }: { session: string; mayBegin: boolean },
): Promise<Chosen> => {
  const all = await candidatesHere(context)
  const { agent } = context.values
  const naming = findNamed(all, { session, agent })
  if (naming.kind === "found") return chosen(naming.one, all)
  const anyAgent = agent && naming.kind === "missing" ? findNamed(all, { session }) : naming
  if (anyAgent.kind === "found") return { key: { session: anyAgent.one.session, agent: namedAgent(context) }, all }
  throw unclear(context, session, { naming: anyAgent, all, mayBegin })
}

/** The first session of this project in a listing: sessions with a list, and active ones, come first. */
export const chooseNewest = async (
  context: RootedContext,
  notify: (text: string) => void,
): Promise<Chosen | undefined> => {
  const all = await candidatesHere(context)
  const isHere = isOfProject(context)
  const own = all.filter((one) => one.agent === namedAgent(context) && isHere(one))
  const [newest] = [
    ...newestFirst(
      context,
      own.filter((one) => isOfInterest(one, context.io.now())),
    ),
    ...newestFirst(context, own),
  ]
  if (!newest) return undefined
  notify(`the newest session of this project is ${sessionName(newest, all)}`)
  return chosen(newest, all)
}

/** Also matches the titles people gave on this machine, and what listings print. */
const candidatesHere = async (context: RootedContext): Promise<Candidate[]> => {
  const names = context.values.root === undefined ? namesIn(context).read() : undefined
  const all = Array.from((await joinedHere(context)).values(), (joined): Candidate => {
    const title = names?.get(keyOf(joined.session))
    return { ...joined.session, ...(title === undefined ? {} : { title }), joined }
  })
  const printed = printedNames(context, all)
  return all.map((one) => {
    const recent = printed.recent.get(keyOf(one))
    return {
      ...one,
      printed: [recent, printed.all.get(keyOf(one))].flatMap((name) => name ?? []),
      isRecent: recent !== undefined,
    }
  })
}

const chosen = ({ joined: { plan, seen, session }, ...one }: Candidate, all: readonly JoinedSession[]): Chosen => ({
  all,
  key: { session: one.session, agent: one.agent },
  plan,
  seen,
  session,
})

type Unclear = {
  naming: Exclude<Naming<Candidate>, { kind: "found" }>
  all: readonly Candidate[]
  mayBegin: boolean
}

const unclear = ({ io }: RootedContext, typed: string, { naming, all, mayBegin }: Unclear): HeadwayError => {
  const lines = (some: readonly Candidate[]): string =>
    sessionLines(some, { all, now: io.now(), home: io.home })
      .map((line) => `\n  ${line}`)
      .join("")
  if (naming.kind === "ambiguous") {
    const list = lines(naming.candidates.slice(0, mostCandidates))
    const more = naming.candidates.length - mostCandidates
    const rest = more > 0 ? `\n  and ${more} more` : ""
    return new HeadwayError("ambiguous-session", `Several sessions match "${typed}":${list}${rest}`)
  }
  const { nearest, isNear } = naming
  const begin = mayBegin ? " Add --new to begin one under that id." : ""
  const list = nearest.length > 0 ? ` ${isNear ? "Similar ones" : "The newest"} are:${lines(nearest)}` : ""
  return new HeadwayError("no-session", `There is no session "${typed}".${begin}${list}`)
}

const mostCandidates = 10
