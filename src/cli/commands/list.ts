/** `headway list`: all plans known here, ours and those in other agents' sessions, the newest first. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { type JoinedSession, listSessions, withNames } from "../../board/joined-session.ts"
import { projectOf } from "../../board/project.ts"
import { createClientStateReader } from "../../sessions/clients.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanFilter, PlanSummary, Store } from "../../stores/store.ts"
import { askedFor } from "../choose/asked-for.ts"
import { isOfProject, namesIn, reporter } from "../choose/plans.ts"
import { type Context, defineCommand } from "../command.ts"
import { forModelOption, toModel } from "../output/for-model.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, rootOption, storeOf } from "../place/place.ts"
import { withPlansBegunInHome } from "../place/plans-begun-in-home.ts"
import { contextIn } from "../place/session-place.ts"
import type { Options } from "../words/option.ts"

const options = {
  own: { type: "boolean", about: "only plans kept by Headway itself" },
  all: { type: "boolean", about: "also older sessions, and sub-agents that never had a plan" },
  in: {
    type: "string",
    value: "PROJECT",
    about: "only plans of this project: its folder, its name, or the end of its name",
  },
  person: { type: "string", value: "NAME", about: "only this person's plans, in a shared store" },
  machine: { type: "string", value: "NAME", about: "only plans of this machine, in a shared store" },
  root: rootOption,
  "for-model": { ...forModelOption, about: `${forModelOption.about}, and list only plans of this project` },
} as const satisfies Options

type ListContext = Context<typeof options>

export const list = defineCommand({
  usage: "list [--own] [--all] [--in PROJECT] [--person NAME] [--machine NAME] [--root DIR]",
  about:
    "Lists all plans known here, Headway's own and those of every agent: state, progress, age, what is being done. With --session, lists only that session and its sub-agents.",
  options,
  examples: [
    "headway list",
    "headway list --json",
    "headway list --own --person anna --in shop",
    "headway list --root ~/.claude",
  ],
  run: async (given) => {
    const context = toModel(given)
    return printList(context, await storeOf(context))
  },
})

const printList = async (context: ListContext, store: Store): Promise<number> => {
  const { io, values } = context
  const { plans, sessions, older = 0 } = await everything(context, store)
  if (values.json) {
    io.out(printJson(await joined(context, { plans, sessions, store })))
    return 0
  }
  if (plans.length + sessions.length === 0) {
    if (values.root !== undefined) return nothingUnder(context, values.root)
    io.err('headway: no plans yet. Connect an agent with "headway setup", or see "headway demo".\n')
    return 0
  }
  const rows = await joined(context, { plans, sessions, store })
  if (rows.length === 0) {
    const asked = filters.flatMap((name) => (values[name] === undefined ? [] : [`--${name} ${values[name]}`]))
    say(io, asked.length > 0 ? `No plan matches ${asked.join(" ")}.` : "There is no plan in this project yet.")
    return 0
  }
  const { printSessions } = await import("../output/session-table.ts")
  printSessions(context, rows, older)
  return 0
}

/** A mistyped folder differs from one without plans. */
const nothingUnder = ({ io }: ListContext, root: string): number => {
  const folder = resolve(io.cwd, root)
  say(io, existsSync(folder) ? `There are no plans under ${folder}.` : `There is no folder ${folder}.`)
  return 1
}

const keptPlans = async (context: ListContext, store: Store, filter?: PlanFilter): Promise<readonly PlanSummary[]> => {
  const { plans, problems } = await store.list(filter)
  problems.forEach(reporter(context))
  return withPlansBegunInHome(context, plans)
}

type Found = Pick<Listing, "plans" | "sessions"> & {
  /** How many other plans and sessions there are, which are only counted. */
  older?: number
}

const everything = async (context: ListContext, store: Store): Promise<Found> => {
  const { values } = context
  if (values.root !== undefined) {
    const sessions = values.own ? [] : await seenSessions(context)
    // Under another root the lists of agents we know are theirs; of others they are all there is.
    return { plans: sessions.length > 0 ? [] : await keptPlans(context, store), sessions }
  }
  const isOwn = values.own === true
  if (asksForAll.some((option) => values[option] !== undefined))
    return { plans: await keptPlans(context, store), sessions: isOwn ? [] : await seenSessions(context) }
  const { recentOnes } = await import("../choose/sessions-here.ts")
  return recentOnes(context, await keptPlans(context, store, { isUnsorted: true }), { isOwn })
}

/** With these, any session may be printed. */
const asksForAll = ["all", "json", "session", "agent", "in", "person", "machine", "for-model"] as const

const filters = ["session", "agent", "in", "person", "machine"] as const

const seenSessions = async (context: ListContext): Promise<DiscoveredSession[]> => {
  const { sessionsHere } = await import("../choose/sessions-here.ts")
  return sessionsHere(context)
}

type Listing = { plans: readonly PlanSummary[]; sessions: readonly DiscoveredSession[]; store: Store }

const joined = async (context: ListContext, listing: Listing): Promise<JoinedSession[]> => {
  const all = await allJoined(context, listing)
  const rows = all.filter(askedFor(context, all)).filter(isAskedFor(context))
  // An agent in one project does not need to know about others.
  return context.values["for-model"] ? rows.filter(isOfProject(context)) : rows
}

const isAskedFor = (context: ListContext): ((session: JoinedSession) => boolean) => {
  const { values } = context
  const isIn = values.in === undefined ? () => true : isInProject(context, values.in)
  return (session) =>
    isIn(session) &&
    (values.person === undefined || session.person === values.person) &&
    (values.machine === undefined || session.machine === values.machine)
}

/** A path is a folder of the project, which may go by another name in the store. */
const isInProject = (context: ListContext, asked: string): ((session: JoinedSession) => boolean) => {
  const { cwd } = context.io
  const folder = isPath.test(asked) ? resolve(cwd, asked) : undefined
  const isHere = folder === undefined ? () => false : isOfProject(contextIn(context, folder))
  // In a repository with plans of its own, each project is simply here.
  const isOther = folder !== undefined && projectOf(folder) !== projectOf(cwd)
  return (session) => {
    const { project = "" } = session
    if (project === asked || project.endsWith(`/${asked}`)) return true
    return isHere(session) && !(isOther && project === ".")
  }
}

const isPath = /^(?:[/\\]|[A-Za-z]:|\.{1,2}(?:[/\\]|$))/

/** Under the names people gave them, those of this machine. */
const allJoined = async (context: ListContext, listing: Listing): Promise<JoinedSession[]> => {
  const rows = await unnamed(context, listing)
  return context.values.root === undefined ? withNames(rows, namesIn(context).read()) : rows
}

const unnamed = async (context: ListContext, listing: Listing): Promise<JoinedSession[]> => {
  const { plans, sessions } = listing
  const now = context.io.now()
  // Plans under another root are only read.
  if (context.values.root !== undefined)
    return listSessions(plans, sessions, now).map((one) => ({ ...one, isOwn: false }))
  const readClientState = createClientStateReader({ home: homeOf(context) })
  if (sessions.length === 0) return listSessions(plans, sessions, now, readClientState)
  const { plansInStep } = await import("../choose/sessions-here.ts")
  return listSessions(await plansInStep(context, listing), sessions, now, readClientState)
}
