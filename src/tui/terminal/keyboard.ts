/** The keyboard of all screens: turns terminal input into keys and pastes, however the input is split into reads. */
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
  /** Begins to read keys from the terminal, unless it already does. */
  begin(): void
  /** Stops reading and restores the terminal's line mode. Drops incomplete keys. */
  end(): void
}

export type KeyboardOptions = {
  stdin: NodeJS.ReadStream
  /** Receives all keys of one read together, because keys that arrive in one piece were probably not typed by hand. */
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
  /** Drops incomplete keys. */
  forget(): void
}

/**
 * Esc counts as the key itself if nothing follows for this long, in milliseconds. On a slow connection, the rest of a
 * sequence comes a little later.
 */
const escapeTime = 50
/**
 * Once a sequence's second character has arrived, the rest may take this long, because no person types such a
 * beginning.
 */
const sequenceTime = 1_000
/** A paste without new input for this long has lost its end marker. */
const pasteTime = 1_000
/** Text that follows a paste within this time may belong to the paste, if another marker follows. */
const behindTime = 50
/** More characters than this after a paste, without a pause, were not typed by hand. */
const mostBehind = 1_000
/** Ctrl+C that stays the last input of a paste for this long was pressed by the person, to end the paste. */
const interruptTime = 100
/** A longer paste is cut. Twice what a prompt takes, so that the prompt notices that text is missing. */
export const longestPaste = 200_000

export const createKeyReader = (onKeys: (keys: readonly Key[]) => void, timer: Timer = systemTimer): KeyReader => {
  let decoder = newDecoder()
  /** The beginning of an incomplete key. */
  let rest = ""
  /** The received part of a paste, without what may be the beginning of its end marker. */
  let pasted: string | undefined
  /** Whether a paste has just ended; further input is kept in `rest`. */
  let isBehind = false
  /** Whether the last input in the paste is Ctrl+C. */
  let isInterrupted = false
  /** When the beginning of the key arrived. */
  let since = 0
  /** Whether Esc was delivered as a key because nothing followed in time. */
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
    // The cut may have split the last character.
    const text = given.slice(0, longestPaste).toWellFormed()
    if (text !== "") keys.push({ name: "paste", ctrl: false, meta: false, text })
  }

  /**
   * Pasted text may contain end markers itself, to pass the text after them off as keys. The terminal's own end marker
   * comes later, so all text before a further marker was pasted too. Returns the remaining text, or keeps everything.
   */
  const takeBehind = (text: string): string => {
    const marker = text.search(pasteMarker)
    if (marker >= 0) {
      deliverPaste(text.slice(0, marker))
      isBehind = !text.startsWith(pasteStart, marker)
      if (!isBehind) pasted = ""
      return text.slice(marker + pasteEnd.length)
    }
    // Keeps the end of the text, which may be the beginning of a marker.
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

  /** Called when the waiting time is over and no more input has arrived. */
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
    // Counted from the first character, so that further input cannot delay the key for ever.
    else if (rest !== "") callOff = timer.after(Math.max(0, since + sequenceTime - timer.now()), settle)
  }

  return {
    read(chunk) {
      const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })
      if (text === "") return
      callOff?.()
      callOff = undefined
      // Two characters together, right after Esc, are the late rest of a sequence.
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

/** How many characters at the end of a text may be the beginning of a paste's end marker. */
const endBegunIn = (text: string): number => {
  for (let length = Math.min(text.length, pasteEnd.length - 1); length > 0; length -= 1) {
    if (text.endsWith(pasteEnd.slice(0, length))) return length
  }
  return 0
}

/** Decodes characters whose bytes may be split across reads. A byte order mark is kept as a character. */
const newDecoder = () => new TextDecoder("utf-8", { ignoreBOM: true })
