/** `headway evidence`: the evidence for each todo marked done. */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { agents } from "../../agents/index.ts"
import { words as allWords, type Evidence, type Word } from "../../evidence/index.ts"
import { foreignChunks } from "../../home/foreign-file.ts"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import { evidenceIn, type ReadEvidence } from "../../sessions/evidence/read-evidence.ts"
import { cut, type Line } from "../../views/index.ts"
import { noPlan } from "../choose/plans.ts"
import { type Context, defineCommand } from "../command.ts"
import { ageText, durationText } from "../duration.ts"
import { evidenceLines, wordCounts } from "../output/evidence-lines.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { rootOption } from "../place/place.ts"
import type { Options } from "../words/option.ts"

const options = {
  from: {
    type: "string",
    value: "AGENT",
    known: ["auto", ...Object.keys(agents)],
    about: "whose output FILE is (default auto)",
  },
  all: { type: "boolean", about: "one line for each session on this machine" },
  since: {
    type: "duration",
    value: "TIME",
    about: "with --all: sessions active within this time, such as 7d or 12h (default 7d)",
  },
  "fail-on": {
    type: "string",
    value: "WORD",
    known: [...allWords],
    about: "exit with 1 if a done todo has this word, such as contradicted",
  },
  root: rootOption,
} as const satisfies Options

type EvidenceContext = Context<typeof options>

export const evidence = defineCommand({
  usage: "evidence [FILE|-] [--session SESSION] [--all [--since TIME]] [--fail-on WORD]",
  about: `Shows the evidence for each todo marked done: the edits and the results of checks while it was in progress. FILE is any agent's output or session file; without it, --session or this project's newest session is used.

  verified       a check that you set has passed when Headway ran it
  backed         a check of the agent passed after the last edit, or one that was proposed passed when Headway ran it
  unchecked      edited, and no check passed since
  contradicted   the last check failed, and nothing was edited since
  nothing-seen   neither an edit nor a check
  delegated      given to a sub-agent whose work is not known
  not-started    never in progress

None of these proves that the work is right.`,
  options,
  maxWords: 1,
  examples: [
    "headway evidence",
    "headway evidence ~/.claude/projects/shop/my-session.jsonl",
    "headway evidence --all --since 7d",
    "codex exec --json 'Fix the tests' | headway evidence - --fail-on contradicted",
  ],
  async run(context) {
    const { values, words } = context
    const failOn = wordNamed(values["fail-on"])
    if (values.all) return showAll(context, failOn)
    const read = words[0] === undefined ? await ofSession(context) : (await ofFile(context, words[0])).evidence
    return show(context, read, failOn)
  },
})

const wordNamed = (name: string | undefined): Word | undefined => {
  if (name === undefined) return undefined
  const word = allWords.find((one) => one === name)
  if (word) return word
  throw new HeadwayError("usage", `"${name}" is not a word for evidence. The words are: ${allWords.join(", ")}.`)
}

const show = ({ io, values }: EvidenceContext, read: Evidence, failOn: Word | undefined): number => {
  if (values.json) io.out(printJson(read))
  else io.out(evidenceLines(read, { columns: Math.min(io.columns ?? 100, 100), ascii: values.ascii === true }))
  return hasWord(read, failOn) ? 1 : 0
}

const hasWord = ({ todos }: Evidence, word: Word | undefined): boolean =>
  word !== undefined && todos.some((todo) => todo.status === "completed" && todo.word === word)

const ofFile = async ({ io, values }: EvidenceContext, name: string): Promise<ReadEvidence> => {
  const path = resolve(io.cwd, name)
  if (name !== "-" && !statSync(path, { throwIfNoEntry: false }))
    throw new HeadwayError("not-found", `There is no file ${name}. A session is named with --session.`)
  const read = await reading(name, [name === "-" ? io.chunks() : foreignChunks(path)], values.from)
  if (!read.stream)
    throw new HeadwayError(
      "not-found",
      `No known agent's output was found in ${name === "-" ? "standard input" : name}.`,
    )
  if (!read.stream.tellsWork)
    say(io, `This format (${read.stream.title}) does not record what was done, so there is no evidence.`)
  if (!read.hasList) say(io, `${name === "-" ? "standard input" : name} holds no todo list (${read.stream.title})`)
  return read
}

