/** Splits a shell command into simple commands and the operators between them. */

/** The operator after a simple command: `""` at the end, `"&"` if it runs in the background. */
export type Separator = "" | "&&" | "||" | ";" | "|" | "&"

export type ShellPart = {
  /** The words without quotes, leading assignments and redirections. */
  words: readonly string[]
  text: string
  joint: Separator
  /** The files to which its output is redirected. */
  writes: readonly string[]
  /** The text of its here-document. */
  document?: string | undefined
  /** The brackets around it: `""` for none, then `/1`, `/1/2`. A change of the folder inside has no effect outside. */
  scope: string
}

/** In characters. A longer command mostly writes a document to a file. */
const longest = 20_000

/** With more simple commands than this, it is a text and not a command. */
const mostParts = 40

/** Never throws. Text that is not a valid command is split as well as possible. */
export const shellParts = (command: string): readonly ShellPart[] => {
  const kept = known.get(command)
  if (kept) return kept
  const parts = createScanner(command.slice(0, longest)).parts().flatMap(unwrapped)
  if (known.size >= mostKnown) known.clear()
  known.set(command, parts)
  return parts
}

/** A cache, because each command is split when it begins and when it ends, and agents repeat commands. */
const known = new Map<string, readonly ShellPart[]>()
const mostKnown = 64

/** A part of a word without special characters. */
const plain = /[^\s;|&<>()\\'"`$]+/y

/** How many levels of nested brackets are distinguished. */
const deepest = 20

/** The characters that end a word. */
const ending = new Set([..." \t\n\r\v\f\u00a0\u2028\u2029\ufeff;|&<>()"])

type Raw = {
  words: string[]
  start: number
  end: number
  joint: Separator
  writes: string[]
  document: string | undefined
  scope: string
}

const createScanner = (text: string) => {
  let at = 0
  const found: Raw[] = []
  let current = emptyPart(0, "")
  /** The open brackets, the innermost last. */
  const open: string[] = []
  let opened = 0
  /** The end markers of the here-documents that begin on the next line, with their commands. */
  let documents: { end: string; part: Raw }[] = []

  const finish = (joint: Separator): void => {
    current.end = at
    current.joint = joint
    if (current.words.length > 0 || current.writes.length > 0) found.push(current)
    else if (joint !== "" && joint !== ";") withJoint(found.at(-1), joint)
  }

  const next = (): void => {
    current = emptyPart(at, open[Math.min(open.length, deepest) - 1] ?? "")
  }

  const skipDocuments = (): void => {
    for (const { end, part } of documents) {
      const start = at
      let last = text.length
      while (at < text.length) {
        const stop = lineEnd(text, at)
        const isEnd = text.slice(at, stop).trim() === end
        if (isEnd) last = at
        at = Math.min(stop + 1, text.length)
        if (isEnd) break
      }
      part.document = `${part.document ?? ""}${text.slice(start, last)}`
    }
    documents = []
  }

  const readWord = (): string => {
    let word = ""
    while (at < text.length) {
      plain.lastIndex = at
      if (plain.test(text)) {
        word += text.slice(at, plain.lastIndex)
        at = plain.lastIndex
        continue
      }
      const letter = text[at] ?? ""
      if (ending.has(letter)) break
      if (letter === "\\") {
        word += text[at + 1] === "\n" ? "" : (text[at + 1] ?? "")
        at += 2
      } else if (letter === "'" || letter === '"' || letter === "`") {
        const end = quoteEnd(text, at)
        word += text.slice(at + 1, end)
        at = end + 1
      } else if (letter === "$" && text[at + 1] === "(") {
        const end = closing(text, at + 1)
        word += text.slice(at, end + 1)
        at = end + 1
      } else {
        word += letter
        at += 1
      }
    }
    return word
  }

  const skipBlanks = (): void => {
    while (text[at] === " " || text[at] === "\t") at += 1
  }

  /** Reads the word after `>` or `<`. */
  const redirect = (): void => {
    const isOutput = text[at] === ">"
    const [operator = ""] = /^(?:<<<|<<-?|>>|>\||[<>]&|[<>])/.exec(text.slice(at, at + 3)) ?? []
    at += operator.length
    if (isOutput && text[at] === "(") return
    skipBlanks()
    const target = readWord()
    if (operator.startsWith("<<") && operator !== "<<<") {
      documents.push({ end: target, part: current })
      current.document = ""
    } else if (operator === "<<<") current.document = target
    else if (isOutput && operator !== ">&" && target !== "") current.writes.push(target)
  }

  const operator = (): Separator | undefined => {
    const two = text.slice(at, at + 2)
    if (two === "&&" || two === "||") return two
    if (two === "|&") return "|"
    const one = text[at]
    return one === ";" || one === "|" || one === "&" ? one : undefined
  }

  const read = (): void => {
    while (at < text.length && found.length < mostParts) {
      const letter = text[at] ?? ""
      if (letter === "\n") {
        finish(";")
        at += 1
        skipDocuments()
        next()
      } else if (/\s/.test(letter)) at += 1
      else if (letter === "#" && (at === 0 || /\s/.test(text[at - 1] ?? ""))) at = lineEnd(text, at)
      // `2>file` and `&>file`: the digit or sign belongs to the redirection.
      else if (text[at + 1] === ">" && /[\d&]/.test(letter)) {
        at += 1
        redirect()
      } else if (letter === ">" || letter === "<") redirect()
      else if (letter === "(" || letter === ")") {
        finish(letter === ")" ? ";" : "")
        at += 1
        if (letter === ")") open.pop()
        else {
          opened += 1
          open.push(open.length < deepest ? `${open.at(-1) ?? ""}/${opened}` : "")
        }
        next()
      } else {
        const joint = operator()
        if (joint === undefined) {
          const before = at
          current.words.push(readWord())
          if (at === before) at += 1
          continue
        }
        finish(joint)
        at += joint.length === 2 || text.slice(at, at + 2) === "|&" ? 2 : 1
        next()
      }
    }
    finish("")
  }

  return {
    parts(): ShellPart[] {
      read()
      return found.map(({ start, end, words, joint, writes, document, scope }) => ({
        words: withoutAssignments(words),
        text: text.slice(start, end).trim(),
        joint,
        writes,
        document,
        scope,
      }))
    },
  }
}

/** The operator after a bracket joins its whole content to the next part. */
const withJoint = (part: Raw | undefined, joint: Separator): void => {
  if (part) part.joint = joint
}

const emptyPart = (start: number, scope: string): Raw => ({
  words: [],
  start,
  end: start,
  joint: "",
  writes: [],
  document: undefined,
  scope,
})

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end < 0 ? text.length : end
}

