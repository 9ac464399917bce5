/** The last step for every text that a model reads, so that no text in a plan can pose as anything else. */
import { sanitise, sanitiseOutput } from "./sanitise.ts"

/** With invisible characters between its letters, and in the wide letters of East Asian text. */
const loosely = (word: string): string => [...word].map(wideToo).join("\\p{Format}*")
const wideToo = (letter: string): string =>
  /[a-z]/.test(letter) ? `[${letter}${String.fromCharCode(letter.charCodeAt(0) + 0xfee0)}]` : letter
const anyOf = (words: readonly string[]): string => `(?:${words.map(loosely).join("|")})`

/** The role names that hosts and models write before a message. */
const roles = ["human", "user", "assistant", "system", "developer"]

/** An angle bracket: plain, wide, small, or as markup writes it. */
const bracket = "(?:[<＜﹤]|&(?:lt|#0*60|#x0*3c);?)"

/** What makes a tag of what follows a bracket: a reminder, a speaker, or a mark of a chat template. */
const tagWords = (): string[] => [
  `(?:${loosely("system")}[\\s\\p{Format}_-]*)?${loosely("reminder")}`,
  `${anyOf(["system", "human", "assistant"])}(?![a-z0-9ａ-ｚ０-９])`,
  `(?:${loosely("start")}|${loosely("end")})_${loosely("of")}_${loosely("turn")}`,
  `<${loosely("sys")}>>`,
  `${anyOf(["s", "bos", "eos"])}[\\s\\p{Format}]*[>＞﹥]`,
  "[|｜]",
]

/** Marks of chat templates that are in square brackets. */
const squareWords = ["inst", "system_prompt", "available_tools", "tool_calls", "tool_results"]

/** The same in plain letters, for a text that has no others. */
const plainSquareMark = new RegExp(`\\[[\\s/]*(?:${squareWords.join("|")})\\s*\\]`, "i")

const plainRole = new RegExp(`^[ #*_]*(?:${roles.join("|")})[ *_]*:`, "im")

type Patterns = { tag: RegExp; square: RegExp; role: RegExp; fence: RegExp }

let patterns: Patterns | undefined

/** Made when they are first needed: most texts need none, and to make them takes longer than to start. */
const patternsOnce = (): Patterns => {
  patterns ??= {
    // Spaces, slashes, marks and invisible characters inside a tag do not stop a model from reading it as one.
    tag: new RegExp(`${bracket}(?=[\\s\\p{Format}/\\\\!?"'._*-]*(?:${tagWords().join("|")}))`, "giu"),
    square: new RegExp(`[[［](?=[\\s\\p{Format}/]*${anyOf(squareWords)}[\\s\\p{Format}]*[\\]］])`, "giu"),
    role: new RegExp(`^([\\t\\p{Zs}#*_]*${anyOf(roles)}[\\t\\p{Zs}*_\\p{Format}]*)[:：﹕︓]`, "gimu"),
    fence: /^([ \t]*)(`{3,}|~{3,})/gm,
  }
  return patterns
}

/**
 * Takes the tag out of what reads like an opening or closing `<system-reminder>`, `<reminder>`, `<system>`, `<human>` or
 * `<assistant>`, or like a mark of a chat template; its letters and its bracket may be wide ones, the bracket an entity too.
 * All else stays as it is.
 */
export const escapeForModel = (text: string): string => {
  const withoutTags = /[<＜﹤&]/.test(text) ? text.replace(patternsOnce().tag, "‹") : text
  return /[[［]/.test(text) ? withoutTags.replace(patternsOnce().square, "⁅") : withoutTags
}

/** Foreign words as part of a line of ours: on one line, nothing hidden in it, and no tag. */
export const lineForModel = (text: string): string => escapeForModel(sanitise(text))

/** Foreign text that may have several lines, each after a mark that shows whose it is. */
export const quoteForModel = (text: string): string =>
  escapeForModel(brokenLines(text))
    .split("\n")
    .map((line) => `  > ${line}`.trimEnd())
    .join("\n")

/**
 * A whole text as it leaves for a model: nothing hidden in it, no tag, and no line that begins like a turn of a conversation or like
 * a fence. What our own lines say stays as it is, and so does a text that has been here before.
 */
export const textForModel = (text: string): string => {
  if (isPlainText(text)) return text
  return withoutOpenings(escapeForModel(brokenLines(text)))
}

/**
 * Data as it leaves for a model: every string and key in it. The first line of a string follows its key, so that only
 * the lines after it can begin a line. Anything deeper than 64 levels is left out.
 */
export const dataForModel = <Value>(value: Value): Value => safeData(value, 0) as Value

/** What a tool tells a model: its text, and the same as data. */
export const replyForModel = <Reply extends { text: string; data?: unknown }>({ text, ...rest }: Reply): Reply =>
  ({ text: textForModel(text), ...dataForModel(rest) }) as Reply

const deepest = 64

const safeData = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") return safeString(value)
  if (typeof value !== "object" || value === null) return value
  if (depth >= deepest) return undefined
  if (Array.isArray(value)) return value.map((part) => safeData(part, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [safeString(key), safeData(part, depth + 1)] as const),
  )
}

const safeString = (text: string): string => {
  if (isHarmless(text)) return text
  const safe = escapeForModel(brokenLines(text))
  const end = safe.indexOf("\n")
  return end < 0 ? safe : safe.slice(0, end) + withoutOpenings(safe.slice(end))
}

/** Most strings are such: one line of plain letters without a tag, an entity, a mark or a fence. */
const isHarmless = (text: string): boolean => /^[ -%'-;=-_a-}]*$/.test(text) && !hasSquareMark(text)

/** Most texts are such: lines of the same letters, none of which begins like a turn of a conversation. */
const isPlainText = (text: string): boolean =>
  /^[\n -%'-;=-_a-}]*$/.test(text) && !hasSquareMark(text) && !(text.includes(":") && plainRole.test(text))

const hasSquareMark = (text: string): boolean => text.includes("[") && plainSquareMark.test(text)

/** Nothing hidden, and every kind of line end is one. */
const brokenLines = (text: string): string => sanitiseOutput(text).replace(/\r\n|[\r\v\f\u2028\u2029]/g, "\n")

const withoutOpenings = (text: string): string => {
  const { role, fence } = patternsOnce()
  return text
    .replace(role, "$1∶")
    .replace(
      fence,
      (_, indent: string, marks: string) => indent + (marks.startsWith("~") ? "∼" : "ˋ").repeat(marks.length),
    )
}
