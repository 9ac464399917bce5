/** `headway demo`: three recorded agents work through their plans, on the live board or as lines. */
import { constants } from "node:os"
import { wantsColour } from "../colour.ts"
import { defineCommand } from "../command.ts"
import { showDemo } from "../demo/live.ts"
import { printDemo } from "../demo/plain.ts"

/** Wider lines are harder to read. */
const widest = 72

export const demo = defineCommand({
  usage: "demo [--speed N]",
  about:
    "Plays a recording of three agents from three vendors: on the live board in a terminal, otherwise its main moments as text.",
  options: {
    speed: {
      type: "number",
      value: "N",
      from: 0.1,
      to: 1000,
      takesFraction: true,
      about: "how many times faster the board plays it (default 1)",
    },
  },
  examples: ["headway demo", "headway demo --speed 4", "headway demo --ascii | less"],
  async run(context) {
    const { io, values } = context
    const { speed = 1 } = values
    const ascii = values.ascii === true
    if (!io.isTerminal.in || !io.isTerminal.out || io.env.TERM === "dumb") {
      await printDemo({ out: io.out, width: Math.min(io.columns ?? widest, widest), ascii })
      return 0
    }
    const { input, output } = io.terminal()
    const ended = await showDemo({
      io,
      speed,
      stdin: input,
      stdout: output,
      appearance: { colour: wantsColour(context), ascii },
    })
    return ended === undefined ? 0 : 128 + constants.signals[ended]
  },
})
