/** `headway demo`: three recorded agents work through their plans, on the live board or as lines. */
import type { Command } from "../command.ts"
import { readSpeed } from "../demo/clock.ts"
import { printDemo } from "../demo/plain.ts"

/** Wider lines are harder to read. */
const widest = 72

export const demo: Command = {
  usage: "demo [--speed N]",
  about:
    "Plays what three agents of three vendors did: on the live board in a terminal, else the main moments as text.",
  options: {
    speed: { type: "string", value: "N", about: "on the board, how many times faster than it happened (default 1)" },
  },
  examples: ["headway demo", "headway demo --speed 4", "headway demo --ascii | less"],
  async run({ io, values }) {
    readSpeed(typeof values.speed === "string" ? values.speed : "1")
    const ascii = values.ascii === true
    await printDemo({ out: io.out, width: Math.min(io.columns ?? widest, widest), ascii })
    return 0
  },
}
