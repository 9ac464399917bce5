/** The first stage of reading a call: turns a model's input into a value, repaired where needed. */
import { error, limits, type Problem, repair } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isChecklist } from "../checklist.ts"
import { fencedPart } from "./fence.ts"
import { parsePython } from "./python.ts"
import { repairJson } from "./repair-json.ts"

export type Reading = {
  /** Undefined if nothing was sent; a string if the text is not data (a checklist, plain text). */
  value: unknown
  problems: Problem[]
  /** Whether something in the text was not closed, so that the call may be incomplete. */
  unclosed: boolean
  /** Whether a list or a string was not closed, so that missing items are not removed. */
  cutOff: boolean
  /** Whether the text ends inside an item, so that the last item may be incomplete. */
  lastIsPart: boolean
  /** Whether the text ends inside a string, so that the last string may be incomplete. */
  inString: boolean
}

/** How deeply data may be nested as strings in strings, or fences in fences. */
const maxNesting = 3
const whole = { unclosed: false, cutOff: false, lastIsPart: false, inString: false }

/** Whether a text was meant as data, however broken, so that its words are not todos. */
export const looksLikeData = (text: string): boolean => /^\s*(?:\{|\[\s*(?:["'{[]|$))/.test(text)

export const readValue = (input: unknown): Reading => {
  if (typeof input !== "string") return { value: input ?? undefined, problems: [], ...whole }
  return readText(input, 0)
}

/** Reads a string that should have been data. */
export const readText = (input: string, nesting = 0): Reading => {
  if (input.length > limits.input) return { value: "", problems: [tooLong(input)], ...whole }
  const text = input.replace(/^\uFEFF/, "").trim()
  if (text === "") return { value: undefined, problems: [], ...whole }
  const parsed = parseJson(text)
  if (parsed !== undefined) return unwrap(parsed, [], nesting)
  if (!looksLikeData(text)) {
    if (isChecklist(text)) return { value: text, problems: [], ...whole }
    const fenced = nesting < maxNesting ? fencedPart(text)?.trim() : undefined
    if (fenced) {
      const inner = readText(fenced, nesting + 1)
      return { ...inner, problems: [repair("code-fence", "The input was in a code fence."), ...inner.problems] }
    }
  }
  const start = text.startsWith("(") ? 0 : text.search(/[[{]/)
  const data = text.slice(start)
  // Brackets inside a sentence are part of the sentence.
  if (start < 0 || (start > 0 && !looksLikeData(data))) return { value: text, problems: [], ...whole }
  const literal = parsePython(data)
  if (literal) return unwrap(literal.value, [repair("python-literal", "The input was a Python literal.")], nesting)
  const repaired = repairedValue(data)
  if (!repaired) return { value: text, problems: [], ...whole }
  return { ...repaired, problems: [repair("broken-json", "The input was not valid JSON and was repaired.")] }
}

/** The problem of an input that is too long for any list. */
export const tooLong = ({ length }: string): Problem =>
  error(
    "too-long",
    `The input has ${length} characters, but at most ${limits.input} are read. Send a shorter list, or parts of it.`,
  )

const unwrap = (value: unknown, problems: Problem[], nesting: number): Reading => {
  if (typeof value !== "string" || nesting >= maxNesting) return { value: value ?? undefined, problems, ...whole }
  const inner = readText(value, nesting + 1)
  const wrapped = repair("json-in-string", "The input was JSON inside a string.")
  return { ...inner, problems: [...problems, wrapped, ...inner.problems] }
}

const repairedValue = (text: string): Omit<Reading, "problems"> | undefined => {
  const repaired = text.length > limits.repaired ? undefined : repairJson(text)
  if (repaired) return { ...repaired, ...ending(text) }
  const value = parseJson(balancedPart(text))
  return value === undefined ? undefined : { value, ...whole }
}

/** The text up to the end of its first bracket. Words after the data are ignored. */
const balancedPart = (text: string): string => text.slice(0, scan(text).closedAt ?? 0)

const ending = (text: string): Omit<Reading, "value" | "problems"> => {
  const { open, isInString, isCrossed } = scan(text)
  const isInList = open.includes("[")
  return {
    unclosed: open.length > 0 || isInString || isCrossed,
    cutOff: isInList || isInString || isCrossed,
    lastIsPart: isInString || (isInList && open.at(-1) !== "["),
    inString: isInString,
  }
}

const partners: Record<string, string> = { "]": "[", "}": "{", ")": "(" }

/** Scans the brackets outside strings. A single quote opens a string only where a value may begin. */
const scan = (text: string): { open: string[]; isInString: boolean; isCrossed: boolean; closedAt?: number } => {
  const open: string[] = []
  let isCrossed = false
  let closedAt: number | undefined
  let quote = ""
  let before = ""
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ""
    if (quote) {
      if (letter === "\\") at += 1
      else if (letter === quote) quote = ""
    } else if (letter === '"' || (letter === "'" && "[{(,:".includes(before))) quote = letter
    else if ("[{(".includes(letter)) open.push(letter)
    else if ("]})".includes(letter)) {
      if (open.pop() !== partners[letter]) isCrossed = true
      if (open.length === 0) closedAt ??= at + 1
    }
    if (letter.trim() !== "") before = letter
  }
  return { open, isInString: quote !== "", isCrossed, ...(closedAt === undefined ? {} : { closedAt }) }
}
