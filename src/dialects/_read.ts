/** The first stage of reading a call: whatever a model sent as its input becomes a value, mended where it must be. */
import { jsonrepair } from "jsonrepair"
import { type Problem, repair } from "../plan/index.ts"
import { isChecklist } from "./_checklist.ts"
import { parsePython } from "./_python.ts"

export type Reading = {
  /** Undefined when nothing was sent; a string when the text is no data (a checklist, plain words). */
  value: unknown
  problems: Problem[]
  /** A list in the text was not closed: it may go on beyond what was received, so its end proves nothing. */
  cutOff: boolean
  /** The end stands inside an item, so the last one may be only part of what was meant. */
  lastIsPart: boolean
}

/** Longer texts are read if they are valid, but not mended: guessing at them can take minutes. */
const maxRepaired = 1_000_000
const maxNesting = 3
const whole = { cutOff: false, lastIsPart: false }

export const readValue = (input: unknown): Reading => {
  if (typeof input !== "string") return { value: input ?? undefined, problems: [], ...whole }
  return readText(input, 0)
}

/** Reads a string that should have been data. */
export const readText = (input: string, nesting = 0): Reading => {
  const text = input.replace(/^\uFEFF/, "").trim()
  if (text === "") return { value: undefined, problems: [], ...whole }
  const parsed = parseJson(text)
  if (parsed) return unwrap(parsed.value, [], nesting)
  const fenced = /```[\w-]*\s*\n?([\s\S]*?)(?:```|$)/.exec(text)?.[1]
  if (fenced !== undefined && fenced.trim() !== "" && fenced !== text) {
    const inner = readText(fenced, nesting)
    return { ...inner, problems: [repair("code-fence", "The input stood in a code fence."), ...inner.problems] }
  }
  if (isChecklist(text)) return { value: text, problems: [], ...whole }
  const start = text.search(/[[{(]/)
  if (start < 0) return { value: text, problems: [], ...whole }
  const data = text.slice(start)
  const literal = parsePython(data)
  if (literal) return unwrap(literal.value, [repair("python-literal", "The input was a Python literal.")], nesting)
  const mended = mendJson(data)
  if (mended === undefined) return { value: text, problems: [], ...whole }
  const problems = [repair("broken-json", "The input was not valid JSON and was mended.")]
  return { ...unwrap(mended, problems, nesting), ...ending(data) }
}

const unwrap = (value: unknown, problems: Problem[], nesting: number): Reading => {
  if (typeof value !== "string" || nesting >= maxNesting) return { value, problems, ...whole }
  const inner = readText(value, nesting + 1)
  const wrapped = repair("json-in-string", "The input was JSON inside a string.")
  return { ...inner, problems: [...problems, wrapped, ...inner.problems] }
}

const parseJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const mendJson = (text: string): unknown => {
  if (text.length > maxRepaired) return undefined
  try {
    return JSON.parse(jsonrepair(text))
  } catch {
    const balanced = balancedPart(text)
    return balanced === undefined ? undefined : parseJson(balanced)?.value
  }
}

/** The text up to where its first bracket closes: words behind the data do not matter. */
const balancedPart = (text: string): string | undefined => {
  const end = scan(text).closedAt
  return end === undefined || end === text.length ? undefined : text.slice(0, end)
}

const ending = (text: string): Pick<Reading, "cutOff" | "lastIsPart"> => {
  const { open, isInString } = scan(text)
  const cutOff = open.includes("[")
  return { cutOff, lastIsPart: cutOff && (isInString || open.at(-1) !== "[") }
}

/** Walks over brackets outside strings. A single quote opens a string only where a value may start. */
const scan = (text: string): { open: string[]; isInString: boolean; closedAt?: number } => {
  const open: string[] = []
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
      open.pop()
      if (open.length === 0) return { open, isInString: false, closedAt: at + 1 }
    }
    if (!/\s/.test(letter)) before = letter
  }
  return { open, isInString: quote !== "" }
}
