/** Notes about upcoming calls: a hook knows the caller, the server that receives the call may not. */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { planFileName } from "../../home/paths/file-names.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { type ClientProcess, clientName } from "../../home/processes/clients.ts"
import { readForeignText } from "../../home/reading/foreign-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import { canonicalJson } from "../../plan/json.ts"

/** Whose call it is: the agent's session now, and `main` or a sub-agent in it. */
export type CallNote = {
  session: string
  agent: string
  /** Where the plan of the session belongs. A note by an earlier version has none. */
  folder?: string | undefined
  /** When the agent made the call, if its session's file says so. */
  madeAt?: string | undefined
}

export const leaveCallNote = (home: string, callId: string, note: CallNote): void =>
  write(home, pathOf(home, callId), note)

/** Returns and removes the note about a call. */
export const takeCallNote = (home: string, callId: string): CallNote | undefined => take(pathOf(home, callId))

/** The same for a client that does not tell our server the id of a call: the call is known by its process and its input. */
export const announceCall = (home: string, client: ClientProcess, input: unknown, note: CallNote, now: Date): void => {
  const content = hashOf(input)
  if (content !== undefined)
    write(home, join(folderOf(home), `${clientName(client)}-${content}.${now.getTime()}-${process.pid}.json`), note)
}

/**
 * Of several equal calls that are about to come the one that was announced first. A call may also be refused by the
 * person and never come: what was announced long before the others is not it.
 */
export const takeAnnouncedCall = (home: string, client: ClientProcess, input: unknown): CallNote | undefined => {
  const content = hashOf(input)
  if (content === undefined) return undefined
  const [found] = announcedNow(home, `${clientName(client)}-${content}`)
  return found === undefined ? undefined : take(found)
}

/** The same where the process is not known, as over HTTP; undefined if several sessions are about to make this call. */
export const takeOnlyAnnounced = (home: string, agentType: string, input: unknown): CallNote | undefined => {
  const content = hashOf(input)
  if (content === undefined || !/^[\w-]+$/.test(agentType)) return undefined
  const found = announcedNow(home, `${agentType}-\\d+-\\w+-${content}`)
  const [first, ...others] = found.map(read)
  const isSame = (one: CallNote | undefined): boolean => one?.session === first?.session && one?.agent === first?.agent
  return found[0] !== undefined && others.every(isSame) ? take(found[0]) : undefined
}

/** The files of calls that are about to come, the first one first. Older ones are removed. */
const announcedNow = (home: string, beginning: string): string[] => {
  const pattern = new RegExp(`^${beginning}\\.(\\d+)-\\d+\\.json$`)
  const times = namesIn(folderOf(home)).flatMap((name) => {
    const [, at] = pattern.exec(name) ?? []
    return at === undefined ? [] : [{ path: join(folderOf(home), name), at: Number(at) }]
  })
  times.sort((one, other) => one.at - other.at)
  const latest = times.at(-1)?.at ?? 0
  const isOfThese = ({ at }: { at: number }): boolean => latest - at <= sideBySide
  for (const one of times) if (!isOfThese(one)) rmSync(one.path, { force: true })
  return times.filter(isOfThese).map(({ path }) => path)
}

/** Calls of one answer come within this time of each other, in milliseconds. */
const sideBySide = 5_000

/** Calls that were announced and never made leave their notes behind. */
export const forgetCallNotes = (home: string, before: Date): void => {
  const folder = folderOf(home)
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (statSync(path).mtime < before) rmSync(path, { force: true })
    }
  } catch {}
}

const folderOf = (home: string): string => join(home, "cache", "calls")

const pathOf = (home: string, callId: string): string =>
  join(folderOf(home), `${planFileName({ session: callId, agent: "call" })}.json`)

/** A client may pass the fields of an object on in another order. A deeply nested value is not a call of a list tool. */
const hashOf = (input: unknown): string | undefined => {
  const content = canonicalJson(input ?? {})
  if (content === undefined) return undefined
  const { createHash } = process.getBuiltinModule("node:crypto")
  return createHash("sha256").update(content).digest("hex").slice(0, 16)
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const write = (home: string, path: string, { session, agent, folder, madeAt }: CallNote): void =>
  void replaceFile(path, JSON.stringify({ session, agent, folder, madeAt }), join(home, "tmp"))

const take = (path: string): CallNote | undefined => {
  const note = read(path)
  try {
    if (note) rmSync(path, { force: true })
  } catch {
    return undefined
  }
  return note
}

const read = (path: string): CallNote | undefined => {
  try {
    const { session, agent, folder, madeAt } = JSON.parse(readForeignText(path)) as Record<string, unknown>
    if (typeof session !== "string" || typeof agent !== "string") return undefined
    const place = typeof folder === "string" ? fullPath(folder) : undefined
    const made = typeof madeAt === "string" ? { madeAt } : {}
    return { session, agent, ...(place === undefined ? {} : { folder: place }), ...made }
  } catch {
    return undefined
  }
}
