/** Reads words of broken JSON that are not in quotes: names of fields, texts, numbers and constants. */
import { afterSpace, isComment, isDoubleQuote, isSpace } from "./json-letters.ts"
import { fail, type JsonPlace, letterAt } from "./json-place.ts"

const constants = new Map<string, boolean | null>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
])
const number = /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?$/

/** A word, as what it means. */
export const readWord = (place: JsonPlace): unknown => {
  const word = readBareWord(place, ",[]{}\n")
  if (isDoubleQuote(place.text[place.at - 1] ?? "")) return word
  if (constants.has(word)) return constants.get(word)
  return word.length < 400 && number.test(word) ? Number(word) : word
}

/** A name ends with a colon too. */
export const readBareKey = (place: JsonPlace): string => readBareWord(place, ":,[]{}\n")

const readBareWord = (place: JsonPlace, ends: string): string => {
  const { text } = place
  const start = place.at
  for (; place.at < text.length; place.at += 1) {
    const now = letterAt(place)
    if (ends.includes(now) || isDoubleQuote(now) || (now === ")" && place.open["("] > 0)) break
    if (isSpace(text[place.at - 1] ?? "") && isComment(text, place.at)) break
  }
  const word = text.slice(start, place.at).trim()
  if (word === "" || word.startsWith(":")) fail(place)
  // Only the quote before it was forgotten.
  const behind = text[afterSpace(text, place.at + 1)] ?? ""
  const isLastLetter = behind === "" || ",:]}".includes(behind)
  if (isDoubleQuote(letterAt(place)) && !isSpace(text[place.at - 1] ?? "") && isLastLetter) place.at += 1
  return word
}
