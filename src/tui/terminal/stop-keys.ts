/** The few keys a run listens to: Esc and Ctrl+C stop it, Ctrl+Z gives the terminal back to the shell for a while. */

export type StopKeys = {
  /** Reads keys again, after the terminal was given away. */
  begin(): void
  /** The terminal is as it was. */
  end(): void
}

export type StopKeysOptions = {
  input: NodeJS.ReadStream
  onStop: () => void
  onPause: () => void
}

const [escapeKey, controlC, controlZ] = ["\u001b", "\u0003", "\u001a"]

/** Many keys send Esc and more; over a slow line the rest of such a code may come a little later. */
const patience = 50

export const createStopKeys = ({ input, onStop, onPause }: StopKeysOptions): StopKeys => {
  let timer: NodeJS.Timeout | undefined

  const onData = (data: Buffer): void => {
    const keys = data.toString("latin1")
    const isRest = timer !== undefined && /^[[O]/.test(keys)
    clearTimeout(timer)
    timer = undefined
    if (isRest) return
    if (keys.includes(controlC) || keys.includes(escapeKey + escapeKey)) onStop()
    else if (keys.includes(controlZ)) onPause()
    else if (keys.endsWith(escapeKey)) timer = setTimeout(onStop, patience)
  }

  return {
    begin() {
      input.on("data", onData)
      input.setRawMode(true)
      input.resume()
    },
    end() {
      clearTimeout(timer)
      input.off("data", onData)
      input.setRawMode(false)
      input.pause()
    },
  }
}
