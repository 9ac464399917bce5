/** Messages to the person at the terminal: quoted text is sanitised and cannot imitate a message. */
import { sanitiseBlock } from "../../plan/text/sanitise.ts"
import type { Io } from "../io.ts"

export const say = (io: Pick<Io, "err">, message: string): void => io.err(sayText(message))

/** The lines of one message; those after the first are indented, so that none of them looks like another message. */
export const sayText = (message: string): string => `headway: ${sanitiseBlock(message).replace(/\n(?! )/g, "\n  ")}\n`
