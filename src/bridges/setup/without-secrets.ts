/** A configuration file for display, with everything masked that looks like a secret. */

/** Lines stay lines: what is masked never spans two. Text with more escapes than a pattern has room for is masked whole. */
export const withoutSecrets = (text: string): string => {
  try {
    return masks.reduce((left, mask) => mask(left), text)
  } catch {
    // Without a pattern: none has room for a line of millions of characters in every process.
    return text
      .split("\n")
      .map((line) => (line === "" ? "" : masked))
      .join("\n")
  }
}

type Mask = (text: string) => string

const masked = "***"

const soundsSecret =
  /key|token|secret|passw|passphrase|pass$|pwd|credential|authori[sz]ation|cookie|(?:^|[_.-])(?:auth|pat)$/i

const texts = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'/g

/** Patterns begin where a word does, so that a long one is scanned once. */
const masks: readonly Mask[] = [
  // A key and its value, in JSON and in TOML; of a value in several lines the first.
  (text) =>
    text.replace(
      /(?<![\w.-])([\w.-]+)(["']?\s*[:=]\s*)("""[^\n]*|'''[^\n]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*')/g,
      (all, key, between) => (soundsSecret.test(key) ? `${key}${between}"${masked}"` : all),
    ),
  // A key and a list of values, as far as it is in one line.
  (text) =>
    text.replace(/(?<![\w.-])([\w.-]+)(["']?\s*[:=]\s*)\[([^\]\n]*)/g, (all, key, between, values) =>
      soundsSecret.test(key) ? `${key}${between}[${values.replace(texts, `"${masked}"`)}` : all,
    ),
  // An option and its value, as two texts of a list. Text that begins like an option is not a value.
  (text) =>
    text.replace(
      /(["'])(--?[\w.-]+)\1([\s,]*)("(?!-)[^"\\\n]*(?:\\.[^"\\\n]*)*"|'(?!-)[^'\n]*')/g,
      (all, quote, option, between) =>
        soundsSecret.test(option) ? `${quote}${option}${quote}${between}"${masked}"` : all,
    ),
  // The same in one text, and a header: "--token=…", "X-Api-Key: …", "?token=…".
  (text) => withoutValuesIn(text),
  // The same with a space: "--token …".
  (text) =>
    text.replace(/(?<![\w.-])(--?[\w.-]+)([ \t]+)([^\s"'&-][^\s"'&]*)/g, (all, option, between) =>
      soundsSecret.test(option) ? `${option}${between}${masked}` : all,
    ),
  (text) => text.replace(/\b(bearer|basic)([ \t]+)[^\s"']{8,}/gi, `$1$2${masked}`),
  // The password of an address.
  (text) => text.replace(/(:\/\/[^\s/@:"']*:)[^\s/"']+@/g, `$1${masked}@`),
  // Keys that are known by how they begin.
  (text) =>
    text.replace(/(?<![\w-])(?:sk-|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|hf_|npm_|eyJ)[\w.-]{8,}/g, masked),
]

/** No secret, whatever its key sounds like. */
const isPlain = /^(?:\d{1,7}|true|false|null)$/

const keyInText = /(?<![\w.-])([\w.-]+)(?:=|:[ \t]*)/g

/** A header's value may have two words. */
const valueInText = /(?:(?:bearer|basic|token)[ \t]+)?[^\s"'&,{[]+/iy

/** Key by key, because the value of one, such as `https:`, may hold others. */
const withoutValuesIn: Mask = (text) => {
  let shown = ""
  let from = 0
  for (const { 0: all, 1: key = "", index } of text.matchAll(keyInText)) {
    if (index < from || !soundsSecret.test(key)) continue
    valueInText.lastIndex = index + all.length
    const [value] = valueInText.exec(text) ?? []
    if (value === undefined || isPlain.test(value)) continue
    shown += `${text.slice(from, index + all.length)}${masked}`
    from = index + all.length + value.length
  }
  return shown + text.slice(from)
}
