/** Messages to the person at the terminal: whatever they quote, nothing in them can steer it. */
import { sanitiseBlock } from "../plan/sanitise.ts"
import type { Io } from "./io.ts"

export const say = (io: Pick<Io, "err">, message: string): void => io.err(`headway: ${sanitiseBlock(message)}\n`)
