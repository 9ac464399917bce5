/** The terminal modes that a screen sets and always restores: alternate screen, cursor, wrapping, paste, mouse. */

export type TerminalModes = {
  /** Sets the modes. Call it again after another program has used the terminal. */
  enter(): void
  /** Restores the terminal immediately. A second call does nothing. */
  leave(): void
}

/** Off while drawing: a row that the terminal draws wider than measured is then cut at the edge instead of wrapped. */
export const wrapping = { off: "\u001b[?7l", on: "\u001b[?7h" }

/** Terminals that support these marks show everything between them at once; others ignore them. */
export const inOneStep = (text: string): string => `\u001b[?2026h${text}\u001b[?2026l`

type Mode = { taken: string; givenBack: string }

const modes = {
  /** The alternate screen, empty; the previous content is restored afterwards. */
  "other-screen": { taken: "\u001b[?1049h\u001b[2J\u001b[H", givenBack: "\u001b[m\u001b[?1049l" },
  "no-cursor": { taken: "\u001b[?25l", givenBack: "\u001b[?25h" },
  "no-wrapping": { taken: wrapping.off, givenBack: wrapping.on },
  /** Pasted text comes between two marks, so that none of it is read as keys. */
  "marked-pastes": { taken: "\u001b[?2004h", givenBack: "\u001b[?2004l" },
  /** Makes the terminal report clicks and the wheel, in the numeric format. */
  mouse: { taken: "\u001b[?1000h\u001b[?1006h", givenBack: "\u001b[?1006l\u001b[?1000l" },
} satisfies Record<string, Mode>

export type ModeName = keyof typeof modes

/** Sets the modes in the given order, and restores them in reverse order. */
export const createTerminalModes = (
  stdout: Pick<NodeJS.WriteStream, "write" | "writable">,
  names: readonly ModeName[],
): TerminalModes => {
  const taken = names.map((name) => modes[name].taken).join("")
  const givenBack = names.toReversed().map((name) => modes[name].givenBack)
  let isTaken = false
  return {
    enter() {
      isTaken = true
      stdout.write(taken)
    },
    leave() {
      if (!isTaken) return
      isTaken = false
      if (stdout.writable) stdout.write(givenBack.join(""))
    },
  }
}