/** The position of the closing quote. */
const quoteEnd = (text: string, from: number): number => {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\" && quote !== "'") at += 1
    else if (text[at] === quote) return at
  }
  return text.length
}

/** The position of the closing bracket. */
const closing = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === "'" || letter === '"') at = quoteEnd(text, at)
    else if (letter === "(") depth += 1
    else if (letter === ")") {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return text.length
}

const keywords = new Set(["if", "then", "else", "elif", "do", "while", "until", "!", "{", "time"])

const withoutAssignments = (words: readonly string[]): string[] => {
  const first = words.findIndex((word) => !keywords.has(word) && !/^\w+=/.test(word))
  return first < 0 ? [] : words.slice(first)
}

const shells = /^(?:\/\S*\/)?(?:ba|z|da)?sh$/

/** Programs that run a shell, possibly elsewhere. */
const carriers = /^(?:wsl(?:\.exe)?|sudo|env|timeout|docker|podman|docker-compose|nix|nix-shell|nohup|command|time)$/

/** The parts of a command that is passed to a shell as text. */
const unwrapped = (part: ShellPart, index: number): ShellPart[] => {
  const script = scriptOf(part)
  if (script === undefined) return [part]
  const inner = createScanner(script).parts()
  const scope = `${part.scope}/shell${index}`
  return inner.map((one, place) => ({
    ...one,
    scope: `${scope}${one.scope}`,
    ...(place === inner.length - 1 ? { joint: part.joint } : {}),
  }))
}

/** The text after `-c`, or in a here-document if there is no script file: `bash -lc "…"`, `bash -s <<EOF`. */
const scriptOf = ({ words, document }: ShellPart): string | undefined => {
  if (words[0] === "eval") return words.slice(1).join(" ")
  const place = carriers.test(words[0] ?? "") ? words.findIndex((word) => shells.test(word)) : 0
  const [program = "", ...rest] = words.slice(Math.max(0, place))
  if (!shells.test(program)) return undefined
  const flag = rest.findIndex((word) => /^-\w*c$/.test(word))
  if (flag >= 0) return rest[flag + 1]
  return rest.every((word) => word.startsWith("-")) ? document : undefined
}
