/** The terminal modes that a screen sets and always restores: alternate screen, cursor, wrapping, paste, mouse. */

export type TerminalModes = {
  /** Takes the terminal; again after something else has used it. */
  enter(): void
  /** Gives it back, once, at once. */
  leave(): void
}

/** A row that a terminal draws wider than it is measured must not begin another one: without wrapping it ends at the edge. */
export const wrapping = { off: "\u001b[?7l", on: "\u001b[?7h" }

/** Terminals that support these marks show everything between them in one step; others ignore them. */
export const inOneStep = (text: string): string => `\u001b[?2026h${text}\u001b[?2026l`

type Mode = { taken: string; givenBack: string }

const modes = {
  /** The alternate screen, empty; the previous content is restored afterwards. */
  "other-screen": { taken: "\u001b[?1049h\u001b[2J\u001b[H", givenBack: "\u001b[m\u001b[?1049l" },
  "no-cursor": { taken: "\u001b[?25l", givenBack: "\u001b[?25h" },
  "no-wrapping": { taken: wrapping.off, givenBack: wrapping.on },
  /** Pasted text comes between two marks, so that none of it is read as keys. */
  "marked-pastes": { taken: "\u001b[?2004h", givenBack: "\u001b[?2004l" },
  /** Clicks and the wheel come as keys, told in numbers. */
  mouse: { taken: "\u001b[?1000h\u001b[?1006h", givenBack: "\u001b[?1006l\u001b[?1000l" },
} satisfies Record<string, Mode>

export type ModeName = keyof typeof modes

/** Modes are taken in the order given, and given back the other way round. */
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
