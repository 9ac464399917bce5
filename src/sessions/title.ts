/**
 * The title of a session: the agent's title, otherwise the person's first request without anything that was not typed.
 */
import { sanitise } from "../plan/text/sanitise.ts"
import { known } from "../streams/line.ts"
import type { SessionSignal, Signal } from "../streams/stream.ts"

/** In characters, including the ellipsis. */
export const longestTitle = 80

/**
 * A session signal with its title and first prompt as shown. An empty prompt is left out, and a mere command is shown
 * as such.
 */
export const titled = (signal: Signal): Signal => {
  if (signal.type !== "session" || (signal.title ?? signal.asked ?? signal.role) === undefined) return signal
  const { title, asked, role, ...about } = signal
  const made = {
    title: title === undefined ? undefined : titleFrom(title),
    ...(asked === undefined ? {} : askedIn(asked)),
    role: role === undefined ? undefined : shortened(role, longestRole),
  }
  return { ...about, ...Object.fromEntries(Object.entries(made).filter(([, text]) => text)) }
}

const longestRole = 40

/** An agent's title on one line, or undefined if nothing is left of it. */
export const titleFrom = (title: string): string | undefined =>
  shortened(unquoted(sanitise(withoutWrappers(title.slice(0, mostRead))))) || undefined

/** One line that is safe to show, cut at the end of a word. */
export const shortened = (text: string, longest: number = longestTitle): string => {
  const line = sanitise(text.slice(0, mostRead))
  const letters = [...line]
  if (letters.length <= longest) return line
  const room = letters.slice(0, longest - 1)
  // A word that would be cut in two is left out, unless that leaves less than half.
  const end = letters[longest - 1] === " " ? room.length : room.lastIndexOf(" ")
  const kept = room.slice(0, end > longest / 2 ? end : room.length).join("")
  const cut = sanitise(kept.replace(/[\s,;:.–—-]+$/u, ""))
  return cut === "" ? "" : `${cut}…`
}

/**
 * The first sentence of a prompt, without client additions, code, logs and Markdown. Undefined if there is no text by
 * the person, or only a command.
 */
export const titleFromPrompt = (prompt: string): string | undefined => askedIn(prompt).asked

const askedIn = (prompt: string): Pick<SessionSignal, "asked" | "command"> => {
  const given = prompt.slice(0, mostRead)
  const text = withoutWrappers(given)
  const command = commandIn(text)
  if (command) return askedWith(command)
  // A person may write elements of their own; if everything was pasted, its first words are better than nothing.
  const request = requestIn(text)
  const words =
    firstWords(spokenLines(request)) || firstWords(spokenLines(unwrapped(given))) || firstWords(linesOf(request))
  return known({ asked: shortened(words) || undefined })
}

/** A command says how something is done; the subject follows in its words or in later prompts. */
const askedWith = ({ name, words }: TypedCommand): Pick<SessionSignal, "asked" | "command"> => {
  if (isSteering(name)) return {}
  const subject = firstWords(spokenLines(words))
  const own = sanitise(name.replace(/^.*:(?=.)/s, "").replace(/[-_]+/g, " "))
  if (subject === "") return known({ command: shortened(own) || undefined })
  // One or two words, as in "/review PR 12", say little by themselves.
  return known({ asked: shortened(subject.split(" ").length < 3 ? `${own} ${subject}` : subject) || undefined })
}

/** All text by the person in a prompt, including pasted code and logs, without client additions. */
export const promptText = (prompt: string): string => {
  const text = withoutWrappers(prompt.slice(0, mostRead))
  const command = commandIn(text)
  if (command) return isSteering(command.name) ? "" : sanitise(`/${command.name} ${command.words}`)
  return linesOf(requestIn(text)).join("\n").trim()
}

/** In characters: how much of a prompt is read for its first words. */
const mostRead = 16_000

/** Elements that clients add to a prompt, with their contents. */
const wrappers = new Set(
  "additional_data attached_files bash-input bash-stderr bash-stdout caveat context current_datetime environment_context environment_details git_status hook_context ide_context ide_diagnostics ide_opened_file ide_selection instructions local-command-caveat local-command-stderr local-command-stdout open_and_recently_viewed_files permissions project_layout session_context skill skills skills_instructions system-reminder system_reminder task-notification teammate-message turn_aborted user-memory-input user-prompt-submit-hook user_action user_info user_instructions".split(
    " ",
  ),
)

/** Elements whose words are the person's. */
const spokenIn = /<\/?user[-_](?:query|message|request|prompt)>/gi

/** An element name of several words at the start of a line is usually a client's too. */
const isWrapper = (name: string): boolean =>
  wrappers.has(name) || (/[-_]/.test(name) && !/^command-|^user[-_](?:query|message|request|prompt)$/.test(name))

/** Elements count where a line begins with them. One that is never closed goes to the end of the text. */
const withoutWrappers = (text: string, isOne = isWrapper): string => {
  if (!text.includes("<")) return text
  const opening = /(?<=^|\n|>)[ \t]*<([a-z][\w-]*)(?:\s[^<>]*)?>/gi
  let [kept, at] = ["", 0]
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const [, name = ""] = found
    if (!isOne(name.toLowerCase())) continue
    kept += text.slice(at, found.index)
    const closing = new RegExp(`</${name}(?:\\s[^<>]*)?>`, "gi")
    closing.lastIndex = opening.lastIndex
    if (!closing.test(text)) return kept
    at = closing.lastIndex
    opening.lastIndex = at
  }
  return (kept + text.slice(at)).replace(spokenIn, "\n")
}

