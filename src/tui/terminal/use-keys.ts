/** The keys of a person, one by one, and what they paste as a whole; the keyboard is given back in the end. */
import { emitKeypressEvents, type Interface, type Key as NodeKey } from "node:readline"
import { useStdin, useStdout } from "ink"
import { useLayoutEffect, useRef } from "react"

export type Key = {
  /** `return`, `left`, `backspace`, `a`, …; `paste` for pasted text. */
  name: string
  ctrl: boolean
  meta: boolean
  /** What it writes; nothing for a key that writes nothing. */
  text: string
}

/** Pasted text comes between two marks where a terminal knows how, so that its line breaks send nothing. */
const pasteMode = { on: "\u001b[?2004h", off: "\u001b[?2004l" }

/** Milliseconds until an escape that nothing follows counts as the key; Node waits half a second. */
const escapeCodeTimeout = 40

/**
 * Node's own reading of keys in place of Ink's `useInput`, which takes Delete for Backspace and gives several keys that
 * arrive together as one text. Without a keyboard it listens to nothing.
 */
export const useKeys = (onKey: (key: Key) => void): void => {
  const { stdin, isRawModeSupported } = useStdin()
  const { stdout } = useStdout()
  const latest = useRef(onKey)
  latest.current = onKey
  useLayoutEffect(() => {
    if (isRawModeSupported !== true) return
    let pasted: string | undefined
    const listen = (text: string | undefined, key: NodeKey): void => {
      if (key.name === "paste-start") pasted = ""
      else if (key.name === "paste-end") {
        const whole = pasted ?? ""
        pasted = undefined
        if (whole !== "") latest.current({ name: "paste", ctrl: false, meta: false, text: whole })
      } else if (pasted !== undefined) pasted += text ?? ""
      else latest.current(keyOf(text, key))
    }
    emitKeypressEvents(stdin, { escapeCodeTimeout } as unknown as Interface)
    stdin.setRawMode(true)
    stdin.ref()
    stdin.resume()
    stdin.on("keypress", listen)
    stdout.write(pasteMode.on)
    // On unmounting, which Ink sees to for errors, signals and the end of the process too.
    return () => {
      stdin.off("keypress", listen)
      stdout.write(pasteMode.off)
      stdin.setRawMode(false)
      stdin.pause()
      stdin.unref()
    }
  }, [stdin, stdout, isRawModeSupported])
}

const keyOf = (text: string | undefined, { name = "", ctrl = false, meta = false, sequence = "" }: NodeKey): Key => {
  const writes = text !== undefined && !ctrl && !/^[\u0000-\u001f\u007f]/.test(text) ? text : ""
  return {
    name: name === "" && sequence === "\u001b" ? "escape" : name,
    ctrl,
    meta: meta && name !== "escape",
    text: writes,
  }
}
