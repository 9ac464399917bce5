/** The keyboard of all screens: turns terminal input into keys and pastes, however it is split into reads. */
import {
  escapeCode,
  interrupt,
  type Key,
  keysOfRest,
  pasteEnd,
  pasteStart,
  readKeyCode,
  shortened,
} from "./key-codes.ts"
import { systemTimer, type Timer } from "./pace.ts"

export type { Key } from "./key-codes.ts"

export type Keyboard = {
  /** Takes the keys of the terminal, unless it has them. */
  begin(): void
  /** Releases them and restores the terminal's own handling of lines. Incomplete keys are dropped. */
  end(): void
}

export type KeyboardOptions = {
  stdin: NodeJS.ReadStream
  /** The keys of one read together: what comes in one piece was hardly typed by hand. */
  onKeys(keys: readonly Key[]): void
  timer?: Timer | undefined
}

export const createKeyboard = ({ stdin, onKeys, timer = systemTimer }: KeyboardOptions): Keyboard => {
  const reader = createKeyReader(onKeys, timer)
  let isBegun = false
  return {
    begin() {
      if (isBegun) return
      isBegun = true
      if (stdin.isTTY) stdin.setRawMode(true)
      stdin.on("data", reader.read)
      stdin.ref()
      stdin.resume()
    },
    end() {
      if (!isBegun) return
      isBegun = false
      reader.forget()
      stdin.off("data", reader.read)
      stdin.pause()
      if (stdin.isTTY) stdin.setRawMode(false)
      stdin.unref()
    },
  }
}

export type KeyReader = {
  read(chunk: Uint8Array | string): void
  /** Drops what has not become a key yet. */
  forget(): void
}

/** Esc that nothing follows for this long is the key itself. Over a slow line the rest of a sequence comes a little later. */
const escapeTime = 50
/** The rest of a sequence may take longer once its second character has arrived: no person types its beginning. */
const sequenceTime = 1_000
/** A paste in which nothing comes for this long has lost its end. */
const pasteTime = 1_000
/** Text after the end of a paste without a pause of this length may belong to it: another marker after it decides. */
const behindTime = 50
/** More than this after a paste, without a pause, was not typed. */
const mostBehind = 1_000
/** Ctrl+C as the last thing in a paste for this long was pressed by a person who wants to get out of it. */
const interruptTime = 100
/** A paste may be a whole file; the rest of it is dropped. Twice what a prompt takes, so that it knows that something is missing. */
export const longestPaste = 200_000