const reading = async (
  name: string,
  sources: Parameters<typeof evidenceIn>[0],
  from: string | undefined,
): Promise<ReadEvidence> => {
  try {
    return await evidenceIn(sources, from)
  } catch (cause) {
    throw isHeadwayError(cause) && cause.code !== "unknown-stream"
      ? new HeadwayError(cause.code, `${name} cannot be read: ${cause.message}.`)
      : cause
  }
}

const ofSession = async (context: EvidenceContext): Promise<Evidence> => {
  const { findPlanToShow } = await import("../choose/shown-plan.ts")
  const { sessionsHere } = await import("../choose/sessions-here.ts")
  const { evidenceOfPlanHere } = await import("../check/plan-evidence.ts")
  const shown = await findPlanToShow({ ...context, values: { ...context.values, new: undefined } })
  if (!shown) throw noPlan(context)
  const all = await sessionsHere(context)
  const seen = shown.seen ?? all.find((one) => one.session === shown.key.session && one.agent === shown.key.agent)
  const entries = shown.entries ? await shown.entries() : []
  const read = await evidenceOfPlanHere(context, { ...shown, seen, all, entries })
  if (read) return read
  throw new HeadwayError(
    "no-evidence",
    `There is no evidence for session ${shown.key.session}: no file of an agent records what was done in it.`,
  )
}

const usualTime = 7 * 86_400_000

const showAll = async (context: EvidenceContext, failOn: Word | undefined): Promise<number> => {
  const { io, values } = context
  const since = values.since ?? usualTime
  const rows = await rowsSince(context, new Date(io.now().getTime() - since).toISOString())
  if (values.json) io.out(printJson(rows.map(({ session, read }) => ({ ...aboutOf(session), ...read }))))
  else
    io.out(rows.map(({ session, read }) => sessionLine(session, read, { now: io.now(), columns: io.columns ?? 100 })))
  if (rows.length === 0) say(io, `no session of the last ${durationText(since)} has a list with evidence`)
  return rows.some(({ read }) => hasWord(read, failOn)) ? 1 : 0
}

type Row = { session: DiscoveredSession; read: Evidence }

/** The newest first. */
const rowsSince = async (context: EvidenceContext, earliest: string): Promise<Row[]> => {
  const { joinedHere } = await import("../choose/sessions-here.ts")
  const { planOfJoined } = await import("../choose/shown-plan.ts")
  const { evidenceOfPlanHere } = await import("../check/plan-evidence.ts")
  const target = { ...context, values: { ...context.values, new: undefined } }
  const joined = [...(await joinedHere(context)).values()]
  const all = joined.flatMap(({ seen }) => seen ?? [])
  const rows: Row[] = []
  for (const one of joined) {
    const { seen } = one
    const hasList = one.plan !== undefined || seen?.summary !== undefined
    if (!hasList || seen?.agent !== "main" || seen.updated < earliest) continue
    const shown = await planOfJoined(target, one).catch(() => undefined)
    const entries = shown?.entries ? await shown.entries() : []
    const read = shown && (await evidenceOfPlanHere(context, { ...shown, seen, all, entries }))
    if (read) rows.push({ session: seen, read })
  }
  return rows.toSorted((one, other) => (one.session.updated < other.session.updated ? 1 : -1))
}

const aboutOf = ({ agentType, title, project, updated }: DiscoveredSession) => ({ agentType, title, project, updated })

const sessionLine = (
  session: DiscoveredSession,
  read: Evidence,
  { now, columns }: { now: Date; columns: number },
): Line => {
  const counts = Object.entries(wordCounts(read)).map(([word, count]) => `${count} ${word}`)
  const last = read.list.lastCheck === "none" ? "no last check" : `last check ${read.list.lastCheck}`
  const about = [...counts, last].join(", ")
  const id = sanitise(session.session).slice(0, 8)
  const title = cut(sanitise(session.title ?? "-"), Math.max(20, columns - about.length - 20))
  return [
    { text: `${id}  ${ageText(session.updated, now).padStart(4)}  ` },
    { text: title, style: { bold: true } },
    { text: `  ${about}` },
  ]
}
