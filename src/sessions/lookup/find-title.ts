/** Finds the title of one session, from the beginning and end of its file and the notes next to it. */
import { basename } from "node:path"
import { agentNamed, loadStream } from "../../agents/index.ts"
import { readForeignText, withForeignFile } from "../../home/reading/foreign-file.ts"
import { ownOf } from "../../streams/line.ts"
import type { Stream } from "../../streams/stream.ts"
import { tableOf } from "../agent-tables.ts"
import { firstLines } from "../file/found-lines.ts"
import { tailOf } from "../file/tail.ts"
import { readTitles } from "../file/title-lines.ts"
import { createTitledObserver } from "../file/titled-observer.ts"
import type { Env } from "../source.ts"
import { titleFrom } from "../title.ts"
import type { Found } from "../walk.ts"
import { allOf, isPlainLines, mayHold } from "./session-signals.ts"

type Wanted = { session: string; agent: string; agentType: string }

/** Undefined if its files have none, or are neither lines nor documents. Never throws. */
export const findTitle = async (
  { session, agent, agentType }: Wanted,
  { env, home }: { env: Env; home: string },
): Promise<string | undefined> => {
  try {
    const source = await agentNamed(agentType)?.sessions?.()
    if (!source) return undefined
    const listed = ownOf(tableOf(source.titles, source.homes(env, home)), agent === "main" ? session : agent)
    if (listed !== undefined) return titleFrom(listed)
    const files = allOf({ source, env, home }).filter((found) => {
      const isOf = agent === "main" ? found.whose.agent === undefined : found.whose.agent === agent
      return isOf && mayHold(found, session)
    })
    for (const { path, place } of files.filter(isPlainLines).slice(0, mostFiles)) {
      const stream = place.reading.as === "lines" ? await loadStream(place.reading.stream) : undefined
      const about = stream && aboutIn(path, stream)
      if (!about || (about.session ?? session) !== session) continue
      return about.title ?? (await titleBeside(files)) ?? about.asked ?? about.command
    }
  } catch {
    // A missing title is not an error.
  }
  return undefined
}

const titleBeside = async (files: readonly Found[]): Promise<string | undefined> => {
  for (const { path, place } of files) {
    if (place.reading.as !== "document" || place.isNote) continue
    const read = await place.reading.load()
    const titles = read({ name: basename(path), text: readForeignText(path) }, undefined).flatMap((signal) =>
      signal.type === "session" ? (signal.title ?? []) : [],
    )
    const title = titles[0] === undefined ? undefined : titleFrom(titles[0])
    if (title !== undefined) return title
  }
  return undefined
}

/** A few may have the beginning of its id in their names. */
const mostFiles = 4

/** Lines that say whose file it is. */
const headLines = 12

const aboutIn = (path: string, stream: Stream) =>
  withForeignFile(path, ({ stats: { size }, read }) => {
    const file = { size, read }
    const observer = createTitledObserver()
    const reader = stream.open()
    let lines = 0
    firstLines(file, (line) => {
      for (const signal of reader.read(line)) observer.take(signal)
      lines += 1
      return lines < headLines
    })
    readTitles(file, tailOf(file), { stream, observer, reader })
    const agents = observer.known()
    return (agents.find(({ agent }) => agent === "main") ?? agents[0])?.about
  })