const unwrapped = (text: string): string =>
  withoutWrappers(text, (name) => wrappers.has(name)).replace(/<\/?[a-z][\w-]*>/gi, "\n")

/** `name` is without the slash. */
type TypedCommand = { name: string; words: string }

/** A slash command, as the client recorded it or as it was typed. */
const commandIn = (text: string): TypedCommand | undefined => {
  const name = elementIn(text, "command-name")
  if (name !== undefined)
    return { name: sanitise(name).replace(/^\/+/, ""), words: elementIn(text, "command-args") ?? "" }
  const [, typed = "", words = ""] = /^\s*\/([a-z][\w:.-]*)(?:\s(.*))?$/is.exec(text) ?? []
  return typed === "" || folders.split(" ").includes(typed) ? undefined : { name: typed, words }
}

/** What begins with these is a path. */
const folders = "bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp usr var"

const elementIn = (text: string, name: string): string | undefined => {
  const start = text.indexOf(`<${name}>`)
  const end = text.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : text.slice(start + name.length + 2, end)
}

/** Commands about the client itself: they say nothing about the work. */
const steering =
  "add-dir agents bug clear compact config context copy cost doctor effort exit export fast feedback help hooks ide login logout mcp memory model new output-style permissions plugin plugins privacy-settings quit release-notes reload-plugins remote-control rename resume rewind sandbox settings skills stats status statusline tasks terminal-setup theme todos tui upgrade usage vim"
const isSteering = (name: string): boolean => steering.split(" ").includes(name.toLowerCase())

/** The heading after which the request follows, if an editor or a list of files comes first. */
const requestIn = (text: string): string => {
  const heading = /^#{1,6} *My request\b.*$/gim
  let end: number | undefined
  while (heading.test(text)) end = heading.lastIndex
  return end === undefined ? text : text.slice(end)
}

/** Without text that clients write in the person's name. */
const linesOf = (text: string): string[] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).filter((line) => !isOneOf(notSpoken, line))

/** The lines that a person wrote: no code, no logs. */
const spokenLines = (text: string): string[] =>
  // Every second part is between code fences.
  text
    .split(/^[ \t]*(?:```|~~~).*$/m)
    .flatMap((part, index) => (index % 2 === 0 ? linesOf(part) : []))
    .filter((line) => !isOneOf(logged, line))

const isOneOf = (patterns: readonly RegExp[], line: string): boolean => patterns.some((pattern) => pattern.test(line))

/**
 * Times, log levels, prompts, stack frames, compiler markers, diffs. Each pattern takes linear time.
 */
const logged = [
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*\[?\d\d:\d\d:\d\d\b/,
  /^\s*\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?[: ]/,
  /^\s*(?:\$|%|>>>|❯|➜|PS [A-Z]:\S*>) /,
  /^\s*at \S.*[:(][^\s:(]+:\d/,
  /^\s*File ".*", line \d+/,
  /^Traceback \(most recent call last\):/,
  /^\s*(?:npm (?:ERR|WARN|error|warn)\b|error\[E\d+\]|-->|\d+ \|)/,
  /^(?:diff --git |index [\da-f]{7}|@@ |--- a?\/|\+\+\+ b?\/)/,
]

const notSpoken = [
  /^\s*(?:```|~~~)/,
  /^# AGENTS\.md instructions\b/,
  /^Caveat: The messages below were generated by the user/,
  /^This session is being continued from a previous conversation/,
  /^\[(?:Request interrupted|Image|Pasted text)\b.*\]\s*$/,
  /^\[\[ ## .* ## \]\]\s*$/,
]

/** A line without Markdown markup. */
const plain = (line: string): string => {
  const text = sanitise(line)
    .replace(/^(?:[>#]+ ?|[-*+•] |\d+[.)] )+/u, "")
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1")
    .replace(/\*\*|__|`/g, "")
  return unquoted(sanitise(text))
}

const unquoted = (text: string): string => {
  const [, inner] = /^(?:"([^"]*)"|'([^']*)'|“([^”]*)”)$/.exec(text)?.filter((part) => part !== undefined) ?? []
  return inner === undefined ? text : sanitise(inner)
}

/** Fewer letters say too little, so the next line is added. */
const fewLetters = 12

const firstWords = (lines: readonly string[]): string => {
  const texts = lines.flatMap((line) => {
    const text = plain(line)
    return /\p{L}/u.test(text) ? { text, isHeading: /^\s*#{1,6}\s/.test(line) } : []
  })
  const [first, second, ...others] = texts
  if (!first) return ""
  // "Do the following:", and then its heading, which says more.
  if (first.text.endsWith(":") && second?.isHeading) return ended(second.text.replace(/^plan: */i, "") || second.text)
  let words = first.text
  for (const next of [...(second ? [second] : []), ...others]) {
    if (words.length >= fewLetters) break
    words += ` ${next.text}`
  }
  return ended(words)
}

/** Anchored at the start of a run of signs, otherwise every sign of a long run would be tried. */
const ended = (words: string): string => words.replace(/(?<![\s:;,])[\s:;,]+$/u, "")