export const createKeyReader = (onKeys: (keys: readonly Key[]) => void, timer: Timer = systemTimer): KeyReader => {
  let decoder = newDecoder()
  /** The beginning of a key that is not known yet. */
  let rest = ""
  /** The received part of a paste, without what may be the beginning of its end marker. */
  let pasted: string | undefined
  /** A paste has just ended; later input is kept in `rest`. */
  let isBehind = false
  /** The last thing that came in the paste is Ctrl+C. */
  let isInterrupted = false
  /** When the beginning of the key came. */
  let since = 0
  /** Esc was read as the key because nothing followed it in time. */
  let isEscapeTold = false
  let keys: Key[] = []
  let callOff: (() => void) | undefined

  const deliver = (): void => {
    const delivered = keys
    keys = []
    if (delivered.length > 0) onKeys(delivered)
  }

  /** Returns the text after the end of the paste, or keeps everything. */
  const takePaste = (text: string, before: string): string => {
    const end = text.indexOf(pasteEnd)
    const shown = end < 0 ? text.slice(0, text.length - endBegunIn(text)) : text.slice(0, end)
    pasted = before + shown.slice(0, Math.max(0, longestPaste - before.length))
    if (end < 0) {
      rest = text.slice(shown.length)
      return ""
    }
    endPaste()
    isBehind = true
    return text.slice(end + pasteEnd.length)
  }
  const endPaste = (): void => {
    deliverPaste(pasted ?? "")
    pasted = undefined
  }
  const deliverPaste = (given: string): void => {
    // Its last character may have been cut in two.
    const text = given.slice(0, longestPaste).toWellFormed()
    if (text !== "") keys.push({ name: "paste", ctrl: false, meta: false, text })
  }

  /**
   * Pasted text may hold markers itself, to pass what follows them off as keys. The terminal's own marker then follows,
   * so what comes before a further marker was pasted too. Returns what is left, or keeps everything.
   */
  const takeBehind = (text: string): string => {
    const marker = text.search(pasteMarker)
    if (marker >= 0) {
      deliverPaste(text.slice(0, marker))
      isBehind = !text.startsWith(pasteStart, marker)
      if (!isBehind) pasted = ""
      return text.slice(marker + pasteEnd.length)
    }
    // What may be the beginning of a marker is kept.
    const known = text.length > mostBehind ? text.length - pasteEnd.length : 0
    deliverPaste(text.slice(0, known))
    rest = text.slice(known)
    return ""
  }

  const take = (given: string): void => {
    let text = given
    rest = ""
    while (text !== "") {
      if (pasted !== undefined) {
        text = takePaste(text, pasted)
        continue
      }
      if (isBehind) {
        text = takeBehind(text)
        continue
      }
      const code = readKeyCode(text)
      if (!code) {
        rest = shortened(text)
        return
      }
      if (code.key) keys.push(code.key)
      if (code.isPasteStart) pasted = ""
      text = text.slice(code.length)
    }
  }

  /** Nothing has arrived for as long as there was reason to wait. */
  const settle = (): void => {
    callOff = undefined
    if (isBehind) {
      isBehind = false
      take(rest)
      wait()
      deliver()
      return
    }
    if (pasted === undefined) {
      isEscapeTold = rest === escapeCode
      keys.push(...keysOfRest(rest))
    } else {
      if (isInterrupted && pasted.endsWith(interrupt)) pasted = pasted.slice(0, -interrupt.length)
      endPaste()
      if (isInterrupted) take(interrupt)
    }
    rest = ""
    deliver()
  }

  const wait = (): void => {
    if (pasted !== undefined) callOff = timer.after(isInterrupted ? interruptTime : pasteTime, settle)
    else if (isBehind) callOff = timer.after(behindTime, settle)
    else if (/^\u001b+$/.test(rest)) callOff = timer.after(escapeTime, settle)
    // From its first character on: whatever else is typed must not keep it waiting for ever.
    else if (rest !== "") callOff = timer.after(Math.max(0, since + sequenceTime - timer.now()), settle)
  }

  return {
    read(chunk) {
      const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })
      if (text === "") return
      callOff?.()
      callOff = undefined
      // Two characters together after Esc are the rest of its sequence after all.
      const isLate = isEscapeTold && /^\[[\dA-Z]/.test(text)
      isEscapeTold = false
      if (rest === "") since = timer.now()
      take(isLate ? escapeCode + text : rest + text)
      isInterrupted = pasted !== undefined && text.endsWith(interrupt)
      if (keys.length > 0) since = timer.now()
      wait()
      deliver()
    },
    forget() {
      callOff?.()
      callOff = undefined
      decoder = newDecoder()
      rest = ""
      pasted = undefined
      isBehind = false
      isEscapeTold = false
    },
  }
}

const pasteMarker = /\u001b\[20[01]~/

/** How many characters at the end of a text may begin the end of a paste. */
const endBegunIn = (text: string): number => {
  for (let length = Math.min(text.length, pasteEnd.length - 1); length > 0; length -= 1) {
    if (text.endsWith(pasteEnd.slice(0, length))) return length
  }
  return 0
}

/** Whole characters, however their bytes are cut; a byte order mark is a character as well. */
const newDecoder = () => new TextDecoder("utf-8", { ignoreBOM: true })
