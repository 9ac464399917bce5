/** `headway find`: sessions of all agents by their titles, their prompts and the todos in their lists. */
import type { JoinedSession } from "../../board/joined-session.ts"
import { createProjectLabels } from "../../board/project.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { FoundLine, FoundSession } from "../../sessions/search/search.ts"
import { placeOf } from "../../views/board/names.ts"
import { shortNames } from "../../views/display-names.ts"
import { cut, type Line, type Span, type Style, widthOf } from "../../views/index.ts"
import { askedFor } from "../choose/asked-for.ts"
import { defineCommand } from "../command.ts"
import { ageText } from "../duration.ts"
import { openFind } from "../find/find-sessions.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { agentTitle } from "../output/session-names.ts"

export const find = defineCommand({
  usage: "find WORDS… [--limit N]",
  about: `Finds sessions of all agents, and plans that are kept here, by words in their titles, in what you typed, and in their todos. Case
does not matter; every word must occur in the session, and words in quotes must occur together. Matches are highlighted in the
title, and the lines below it show where else they were found. With --session, only that session and its sub-agents are searched.`,
  options: {
    limit: { type: "number", short: "n", value: "N", from: 1, about: "at most this many sessions (default 20)" },
  },
  maxWords: Number.POSITIVE_INFINITY,
  examples: [
    "headway find login",
    'headway find "order form" address',
    "headway find invoice --json | jq -r .[].session",
  ],
  async run(context) {
    const { io, values, words } = context
    if (words.every((word) => word.trim() === ""))
      throw new HeadwayError("usage", "Say what to find: headway find WORDS…")
    const { found: everywhere, all } = await openFind(context)(words)
    const isAsked = askedFor(context, all)
    const found = everywhere.filter(({ one }) => isAsked(one))
    const shown = found.slice(0, values.limit ?? usualLimit)
    if (values.json) io.out(printJson(shown.map(({ one, lines }) => ({ ...one, found: lines }))))
    else if (shown.length > 0) {
      const ids = shortNames(all.map(({ session }) => session))
      io.out(linesOf(shown, words, { ids, now: io.now(), home: io.home, columns: io.columns }))
    }
    if (found.length === 0) say(io, `no session contains ${words.map((word) => `"${word}"`).join(" and ")}`)
    else if (found.length > shown.length)
      say(io, `${found.length - shown.length} more are not shown; --limit shows more`)
    return found.length === 0 ? 1 : 0
  },
})

const usualLimit = 20

/** `ids` are the sessions' ids as they are shown. */
type Layout = { ids: ReadonlyMap<string, string>; now: Date; home: string; columns: number | undefined }

const linesOf = (
  found: readonly FoundSession<JoinedSession>[],
  words: readonly string[],
  { ids, now, home, columns = Number.POSITIVE_INFINITY }: Layout,
): Line[] => {
  const labelOf = createProjectLabels(home)
  return found.flatMap(({ one, lines }) => {
    const { session, agent, agentType, title = "-", project, updated } = one
    const short = ids.get(session) ?? session
    const id = `${sanitise(agent === "main" ? short : `${short} ${agent}`)}  `
    const [label, age] = [labelOf(project), ageText(updated, now)]
    const abouts = [
      [agentTitle(agentType), label, age],
      [agentTitle(agentType), placeOf({ project: label }), age],
      [age],
    ]
    const name = sanitise(title)
    const roomBeside = (about: readonly string[]): number => columns - widthOf(id) - widthOf(["", ...about].join("  "))
    const about = abouts.find((one) => roomBeside(one) >= Math.min(widthOf(name), shortestTitle)) ?? []
    const shown = cut(name, Math.max(1, roomBeside(about)))
    const heading: Line = [
      { text: id },
      ...marked(shown, wordsIn(words), { bold: true }),
      { text: about.map((part) => `  ${part}`).join(""), style: { dim: true } },
    ]
    // What is found in the title is marked there, unless that is cut.
    const others = lines.filter(({ in: where, text }) => where !== "title" || sanitise(text) !== shown)
    return [heading, ...others.map((line) => foundLine(line, words, columns))]
  })
}

/** In columns: with less room, the rest of the line is shortened first. */
const shortestTitle = 32

const wordsIn = (words: readonly string[]): RegExp =>
  new RegExp(words.map((word) => sanitise(word).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "giu")

/** As much of the line as there is room for, around the first of the words. */
const foundLine = ({ in: where, text }: FoundLine, words: readonly string[], columns: number): Line => {
  const lead = `  ${where}: `
  const line = sanitise(text)
  const found = wordsIn(words)
  const at = line.search(found)
  const room = Math.max(20, Math.min(columns, longestLine) - widthOf(lead))
  const start = at < room / 2 ? 0 : at - Math.floor(room / 4)
  const part = cut(`${start > 0 ? "…" : ""}${line.slice(start)}`, room)
  return [{ text: lead, style: { dim: true } }, ...marked(part, found)]
}

/** In columns. */
const longestLine = 160

const marked = (text: string, found: RegExp, style: Style = {}): Span[] => {
  const spans: Span[] = []
  let at = 0
  for (const match of text.matchAll(found)) {
    if (match[0] === "") continue
    spans.push({ text: text.slice(at, match.index), style }, { text: match[0], style: { bold: true, colour: "cyan" } })
    at = match.index + match[0].length
  }
  return [...spans, { text: text.slice(at), style }].filter((span) => span.text !== "")
}
