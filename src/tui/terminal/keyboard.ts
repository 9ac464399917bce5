/** The keys of a terminal, sorted before Ink sees them: pasted text goes its own way, sequences that are no key go nowhere. */

/** Sent by a terminal around what is pasted, once it was asked to. */
const [pasteBegins, pasteEnds] = ["\u001b[200~", "\u001b[201~"]
/** A paste may be a whole file; the rest of it is let by. */
const longestPaste = 10_000

/** What of an input stream Ink uses. */
export type Keyboard = {
  isTTY: boolean
  setEncoding(encoding: BufferEncoding): unknown
  setRawMode(isRaw: boolean): unknown
  ref(): unknown
  unref(): unknown
  addListener(event: "readable", listener: () => void): unknown
  removeListener(event: "readable", listener: () => void): unknown
  read(): string | null
}

export const createKeyboard = (stdin: NodeJS.ReadStream, onPaste: (text: string) => void): Keyboard => {
  const sort = createSorter(onPaste)
  return {
    isTTY: stdin.isTTY,
    setEncoding: (encoding) => stdin.setEncoding(encoding),
    setRawMode: (isRaw) => stdin.setRawMode(isRaw),
    ref: () => stdin.ref(),
    unref: () => stdin.unref(),
    addListener: (event, listener) => stdin.addListener(event, listener),
    removeListener: (event, listener) => stdin.removeListener(event, listener),
    read: () => {
      const chunk: unknown = stdin.read()
      return typeof chunk === "string" ? sort(chunk) : null
    },
  }
}

/** Takes pieces of what a terminal sends and answers the keys among them. */
const createSorter = (onPaste: (text: string) => void): ((chunk: string) => string) => {
  /** What has come of a paste that has not ended. */
  let pasted: string | undefined

  const takePaste = (text: string): string => {
    const all = (pasted ?? "") + text
    const end = all.indexOf(pasteEnds)
    // A terminal that forgets to end a paste must not take the keyboard with it.
    if (end < 0 && text !== interrupt) {
      pasted = all.slice(0, longestPaste) + (all.length > longestPaste ? all.slice(-pasteEnds.length) : "")
      return ""
    }
    pasted = undefined
    if (end < 0) return text
    onPaste(all.slice(0, Math.min(end, longestPaste)))
    return sort(all.slice(end + pasteEnds.length))
  }

  const sort = (chunk: string): string => {
    if (pasted !== undefined) return takePaste(chunk)
    const start = chunk.indexOf(pasteBegins)
    if (start < 0) return withoutUnknown(chunk)
    pasted = ""
    return withoutUnknown(chunk.slice(0, start)) + takePaste(chunk.slice(start + pasteBegins.length))
  }
  return sort
}

const interrupt = "\u0003"

/** Answers and keys the board has no use for. Ink would take their letters for typed ones, or fail over them. */
const withoutUnknown = (keys: string): string =>
  keys.replace(/\u001b\[[\d;:?<=>]*[ -/]*[@-~]/g, (sequence) => (knownSequence.test(sequence) ? sequence : ""))

/** Arrows, home, end and shift+tab; page up and down and their neighbours. */
const knownSequence = /^\u001b\[(?:(?:1;\d+)?[A-DFHZ]|[1-8](?:;\d+)?~)$/
