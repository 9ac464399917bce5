/** What the board borrows of a terminal, and gives back whatever happens: screen, cursor, wrapping, pasting, raw keys. */

export type TerminalModes = {
  /** Takes the terminal; again after something else has used it. */
  enter(): void
  /** Gives it back, once, at once. */
  leave(): void
}

/** A row that a terminal draws wider than it is measured must not begin another one: without wrapping it ends at the edge. */
export const wrapping = { off: "\u001b[?7l", on: "\u001b[?7h" }

/** For as long as rows are drawn. Returns how to give it back. */
export const stopWrapping = (stdout: Pick<NodeJS.WriteStream, "write">): (() => void) => {
  stdout.write(wrapping.off)
  return () => void stdout.write(wrapping.on)
}

/** The other screen, no cursor, no wrapping at the right edge, pasted text told from typed keys. */
const taken = `\u001b[?1049h\u001b[?25l${wrapping.off}\u001b[?2004h\u001b[2J\u001b[H`
const givenBack = `\u001b[m\u001b[?2004l${wrapping.on}\u001b[?25h\u001b[?1049l`

export const createTerminalModes = (stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): TerminalModes => {
  let isTaken = false
  return {
    enter() {
      isTaken = true
      // Before anything is drawn: a key pressed early would be echoed into the picture.
      if (stdin.isTTY) stdin.setRawMode(true)
      stdout.write(taken)
    },
    leave() {
      if (!isTaken) return
      isTaken = false
      if (stdin.isTTY && stdin.isRaw) stdin.setRawMode(false)
      if (stdout.writable) stdout.write(givenBack)
    },
  }
}
