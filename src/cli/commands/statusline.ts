/**
 * `headway statusline`: the current plan in one line for a status bar; prints nothing if there is none, and never
 * fails.
 */

import { join } from "node:path"
import type { Now } from "../../agents/agent.ts"
import { nameKey, openNames } from "../../home/names.ts"
import { forgetLine, keepLine } from "../../home/notes/aside.ts"
import { hasEvidenceFile } from "../../home/notes/evidence-file.ts"
import { placeOfSession } from "../../home/notes/session-places.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { statOf } from "../../home/paths/on-disk.ts"
import { activeTodo, isoTime, type Plan, planInSight, progressOf } from "../../plan/index.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import { sanitise, sanitiseShown } from "../../plan/text/sanitise.ts"
import type { PlanKey, Store } from "../../stores/store.ts"
import { type ReadPlan, readPlan } from "../../tracker/read-plan.ts"
import { contradictedIn, type DoneMarks } from "../../views/plan/evidence-marks.ts"
import { statusLine } from "../../views/plan/status-line.ts"
import { namedAgent, namedSession } from "../choose/plans.ts"
import { type Context, defineCommand } from "../command.ts"
import { durationText } from "../duration.ts"
import type { Io } from "../io.ts"
import { printJsonLine } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, journalOf, storeOf, withoutUntrusted } from "../place/place.ts"
import { whereItBegan } from "../place/session-place.ts"

/** A plan and, where it is known, since when its todo in progress is so. */
type Found = {
  plan: Plan
  since: number | undefined
  title?: string | undefined
  /** The file of its session. */
  path?: string | undefined
  marks?: DoneMarks | undefined
}

/** The relevant part of what Claude Code passes to its status line. */
type HostInput = {
  session: string | undefined
  transcript: string | undefined
  folder: string | undefined
  title: string | undefined
}

export const statusline = defineCommand({
  usage: "statusline [--width COLUMNS] [--tmux]",
  about:
    "Prints one line for a status bar: the current todo, the progress of the plan and how long the todo has taken. Prints nothing\nif there is no plan. Reads the session from what Claude Code passes to its status line on standard input.",
  options: {
    width: { type: "number", value: "COLUMNS", from: 1, about: "the maximum width (COLUMNS, default 80)" },
    tmux: {
      type: "boolean",
      about: "for tmux: escape #[…] and #{…} in a todo, which tmux would interpret",
    },
  },
  examples: [
    "headway statusline",
    "headway statusline --width 40 --ascii",
    "headway statusline --json | jq -r .progress.percent",
    "set -g status-right '#(headway statusline --tmux)'  # tmux",
  ],
  async run(context) {
    const { io, values } = context
    const width = values.width ?? (Number(io.env.COLUMNS) || 80)
    try {
      const { found: plain, told } = await find(context)
      const found = plain && (await withMarks(plain, homeOf(context)))
      const line = found ? lineOf(context, found, width) : ""
      const text = values.tmux ? line.replaceAll("#", "##") : line
      if (found && line !== "") io.out(values.json ? printJsonLine({ text, ...factsOf(found) }) : `${text}\n`)
      if (told && io.env.HEADWAY_LAUNCHER) await leaveLine(told, { text: sanitiseShown(line), width })
    } catch {
      // Errors do not belong in a status bar; the other commands say what is wrong.
    }
    return 0
  },
})

/** Only cached evidence that is still valid: nothing is computed for a status bar. */
const withMarks = async (found: Found, home: string): Promise<Found> => {
  const { path, plan } = found
  if (path === undefined || !hasEvidenceFile(home, path)) return found
  const { keptMarks } = await import("../check/plan-marks.ts")
  return { ...found, marks: keptMarks(home, path, { plan, agent: "main" }) }
}

const lineOf = ({ io, values }: Context, { plan, since, title, marks }: Found, width: number): string => {
  const elapsed = since === undefined ? undefined : durationText(Math.max(0, io.now().getTime() - since))
  return statusLine(plan, { width, ascii: values.ascii === true, elapsed, title, marks })
}

/** How long the launcher may print a line again, in milliseconds: one of a plan we keep, which every writer ends, and any other. */
const [keptPlan, otherPlan] = [5_000, 1_000]

/** The plan may have been written since it was read, when there was no line to forget yet. */
const leaveLine = async (told: Told, line: { text: string; width: number }): Promise<void> => {
  const { home, key, store, position, isOwn } = told
  keepLine(home, key, { ...line, lasts: isOwn ? keptPlan : otherPlan })
  if ((await store.position(key)) !== position) forgetLine(home, key)
}

/** For bars that do their own drawing. */
const factsOf = ({ plan, since, title, marks }: Found) => ({
  title: title ?? null,
  current: activeTodo(plan)?.content ?? null,
  progress: progressOf(plan),
  since: isoTime(since) ?? null,
  ...(marks ? { contradicted: contradictedIn(marks) } : {}),
})

/** The session Claude Code told of, how its plan stood before it was read, and whether it has one. */
type Told = { home: string; key: PlanKey; store: Store; position: string | undefined; isOwn: boolean }

