/** The session of an agent: a new one with a unique name, or a resumed one. */
import { closeSync, readdirSync, readSync } from "node:fs"
import { join } from "node:path"
import { projectName, projectOf } from "../../board/project.ts"
import { planFileName } from "../../home/paths/file-names.ts"
import { openPlainFile } from "../../home/reading/plain-file.ts"
import { HeadwayError, isHeadwayError, type Problem } from "../../plan/index.ts"
import type { Transcript } from "../../reference-agent/index.ts"
import { titleFromPrompt } from "../../sessions/title.ts"
import { holdInMemory } from "../../stores/index.ts"
import type { Store } from "../../stores/store.ts"
import type { Gate } from "../../tracker/gate.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { Tracker, TrackerOptions } from "../../tracker/tracker.ts"
import { findNamed } from "../choose/named-session.ts"
import { logger, namedAgent, namedSession, projectNameIn, reporter } from "../choose/plans.ts"
import { namedSessionId, type TargetContext } from "../choose/target.ts"
import type { Context } from "../command.ts"
import { placeOf, storeOf } from "../place/place.ts"
import { appendLine, createFileTranscript } from "./transcript.ts"

export type Session = {
  session: string
  isResumed: boolean
  tracker: Tracker
  transcript: Transcript
  planFile: string
  /** The header written at its start. */
  header: Header
}

/** The first line of a transcript. */
export type Header = {
  type: "session"
  v: 1
  session: string
  agent: string
  cwd: string
  model: string
  dialect: string
  at: string
}

export type SessionOptions = {
  resume: string | undefined
  model: string
  dialect: string | undefined
  /** The gate that may keep a todo open. */
  gate?: Gate | undefined
}

export const usualDialect = "claude-todos"

/** By what the plans of our agent are known. */
export const ownAgentType = "headway-agent"

/** An earlier session, for what needs no model. */
export const openEarlierSession = (context: TargetContext, resume: string): Promise<Session> =>
  openSession(context, { resume, model: "", dialect: undefined })

export const openSession = async (context: TargetContext, options: SessionOptions): Promise<Session> => {
  const { io } = context
  const agent = namedAgent(context)
  const { local } = placeOf(context)
  const folder = join(local, "sessions")
  const store = await storeOf(context)
  const begun = (session: string): Header => ({
    ...{ type: "session", v: 1, session, agent, cwd: io.cwd, model: options.model },
    ...{ dialect: options.dialect ?? usualDialect, at: io.now().toISOString() },
  })
  // A named session without `--new` must exist.
  const resume = options.resume ?? (context.values.new ? undefined : namedSession(context))
  const header =
    resume === undefined
      ? await begin(context, store, begun, folder)
      : {
          ...begun(""),
          ...(await findHeader(context, { folder, wanted: resume, agent, mayBegin: options.resume === undefined })),
        }
  const { session } = header
  // A full disk does not stop the agent: its plan waits in memory, and the agent reports that.
  const held = await context.opened.store("held in memory", async () => holdInMemory(store))
  const [report, keepQuiet] = [reporter(context), logger(context)]
  const onProblem = (problem: Problem): void => (problem.code === "kept-in-memory" ? keepQuiet : report)(problem)
  const opened: NonNullable<TrackerOptions["opened"]> = { project: projectNameIn(context), agentType: ownAgentType }
  const tracker = await context.opened.plan(
    openTracker({ ...{ store: held, session, agent, now: io.now, onProblem, opened, gate: options.gate } }),
  )
  const transcript = createFileTranscript(pathOf(folder, header), (other) => pathOf(folder, { session, agent: other }))
  return {
    ...{ session, tracker, header, isResumed: resume !== undefined },
    transcript: {
      ...transcript,
      append(spoken) {
        // The plan is begun later, and is called by the first task.
        const title = spoken.type === "user" ? titleFromPrompt(spoken.text) : undefined
        if (title !== undefined) opened.title ??= title
        return transcript.append(spoken)
      },
    },
    planFile: join(local, "plans", `${baseOf({ session, agent })}.md`),
  }
}

/** The main agent's file has the name of its session. */
const baseOf = (key: { session: string; agent: string }): string => planFileName(key).replace(/-agent-main$/, "")

const pathOf = (folder: string, key: { session: string; agent: string }): string => join(folder, `${baseOf(key)}.jsonl`)

/** Writes the header, which reserves the name: two agents that start at once get different names. */
const begin = async (
  context: Context,
  store: Store,
  begun: (session: string) => Header,
  folder: string,
): Promise<Header> => {
  const named = namedSession(context)
  if (named !== undefined) {
    if (take(folder, begun(named))) return begun(named)
    throw new HeadwayError("session-taken", `There is already a session "${named}". Leave out --new to continue it.`)
  }
  const name = projectName(projectOf(context.io.cwd))
  const taken = new Set((await store.list()).plans.map(({ session }) => session))
  for (let number = 1; ; number += 1) {
    const header = begun(`${name}-${number}`)
    if (!taken.has(header.session) && take(folder, header)) return header
  }
}

const take = (folder: string, header: Header): boolean => {
  try {
    appendLine(pathOf(folder, header), header, { isNew: true })
    return true
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === "EEXIST") return false
    throw isHeadwayError(cause)
      ? cause
      : new HeadwayError("not-kept", `The conversation cannot be kept: ${message}`, { cause })
  }
}

/** With `mayBegin` a session that is missing may be begun with `--new`. */
type Wanted = { folder: string; wanted: string; agent: string; mayBegin: boolean }

/** An earlier session of this agent, by its id or the beginning of it, or by whatever else names a session here. */
const findHeader = async (context: TargetContext, { folder, wanted, agent, mayBegin }: Wanted): Promise<Header> => {
  const all = headersIn(folder).filter((header) => header.agent === agent)
  const naming = findNamed(
    all.map((header) => ({ session: header.session, agent, updated: header.at, header })),
    { session: wanted, agent },
  )
  if (naming.kind === "found") return naming.one.header
  if (naming.kind === "ambiguous") {
    const names = naming.candidates.slice(0, mostNames).map(({ session }) => session)
    throw new HeadwayError("ambiguous-session", `Several sessions begin with "${wanted}": ${names.join(", ")}.`)
  }
  const named = { ...context, values: { ...context.values, session: wanted, new: false } }
  const session = await namedSessionId(named, { mayBegin })
  const header = all.find((one) => one.session === session)
  if (header) return header
  throw new HeadwayError("no-session", `Session ${session} belongs to another agent, so this one cannot resume it.`)
}

const mostNames = 5

const headersIn = (folder: string): Header[] => {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(".jsonl") ? readHeader(join(folder, name)) : []))
  } catch {
    return []
  }
}

/** Ids, a path and a few names. */
const longestHeader = 16_384

const readHeader = (path: string): Header[] => {
  let file: number | undefined
  try {
    file = openPlainFile(path)
    const head = Buffer.alloc(longestHeader)
    const [line = ""] = head.toString("utf8", 0, readSync(file, head, 0, longestHeader, 0)).split("\n", 1)
    const header = JSON.parse(line) as Partial<Header>
    return header.type === "session" && typeof header.session === "string" ? [header as Header] : []
  } catch {
    return []
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