const find = async (context: Context): Promise<{ found: Found | undefined; told?: Told }> => {
  const named = namedSession(context)
  const input = named === undefined ? readHostInput(await context.io.hint()) : noInput
  const folder = placeIn(context, input)
  const inSession = folder === undefined ? context : { ...context, io: inFolder(context.io, folder) }
  const here = await whereKept(withoutUntrusted(inSession), input)
  const store = await storeOf(here, { isQuiet: true })
  const session = named ?? input.session
  if (session === undefined) return { found: await planHere(here) }
  const key = { session, agent: namedAgent(context) }
  const position = await store.position(key)
  const kept = await readPlan(store, key)
  const own = kept && foundIn(planInSight(kept.plan, kept.ledger), kept.ledger)
  if (named !== undefined) {
    const isEnough = own && !(await leavesSessions(kept?.ledger))
    return { found: isEnough ? withTitle(own, homeOf(here), key) : await planHere(here) }
  }
  const told = { home: homeOf(here), key, store, position, isOwn: own !== undefined }
  const isBehind = own && kept && (await isBehindClaude(here, input, kept))
  // A session without a list, such as the one that `/clear` begins, does not show the list of another.
  const found = (isBehind ? await planHere(ofSession(here, session)) : own) ?? (await claudesOwn(here, input))
  const about = found && { ...found, title: input.title ?? found.title, path: input.transcript }
  return { found: about && withTitle(about, homeOf(here), key), told }
}

const leavesSessions = async (ledger: Ledger | undefined): Promise<boolean> =>
  (await import("../../agents/index.ts")).leavesSessions(ledger?.opened?.agentType)

const ofSession = (context: Context, session: string): Context => ({
  ...context,
  values: { ...context.values, session },
})

/** Whether Claude Code's own files have a newer list than the plan we keep, as they do where no hook writes it. */
const isBehindClaude = async (
  context: Context,
  input: HostInput,
  { key, plan, ledger }: ReadPlan,
): Promise<boolean> => {
  if (!isNewer(input.transcript, journalOf(context, key))) return false
  const { at, plan: theirs } = (await claudesOwn(context, input)) ?? {}
  if (at === undefined || at <= Date.parse(ledger.worked ?? "")) return false
  const known = new Map(plan.todos.map(({ content, status }) => [content, status]))
  // The time of a file is later than that of the call that wrote it.
  return theirs?.todos.some(({ content, status }) => known.get(content) !== status) ?? false
}

/** Whether a file was written after another one. A transcript that is as old as the journal has nothing that is not in it. */
const isNewer = (path: string | undefined, other: string | undefined): boolean => {
  const [one, two] = [path, other].map((name) => (name === undefined ? undefined : statOf(name)?.mtimeMs))
  return one !== undefined && (two === undefined || one >= two)
}

/** Where the plan of the session began, else where its client was started. */
const placeIn = (context: Context, { session, folder }: HostInput): string | undefined => {
  if (session === undefined || context.values.home) return folder
  return placeOfSession(homeOf(context), { agentType: "claude-code", session }) ?? folder
}

/** The plan may have begun before the repository kept plans. */
const whereKept = <Here extends Context>(context: Here, { session }: HostInput): Promise<Here> | Here =>
  session === undefined ? context : whereItBegan(context, { agentType: "claude-code", session })

/** The person's title comes first. A title that is not in memory is not searched for. */
const withTitle = (found: Found, home: string, key: PlanKey): Found => {
  const title = openNames(home).read().get(nameKey(key)) ?? found.title
  return { ...found, title: title === undefined ? undefined : sanitise(title) }
}

/** The plan of a session that is named in another way, or of this project's newest, as "headway show" has it. */
const planHere = async (context: Context): Promise<Found | undefined> => {
  const { io } = context
  const { findPlanToShow } = await import("../choose/shown-plan.ts")
  // In a shell prompt, any message would appear before it.
  const isPrompt = io.isTerminal.err && !io.isTerminal.out
  const notify = (text: string): void => (isPrompt ? undefined : say(io, text))
  const shown = await findPlanToShow({ ...context, io: silent(io) }, { notify })
  const found = shown && foundIn(shown.plan, shown.ledger)
  const title = shown?.title === undefined ? undefined : sanitise(shown.title)
  return found && { ...found, title, path: shown?.seen?.path }
}

const silent = (io: Io): Io => Object.create(io, { err: { value: () => {} } }) as Io

/** Not a copy: asking for everything of the outside would take longer than the rest of the command. */
const inFolder = (io: Io, cwd: string): Io => Object.create(io, { cwd: { value: cwd } }) as Io

const noInput: HostInput = { session: undefined, transcript: undefined, folder: undefined, title: undefined }

const readHostInput = (input: string): HostInput => {
  try {
    const { session_id, session_name, transcript_path, cwd, workspace } = JSON.parse(input) as Record<string, unknown>
    const { project_dir } = (workspace ?? {}) as Record<string, unknown>
    const folder = textOf(project_dir) ?? textOf(cwd)
    return {
      session: textOf(session_id),
      transcript: textOf(transcript_path),
      title: textOf(session_name),
      folder: fullPath(folder),
    }
  } catch {
    return noInput
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const foundIn = (plan: Plan, ledger: Ledger | undefined): Found | undefined => {
  const active = activeTodo(plan)
  const since = active && Date.parse(ledger?.todos.get(active.id)?.since ?? "")
  return plan.todos.length > 0 ? { plan, since: since || undefined, title: ledger?.opened?.title } : undefined
}

const claudesOwn = async (
  { io }: Context,
  { session = "", transcript }: HostInput,
): Promise<(Found & Pick<Now, "at">) | undefined> => {
  const { readClaudeNow } = await import("../../agents/claude-code/now.ts")
  const folder = fullPath(io.env.CLAUDE_CONFIG_DIR) ?? join(io.home, ".claude")
  const now = readClaudeNow({ folder, session, transcript })
  return now && { plan: now.plan, since: now.since, at: now.at }
}
